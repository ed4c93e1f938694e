// Definitions shared by the kernels of products.
#if MAD == 0  // the variant that was measured to be the fastest
#define MADD(a, b, c) ((a) * (b) + (c))
#elif MAD == 1
#define MADD(a, b, c) mad(a, b, c)
#else
#define MADD(a, b, c) fma(a, b, c)
#endif

// RASTER > 0: work-groups traverse C in strips of that many tiles, so that those that run at the same time share operands.
INLINE void place_of_tile(private uint* bm, private uint* bn) {
  *bm = get_group_id(0);
  *bn = get_group_id(1);
#if RASTER
  const uint all = get_num_groups(0), strip = RASTER * get_num_groups(1), at = *bn * all + *bm;
  const uint first = at / strip * RASTER, height = min(all - first, (uint)RASTER);
  *bm = first + at % strip % height;
  *bn = at % strip / height;
#endif
}

// The number of steps of k that this work-group sums: all, or those of its slice, whose sums are stored in a matrix of their own (join.cl).
INLINE uint steps(uint k, uint slice) {
#if SLICED
  return min(slice, k - (uint)get_group_id(2) * slice);
#else
  return k;
#endif
}

#if ASYNC
// NVIDIA, compute capability 8.0 and newer: copies that bypass the registers. All go through the L1 cache: 16-byte copies that bypass it
// (.cg) were a quarter slower on an H100 when operands come from the L2 cache.
#define COPY_ASM_4 "cp.async.ca.shared.global [%0], [%1], 4, %2;"
#define COPY_ASM_8 "cp.async.ca.shared.global [%0], [%1], 8, %2;"
#define COPY_ASM_16 "cp.async.ca.shared.global [%0], [%1], 16, %2;"
#define ASYNC_COPY(size, dst, src, bytes)                                                                         \
  __asm__ volatile(JOIN(COPY_ASM_, size) ::"r"((uint)(size_t)(local void*)(dst)), "l"(src), "r"((uint)(bytes)) \
                   : "memory")
#define ASYNC_COMMIT() __asm__ volatile("cp.async.commit_group;" ::: "memory")
#define ASYNC_WAIT_(n) __asm__ volatile("cp.async.wait_group " #n ";" ::: "memory")
#define ASYNC_WAIT(n) ASYNC_WAIT_(n)
// Starts the copies of buffer s: DEEP tiles of STEP steps of k each. `left` is the number of steps whose copy has not started yet. Copies
// after the last step are not needed: SKIP 1 jumps over them; SKIP 0 copies zeros, so that there is no branch and the compiler can
// interleave the copies with other instructions.
#define ISSUE(s)                                                              \
  {                                                                           \
    if (!SKIP || left > 0) {                                                  \
      _Pragma("unroll") for (int deep = 0; deep < DEEP; ++deep, left -= STEP) { \
        issue_A(&ua, la[(s)*DEEP + deep], lda, left, tid);                    \
        issue_B(&ub, lb[(s)*DEEP + deep], ldb, left, tid);                    \
      }                                                                       \
    }                                                                         \
    ASYNC_COMMIT();                                                           \
  }
#endif
