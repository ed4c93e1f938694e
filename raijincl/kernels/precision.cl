// The four precisions. Each kernel is written once in terms of T (an element), R (a real number) and CPX (real numbers per element).
//   PRECISION 0 float, 1 double, 2 complex float, 3 complex double
#if PRECISION == 1 || PRECISION == 3
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define R double
#else
#define R float
#endif
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#if PRECISION >= 2
#define T JOIN(R, 2)
#define CPX 2
#else
#define T R
#define CPX 1
#endif
#define ZERO ((T)(0))
#define INLINE static inline __attribute__((always_inline))

#if CPX == 2
INLINE T mul(T a, T b) { return (T)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
INLINE T conjugate(T a) { return (T)(a.x, -a.y); }
#define NOT_ZERO(z) ((z).x != 0 || (z).y != 0)
#else
INLINE T mul(T a, T b) { return a * b; }
INLINE T conjugate(T a) { return a; }
#define NOT_ZERO(z) ((z) != 0)
#endif

// beta C + x, where C is not read when beta is 0.
INLINE T blend(T x, T beta, global const T* c) { return NOT_ZERO(beta) ? x + mul(beta, *c) : x; }
