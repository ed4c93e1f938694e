// Products on NVIDIA's tensor cores through inline PTX. Operands are copied directly from the caller's matrices (16-byte aligned rows) by
// cp.async into STAGES buffers. Compute capability 8.0 (tf32) and 9.0 (double, m16n8k8 and, with FOLD 2, m16n8k16).
//   double, complex double: mma.sync f64.
//   float, complex float: each factor is hi + lo, two tf32 numbers; lo*hi + hi*lo + hi*hi is summed on the tensor cores over one tile only
// and added to the result in float, because the tensor cores truncate sums instead of rounding them.
// EARLY 1: starts the next copies before it reads this tile.   AHEAD 1: reads elements before they are needed.
// WARPS_K > 1: groups of warps process tiles alternately; their sums are added through local memory at the end.
// SPLIT 0: hi and lo are rounded by cvt.rna; 1: by adding half a unit in the last place, after which the tensor cores truncate; 2: lo is only
// truncated, which loses at most 2^-21 of the factor, in either direction.
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
#elif FOLD == 1
INLINE void mma(double d[4], const double a[4], const double b[2]) {
  __asm__("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                   : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
                   : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}
#else
INLINE void mma(double d[4], const double a[8], const double b[4]) {
  __asm__("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3},{%4,%5,%6,%7,%8,%9,%10,%11},{%12,%13,%14,%15},"
                   "{%0,%1,%2,%3};"
                   : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
                   : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]), "d"(b[1]),
                     "d"(b[2]), "d"(b[3]));
}
#endif

#if CPX == 2
#define PART(z, p) ((p) == 0 ? (z).x : (z).y)
#else
#define PART(z, p) (z)
#endif

// B's part of a stage, in the layout of the matrix instructions.
#if TF32
typedef struct {
  uint h[NI][STEPS][CPX][2], l[NI][STEPS][CPX][2];
} Columns;
INLINE void prepare(private Columns* b, T y[NI][KJ]) {
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
  double y[NI][CPX * KJ];
} Columns;
INLINE void prepare(private Columns* b, T y[NI][KJ]) {
#pragma unroll
  for (int j = 0; j < NI; ++j)
#pragma unroll
    for (int h = 0; h < CPX * KJ; ++h) b->y[j][h] = PART(y[j][h / CPX], h % CPX);
}
#endif

// Adds 16 rows of a stage to acc (of these rows): x has them as two groups of 8.
#if TF32
INLINE void rows16(R acc[CPX][MI][NI][4], int i, T x[2][KJ], const private Columns* b) {
  uint ah[STEPS][CPX][4], al[STEPS][CPX][4];
#pragma unroll
  for (int s = 0; s < STEPS; ++s)
#pragma unroll
    for (int p = 0; p < CPX; ++p)
#pragma unroll
      for (int h = 0; h < 4; ++h) split(PART(x[h & 1][2 * s + h / 2], p), &ah[s][p][h], &al[s][p][h]);
#if CPX == 2
  uint nh[STEPS][4], nl[STEPS][4];  // the negated imaginary parts
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
INLINE void rows16(R acc[CPX][MI][NI][4], int i, T x[2][KJ], const private Columns* b) {
  double a[2 * KJ];
#pragma unroll
  for (int h = 0; h < 2 * KJ; ++h) a[h] = x[h % 2][h / 2];
#pragma unroll
  for (int j = 0; j < NI; ++j) mma(acc[0][i][j], a, b->y[j]);
}
#else
// The 16 rows of an instruction are the real and the imaginary parts of 8 rows, one below the other:
//   [re A; im A] re B + [-im A; re A] im B = [re C; im C].   acc[r] has group r of 8 rows.
INLINE void rows16(R acc[CPX][MI][NI][4], int i, T x[2][KJ], const private Columns* b) {
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    double a[4 * KJ];
#pragma unroll
    for (int h = 0; h < KJ; ++h) {
      a[4 * h] = a[4 * h + 3] = x[r][h].x;
      a[4 * h + 1] = x[r][h].y;
      a[4 * h + 2] = as_double(as_ulong(x[r][h].y) ^ 0x8000000000000000UL);  // negates by flipping the sign bit, not by an addition
    }
#pragma unroll
    for (int j = 0; j < NI; ++j) mma(acc[r][i][j], a, b->y[j]);
  }
}
#endif
INLINE void stage(R acc[CPX][MI][NI][4], T x[2 * MI][KJ], T y[NI][KJ]) {
  Columns b;
  prepare(&b, y);
#pragma unroll
  for (int i = 0; i < MI; ++i) rows16(acc, i, x + 2 * i, &b);
}

// SIDE: number of adjacent columns for which a lane holds sums. They are the two columns of one instruction, or one column of each of W
// instructions.
#if PAIRS || B_MODE == 2
#define SIDE 2
#define SIDE_J(s, e) (s)
#define SIDE_Q(s, e) (e)
#else
#define SIDE W
#define SIDE_J(s, e) ((s) / 2 * W + (e))
#define SIDE_Q(s, e) ((s) % 2)
#endif
#if SIDE * CPX == 2
typedef JOIN(R, 2) Side_V;
#else
typedef JOIN(R, 4) Side_V;
#endif
typedef union {
  T e[SIDE];
  Side_V v;
} Side;

kernel __attribute__((reqd_work_group_size(THREADS, 1, 1)))
void gemm(uint m, uint n, uint k, T alpha, global const T* restrict a, ulong oa, ulong lda, ulong sa,
          global const T* restrict b, ulong ob, ulong ldb, ulong sb, T beta, global T* restrict c, ulong oc, ulong ldc,
          ulong sc, uint slice) {
  k = steps(k, slice);
  const uint tid = get_local_id(0), warp = tid / 32 % GROUP_WARPS, group = tid / 32 / GROUP_WARPS, g = tid % 32 / 4, t = tid % 4;
  uint bm, bn;
  place_of_tile(&bm, &bn);
  a += oa + get_group_id(2) * sa;
  b += ob + get_group_id(2) * sb;
  c += oc + get_group_id(2) * sc;
  const uint m0 = bm * BM, n0 = bn * BN;
  const uint wm0 = warp % WARPS_M * WM, wn0 = warp / WARPS_M * WN;

  local uint4 tiles[STAGES * DEEP * (BM + BN) * 4];
  local uint4(*const la)[BM * 4] = (local uint4(*)[BM * 4])tiles;
  local uint4(*const lb)[BN * 4] = (local uint4(*)[BN * 4])(tiles + STAGES * DEEP * BM * 4);
  R acc[CPX][MI][NI][4];
#pragma unroll
  for (int p = 0; p < CPX; ++p)
#pragma unroll
    for (int i = 0; i < MI; ++i)
#pragma unroll
      for (int j = 0; j < NI; ++j)
#pragma unroll
        for (int h = 0; h < 4; ++h) acc[p][i][j][h] = 0;

  const int turns = (k + DEEP * STEP - 1) / (DEEP * STEP);
  Cursor_A ua;
  Cursor_B ub;
  start_A(&ua, a, lda, m0, m, tid);
  start_B(&ub, b, ldb, n0, n, tid);
  Reader_A ra;
  Reader_B rb;
  find_A(&ra, tiles, wm0, g, t);
  find_B(&rb, tiles + STAGES * DEEP * BM * 4, wn0, g, t);
  int left = k;  // steps of k whose copy has not started yet
  // Tiles of a buffer that a group processes: FOLD at once, TIMES times.
#define TIMES (DEEP / (FOLD * WARPS_K))
#define TILE(buffer, time) ((buffer)*DEEP + (group * TIMES + (time)) * FOLD)
#if AHEAD
  // Each part of A is read while the part before it is multiplied. The last part of a buffer is multiplied after the barrier, while B and
  // the first part of the next buffer are read. A buffer may be reused after that barrier.
#define PARTS (2 * MI / PART_A)
#pragma unroll
  for (int s = 0; s < STAGES; ++s) ISSUE(s);
  ASYNC_WAIT(STAGES_LESS_1);
  barrier(CLK_LOCAL_MEM_FENCE);
  T x[2][PART_A][KJ], y[2][NI][KJ];
  pick_B(y[0], &rb, TILE(0, 0));
  part_A(x[0], &ra, TILE(0, 0), 0);
  int use = 0;
  for (int i = 0; i < turns; i += 2) {
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      if (i + odd < turns) {
        const int next = use + 1 == STAGES ? 0 : use + 1;
#pragma unroll
        for (int time = 0; time < TIMES; ++time) {
          const int at = odd * TIMES + time;
          Columns b;
          prepare(&b, y[at & 1]);
#pragma unroll
          for (int p = 0; p < PARTS; ++p) {
            const int now = (at * PARTS + p) & 1;
            if (p + 1 < PARTS) {
              part_A(x[1 - now], &ra, TILE(use, time), p + 1);
            } else if (time + 1 < TIMES) {
              pick_B(y[1 - (at & 1)], &rb, TILE(use, time + 1));
              part_A(x[1 - now], &ra, TILE(use, time + 1), 0);
            } else {
              ASYNC_WAIT(WAIT_FOR);
              barrier(CLK_LOCAL_MEM_FENCE);
              pick_B(y[1 - (at & 1)], &rb, TILE(next, 0));
              part_A(x[1 - now], &ra, TILE(next, 0), 0);
              ISSUE(use);
            }
#pragma unroll
            for (int q = 0; q < PART_A / 2; ++q) rows16(acc, p * PART_A / 2 + q, x[now] + 2 * q, &b);
          }
        }
        use = next;
      }
    }
  }
#else
  for (int s = 0; s < STAGES - 1; ++s) ISSUE(s);
  int use = 0, fill = STAGES - 1;
  for (int i = 0; i < turns; ++i) {
    ASYNC_WAIT(WAIT_FOR);
    barrier(CLK_LOCAL_MEM_FENCE);
#if EARLY
    ISSUE(fill);
#endif
#pragma unroll
    for (int time = 0; time < TIMES; ++time) {
      T x[2 * MI][KJ], y[NI][KJ];
      pick_A(x, &ra, TILE(use, time));
      pick_B(y, &rb, TILE(use, time));
#if !EARLY
      if (time == 0) ISSUE(fill);
#endif
      stage(acc, x, y);
    }
    use = use + 1 == STAGES ? 0 : use + 1;
    fill = fill + 1 == STAGES ? 0 : fill + 1;
  }
#endif

#if WARPS_K > 1
  // The first group adds the sums of the others, 16 rows of each warp at a time.
  local R* const sums = (local R*)tiles;
#define SUM(of, p, j, h) sums[((((of)*GROUP_WARPS + warp) * CPX + (p)) * NI * 4 + (j)*4 + (h)) * 32 + tid % 32]
#define EACH_SUM                                             \
  _Pragma("unroll") for (int p = 0; p < CPX; ++p)            \
      _Pragma("unroll") for (int j = 0; j < NI; ++j)         \
          _Pragma("unroll") for (int h = 0; h < 4; ++h)
  ASYNC_WAIT(0);
#pragma unroll
  for (int i = 0; i < MI; ++i) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (group > 0) EACH_SUM SUM(group - 1, p, j, h) = acc[p][i][j][h];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (group == 0) {
      for (int from = 0; from < WARPS_K - 1; ++from) EACH_SUM acc[p][i][j][h] += SUM(from, p, j, h);
    }
  }
  if (group > 0) return;
#endif
  // Adjacent elements are stored together if the tile is complete and C is aligned.
  const uint vectors = m0 + BM <= m && n0 + BN <= n && ((ulong)c | ldc * sizeof(T)) % sizeof(Side) == 0;
#pragma unroll
  for (int i = 0; i < MI; ++i)
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const uint row = m0 + wm0 + row_A(2 * i + h, g);
      if (row < m) {
#pragma unroll
        for (int s = 0; s < NI * 2 / SIDE; ++s) {
          Side v;
#pragma unroll
          for (int e = 0; e < SIDE; ++e) {
            const int j = SIDE_J(s, e), q = SIDE_Q(s, e);
#if CPX == 2 && TF32
            v.e[e] = mul(alpha, (T)(acc[0][i][j][2 * h + q], acc[1][i][j][2 * h + q]));
#elif CPX == 2
            v.e[e] = mul(alpha, (T)(acc[h][i][j][q], acc[h][i][j][2 + q]));
#else
            v.e[e] = mul(alpha, acc[0][i][j][2 * h + q]);
#endif
          }
          const uint col = n0 + wn0 + row_B(SIDE_J(s, 0), 2 * t + SIDE_Q(s, 0));
          global T* p = c + row * ldc + col;
          if (vectors) {
            if (NOT_ZERO(beta)) {
              Side old;
              old.v = *(global Side_V*)p;
#pragma unroll
              for (int e = 0; e < SIDE; ++e) v.e[e] += mul(beta, old.e[e]);
            }
            *(global Side_V*)p = v.v;
          } else {
#pragma unroll
            for (int e = 0; e < SIDE; ++e)
              if (col + e < n) p[e] = blend(v.e[e], beta, p + e);
          }
        }
      }
    }
}
