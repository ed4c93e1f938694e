#define REAL float
#define NAME(f) f##_f32
#include "coulomb.c"
