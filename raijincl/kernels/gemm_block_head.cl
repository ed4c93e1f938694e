// Names shared by gemm_load.cl and gemm_block.cl.
#define GM (BM / TM)  // work-items along the rows of a tile of C
#define GN (BN / TN)
#define THREADS (GM * GN)
#define DEEP 1
#define STEP BK
