// What the kernels of products share.
#if MAD == 0  // whichever was measured fastest
#define MADD(a, b, c) ((a) * (b) + (c))
#elif MAD == 1
#define MADD(a, b, c) mad(a, b, c)
#else
#define MADD(a, b, c) fma(a, b, c)
#endif

// RASTER > 0: work-groups walk C in strips of that many tiles, so that neighbours in time share operands.
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

// Steps of k that this work-group sums: all, or those of its slice, whose sums go to a matrix of their own (join.cl).
INLINE uint steps(uint k, uint slice) {
#if SLICED
  return min(slice, k - (uint)get_group_id(2) * slice);
#else
  return k;
#endif
}

#if ASYNC
// NVIDIA, compute capability 8.0 and newer: copies that pass registers by. All through the first cache: copies of 16 bytes that
// bypass it (.cg) were a quarter slower on an H100 wherever operands come from the second cache.
#define COPY_ASM_4 "cp.async.ca.shared.global [%0], [%1], 4, %2;"
#define COPY_ASM_8 "cp.async.ca.shared.global [%0], [%1], 8, %2;"
#define COPY_ASM_16 "cp.async.ca.shared.global [%0], [%1], 16, %2;"
#define ASYNC_COPY(size, dst, src, bytes)                                                                         \
  __asm__ volatile(JOIN(COPY_ASM_, size) ::"r"((uint)(size_t)(local void*)(dst)), "l"(src), "r"((uint)(bytes)) \
                   : "memory")
#define ASYNC_COMMIT() __asm__ volatile("cp.async.commit_group;" ::: "memory")
#define ASYNC_WAIT_(n) __asm__ volatile("cp.async.wait_group " #n ";" ::: "memory")
#define ASYNC_WAIT(n) ASYNC_WAIT_(n)
// Starts the copies of buffer s: DEEP tiles of STEP steps of k each, of which `left` steps in all are not under way yet. Behind the
// last step there is nothing to do: SKIP 1 jumps over it; 0 copies zeros, so that there is no branch and a compiler may spread
// the copies among what else there is to do.
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
