// Register-blocked product: a work-group computes a BM x BN tile of C, a work-item TM x TN elements of it, k in steps of BK.
//   LOCAL 0: operands are read directly from packed panels (CPUs); 1: through local memory
//   ASYNC 0: the next tile is kept in registers while this one is used, two buffers; 1: STAGES buffers filled by cp.async
//   VW: real numbers per vector along n; AV: elements of A per load; LANES > 0: a warp of 32 work-items covers LANES x 32/LANES of them
// Work-item (tm, tn) has rows (i/AV)*GM*AV + tm*AV + i%AV and the vectors v of columns starting at (v*GN + tn)*VW/CPX.
#define NV (TN * CPX / VW)
#if VW == 1
#define RV R
#define RLOAD(p) (*(p))
#define RSTORE(v, p) (*(p) = (v))
#else
#define RV JOIN(R, VW)
#define RLOAD(p) JOIN(vload, VW)(0, p)
#define RSTORE(v, p) JOIN(vstore, VW)(v, 0, p)
#endif
#if LOCAL
#define SPACE local
#define ROW_A (BM + PAD)
#define ROW_B (BN + PAD)
#else
#define SPACE global
#define ROW_A BM
#define ROW_B BN
#endif

#if CPX == 2  // (re, im) -> (-im, re): i times each number
INLINE RV turn(RV v) {
  RV r;
  r.even = -v.odd;
  r.odd = v.even;
  return r;
}
#define ALONG(z, v) ((RV)((z).x) * (v) + (RV)((z).y) * turn(v))
#else
#define ALONG(z, v) ((RV)(z) * (v))
#endif

// acc += a column of A times a row of B.
INLINE void rank1(RV acc[TM][NV], SPACE const T* a, SPACE const T* b, uint tm, uint tn) {
  union { A_VT v[TM / AV]; T e[TM]; } x;
  RV y[NV];
#pragma unroll
  for (int i = 0; i < TM / AV; ++i) x.v[i] = *(SPACE const A_VT*)(a + (i * GM + tm) * AV);
#pragma unroll
  for (int v = 0; v < NV; ++v) y[v] = *(SPACE const RV*)((SPACE const R*)b + (v * GN + tn) * VW);
#if ASYNC && CONJ_A
#pragma unroll
  for (int i = 0; i < TM; ++i) x.e[i] = conjugate(x.e[i]);
#endif
#if ASYNC && CONJ_B
#pragma unroll
  for (int v = 0; v < NV; ++v) y[v].odd = -y[v].odd;
#endif
#pragma unroll
  for (int v = 0; v < NV; ++v) {
#if CPX == 2
    const RV z = turn(y[v]);
#pragma unroll
    for (int i = 0; i < TM; ++i) {
      acc[i][v] = MADD((RV)(x.e[i].x), y[v], acc[i][v]);
      acc[i][v] = MADD((RV)(x.e[i].y), z, acc[i][v]);
    }
#else
#pragma unroll
    for (int i = 0; i < TM; ++i) acc[i][v] = MADD((RV)(x.e[i]), y[v], acc[i][v]);
#endif
  }
}

kernel __attribute__((reqd_work_group_size(THREADS, 1, 1)))
void gemm(uint m, uint n, uint k, T alpha, global const T* restrict a, ulong oa, ulong lda, ulong sa,
          global const T* restrict b, ulong ob, ulong ldb, ulong sb, T beta, global T* restrict c, ulong oc, ulong ldc,
          ulong sc, uint slice) {
  k = steps(k, slice);
  const uint tid = get_local_id(0);
#if LANES
  const uint lane = tid % 32, warp = tid / 32, warps_m = GM / LANES;
  const uint tm = warp % warps_m * LANES + lane / (32 / LANES), tn = warp / warps_m * (32 / LANES) + lane % (32 / LANES);
#else
  const uint tn = tid % GN, tm = tid / GN;
#endif
  uint bm, bn;
  place_of_tile(&bm, &bn);
  a += oa + get_group_id(2) * sa;
  b += ob + get_group_id(2) * sb;
  c += oc + get_group_id(2) * sc;
  const uint m0 = bm * BM, n0 = bn * BN;
#if A_MODE == 0
  a += (ulong)bm * lda * BM;
#endif
#if B_MODE == 0
  b += (ulong)bn * ldb * BN;
#endif

  RV acc[TM][NV];
#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int v = 0; v < NV; ++v) acc[i][v] = (RV)(0);

#if !LOCAL
  for (uint kk = 0; kk < k; kk += BK) {
#pragma unroll
    for (int s = 0; s < BK; ++s) rank1(acc, a + (ulong)(kk + s) * BM, b + (ulong)(kk + s) * BN, tm, tn);
  }
#elif ASYNC
  local T la[STAGES][BK * ROW_A] __attribute__((aligned(16))), lb[STAGES][BK * ROW_B] __attribute__((aligned(16)));
  const int tiles = (k + BK - 1) / BK;
  Cursor_A ua;
  Cursor_B ub;
  start_A(&ua, a, lda, m0, m, tid);
  start_B(&ub, b, ldb, n0, n, tid);
  int left = k;  // steps of k whose copy has not started yet
  for (int s = 0; s < STAGES - 1; ++s) ISSUE(s);
  int use = 0, fill = STAGES - 1;
  for (int t = 0; t < tiles; ++t) {
    ASYNC_WAIT(WAIT_FOR);
    barrier(CLK_LOCAL_MEM_FENCE);
    ISSUE(fill);
#pragma unroll
    for (int s = 0; s < BK; ++s) rank1(acc, la[use] + s * ROW_A, lb[use] + s * ROW_B, tm, tn);
    use = use + 1 == STAGES ? 0 : use + 1;
    fill = fill + 1 == STAGES ? 0 : fill + 1;
  }
#else
  local T la[2][BK * ROW_A] __attribute__((aligned(64))), lb[2][BK * ROW_B] __attribute__((aligned(64)));
  A_LT ra[(BM * BK / A_LV + THREADS - 1) / THREADS];
  B_LT rb[(BN * BK / B_LV + THREADS - 1) / THREADS];
  fetch_A(ra, a, lda, m0, m, 0, k, tid);
  fetch_B(rb, b, ldb, n0, n, 0, k, tid);
  put_A(la[0], ra, tid);
  put_B(lb[0], rb, tid);
  barrier(CLK_LOCAL_MEM_FENCE);
  uint use = 0;
  for (uint kk = 0; kk < k; kk += BK) {
    const uint more = kk + BK < k;
    if (more) {
      fetch_A(ra, a, lda, m0, m, kk + BK, k, tid);
      fetch_B(rb, b, ldb, n0, n, kk + BK, k, tid);
    }
#pragma unroll
    for (int s = 0; s < BK; ++s) rank1(acc, la[use] + s * ROW_A, lb[use] + s * ROW_B, tm, tn);
    use = 1 - use;
    if (more) {
      put_A(la[use], ra, tid);
      put_B(lb[use], rb, tid);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#endif

  const uint whole = m0 + BM <= m && n0 + BN <= n;
#pragma unroll
  for (int i = 0; i < TM; ++i) {
    const uint row = m0 + i / AV * GM * AV + tm * AV + i % AV;
#pragma unroll
    for (int v = 0; v < NV; ++v) {
      const uint col = n0 + (v * GN + tn) * VW / CPX;
      RV x = ALONG(alpha, acc[i][v]);
      global R* p = (global R*)(c + row * ldc + col);
      if (whole) {
        if (NOT_ZERO(beta)) {
          const RV old = RLOAD(p);
          x += ALONG(beta, old);
        }
        RSTORE(x, p);
      } else if (row < m) {
        for (int e = 0; e < VW / CPX; ++e) {
          if (col + e < n) {
            global T* q = (global T*)p + e;
            *q = blend(((T*)&x)[e], beta, q);
          }
        }
      }
    }
  }
}
