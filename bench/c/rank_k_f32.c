#define REAL float
#define NAME(f) f##_f32
#include "rank_k.c"
