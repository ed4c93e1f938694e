// LAPACK's functions by one name for float, double and their complex types, column-major. They are the _work variants:
// none looks for NaN first. Each returns LAPACK's info.
#pragma once
#include <climits>
#include <cmath>
#include <complex>
#include <cstdint>
#include <type_traits>

#include "runtime/cpu/blas.hpp"
#include "runtime/library/call.hpp"

namespace vr::runtime::library {

template <class T>
struct RealOf {
  using type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
  using type = T;
};
template <class T>
using Real = typename RealOf<T>::type;
template <class T>
constexpr bool is_complex = !std::is_same_v<T, Real<T>>;
template <class T>
using Complex = std::complex<Real<T>>;

template <class T>
T conjugate(T v) {
  if constexpr (is_complex<T>) return std::conj(v);
  return v;
}

namespace lapack {

inline constexpr int column_major = LAPACK_COL_MAJOR;

/// The result of a workspace query, rounded up, because as a float it may be below the exact size.
template <class T>
int64_t asked(T work) {
  const double n = std::real(work);
  return static_cast<int64_t>(std::is_same_v<Real<T>, float> && n > (1 << 24) ? n * (1 + 1e-6) : n) + 1;
}
/// Calls f(work, lwork) with a workspace of the size that the query f(answer, -1) returns. `work` is reused in later
/// calls.
template <class T, class F>
int with_work(Buffer<T>& work, F f) {
  if (work.size() == 0) {
    T answer{};
    if (const int info = f(&answer, -1)) return info;
    if (asked(answer) > INT_MAX) throw Fault{VR_SIZE, "matrix is too large for LAPACK"};
    work = Buffer<T>(asked(answer));
  }
  return f(work.data(), static_cast<int>(work.size()));
}

// Functions with the same parameters for all four types.
#define VR_LAPACK(T, t, orgqr_)                                                                                    \
  inline int potrf(char uplo, int n, T* a) { return LAPACKE_##t##potrf_work(column_major, uplo, n, a, n); }        \
  inline int getrf(int m, int n, T* a, int* p) { return LAPACKE_##t##getrf_work(column_major, m, n, a, m, p); }    \
  inline int getrs(int n, int r, const T* a, const int* p, T* b) {                                                 \
    return LAPACKE_##t##getrs_work(column_major, 'N', n, r, a, n, p, b, n);                                        \
  }                                                                                                                \
  inline int getri(int n, T* a, const int* p, Buffer<T>& w) {                                                      \
    return with_work(                                                                                              \
        w, [&](T* work, int size) { return LAPACKE_##t##getri_work(column_major, n, a, n, p, work, size); });      \
  }                                                                                                                \
  inline int geqrf(int m, int n, T* a, T* tau, Buffer<T>& w) {                                                     \
    return with_work(                                                                                              \
        w, [&](T* work, int size) { return LAPACKE_##t##geqrf_work(column_major, m, n, a, m, tau, work, size); }); \
  }                                                                                                                \
  inline int orgqr(int m, int n, int k, T* a, const T* tau, Buffer<T>& w) {                                        \
    return with_work(w, [&](T* work, int size) {                                                                   \
      return LAPACKE_##t##orgqr_##_work(column_major, m, n, k, a, m, tau, work, size);                             \
    });                                                                                                            \
  }
VR_LAPACK(float, s, orgqr)
VR_LAPACK(double, d, orgqr)
VR_LAPACK(std::complex<float>, c, ungqr)
VR_LAPACK(std::complex<double>, z, ungqr)
#undef VR_LAPACK

// clang-format off
inline int gesdd(char job, int m, int n, float* a, float* s, float* u, int ldu, float* v, int ldv, float* w, int lw, float*, int* iw) { return LAPACKE_sgesdd_work(column_major, job, m, n, a, m, s, u, ldu, v, ldv, w, lw, iw); }
inline int gesdd(char job, int m, int n, double* a, double* s, double* u, int ldu, double* v, int ldv, double* w, int lw, double*, int* iw) { return LAPACKE_dgesdd_work(column_major, job, m, n, a, m, s, u, ldu, v, ldv, w, lw, iw); }
inline int gesdd(char job, int m, int n, std::complex<float>* a, float* s, std::complex<float>* u, int ldu, std::complex<float>* v, int ldv, std::complex<float>* w, int lw, float* rw, int* iw) { return LAPACKE_cgesdd_work(column_major, job, m, n, a, m, s, u, ldu, v, ldv, w, lw, rw, iw); }
inline int gesdd(char job, int m, int n, std::complex<double>* a, double* s, std::complex<double>* u, int ldu, std::complex<double>* v, int ldv, std::complex<double>* w, int lw, double* rw, int* iw) { return LAPACKE_zgesdd_work(column_major, job, m, n, a, m, s, u, ldu, v, ldv, w, lw, rw, iw); }
// Real matrices: re and im are the parts of the eigenvalues, r the eigenvectors as LAPACK packs them.
inline int geev(char job, int n, float* a, float* re, float* im, float* r, float* w, int lw) { return LAPACKE_sgeev_work(column_major, 'N', job, n, a, n, re, im, nullptr, 1, r, n, w, lw); }
inline int geev(char job, int n, double* a, double* re, double* im, double* r, double* w, int lw) { return LAPACKE_dgeev_work(column_major, 'N', job, n, a, n, re, im, nullptr, 1, r, n, w, lw); }
inline int geev(char job, int n, std::complex<float>* a, std::complex<float>* l, float* rw, std::complex<float>* r, std::complex<float>* w, int lw) { return LAPACKE_cgeev_work(column_major, 'N', job, n, a, n, l, nullptr, 1, r, n, w, lw, rw); }
inline int geev(char job, int n, std::complex<double>* a, std::complex<double>* l, double* rw, std::complex<double>* r, std::complex<double>* w, int lw) { return LAPACKE_zgeev_work(column_major, 'N', job, n, a, n, l, nullptr, 1, r, n, w, lw, rw); }
inline int heevd(char job, char uplo, int n, float* a, float* l, float* w, int lw, float*, int, int* iw, int li) { return LAPACKE_ssyevd_work(column_major, job, uplo, n, a, n, l, w, lw, iw, li); }
inline int heevd(char job, char uplo, int n, double* a, double* l, double* w, int lw, double*, int, int* iw, int li) { return LAPACKE_dsyevd_work(column_major, job, uplo, n, a, n, l, w, lw, iw, li); }
inline int heevd(char job, char uplo, int n, std::complex<float>* a, float* l, std::complex<float>* w, int lw, float* rw, int lr, int* iw, int li) { return LAPACKE_cheevd_work(column_major, job, uplo, n, a, n, l, w, lw, rw, lr, iw, li); }
inline int heevd(char job, char uplo, int n, std::complex<double>* a, double* l, std::complex<double>* w, int lw, double* rw, int lr, int* iw, int li) { return LAPACKE_zheevd_work(column_major, job, uplo, n, a, n, l, w, lw, rw, lr, iw, li); }
inline int gelsd(int m, int n, int r, float* a, float* b, int ldb, float* s, float rcond, int* rank, float* w, int lw, float*, int* iw) { return LAPACKE_sgelsd_work(column_major, m, n, r, a, m, b, ldb, s, rcond, rank, w, lw, iw); }
inline int gelsd(int m, int n, int r, double* a, double* b, int ldb, double* s, double rcond, int* rank, double* w, int lw, double*, int* iw) { return LAPACKE_dgelsd_work(column_major, m, n, r, a, m, b, ldb, s, rcond, rank, w, lw, iw); }
inline int gelsd(int m, int n, int r, std::complex<float>* a, std::complex<float>* b, int ldb, float* s, float rcond, int* rank, std::complex<float>* w, int lw, float* rw, int* iw) { return LAPACKE_cgelsd_work(column_major, m, n, r, a, m, b, ldb, s, rcond, rank, w, lw, rw, iw); }
inline int gelsd(int m, int n, int r, std::complex<double>* a, std::complex<double>* b, int ldb, double* s, double rcond, int* rank, std::complex<double>* w, int lw, double* rw, int* iw) { return LAPACKE_zgelsd_work(column_major, m, n, r, a, m, b, ldb, s, rcond, rank, w, lw, rw, iw); }
/// c (m x n) = a (m x k) b (k x n), or b's conjugate transpose where `adjoint`.
inline void gemm(int m, int n, int k, const float* a, const float* b, float* c, bool adjoint = false) { cblas_sgemm(CblasColMajor, CblasNoTrans, adjoint ? CblasTrans : CblasNoTrans, m, n, k, 1, a, m, b, adjoint ? n : k, 0, c, m); }
inline void gemm(int m, int n, int k, const double* a, const double* b, double* c, bool adjoint = false) { cblas_dgemm(CblasColMajor, CblasNoTrans, adjoint ? CblasTrans : CblasNoTrans, m, n, k, 1, a, m, b, adjoint ? n : k, 0, c, m); }
inline void gemm(int m, int n, int k, const std::complex<float>* a, const std::complex<float>* b, std::complex<float>* c, bool adjoint = false) { const std::complex<float> one(1), zero(0); cblas_cgemm(CblasColMajor, CblasNoTrans, adjoint ? CblasConjTrans : CblasNoTrans, m, n, k, &one, a, m, b, adjoint ? n : k, &zero, c, m); }
inline void gemm(int m, int n, int k, const std::complex<double>* a, const std::complex<double>* b, std::complex<double>* c, bool adjoint = false) { const std::complex<double> one(1), zero(0); cblas_zgemm(CblasColMajor, CblasNoTrans, adjoint ? CblasConjTrans : CblasNoTrans, m, n, k, &one, a, m, b, adjoint ? n : k, &zero, c, m); }
// clang-format on

}  // namespace lapack
}  // namespace vr::runtime::library
