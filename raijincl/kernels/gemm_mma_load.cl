// One operand of gemm_mma.cl, taken in twice with OPERAND, X_MODE (1: rows consecutive, 2: k consecutive), X_ROWS (of the tile),
// X_WROWS (of a warp) and X_CONJ set.
//
// k consecutive: a row's 4 W steps of k are 64 bytes, and the lane with row g = lane/4 and t = lane%4 reads its chunk t: 32 lanes,
// 512 consecutive bytes. Rows consecutive: a lane reads, at step k, the chunk with rows g*W .. g*W+W-1 of a set of 8 W rows;
// chunks are permuted by k so that the four k of a warp lie in different banks. Which k is called which does not matter to a sum
// as long as A and B agree: lane t has k = W t .. W t + W - 1. Likewise rows may be dealt out in any order that C's side knows.
#define X(name) JOIN(name##_, OPERAND)
#define X_CHUNKS (X_ROWS * 4)
#define X_PER ((X_CHUNKS + THREADS - 1) / THREADS)
#define X_SETS (X_ROWS / W)

INLINE uint X(place)(uint k, uint set) { return k * X_SETS + (set ^ (((k / W) & 3) << 1)); }

// Starts the copy of the tile at (r0, k0); zeros where nothing exists.
INLINE void X(issue)(local uint4* dst, global const T* src, ulong ld, uint r0, uint rows, uint k0, uint k, uint tid) {
#pragma unroll
  for (int i = 0; i < X_PER; ++i) {
    const uint c = i * THREADS + tid;
    if (X_CHUNKS % THREADS == 0 || c < X_CHUNKS) {
#if X_MODE == 2
      const uint r = r0 + c / 4, kk = k0 + c % 4 * W;
      const int n = r < rows ? min(W, (int)(k - kk)) : 0;
      const ulong at = r * ld + kk;
      const uint to = c;
#else
      const uint r = r0 + c % X_SETS * W, kk = k0 + c / X_SETS;
      const int n = kk < k ? min(W, (int)(rows - r)) : 0;
      const ulong at = kk * ld + r;
      const uint to = X(place)(c / X_SETS, c % X_SETS);
#endif
      ASYNC_COPY16(dst + to, src + (n > 0 ? at : 0), n > 0 ? n * (int)sizeof(T) : 0);
    }
  }
}

// Elements of this lane: x[group of 8 rows][step of k].
INLINE void X(pick)(T x[X_WROWS / 8][W], local const uint4* tile, uint w0, uint g, uint t) {
#if X_MODE == 2
#pragma unroll
  for (int r = 0; r < X_WROWS / 8; ++r) {
    Chunk c;
    c.u = tile[(w0 + r * 8 + g) * 4 + t];
#pragma unroll
    for (int j = 0; j < W; ++j) x[r][j] = c.e[j];
  }
#else
#pragma unroll
  for (int s = 0; s < X_WROWS / 8 / W; ++s) {
#pragma unroll
    for (int j = 0; j < W; ++j) {
      Chunk c;
      c.u = tile[X(place)(W * t + j, w0 / W + s * 8 + g)];
#pragma unroll
      for (int e = 0; e < W; ++e) x[s * W + e][j] = c.e[e];
    }
  }
#endif
#if X_CONJ
#pragma unroll
  for (int r = 0; r < X_WROWS / 8; ++r)
#pragma unroll
    for (int j = 0; j < W; ++j) x[r][j] = conjugate(x[r][j]);
#endif
}

// The row in the warp's part that is number q of group r.
INLINE uint X(row)(uint r, uint q) {
#if X_MODE == 2
  return r * 8 + q;
#else
  return r / W * 8 * W + q * W + r % W;
#endif
}
#undef X
#undef X_CHUNKS
#undef X_PER
#undef X_SETS
