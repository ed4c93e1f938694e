/* Functions of tcc's own library that objects made by tcc call (batch.cpp). */
#include <stdint.h>

float __floatundisf(uint64_t x);
double __floatundidf(uint64_t x);
uint64_t __fixunssfdi(float x);
uint64_t __fixunsdfdi(double x);

float __floatundisf(uint64_t x) { return (float)x; }
double __floatundidf(uint64_t x) { return (double)x; }
uint64_t __fixunssfdi(float x) { return (uint64_t)x; }
uint64_t __fixunsdfdi(double x) { return (uint64_t)x; }
