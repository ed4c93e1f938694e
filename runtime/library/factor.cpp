// Factorisations and functions that follow directly from them: cholesky, lu, qr, qr_r, det, slogdet, inv, solve.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "runtime/library/matrices.hpp"

namespace vr::runtime::library {

namespace {

/// Sets the elements below the diagonal of a matrix (square or not) to zero.
template <class T>
void clear_below(T* a, int rows, int columns, int64_t ld) {
  for (int64_t j = 0; j < columns; ++j)
    for (int64_t i = j + 1; i < rows; ++i) a[i + j * ld] = T(0);
}

template <class T>
void cholesky(const LibraryCall& c) {
  const Matrices<T> a(c, 0);
  need_square(c, a);
  const bool upper = c.truth(1, false);
  const int n = a.rows();
  const Stack out = make_stack(c, 0, {n, n});
  Buffer<T> f(a.elements());
  const BlasThreads threads(c.context(), lapack_work(cube(n) / 3));
  // LAPACK computes the lower triangle, in two thirds of the time for the upper one. For the transpose, which is the
  // matrix's conjugate, it is the upper factor's transpose.
  const bool turned = upper;
  for (int64_t i = 0; i < a.count() && n > 0; ++i) {
    a.load(i, f.data(), turned);
    const int info = lapack::potrf('L', n, f.data());
    if (info > 0) c.fail(VR_TYPE, "matrix is not positive definite");
    for (int64_t j = 0; j < n; ++j) std::fill(&f[j * n], &f[j * n + j], T(0));
    store_matrix(out, i, f.data(), n, turned);
  }
}

template <class T>
void lu(const LibraryCall& c) {
  const Matrices<T> a(c, 0);
  const int m = a.rows(), n = a.columns(), least = std::min(m, n);
  const Stack lower = make_stack(c, 0, {m, least});
  Buffer<T> f(a.elements()), part(int64_t{m} * least);
  Buffer<int> pivots(least);
  Buffer<int64_t> order(m);
  Stack upper = lower, rows = lower;
  if (c.results() > 1) upper = make_stack(c, 1, {least, n});
  if (c.results() > 2) rows = make_stack(c, 2, {m});
  const BlasThreads threads(c.context(), lapack_work(double(m) * n * least));
  for (int64_t i = 0; i < a.count(); ++i) {
    if (least > 0) {
      a.load(i, f.data());
      lapack::getrf(m, n, f.data(), pivots.data());
    }
    std::copy(f.data(), f.data() + part.size(), part.data());
    for (int64_t j = 0; j < least; ++j) {
      std::fill(&part[j * m], &part[j * m + j], T(0));
      part[j * m + j] = T(1);
    }
    store_matrix(lower, i, part.data(), m);
    if (c.results() > 1) {
      clear_below(f.data(), m, n, m);
      store_matrix(upper, i, f.data(), m);
    }
    if (c.results() > 2) {
      for (int64_t k = 0; k < m; ++k) order[k] = k + c.base();
      for (int64_t k = 0; k < least; ++k) std::swap(order[k], order[pivots[k] - 1]);
      store_vector(rows, i, order.data());
    }
  }
}

template <class T>
void qr(const LibraryCall& c) {
  const Matrices<T> a(c, 0);
  const int m = a.rows(), n = a.columns(), least = std::min(m, n);
  const int columns = c.truth(1, false) ? m : least;
  const Stack q = make_stack(c, 0, {m, columns});
  Stack r = q;
  if (c.results() > 1) r = make_stack(c, 1, {columns, n});
  const int64_t widest = std::max(n, columns);
  Buffer<T> f(m * widest), tau(least), work, work_q, upper(int64_t{columns} * n);
  const BlasThreads threads(c.context(), lapack_work(2.0 * m * n * least));
  for (int64_t i = 0; i < a.count(); ++i) {
    if (least > 0) {
      a.load(i, f.data());
      lapack::geqrf(m, n, f.data(), tau.data(), work);
    }
    if (c.results() > 1) {
      for (int64_t j = 0; j < n; ++j)
        for (int64_t k = 0; k < columns; ++k) upper[k + j * columns] = k <= j ? f[k + j * m] : T(0);
      store_matrix(r, i, upper.data(), columns);
    }
    if (least > 0) {
      lapack::orgqr(m, columns, least, f.data(), tau.data(), work_q);
    } else {
      for (int64_t j = 0; j < columns; ++j)
        for (int64_t k = 0; k < m; ++k) f[k + j * m] = T(k == j ? 1 : 0);
    }
    store_matrix(q, i, f.data(), m);
  }
}

/// The second result of qr alone.
template <class T>
void qr_r(const LibraryCall& c) {
  const Matrices<T> a(c, 0);
  const int m = a.rows(), n = a.columns(), least = std::min(m, n);
  const Stack out = make_stack(c, 0, {least, n});
  Buffer<T> f(a.elements()), tau(least), work;
  const BlasThreads threads(c.context(), lapack_work(2.0 * m * n * least));
  for (int64_t i = 0; i < a.count() && least > 0; ++i) {
    a.load(i, f.data());
    lapack::geqrf(m, n, f.data(), tau.data(), work);
    clear_below(f.data(), m, n, m);
    store_matrix(out, i, f.data(), m);
  }
}

/// f(sign, diagonal, n) for each matrix: the diagonal of its triangular factor, whose product times the sign is the
/// determinant. The diagonal is null if the factor has a zero on it. (The matrix itself is factored in any memory order, as
/// elsewhere: the factor of the transpose may round differently and have no zero.)
template <class T, class F>
void factored(const LibraryCall& c, F give) {
  const Matrices<T> a(c, 0);
  need_square(c, a);
  const int n = a.rows();
  Buffer<T> f(a.elements()), diagonal(n);
  Buffer<int> pivots(n);
  const BlasThreads threads(c.context(), lapack_work(cube(n)));
  for (int64_t i = 0; i < a.count(); ++i) {
    bool negative = false;
    if (n > 0) {
      a.load(i, f.data());
      if (lapack::getrf(n, n, f.data(), pivots.data()) > 0) {
        give(i, Real<T>(1), static_cast<T*>(nullptr), n);
        continue;
      }
      for (int64_t k = 0; k < n; ++k) {
        negative ^= pivots[k] != k + 1;
        diagonal[k] = f[k + k * n];
      }
    }
    give(i, Real<T>(negative ? -1 : 1), diagonal.data(), n);
  }
}

/// The greatest part of a number, used to scale products to about 1.
template <class T>
Real<T> size_of(T v) {
  return std::max(std::abs(std::real(v)), std::abs(std::imag(v)));
}

template <class T>
void det(const LibraryCall& c) {
  const Stack out = make_stack(c, 0, {});
  factored<T>(c, [&](int64_t i, Real<T> sign, const T* diagonal, int n) {
    if (!diagonal) return store_number(out, i, T(0));
    // The exponent is kept separately: intermediate products may overflow or underflow although the result does not.
    T product(sign);
    int64_t power = 0;
    for (int64_t k = 0; k < n; ++k) {
      product *= diagonal[k];
      const Real<T> size = size_of(product);
      if (size > 0 && (size < Real<T>(1e-12) || size > Real<T>(1e12)) && std::isfinite(size)) {
        const int e = std::ilogb(size);
        product *= std::ldexp(Real<T>(1), -e);
        power += e;
      }
    }
    const int e = static_cast<int>(std::clamp<int64_t>(power, -20000, 20000));
    if constexpr (is_complex<T>)
      product = T(std::ldexp(product.real(), e), std::ldexp(product.imag(), e));
    else
      product = std::ldexp(product, e);
    store_number(out, i, product);
  });
}

template <class T>
void slogdet(const LibraryCall& c) {
  using R = Real<T>;
  const Stack signs = make_stack(c, 0, {});
  Stack logs = signs;
  if (c.results() > 1) logs = make_stack(c, 1, {});
  factored<T>(c, [&](int64_t i, R s, const T* diagonal, int n) {
    T sign(s);
    R sum = 0;
    for (int64_t k = 0; k < n && diagonal; ++k) {
      const R size = std::abs(diagonal[k]);
      sign *= diagonal[k] / size;
      sum += std::log(size);
    }
    if constexpr (!is_complex<T>) {
      // Avoids infinity / infinity, which would make the sign NaN.
      sign = T(s);
      for (int64_t k = 0; k < n && diagonal; ++k)
        if (diagonal[k] < 0) sign = -sign;
    }
    store_number(signs, i, diagonal ? sign : T(0));
    if (c.results() > 1) store_number(logs, i, diagonal ? sum : -std::numeric_limits<R>::infinity());
  });
}

template <class T>
void inv(const LibraryCall& c) {
  const Matrices<T> a(c, 0);
  need_square(c, a);
  const int n = a.rows();
  const Stack out = make_stack(c, 0, {n, n});
  Buffer<T> f(a.elements());
  Buffer<T> work;
  Buffer<int> pivots(n);
  const BlasThreads threads(c.context(), lapack_work(2 * cube(n)));
  for (int64_t i = 0; i < a.count() && n > 0; ++i) {
    a.load(i, f.data());
    int info = lapack::getrf(n, n, f.data(), pivots.data());
    if (info == 0) info = lapack::getri(n, f.data(), pivots.data(), work);
    if (info > 0 && !c.matlab()) c.fail(VR_TYPE, "singular matrix");
    if (info > 0) std::fill(f.begin(), f.end(), T(std::numeric_limits<Real<T>>::infinity()));
    store_matrix(out, i, f.data(), n);
  }
}

/// The broadcast leading extents of both arguments; a vector counts as one matrix.
std::vector<int64_t> leading(const LibraryCall& c) {
  const vr_array &a = c.in(0), &b = c.in(1);
  const int32_t of_a = a.rank - 2, of_b = std::max(b.rank - 2, 0);
  std::vector<int64_t> extents(static_cast<size_t>(std::max(of_a, of_b)));
  const auto rank = static_cast<int32_t>(extents.size());
  for (int32_t k = 0; k < rank; ++k) {
    const int64_t x = k < rank - of_a ? 1 : a.extent[k - (rank - of_a)],
                  y = k < rank - of_b ? 1 : b.extent[k - (rank - of_b)];
    if (x != y && x != 1 && y != 1) c.fail(VR_SHAPE_MISMATCH, "stacks of matrices do not broadcast");
    extents[static_cast<size_t>(k)] = x == 1 ? y : x;
  }
  return extents;
}

template <class T>
void solve(const LibraryCall& c) {
  const bool vector = c.in(1).rank == 1;
  Matrices<T> a(c, 0), b(c, 1, vector ? with_axis(c.in(1), 1) : c.in(1));
  need_square(c, a);
  const int n = a.rows(), k = b.columns();
  if (b.rows() != n)
    c.fail(VR_SHAPE_MISMATCH,
           "a matrix of " + std::to_string(n) + " rows and right-hand sides of " + std::to_string(b.rows()));
  std::vector<int64_t> extents = leading(c);
  a.stretch(extents);
  b.stretch(extents);
  extents.push_back(n);
  if (!vector) extents.push_back(k);
  const vr_array& made = c.make(0, extents);
  const Stack out(vector ? with_axis(made, made.rank) : made, 2);
  Buffer<T> f(a.elements()), x(b.elements());
  Buffer<int> pivots(n);
  const BlasThreads threads(c.context(), lapack_work(cube(n) + 2.0 * n * n * k));
  for (int64_t i = 0; i < a.count() && n > 0; ++i) {
    a.load(i, f.data());
    if (lapack::getrf(n, n, f.data(), pivots.data()) > 0) c.fail(VR_TYPE, "singular matrix");
    if (k == 0) continue;
    b.load(i, x.data());
    lapack::getrs(n, k, f.data(), pivots.data(), x.data());
    store_matrix(out, i, x.data(), n);
  }
}

}  // namespace

#define VR_OF_MATRIX(Name, compute)                                                             \
  void Name(const LibraryCall& c) {                                                             \
    visit_matrix(c, c.in(0).elem, [&](auto tag) { compute<typename decltype(tag)::type>(c); }); \
  }
VR_OF_MATRIX(Cholesky, cholesky)
VR_OF_MATRIX(Lu, lu)
VR_OF_MATRIX(Qr, qr)
VR_OF_MATRIX(TriangularFactor, qr_r)
VR_OF_MATRIX(Det, det)
VR_OF_MATRIX(SlogDet, slogdet)
VR_OF_MATRIX(Inv, inv)
#undef VR_OF_MATRIX
void Solve(const LibraryCall& c) {
  visit_matrix(c, c.result_elem(0), [&](auto tag) { solve<typename decltype(tag)::type>(c); });
}

}  // namespace vr::runtime::library
