// Names shared by gemm_mma_load.cl and gemm_mma.cl. Local memory is accessed in chunks of 16 bytes: W elements.
//   WARPS_M x WARPS_N warps make a BM x BN tile; each BM/WARPS_M x BN/WARPS_N of it. Local memory holds tiles of STEP = 4 W steps
//   of k, DEEP of them in a buffer; WARPS_K such groups of warps share the tiles of a buffer among them.
//   One instruction multiplies FOLD tiles: a lane holds KJ elements of a row.
#define W (PRECISION == 0 ? 4 : PRECISION == 3 ? 1 : 2)
#define STEP (4 * W)
#define KJ (W * FOLD)
#define PAIRS (PRECISION == 1)
#define PART_A (A_MODE == 1 && !PAIRS && W > 2 ? W : 2)  // as X_PART
#define GROUP_WARPS (WARPS_M * WARPS_N)
#define THREADS (32 * GROUP_WARPS * WARPS_K)
#define WM (BM / WARPS_M)
#define WN (BN / WARPS_N)
#define MI (WM / 16)
#define NI (WN / 8)
typedef union {
  uint4 u;
  T e[W];
} Chunk;
