// Names shared by gemm_mma_load.cl and gemm_mma.cl. Local memory is dealt with in chunks of 16 bytes: W elements.
//   WARPS_M x WARPS_N warps make a BM x BN tile; each BM/WARPS_M x BN/WARPS_N of it. A stage holds KT = 4 W steps of k.
#define W (PRECISION == 0 ? 4 : PRECISION == 3 ? 1 : 2)
#define KT (4 * W)
#define PAIRS (PRECISION == 1)
#define PART_A (A_MODE == 1 && !PAIRS && W > 2 ? W : 2)  // as X_PART
#define THREADS (32 * WARPS_M * WARPS_N)
#define WM (BM / WARPS_M)
#define WN (BN / WARPS_N)
#define MI (WM / 16)
#define NI (WN / 8)
#define ASYNC_COPY16(dst, src, bytes)                                                                             \
  __asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"((uint)(size_t)(local void*)(dst)), \
                   "l"(src), "r"((uint)(bytes))                                                                   \
                   : "memory")
#define ASYNC_COMMIT() __asm__ volatile("cp.async.commit_group;" ::: "memory")
#define ASYNC_WAIT_(n) __asm__ volatile("cp.async.wait_group " #n ";" ::: "memory")
#define ASYNC_WAIT(n) ASYNC_WAIT_(n)
typedef union {
  uint4 u;
  T e[W];
} Chunk;
