// Small dense linear algebra in double precision, written for clarity: LU, Householder QR, one-sided Jacobi SVD.
#pragma once
#include "interp/datum.hpp"

#include <complex>
#include <vector>

namespace vr::interp {

/// A matrix of double or std::complex<double>, column by column.
template <class T>
struct Dense {
  int64_t rows = 0, columns = 0;
  std::vector<T> values;
  Dense(int64_t m, int64_t n) : rows(m), columns(n), values(static_cast<size_t>(m * n)) {}
  T& at(int64_t i, int64_t j) { return values[static_cast<size_t>(j * rows + i)]; }
  const T& at(int64_t i, int64_t j) const { return values[static_cast<size_t>(j * rows + i)]; }
};

/// An array of rank 1 or 2; a vector becomes a column, or a row.
template <class T>
Dense<T> to_dense(const ArrayRef& a, bool column = true);
inline Scalar from_dense(double v, Elem e) { return Scalar::real(v, e); }
inline Scalar from_dense(const std::complex<double>& v, Elem e) { return Scalar::complex_of(v.real(), v.imag(), e); }

template <class T>
Dense<T> transposed(const Dense<T>& a);

/// x with a x = b; a.rows == b.rows. Square: LU with partial pivoting; a singular matrix gives inf and nan. Otherwise
/// the x of least norm among those for which |a x - b| is least, by the singular value decomposition; singular values
/// of at most epsilon * max(a.rows, a.columns) times the largest count as zero. The result is NaN if a number is not
/// finite.
template <class T>
Dense<T> solve(Dense<T> a, Dense<T> b, double epsilon);

/// (sum of x^p)^(1/p) of magnitudes; p may be inf, -inf and 0 (the number of magnitudes that are not 0). 0 if there are
/// none.
double vector_norm(const std::vector<double>& magnitudes, double p);

/// p = 1: largest column sum; inf: largest row sum; 2: largest singular value (one-sided Jacobi). Fault TYPE for other
/// p.
template <class T>
double matrix_norm(Dense<T> a, double p);

}  // namespace vr::interp
