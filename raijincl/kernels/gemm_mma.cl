// Products on NVIDIA's matrix units through inline PTX, operands straight from the caller's matrices (16-byte aligned rows) by
// cp.async into STAGES buffers. Compute capability 8.0 (tf32) and 9.0 (double, m16n8k4/k8).
//   double, complex double: mma.sync f64. A complex product is four real ones.
//   float, complex float: each factor is hi + lo, two tf32 numbers; lo*hi + hi*lo + hi*hi is summed on the matrix units over one
//   stage only and added to the result in float, because those units cut sums off instead of rounding them.
// EXACT_HI 0: hi and lo are rounded by cvt.rna; 1: by adding half a unit and cutting off (fewer conversions).
#if PRECISION == 0 || PRECISION == 2
#define TF32 1
#else
#define TF32 0
#endif

#if TF32
INLINE void mma(float d[4], const uint a[4], const uint b[2]) {
  __asm__ volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                   : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
INLINE void split(float x, uint* hi, uint* lo) {
#if EXACT_HI
  const uint h = (as_uint(x) + 0x1000) & 0xffffe000;
  *hi = h;
  *lo = as_uint(x - as_float(h)) + 0x1000;
#else
  uint h, l;
  __asm__("cvt.rna.tf32.f32 %0, %1;" : "=r"(h) : "f"(x));
  __asm__("cvt.rna.tf32.f32 %0, %1;" : "=r"(l) : "f"(x - as_float(h)));
  *hi = h;
  *lo = l;
#endif
}
#define STEPS (W / 2)
#elif PRECISION == 1
#define STEPS 1
INLINE void mma(double d[4], const double a[4], const double b[2]) {
  __asm__ volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                   : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
                   : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}
#else
#define STEPS 1
INLINE void mma(double d[4], double a0, double a1, double b) {
  __asm__ volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};"
                   : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
                   : "d"(a0), "d"(a1), "d"(b));
}
#endif

#if CPX == 2
#define PART(z, p) ((p) == 0 ? (z).x : (z).y)
#else
#define PART(z, p) (z)
#endif

#if TF32
// Adds one stage to acc: parts of A in ah, al [MI][STEPS][part][4], of B in bh, bl [NI][STEPS][part][2].
INLINE void stage(float acc[CPX][MI][NI][4], T x[2 * MI][W], T y[NI][W]) {
  uint bh[NI][STEPS][CPX][2], bl[NI][STEPS][CPX][2];
#pragma unroll
  for (int j = 0; j < NI; ++j)
#pragma unroll
    for (int s = 0; s < STEPS; ++s)
#pragma unroll
      for (int p = 0; p < CPX; ++p)
#pragma unroll
        for (int h = 0; h < 2; ++h) split(PART(y[j][2 * s + h], p), &bh[j][s][p][h], &bl[j][s][p][h]);
#pragma unroll
  for (int i = 0; i < MI; ++i) {
    uint ah[STEPS][CPX][4], al[STEPS][CPX][4];
#pragma unroll
    for (int s = 0; s < STEPS; ++s)
#pragma unroll
      for (int p = 0; p < CPX; ++p)
#pragma unroll
        for (int h = 0; h < 4; ++h) split(PART(x[2 * i + (h & 1)][2 * s + h / 2], p), &ah[s][p][h], &al[s][p][h]);
#if CPX == 2
    uint nh[STEPS][4], nl[STEPS][4];  // minus the imaginary parts
#pragma unroll
    for (int s = 0; s < STEPS; ++s)
#pragma unroll
      for (int h = 0; h < 4; ++h) nh[s][h] = ah[s][1][h] ^ 0x80000000, nl[s][h] = al[s][1][h] ^ 0x80000000;
#endif
    float part[CPX][NI][4];
#pragma unroll
    for (int p = 0; p < CPX; ++p)
#pragma unroll
      for (int j = 0; j < NI; ++j)
#pragma unroll
        for (int h = 0; h < 4; ++h) part[p][j][h] = 0;
#if CPX == 1
#define EACH(u, v)                              \
  _Pragma("unroll") for (int s = 0; s < STEPS; ++s) \
  _Pragma("unroll") for (int j = 0; j < NI; ++j) mma(part[0][j], u[s][0], v[j][s][0])
    EACH(al, bh);
    EACH(ah, bl);
    EACH(ah, bh);
#else
#define EACH(u, n, v)                                 \
  _Pragma("unroll") for (int s = 0; s < STEPS; ++s)   \
  _Pragma("unroll") for (int j = 0; j < NI; ++j) {    \
    mma(part[0][j], u[s][0], v[j][s][0]);             \
    mma(part[1][j], u[s][0], v[j][s][1]);             \
    mma(part[0][j], n[s], v[j][s][1]);                \
    mma(part[1][j], u[s][1], v[j][s][0]);             \
  }
    EACH(al, nl, bh);
    EACH(ah, nh, bl);
    EACH(ah, nh, bh);
#endif
#pragma unroll
    for (int p = 0; p < CPX; ++p)
#pragma unroll
      for (int j = 0; j < NI; ++j)
#pragma unroll
        for (int h = 0; h < 4; ++h) acc[p][i][j][h] += part[p][j][h];
  }
}
#elif CPX == 1
INLINE void stage(double acc[CPX][MI][NI][4], T x[2 * MI][W], T y[NI][W]) {
#pragma unroll
  for (int i = 0; i < MI; ++i) {
    const double a[4] = {x[2 * i][0], x[2 * i + 1][0], x[2 * i][1], x[2 * i + 1][1]};
#pragma unroll
    for (int j = 0; j < NI; ++j) mma(acc[0][i][j], a, y[j]);
  }
}
#else
INLINE void stage(double acc[CPX][MI][NI][4], T x[2 * MI][W], T y[NI][W]) {
#pragma unroll
  for (int i = 0; i < MI; ++i) {
    const T u = x[2 * i][0], v = x[2 * i + 1][0];
#pragma unroll
    for (int j = 0; j < NI; ++j) {
      mma(acc[0][i][j], u.x, v.x, y[j][0].x);
      mma(acc[1][i][j], u.x, v.x, y[j][0].y);
    }
#pragma unroll
    for (int j = 0; j < NI; ++j) {
      mma(acc[0][i][j], -u.y, -v.y, y[j][0].y);
      mma(acc[1][i][j], u.y, v.y, y[j][0].x);
    }
  }
}
#endif

kernel __attribute__((reqd_work_group_size(THREADS, 1, 1)))
void gemm(uint m, uint n, uint k, T alpha, global const T* restrict a, ulong oa, ulong lda, ulong sa,
          global const T* restrict b, ulong ob, ulong ldb, ulong sb, T beta, global T* restrict c, ulong oc, ulong ldc,
          ulong sc) {
  const uint tid = get_local_id(0), warp = tid / 32, g = tid % 32 / 4, t = tid % 4;
  uint bm = get_group_id(0), bn = get_group_id(1);
#if RASTER
  {
    const uint all = get_num_groups(0), strip = RASTER * get_num_groups(1), at = bn * all + bm;
    const uint first = at / strip * RASTER, height = min(all - first, (uint)RASTER);
    bm = first + at % strip % height;
    bn = at % strip / height;
  }
#endif
  a += oa + get_group_id(2) * sa;
  b += ob + get_group_id(2) * sb;
  c += oc + get_group_id(2) * sc;
  const uint m0 = bm * BM, n0 = bn * BN;
  const uint wm0 = warp % WARPS_M * WM, wn0 = warp / WARPS_M * WN;

  local uint4 la[STAGES][BM * 4], lb[STAGES][BN * 4];
  R acc[CPX][MI][NI][4];
#pragma unroll
  for (int p = 0; p < CPX; ++p)
#pragma unroll
    for (int i = 0; i < MI; ++i)
#pragma unroll
      for (int j = 0; j < NI; ++j)
#pragma unroll
        for (int h = 0; h < 4; ++h) acc[p][i][j][h] = 0;

  const uint tiles = (k + KT - 1) / KT;
  for (uint s = 0; s < STAGES - 1; ++s) {
    if (s < tiles) {
      issue_A(la[s], a, lda, m0, m, s * KT, k, tid);
      issue_B(lb[s], b, ldb, n0, n, s * KT, k, tid);
    }
    ASYNC_COMMIT();
  }
  uint use = 0, fill = STAGES - 1;
  for (uint i = 0; i < tiles; ++i) {
    ASYNC_WAIT(WAIT_FOR);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i + STAGES - 1 < tiles) {
      issue_A(la[fill], a, lda, m0, m, (i + STAGES - 1) * KT, k, tid);
      issue_B(lb[fill], b, ldb, n0, n, (i + STAGES - 1) * KT, k, tid);
    }
    ASYNC_COMMIT();
    T x[2 * MI][W], y[NI][W];
    pick_A(x, la[use], wm0, g, t);
    pick_B(y, lb[use], wn0, g, t);
    stage(acc, x, y);
    use = use + 1 == STAGES ? 0 : use + 1;
    fill = fill + 1 == STAGES ? 0 : fill + 1;
  }

#pragma unroll
  for (int i = 0; i < MI; ++i)
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const uint row = m0 + wm0 + row_A(2 * i + h, g);
      if (row < m) {
#pragma unroll
        for (int j = 0; j < NI; ++j)
#pragma unroll
          for (int q = 0; q < 2; ++q) {
            const uint col = n0 + wn0 + row_B(j, 2 * t + q);
            if (col < n) {
#if CPX == 2
              const T v = (T)(acc[0][i][j][2 * h + q], acc[1][i][j][2 * h + q]);
#else
              const T v = acc[0][i][j][2 * h + q];
#endif
              global T* p = c + row * ldc + col;
              *p = blend(mul(alpha, v), beta, p);
            }
          }
      }
    }
}
