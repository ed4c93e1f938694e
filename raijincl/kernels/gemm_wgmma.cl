// Compensated products of floats on the tensor cores of compute capability 9.0 (wgmma): BM x BN tiles of C, 64 columns of C for each group
// of four warps, STAGES buffers of STEP steps of k filled by cp.async.
//
// They take one factor from registers in any order, and the other one from local memory with k consecutive. The rows of A have k
// consecutive, so the kernel computes C' = B' A'. B (k x n) is stored in local memory in its own layout, and its elements are split in
// registers. A's elements are split in local memory: hi in place, lo into `low`. Each factor is hi + lo, two tf32 numbers (gemm_mma.cl).
// Sums over 16 steps of k are computed by the tensor cores and then added in float.
//
// The OpenCL compiler targets sm_90, which does not have these instructions. They are written as comments after `//@`; the host edits the
// PTX of the built program and builds it for sm_90a (core/programs.cpp).
#define STEP 32
#define DEEP 1
#define THREADS (2 * BN)
#define SETS (BN / 4)                     // chunks of 16 bytes in a step of B
#define B_PER (STEP * SETS / THREADS)     // chunks that a work-item copies
#define A_PER (BM * 8 / THREADS)
#define SUMS (BM / 2)                     // of a work-item

#define EACH8(f, i) f(i), f(i + 1), f(i + 2), f(i + 3), f(i + 4), f(i + 5), f(i + 6), f(i + 7)
#define EACH32(f, i) EACH8(f, i), EACH8(f, i + 8), EACH8(f, i + 16), EACH8(f, i + 24)
#define SUM(i) "+f"(d[i])
#define NAMES32 "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31"
#if BM == 64
#define EACH_SUM EACH32(SUM, 0)
#define PRODUCT(first)                                                                                          \
  "//@{ .reg .pred p; setp.ne.b32 p, " first ", 1; wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 {" NAMES32 \
  "},{%32,%33,%34,%35},%36,p,1,1; }"
#else
#define EACH_SUM EACH32(SUM, 0), EACH32(SUM, 32)
#define PRODUCT(first)                                                                                            \
  "//@{ .reg .pred p; setp.ne.b32 p, " first ", 1; wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 {" NAMES32 \
  ",%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,"  \
  "%59,%60,%61,%62,%63},{%64,%65,%66,%67},%68,p,1,1; }"
#endif

// d = (or +=) 64 x 8 of B' times 8 x BM of A'. Asynchronous: finish() waits for it.
INLINE void product(float d[SUMS], const uint b[4], ulong a) {
  __asm__ volatile(PRODUCT("0") : EACH_SUM : "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "l"(a));
}
INLINE void first_product(float d[SUMS], const uint b[4], ulong a) {
  __asm__ volatile(PRODUCT("1") : EACH_SUM : "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "l"(a));
}
INLINE void finish(float d[SUMS]) { __asm__ volatile("//@wgmma.wait_group.sync.aligned 0;" : EACH_SUM::"memory"); }

INLINE void split(uint x, uint* hi, uint* lo) {
  *hi = x + 0x1000;
  *lo = as_uint(as_float(x) - as_float(*hi & 0xffffe000));  // the tensor cores ignore the bits below tf32
}

// Rows of A in local memory: 128 bytes each, chunks permuted within eight rows as the instruction's descriptor states.
INLINE ulong description(local const uint4* rows) {
  return (ulong)(((uint)(size_t)rows & 0x3ffff) >> 4) | 1UL << 16 | 64UL << 32 | 1UL << 62;
}

// Sums of 16 steps of k, starting at step 0 or 16.
INLINE void start(float part[SUMS], const uint hi[4][4], const uint lo[4][4], ulong a_hi, ulong a_lo, int second) {
  const int s = 2 * second;
  __asm__ volatile("//@wgmma.fence.sync.aligned;" ::: "memory");
  first_product(part, lo[s], a_hi + 2 * s);
  product(part, lo[s + 1], a_hi + 2 * s + 2);
  product(part, hi[s], a_lo + 2 * s);
  product(part, hi[s + 1], a_lo + 2 * s + 2);
  product(part, hi[s], a_hi + 2 * s);
  product(part, hi[s + 1], a_hi + 2 * s + 2);
  __asm__ volatile("//@wgmma.commit_group.sync.aligned;" ::: "memory");
}

typedef struct {
  global const float *a, *b;  // of the first chunk; advance along k
  int rows, columns;          // rows and columns inside of the operands, counted from the chunk's first
} Cursor;

// Starts the copies of buffer s. `left` of its steps of k are inside of the operands.
INLINE void issue(private Cursor* u, local uint4* a, local uint4* b, ulong lda, ulong ldb, int left, uint tid) {
  const int bytes = clamp(left - (int)(tid % 8 * 4), 0, 4) * 4;
#pragma unroll
  for (int i = 0; i < A_PER; ++i) {
    const uint row = tid / 8 + i * (THREADS / 8);
    ASYNC_COPY(16, a + row * 8 + (tid % 8 ^ (row & 7)), u->a + i * (THREADS / 8) * lda,
               i * (THREADS / 8) < u->rows ? bytes : 0);
  }
#pragma unroll
  for (int i = 0; i < B_PER; ++i) {
    const uint k = tid / SETS + i * (THREADS / SETS);
    ASYNC_COPY(16, b + k * SETS + (tid % SETS ^ ((k & 3) << 1)), u->b + i * (THREADS / SETS) * ldb,
               (int)k < left ? u->columns * 4 : 0);
  }
  u->a += STEP;
  u->b += STEP * ldb;
}

// Splits the chunks of A that this work-item copied.
INLINE void split_rows(local uint4* a, local uint4* low, uint tid) {
#pragma unroll
  for (int i = 0; i < A_PER; ++i) {
    const uint row = tid / 8 + i * (THREADS / 8), at = row * 8 + (tid % 8 ^ (row & 7));
    const uint4 x = a[at];
    uint hi[4], lo[4];
    split(x.x, &hi[0], &lo[0]);
    split(x.y, &hi[1], &lo[1]);
    split(x.z, &hi[2], &lo[2]);
    split(x.w, &hi[3], &lo[3]);
    a[at] = (uint4)(hi[0], hi[1], hi[2], hi[3]);
    low[at] = (uint4)(lo[0], lo[1], lo[2], lo[3]);
  }
}

kernel __attribute__((reqd_work_group_size(THREADS, 1, 1)))
void gemm(uint m, uint n, uint k, T alpha, global const T* restrict a, ulong oa, ulong lda, ulong sa,
          global const T* restrict b, ulong ob, ulong ldb, ulong sb, T beta, global T* restrict c, ulong oc, ulong ldc,
          ulong sc, uint slice) {
  k = steps(k, slice);
  const uint tid = get_local_id(0), group = tid / 128, warp = tid / 32 % 4, g = tid % 32 / 4, t = tid % 4;
  uint bm, bn;
  place_of_tile(&bm, &bn);
  const uint m0 = bm * BM, n0 = bn * BN;
  Cursor u;
  u.a = a + oa + get_group_id(2) * sa + (m0 + tid / 8) * lda + tid % 8 * 4;
  u.b = b + ob + get_group_id(2) * sb + tid / SETS * ldb + n0 + tid % SETS * 4;
  u.rows = (int)m - (int)(m0 + tid / 8);
  u.columns = clamp((int)n - (int)(n0 + tid % SETS * 4), 0, 4);
  c += oc + get_group_id(2) * sc;

  local uint4 rows[STAGES][BM * 8] __attribute__((aligned(1024)));
  local uint4 low[2][BM * 8] __attribute__((aligned(1024)));
  local uint4 columns[STAGES][STEP * SETS] __attribute__((aligned(1024)));
  // Column 16 w + g of this group of warps, step t, and the column 8 further: the addresses of all others differ from these by constants.
  const uint set = (group * 64 + warp * 16 + g) / 4;
  local const uint* const at0 = (local const uint*)(columns[0] + t * SETS + (set ^ (t << 1))) + g % 4;
  local const uint* const at1 = (local const uint*)(columns[0] + t * SETS + ((set + 2) ^ (t << 1))) + g % 4;
#define READ(x, stage)                                                        \
  _Pragma("unroll") for (int s = 0; s < 4; ++s)                               \
  _Pragma("unroll") for (int q = 0; q < 2; ++q) {                             \
    x[s][2 * q] = at0[(stage)*STEP * BN + (8 * s + 4 * q) * BN];              \
    x[s][2 * q + 1] = at1[(stage)*STEP * BN + (8 * s + 4 * q) * BN];          \
  }

  float sum[SUMS], part[SUMS];
#pragma unroll
  for (int i = 0; i < SUMS; ++i) sum[i] = part[i] = 0;
  const int turns = (k + STEP - 1) / STEP;
  int left = k;
#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s) {
    issue(&u, rows[s], columns[s], lda, ldb, left, tid);
    ASYNC_COMMIT();
    left -= STEP;
  }
  ASYNC_WAIT(WAIT_FOR);
  split_rows(rows[0], low[0], tid);
  barrier(CLK_LOCAL_MEM_FENCE);
  uint x[4][4], hi[4][4], lo[4][4];
  READ(x, 0);
  int use = 0, fill = STAGES - 1;
  for (int i = 0; i < turns; ++i) {
#pragma unroll
    for (int s = 0; s < 4; ++s)
#pragma unroll
      for (int h = 0; h < 4; ++h) split(x[s][h], &hi[s][h], &lo[s][h]);
    // This work-item's part of the next buffer has been copied. After the barrier all of it has, and the split values are visible to the
    // tensor cores.
    ASYNC_WAIT(WAIT_FOR_LESS_1);
    __asm__ volatile("fence.proxy.async.shared::cta;" ::: "memory");
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong a_hi = description(rows[use]), a_lo = description(low[i & 1]);
    start(part, hi, lo, a_hi, a_lo, 0);
    issue(&u, rows[fill], columns[fill], lda, ldb, left, tid);
    ASYNC_COMMIT();
    left -= STEP;
    use = use + 1 == STAGES ? 0 : use + 1;
    fill = fill + 1 == STAGES ? 0 : fill + 1;
    split_rows(rows[use], low[(i + 1) & 1], tid);
    finish(part);
#pragma unroll
    for (int j = 0; j < SUMS; ++j) sum[j] += part[j];
    start(part, hi, lo, a_hi, a_lo, 1);
    READ(x, use);
    finish(part);
#pragma unroll
    for (int j = 0; j < SUMS; ++j) sum[j] += part[j];
  }
  ASYNC_WAIT(0);

#pragma unroll
  for (int j = 0; j < SUMS; ++j) {
    const uint row = m0 + j / 4 * 8 + t * 2 + j % 2, col = n0 + group * 64 + warp * 16 + g + j % 4 / 2 * 8;
    if (row < m && col < n) {
      global T* const p = c + row * ldc + col;
      *p = blend(mul(alpha, sum[j]), beta, p);
    }
  }
}
