// Products on NVIDIA's matrix units through inline PTX, operands straight from the caller's matrices (16-byte aligned rows) by
// cp.async into STAGES buffers. Compute capability 8.0 (tf32) and 9.0 (double, m16n8k4/k8).
//   double, complex double: mma.sync f64. A complex product is four real ones.
//   float, complex float: each factor is hi + lo, two tf32 numbers; lo*hi + hi*lo + hi*hi is summed on the matrix units over one
//   stage only and added to the result in float, because those units cut sums off instead of rounding them.
// EARLY 1: starts the next copies before it reads this tile.   AHEAD 1: reads elements of a tile one tile before they are needed; 2: some of them.
// SPLIT 0: hi and lo are rounded by cvt.rna; 1: by adding half a unit, the units cut off the rest; 2: lo is only cut off, which
// loses at most 2^-21 of the factor, with a sign of its own.
#if PRECISION == 0 || PRECISION == 2
#define TF32 1
#else
#define TF32 0
#endif

#if TF32
INLINE void mma(float d[4], const uint a[4], const uint b[2]) {
  __asm__("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                   : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
INLINE void split(float x, uint* hi, uint* lo) {
#if SPLIT
  const uint h = (as_uint(x) + 0x1000) & 0xffffe000;
  *hi = h;
  *lo = as_uint(x - as_float(h)) + (SPLIT == 1 ? 0x1000 : 0);
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
  __asm__("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                   : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
                   : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}
#else
#define STEPS 1
INLINE void mma(double d[4], double a0, double a1, double b) {
  __asm__("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};"
                   : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
                   : "d"(a0), "d"(a1), "d"(b));
}
#endif

#if CPX == 2
#define PART(z, p) ((p) == 0 ? (z).x : (z).y)
#else
#define PART(z, p) (z)
#endif

// B's part of a stage, as the products want it.
#if TF32
typedef struct {
  uint h[NI][STEPS][CPX][2], l[NI][STEPS][CPX][2];
} Columns;
INLINE void prepare(private Columns* b, T y[NI][W]) {
#pragma unroll
  for (int j = 0; j < NI; ++j)
#pragma unroll
    for (int s = 0; s < STEPS; ++s)
#pragma unroll
      for (int p = 0; p < CPX; ++p)
#pragma unroll
        for (int h = 0; h < 2; ++h) split(PART(y[j][2 * s + h], p), &b->h[j][s][p][h], &b->l[j][s][p][h]);
}
#else
typedef struct {
  T y[NI][W];
} Columns;
INLINE void prepare(private Columns* b, T y[NI][W]) {
#pragma unroll
  for (int j = 0; j < NI; ++j)
#pragma unroll
    for (int h = 0; h < W; ++h) b->y[j][h] = y[j][h];
}
#endif

// Adds 16 rows of a stage to acc (of these rows): x has them as two groups of 8.
#if TF32
INLINE void rows16(R acc[CPX][MI][NI][4], int i, T x[2][W], const private Columns* b) {
  uint ah[STEPS][CPX][4], al[STEPS][CPX][4];
#pragma unroll
  for (int s = 0; s < STEPS; ++s)
#pragma unroll
    for (int p = 0; p < CPX; ++p)
#pragma unroll
      for (int h = 0; h < 4; ++h) split(PART(x[h & 1][2 * s + h / 2], p), &ah[s][p][h], &al[s][p][h]);
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
#define EACH(u, v)                                  \
  _Pragma("unroll") for (int s = 0; s < STEPS; ++s) \
  _Pragma("unroll") for (int j = 0; j < NI; ++j) mma(part[0][j], u[s][0], b->v[j][s][0])
  EACH(al, h);
  EACH(ah, l);
  EACH(ah, h);
#else
#define EACH(u, n, v)                               \
  _Pragma("unroll") for (int s = 0; s < STEPS; ++s) \
  _Pragma("unroll") for (int j = 0; j < NI; ++j) {  \
    mma(part[0][j], u[s][0], b->v[j][s][0]);        \
    mma(part[1][j], u[s][0], b->v[j][s][1]);        \
    mma(part[0][j], n[s], b->v[j][s][1]);           \
    mma(part[1][j], u[s][1], b->v[j][s][0]);        \
  }
  EACH(al, nl, h);
  EACH(ah, nh, l);
  EACH(ah, nh, h);
#endif
#pragma unroll
  for (int p = 0; p < CPX; ++p)
#pragma unroll
    for (int j = 0; j < NI; ++j)
#pragma unroll
      for (int h = 0; h < 4; ++h) acc[p][i][j][h] += part[p][j][h];
}
#elif CPX == 1
INLINE void rows16(R acc[CPX][MI][NI][4], int i, T x[2][W], const private Columns* b) {
  const double a[4] = {x[0][0], x[1][0], x[0][1], x[1][1]};
#pragma unroll
  for (int j = 0; j < NI; ++j) mma(acc[0][i][j], a, b->y[j]);
}
#else
INLINE void rows16(R acc[CPX][MI][NI][4], int i, T x[2][W], const private Columns* b) {
  const T u = x[0][0], v = x[1][0];
#pragma unroll
  for (int j = 0; j < NI; ++j) {
    mma(acc[0][i][j], u.x, v.x, b->y[j][0].x);
    mma(acc[1][i][j], u.x, v.x, b->y[j][0].y);
  }
#pragma unroll
  for (int j = 0; j < NI; ++j) {
    mma(acc[0][i][j], -u.y, -v.y, b->y[j][0].y);
    mma(acc[1][i][j], u.y, v.y, b->y[j][0].x);
  }
}
#endif
INLINE void stage(R acc[CPX][MI][NI][4], T x[2 * MI][W], T y[NI][W]) {
  Columns b;
  prepare(&b, y);
#pragma unroll
  for (int i = 0; i < MI; ++i) rows16(acc, i, x + 2 * i, &b);
}

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

  const int tiles = (k + KT - 1) / KT;
  Cursor_A ua;
  Cursor_B ub;
  start_A(&ua, a, lda, m0, m, tid);
  start_B(&ub, b, ldb, n0, n, tid);
  int left = k;  // steps of k that are not under way yet
#define ISSUE(s)                                   \
  {                                                \
    if (left > 0) {                                \
      issue_A(&ua, la[s], lda, left, tid);         \
      issue_B(&ub, lb[s], ldb, left, tid);         \
      left -= KT;                                  \
    }                                              \
    ASYNC_COMMIT();                                \
  }
#if AHEAD == 2
  // Each part of A is read while the one before is multiplied; the last one of a tile is multiplied behind the barrier, while
  // B and the first part of the next tile are read. A tile's buffer is free as soon as that barrier is passed.
#define PARTS (2 * MI / PART_A)
#pragma unroll
  for (int s = 0; s < STAGES; ++s) ISSUE(s);
  ASYNC_WAIT(STAGES_LESS_1);
  barrier(CLK_LOCAL_MEM_FENCE);
  T x[2][PART_A][W], y[2][NI][W];
  pick_B(y[0], lb[0], wn0, g, t);
  part_A(x[0], la[0], wm0, 0, g, t);
  int use = 0;
  for (int i = 0; i < tiles; i += 2) {
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      if (i + odd < tiles) {
        const int next = use + 1 == STAGES ? 0 : use + 1;
        Columns b;
        prepare(&b, y[odd]);
#pragma unroll
        for (int p = 0; p < PARTS; ++p) {
          const int now = (odd * PARTS + p) & 1;
          if (p + 1 < PARTS) {
            part_A(x[1 - now], la[use], wm0, p + 1, g, t);
          } else {
            ASYNC_WAIT(WAIT_FOR);
            barrier(CLK_LOCAL_MEM_FENCE);
            pick_B(y[1 - odd], lb[next], wn0, g, t);
            part_A(x[1 - now], la[next], wm0, 0, g, t);
            ISSUE(use);
          }
#pragma unroll
          for (int q = 0; q < PART_A / 2; ++q) rows16(acc, p * PART_A / 2 + q, x[now] + 2 * q, &b);
        }
        use = next;
      }
    }
  }
#elif AHEAD
  // Elements of the next tile are read while this one is multiplied; a tile's buffer is free as soon as it was read.
#pragma unroll
  for (int s = 0; s < STAGES; ++s) ISSUE(s);
  ASYNC_WAIT(STAGES_LESS_1);
  barrier(CLK_LOCAL_MEM_FENCE);
  T x[2][2 * MI][W], y[2][NI][W];
  pick_A(x[0], la[0], wm0, g, t);
  pick_B(y[0], lb[0], wn0, g, t);
  int use = 0;
  for (int i = 0; i < tiles; i += 2) {
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      if (i + odd < tiles) {
        ASYNC_WAIT(WAIT_FOR);
        barrier(CLK_LOCAL_MEM_FENCE);
        const int next = use + 1 == STAGES ? 0 : use + 1;
        pick_A(x[1 - odd], la[next], wm0, g, t);
        pick_B(y[1 - odd], lb[next], wn0, g, t);
        ISSUE(use);
        stage(acc, x[odd], y[odd]);
        use = next;
      }
    }
  }
#else
  for (int s = 0; s < STAGES - 1; ++s) ISSUE(s);
  int use = 0, fill = STAGES - 1;
  for (int i = 0; i < tiles; ++i) {
    ASYNC_WAIT(WAIT_FOR);
    barrier(CLK_LOCAL_MEM_FENCE);
    T x[2 * MI][W], y[NI][W];
#if EARLY
    ISSUE(fill);
#endif
    pick_A(x, la[use], wm0, g, t);
    pick_B(y, lb[use], wn0, g, t);
#if !EARLY
    ISSUE(fill);
#endif
    stage(acc, x, y);
    use = use + 1 == STAGES ? 0 : use + 1;
    fill = fill + 1 == STAGES ? 0 : fill + 1;
  }
#endif

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
