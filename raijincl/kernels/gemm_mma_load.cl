// One operand of gemm_mma.cl. This file is included twice, with OPERAND, X_MODE (1: rows consecutive, 2: k consecutive), X_ROWS (of the
// tile), X_WROWS (of a warp) and X_CONJ set.
//
// k consecutive: a row's part of a tile has 64 bytes. Rows consecutive: one line per step of k. Chunks are permuted within lines so that 32
// lanes read from different banks at the same time; lane = 4 g + t.
//   PAIRS 1 (double): elements are read one by one into the registers that mma requires: row g of a group of 8, k = t + 4 j.
//   PAIRS 0: a lane reads whole chunks. The order of k does not affect a sum as long as A and B use the same one, so lane t has k = W t ..
// W t + W - 1. Likewise, rows may be assigned in any order that the code for C takes into account: with rows consecutive, the W rows of a
// chunk belong to W groups.
#define X(name) JOIN(name##_, OPERAND)
#define X_CHUNKS (X_ROWS * 4)
#define X_PER ((X_CHUNKS + THREADS - 1) / THREADS)
#define X_SETS (X_ROWS / W)

#if PAIRS
INLINE uint X(place)(uint k, uint set) { return k * X_SETS + (set ^ ((k & 3) << 1)); }
INLINE uint X(along)(uint row, uint chunk) { return row * 4 + (chunk ^ (row & 2)); }
#else
INLINE uint X(place)(uint k, uint set) { return k * X_SETS + (set ^ (((k / W) & 3) << 1)); }
INLINE uint X(along)(uint row, uint chunk) { return row * 4 + chunk; }
#endif

// Work-item tid copies the chunks tid, tid + THREADS, ... They differ by whole rows (X_MODE 2) or whole steps of k, so one pointer and one
// count suffice for all of them. The host ensures that THREADS is a multiple of the number of chunks in a row or step.
#if X_MODE == 2
#define X_LINE 4
#else
#define X_LINE X_SETS
#endif
#define X_APART (THREADS / X_LINE)
typedef struct {
  global const T* from;  // of the first chunk; advances along k
  int rows;              // rows inside of the operand, counted from the chunk's (first) row
} X(Cursor);

INLINE void X(start)(private X(Cursor) * u, global const T* src, ulong ld, uint r0, uint rows, uint tid) {
#if X_MODE == 2
  u->rows = (int)rows - (int)(r0 + tid / 4);
  u->from = src + (r0 + tid / 4) * ld + tid % 4 * W;
#else
  u->rows = clamp((int)rows - (int)(r0 + tid % X_SETS * W), 0, W);
  u->from = src + tid / X_SETS * ld + r0 + tid % X_SETS * W;
#endif
}

// Starts the copy of the next tile. `left` steps of k are inside of the operand; elements outside are zero.
INLINE void X(issue)(private X(Cursor) * u, local uint4* dst, ulong ld, int left, uint tid) {
#if X_MODE == 2
  const int bytes = clamp(left - (int)(tid % 4 * W), 0, W) * (int)sizeof(T);
#else
  const int bytes = u->rows * (int)sizeof(T);
#endif
#pragma unroll
  for (int i = 0; i < X_PER; ++i) {
    const uint c = i * THREADS + tid;
    if (X_CHUNKS % THREADS == 0 || c < X_CHUNKS) {
#if X_MODE == 2
      ASYNC_COPY(16, dst + X(along)(c / 4, tid % 4), u->from + i * X_APART * ld, i * X_APART < u->rows ? bytes : 0);
#else
      const uint k = tid / X_SETS + i * X_APART;
      ASYNC_COPY(16, dst + X(place)(k, tid % X_SETS), u->from + i * X_APART * ld, (int)k < left ? bytes : 0);
#endif
    }
  }
  u->from += X_MODE == 2 ? (ulong)STEP : STEP * ld;
}

// The addresses of the first tile that this lane reads; all its other addresses differ from them by constants.
#if PAIRS
#define X_PLACES 2
#define X_UNIT T
#else
#define X_PLACES 1
#define X_UNIT uint4
#endif
typedef struct {
  local const X_UNIT* at[X_PLACES];
} X(Reader);
INLINE void X(find)(private X(Reader) * u, local const uint4* tile, uint w0, uint g, uint t) {
#pragma unroll
  for (int i = 0; i < X_PLACES; ++i) {
#if PAIRS && X_MODE == 2  // one address per step of k
    u->at[i] = (local const T*)(tile + X(along)(w0 + g, t / 2 + 2 * i)) + t % 2;
#elif PAIRS  // one for even and one for odd groups of rows
    u->at[i] = (local const T*)(tile + X(place)(t, (w0 + 8 * i + g) / 2)) + g % 2;
#elif X_MODE == 2
    u->at[i] = tile + (w0 + g) * 4 + t;
#else
    u->at[i] = tile + X(place)(W * t, w0 / W + g);
#endif
  }
}

// Elements of this lane: x[group of 8 rows][step of k], X_PART groups at a time (as many as chunks contain, at least 2).
#if X_MODE == 1 && !PAIRS && W > 2
#define X_PART W
#else
#define X_PART 2
#endif
INLINE void X(part)(T x[X_PART][KJ], private const X(Reader) * u, int tile, int part) {
#pragma unroll
  for (int f = 0; f < FOLD; ++f) {
    const int base = (tile + f) * X_CHUNKS;
#if PAIRS
#pragma unroll
    for (int r = 0; r < X_PART; ++r)
#pragma unroll
      for (int j = 0; j < W; ++j) {
        const int row = part * X_PART + r;
#if X_MODE == 2
        x[r][f * W + j] = u->at[j][base * 2 + row * 64];
#else
        x[r][f * W + j] = u->at[row & 1][base * 2 + row / 2 * 16 + j * 8 * X_SETS];
#endif
      }
#elif X_MODE == 2
#pragma unroll
    for (int r = 0; r < X_PART; ++r) {
      Chunk c;
      c.u = u->at[0][base + (part * X_PART + r) * 32];
#pragma unroll
      for (int j = 0; j < W; ++j) x[r][f * W + j] = c.e[j];
    }
#else
#pragma unroll
    for (int s = 0; s < X_PART / W; ++s) {
#pragma unroll
      for (int j = 0; j < W; ++j) {
        Chunk c;
        c.u = u->at[0][base + j * X_SETS + (part * X_PART / W + s) * 8];
#pragma unroll
        for (int e = 0; e < W; ++e) x[s * W + e][f * W + j] = c.e[e];
      }
    }
#endif
  }
#if X_CONJ
#pragma unroll
  for (int r = 0; r < X_PART; ++r)
#pragma unroll
    for (int j = 0; j < KJ; ++j) x[r][j] = conjugate(x[r][j]);
#endif
}
INLINE void X(pick)(T x[X_WROWS / 8][KJ], private const X(Reader) * u, int tile) {
#pragma unroll
  for (int p = 0; p < X_WROWS / 8 / X_PART; ++p) X(part)(x + p * X_PART, u, tile, p);
#if X_WROWS / 8 % X_PART  // a single group remains
  T last[X_PART][KJ];
  X(part)(last, u, tile, X_WROWS / 8 / X_PART);
#pragma unroll
  for (int j = 0; j < KJ; ++j) x[X_WROWS / 8 - 1][j] = last[0][j];
#endif
}

// The row in the warp's part that is row q of group r.
INLINE uint X(row)(uint r, uint q) {
#if X_MODE == 2 || PAIRS
  return r * 8 + q;
#else
  return r / W * 8 * W + q * W + r % W;
#endif
}
#undef X
#undef X_CHUNKS
#undef X_PER
#undef X_SETS
#undef X_PART
#undef X_PLACES
#undef X_UNIT
#undef X_LINE
#undef X_APART
