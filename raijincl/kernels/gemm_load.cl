// Copies tiles of one operand to local memory. This file is included twice, for A and for B, with OPERAND and the X_ parameters set:
//   X_MODE 0: panels made by pack.cl; 1: rows consecutive in memory; 2: k consecutive
//   X_ROWS rows of a tile; X_LV elements per load, X_LT their vector type, X_BYTES its size; X_CONJ: conjugates the elements
// A tile is stored in local memory as [BK][X_STRIDE]. Loads of more than one element are aligned, which the host ensures.
#define X(name) JOIN(name##_, OPERAND)
#define X_CHUNKS (X_ROWS * BK / X_LV)
#define X_PER ((X_CHUNKS + THREADS - 1) / THREADS)
#define X_STRIDE (X_ROWS + PAD)
#if X_MODE == 2
#define X_R(c) ((c) / (BK / X_LV))
#define X_K(c) ((c) % (BK / X_LV) * X_LV)
#else
#define X_R(c) ((c) % (X_ROWS / X_LV) * X_LV)
#define X_K(c) ((c) / (X_ROWS / X_LV))
#endif
#define X_EACH(c)                                          \
  _Pragma("unroll") for (int i = 0; i < X_PER; ++i)        \
    for (uint c = i * THREADS + tid, once = 1; once && (X_CHUNKS % THREADS == 0 || c < X_CHUNKS); once = 0)

// The number of elements, 0 to X_LV, of the chunk at (r, kk) that are inside of the operand.
INLINE uint X(exist)(uint r, uint rows, uint kk, uint k) {
#if X_MODE == 2
  return r < rows && kk < k ? min((uint)X_LV, k - kk) : 0;
#else
  return r < rows && kk < k ? min((uint)X_LV, rows - r) : 0;
#endif
}
INLINE global const T* X(at)(global const T* src, ulong ld, uint r, uint kk) {
#if X_MODE == 2
  return src + r * ld + kk;
#else
  return src + kk * ld + r;
#endif
}

#if ASYNC
// Work-item tid copies the chunks tid, tid + THREADS, ... They differ by whole rows (X_MODE 2) or whole steps of k, so one pointer suffices
// for all of them. The host ensures that THREADS is a multiple of the number of chunks in a row or step.
#if X_MODE == 2
#define X_APART (THREADS / BK)
#else
#define X_APART (THREADS / (X_ROWS / X_LV))
#endif
typedef struct {
  global const T* from;  // of the first chunk; advances along k
  int rows;              // rows inside of the operand, counted from the chunk's (first) row
} X(Cursor);

INLINE void X(start)(private X(Cursor) * u, global const T* src, ulong ld, uint r0, uint rows, uint tid) {
  u->rows = (int)rows - (int)(r0 + X_R(tid));
  u->from = X(at)(src, ld, r0 + X_R(tid), X_K(tid));
}
// Starts the copy of the next tile. `left` steps of k are inside of the operand; elements outside are zero. X_MODE 2 (with X_LV 1)
// transposes, one element at a time.
INLINE void X(issue)(private X(Cursor) * u, local T* dst, ulong ld, int left, uint tid) {
  local T* to = dst + X_K(tid) * X_STRIDE + X_R(tid);
#if X_MODE == 2
  const int bytes = (int)X_K(tid) < left ? (int)sizeof(T) : 0;
#else
  const int bytes = clamp(u->rows, 0, X_LV) * (int)sizeof(T);
#endif
#pragma unroll
  for (int i = 0; i < X_PER; ++i) {
    if (X_CHUNKS % THREADS == 0 || i * THREADS + tid < X_CHUNKS) {
#if X_MODE == 2
      ASYNC_COPY(X_BYTES, to + i * X_APART, u->from + i * X_APART * ld, i * X_APART < u->rows ? bytes : 0);
#else
      ASYNC_COPY(X_BYTES, to + i * X_APART * X_STRIDE, u->from + i * X_APART * ld,
                 (int)X_K(tid) + i * X_APART < left ? bytes : 0);
#endif
    }
  }
  u->from += X_MODE == 2 ? (ulong)BK : BK * ld;
}
#else
INLINE void X(fetch)(X_LT* v, global const T* src, ulong ld, uint r0, uint rows, uint k0, uint k, uint tid) {
  X_EACH(c) {
    const uint r = X_R(c), kk = X_K(c);
#if X_MODE == 0
    v[i] = *(global const X_LT*)(src + (ulong)(k0 + kk) * X_ROWS + r);
#else
    const uint n = X(exist)(r0 + r, rows, k0 + kk, k);
    global const T* p = n ? X(at)(src, ld, r0 + r, k0 + kk) : src;
#if X_LV == 1
    v[i] = n ? *p : ZERO;
#else
    if (n == X_LV) {
      v[i] = *(global const X_LT*)p;
    } else {
      for (uint e = 0; e < X_LV; ++e) ((T*)&v[i])[e] = e < n ? p[e] : ZERO;
    }
#endif
#endif
  }
}
INLINE void X(put)(local T* dst, X_LT* v, uint tid) {
  X_EACH(c) {
    const uint r = X_R(c), kk = X_K(c);
    T* p = (T*)&v[i];
#if X_CONJ
    for (int e = 0; e < X_LV; ++e) p[e] = conjugate(p[e]);
#endif
#if X_MODE == 2
    for (int e = 0; e < X_LV; ++e) dst[(kk + e) * X_STRIDE + r] = p[e];
#else
    *(local X_LT*)(dst + kk * X_STRIDE + r) = v[i];
#endif
  }
}
#endif
#undef X
#undef X_CHUNKS
#undef X_PER
#undef X_STRIDE
#undef X_R
#undef X_K
#undef X_EACH
#undef X_APART
