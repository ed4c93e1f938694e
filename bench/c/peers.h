/* C versions of the bench programs: the same algorithms as the VRIR programs, built with `gcc -O3 -march=native`, no
 * bounds checks. Arrays are column-major doubles. */
#ifndef VR_BENCH_PEERS_H
#define VR_BENCH_PEERS_H
#ifdef __cplusplus
extern "C" {
#endif
/* Potential (n+1) x (m+1) of a shielded conductor; returns the capacitance. *f is allocated with malloc, *columns =
 * m+1. */
double c_capr(double a, double b, double c, double d, int n, double tol, double rel, int maxiter, double** f,
              int* columns);
/* The same in buffers of the caller, each (n+1) x c_capr_columns(c, d, n). */
double c_capr_in(double a, double b, double c, double d, int n, double tol, double rel, int maxiter, double* f,
                 double* w);
int c_capr_columns(double c, double d, int n);
/* Wave equation; the n x m field goes to U, which is the caller's: as in our pool, no page is touched for the first
 * time. */
void c_fiff(double a, double b, double c, int n, int m, double* U);
#ifdef __cplusplus
}
#endif
#endif
