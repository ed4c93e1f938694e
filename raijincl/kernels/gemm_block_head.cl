// Names shared by gemm_load.cl and gemm_block.cl.
#define GM (BM / TM)  // work-items along the rows of a tile of C
#define GN (BN / TN)
#define THREADS (GM * GN)
#if ASYNC  // NVIDIA, compute capability 8.0 and newer
#define COPY_ASM_4 "cp.async.ca.shared.global [%0], [%1], 4, %2;"
#define COPY_ASM_8 "cp.async.ca.shared.global [%0], [%1], 8, %2;"
#define COPY_ASM_16 "cp.async.cg.shared.global [%0], [%1], 16, %2;"
#define ASYNC_COPY(size, dst, src, bytes)                                                                         \
  __asm__ volatile(JOIN(COPY_ASM_, size) ::"r"((uint)(size_t)(local void*)(dst)), "l"(src), "r"((uint)(bytes)) \
                   : "memory")
#define ASYNC_COMMIT() __asm__ volatile("cp.async.commit_group;" ::: "memory")
#define ASYNC_WAIT_(n) __asm__ volatile("cp.async.wait_group " #n ";" ::: "memory")
#define ASYNC_WAIT(n) ASYNC_WAIT_(n)
#endif
