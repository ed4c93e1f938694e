// The six codelets of thesis 8.4.2: layouts TN, NT and NN, elements of a work-item consecutive or offset by the work-group's shape.
// Operands are padded to whole tiles and stored in this layout:
//   A_K 0: A is k x m (m consecutive), 1: m x k;  B_K 0: B is k x n, 1: n x k.    TN: 0,0   NT: 1,1   NN: 1,0
//   LOCAL_A, LOCAL_B: the tile of k is first copied to local memory.   IMAGE_A, IMAGE_B: the operand is an image of 16-byte texels.
//   VW: SIMD width, in elements, of loads along the consecutive direction and, where columns are consecutive, of the sums.
#define GM (BM / TM)
#define GN (BN / TN)
#define THREADS (GM * GN)
#define SUM_VECTORS (!B_K && CPX == 1)
typedef union {
  VT v;
  T e[VW];
  uint4 texel;
} Pack;
#if CPX == 2
INLINE T add_product(T c, T a, T b) {
  c.x = MADD(a.x, b.x, c.x);
  c.y = MADD(a.x, b.y, c.y);
  c.x = MADD(-a.y, b.y, c.x);
  c.y = MADD(a.y, b.x, c.y);
  return c;
}
#else
#define add_product(c, a, b) MADD(a, b, c)
#endif

// Position of element i of a work-item's TM rows (or TN columns) in the tile. The elements of the vector that starts at i are adjacent if
// the rows themselves are consecutive in memory.
#if CONSECUTIVE
#define SPREAD(i, id, count, per, v) ((id) * (per) + (i))
#else
#define SPREAD(i, id, count, per, v) ((i) / (v) * (count) * (v) + (id) * (v) + (i) % (v))
#endif
#define ROW_V (A_K ? 1 : VW)
#define COL_V (B_K ? 1 : VW)
#define ROW(i) SPREAD(i, ty, GM, TM, ROW_V)
#define COL(j) SPREAD(j, tx, GN, TN, COL_V)

#if IMAGE_A
#define A_ARGS read_only image2d_t a
#else
#define A_ARGS global const T* restrict a, ulong oa, ulong lda, ulong sa
#endif
#if IMAGE_B
#define B_ARGS read_only image2d_t b
#else
#define B_ARGS global const T* restrict b, ulong ob, ulong ldb, ulong sb
#endif
constant sampler_t exact = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;

// VW elements of an operand at (row, k), along its consecutive direction.
#if IMAGE_A
#define GLOBAL_A(d, r, kk) (d).texel = read_imageui(a, exact, A_K ? (int2)((kk) / VW, r) : (int2)((r) / VW, kk))
#else
#define GLOBAL_A(d, r, kk) (d).v = *(global const VT*)(a + (A_K ? (ulong)(r)*lda + (kk) : (ulong)(kk)*lda + (r)))
#endif
#if IMAGE_B
#define GLOBAL_B(d, r, kk) (d).texel = read_imageui(b, exact, B_K ? (int2)((kk) / VW, r) : (int2)((r) / VW, kk))
#else
#define GLOBAL_B(d, r, kk) (d).v = *(global const VT*)(b + (B_K ? (ulong)(r)*ldb + (kk) : (ulong)(kk)*ldb + (r)))
#endif
// Position of (row, k) in a tile in local memory, which has the layout of global memory.
#define PLACE_A(r, kk) (A_K ? (r)*BK + (kk) : (kk)*BM + (r))
#define PLACE_B(r, kk) (B_K ? (r)*BK + (kk) : (kk)*BN + (r))

kernel __attribute__((reqd_work_group_size(THREADS, 1, 1)))
void gemm(uint m, uint n, uint k, T alpha, A_ARGS, B_ARGS, T beta, global T* restrict c, ulong oc, ulong ldc, ulong sc,
          uint slice) {
  k = steps(k, slice);
  const uint tid = get_local_id(0), tx = tid % GN, ty = tid / GN;
  const uint m0 = get_group_id(0) * BM, n0 = get_group_id(1) * BN;
#if !IMAGE_A
  a += oa + get_group_id(2) * sa;
#endif
#if !IMAGE_B
  b += ob + get_group_id(2) * sb;
#endif
  c += oc + get_group_id(2) * sc;
#if LOCAL_A
  local T la[BM * BK] __attribute__((aligned(64)));
#endif
#if LOCAL_B
  local T lb[BN * BK] __attribute__((aligned(64)));
#endif
#if SUM_VECTORS
  VT acc[TM][TN / VW];
#else
  T acc[TM][TN];
#endif
#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < (SUM_VECTORS ? TN / VW : TN); ++j) acc[i][j] = 0;

  for (uint k0 = 0; k0 < k; k0 += BK) {
#if LOCAL_A
#pragma unroll
    for (int i = 0; i < BM * BK / VW / THREADS; ++i) {
      const uint at = (i * THREADS + tid) * VW;
      Pack p;
      if (A_K) GLOBAL_A(p, m0 + at / BK, k0 + at % BK);
      else GLOBAL_A(p, m0 + at % BM, k0 + at / BM);
      *(local VT*)(la + at) = p.v;
    }
#endif
#if LOCAL_B
#pragma unroll
    for (int i = 0; i < BN * BK / VW / THREADS; ++i) {
      const uint at = (i * THREADS + tid) * VW;
      Pack p;
      if (B_K) GLOBAL_B(p, n0 + at / BK, k0 + at % BK);
      else GLOBAL_B(p, n0 + at % BN, k0 + at / BN);
      *(local VT*)(lb + at) = p.v;
    }
#endif
#if LOCAL_A || LOCAL_B
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    // k in steps of VW if an operand has k consecutive, else in steps of one.
#define STEP (A_K || B_K ? VW : 1)
#pragma unroll
    for (int kk = 0; kk < BK; kk += STEP) {
      T x[STEP][TM], y[STEP][TN];
      Pack p;
#if A_K
#pragma unroll
      for (int i = 0; i < TM; ++i) {
#if LOCAL_A
        p.v = *(local const VT*)(la + PLACE_A(ROW(i), kk));
#else
        GLOBAL_A(p, m0 + ROW(i), k0 + kk);
#endif
#pragma unroll
        for (int e = 0; e < VW; ++e) x[e][i] = p.e[e];
      }
#else
#pragma unroll
      for (int s = 0; s < STEP; ++s)
#pragma unroll
        for (int i = 0; i < TM; i += VW) {
#if LOCAL_A
          p.v = *(local const VT*)(la + PLACE_A(ROW(i), kk + s));
#else
          GLOBAL_A(p, m0 + ROW(i), k0 + kk + s);
#endif
#pragma unroll
          for (int e = 0; e < VW; ++e) x[s][i + e] = p.e[e];
        }
#endif
#if B_K
#pragma unroll
      for (int j = 0; j < TN; ++j) {
#if LOCAL_B
        p.v = *(local const VT*)(lb + PLACE_B(COL(j), kk));
#else
        GLOBAL_B(p, n0 + COL(j), k0 + kk);
#endif
#pragma unroll
        for (int e = 0; e < VW; ++e) y[e][j] = p.e[e];
      }
#else
#pragma unroll
      for (int s = 0; s < STEP; ++s)
#pragma unroll
        for (int j = 0; j < TN; j += VW) {
#if LOCAL_B
          p.v = *(local const VT*)(lb + PLACE_B(COL(j), kk + s));
#else
          GLOBAL_B(p, n0 + COL(j), k0 + kk + s);
#endif
#pragma unroll
          for (int e = 0; e < VW; ++e) y[s][j + e] = p.e[e];
        }
#endif
#pragma unroll
      for (int s = 0; s < STEP; ++s)
#pragma unroll
        for (int i = 0; i < TM; ++i) {
#if SUM_VECTORS
#pragma unroll
          for (int j = 0; j < TN / VW; ++j) {
#pragma unroll
            for (int e = 0; e < VW; ++e) p.e[e] = y[s][j * VW + e];
            acc[i][j] = MADD((VT)(x[s][i]), p.v, acc[i][j]);
          }
#else
#pragma unroll
          for (int j = 0; j < TN; ++j) acc[i][j] = add_product(acc[i][j], x[s][i], y[s][j]);
#endif
        }
    }
#if LOCAL_A || LOCAL_B
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }

#pragma unroll
  for (int i = 0; i < TM; ++i) {
    const uint row = m0 + ROW(i);
#pragma unroll
    for (int j = 0; j < TN; ++j) {
      const uint col = n0 + COL(j);
      if (row < m && col < n) {
#if SUM_VECTORS
        Pack p;
        p.v = acc[i][j / VW];
        const T v = p.e[j % VW];
#else
        const T v = acc[i][j];
#endif
        global T* q = c + row * ldc + col;
        *q = blend(mul(alpha, v), beta, q);
      }
    }
  }
}
