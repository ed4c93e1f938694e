// Singular values and eigenvalues: svd, svdvals, pinv, matrix_rank, cond, lstsq, eig, eigvals, eigh, eigvalsh.
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/library/matrices.hpp"

namespace vr::runtime::library {

template <class T>
Svd<T>::Svd(char job, int m, int n)
    : s(std::min(m, n)), job_(job), m_(m), n_(n), least_(std::min(m, n)), whole_work_(int64_t{8} * least_) {
  if (job != 'N') {
    u = Buffer<T>(int64_t{m} * u_columns());
    v = Buffer<T>(int64_t{v_rows()} * n);
  }
  if (is_complex<T>) {
    const int64_t k = least_, most = std::max(m, n);
    real_work_ = Buffer<Real<T>>(job == 'N' ? 7 * k : std::max(5 * k * k + 7 * k, 2 * most * k + 2 * k * k + k));
  }
}

template <class T>
void Svd<T>::run(const LibraryCall& c, T* a) {
  // LAPACK's iterations need finite numbers. NaN is a fault; with infinities the values are NaN.
  const bool finite = all_finite(a, int64_t{m_} * n_);
  if (!finite && std::any_of(a, a + int64_t{m_} * n_, [](T x) { return x != x; }))
    c.fail(VR_TYPE, "SVD did not converge");
  if (least_ == 0 || !finite) {  // any basis is valid
    std::fill(s.begin(), s.end(), std::numeric_limits<Real<T>>::quiet_NaN());
    for (Buffer<T>* basis : {&u, &v}) {
      std::fill(basis->begin(), basis->end(), T(0));
      const int64_t rows = basis == &u ? m_ : v_rows(), columns = rows > 0 ? basis->size() / rows : 0;
      for (int64_t k = 0; k < std::min(rows, columns); ++k) (*basis)[k * rows + k] = T(1);
    }
    return;
  }
  const int info = lapack::with_work(work_, [&](T* work, int size) {
    return lapack::gesdd(job_, m_, n_, a, s.data(), u.data(), m_, v.data(), std::max(v_rows(), 1), work, size,
                         real_work_.data(), whole_work_.data());
  });
  if (info != 0) c.fail(VR_TYPE, "SVD did not converge");
}

namespace {

template <class T>
void svd(const LibraryCall& c) {
  const Matrices<T> a(c, 0);
  const int m = a.rows(), n = a.columns();
  Svd<T> d(c.truth(1, false) ? 'A' : 'S', m, n);
  const Stack us = make_stack(c, 0, {m, d.u_columns()});
  Stack values = us, vs = us;
  if (c.results() > 1) values = make_stack(c, 1, {d.least()});
  if (c.results() > 2) vs = make_stack(c, 2, {d.v_rows(), n});
  Buffer<T> f(a.elements());
  const BlasThreads threads(c.context(), lapack_work(4.0 * m * n * d.least()));
  for (int64_t i = 0; i < a.count(); ++i) {
    a.load(i, f.data());
    d.run(c, f.data());
    store_matrix(us, i, d.u.data(), m);
    if (c.results() > 1) store_vector(values, i, d.s.data());
    if (c.results() > 2) store_matrix(vs, i, d.v.data(), d.v_rows());
  }
}

/// Calls f(i, decomposition) for each matrix: its singular values, the greatest first.
template <class T, class F>
void of_values(const LibraryCall& c, F f) {
  const Matrices<T> a(c, 0);
  Svd<T> d('N', a.rows(), a.columns());
  Buffer<T> matrix(a.elements());
  const BlasThreads threads(c.context(), lapack_work(2.0 * a.rows() * a.columns() * d.least()));
  for (int64_t i = 0; i < a.count(); ++i) {
    a.load(i, matrix.data());
    d.run(c, matrix.data());
    f(i, d.s);
  }
}

template <class T>
void svdvals(const LibraryCall& c) {
  const vr_array& a = c.in(0);
  const Stack out = make_stack(c, 0, {std::min(a.extent[a.rank - 2], a.extent[a.rank - 1])});
  of_values<T>(c, [&](int64_t i, const auto& s) { store_vector(out, i, s.data()); });
}

/// The fraction of the greatest singular value below which a singular value counts as zero.
double negligible(const vr_array& a, bool single) {
  const double epsilon = single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  return epsilon * static_cast<double>(std::max(a.extent[a.rank - 2], a.extent[a.rank - 1]));
}
bool is_single(const vr_array& a) { return real_part(a.elem) == ir::Elem::Float32; }

template <class T>
void matrix_rank(const LibraryCall& c) {
  using R = Real<T>;
  const Stack out = make_stack(c, 0, {});
  const R share = static_cast<R>(negligible(c.in(0), is_single(c.in(0))));
  of_values<T>(c, [&](int64_t i, const Buffer<R>& s) {
    const R tolerance = c.given(1) ? static_cast<R>(c.number(1)) : s.size() ? share * s[0] : R(0);
    store_number(out, i, int64_t{std::count_if(s.begin(), s.end(), [&](R v) { return v > tolerance; })});
  });
}

template <class T>
void cond(const LibraryCall& c) {
  using R = Real<T>;
  const vr_array& a = c.in(0);
  const Stack out = make_stack(c, 0, {});
  if (std::min(a.extent[a.rank - 2], a.extent[a.rank - 1]) == 0 && !c.matlab())
    c.fail(VR_TYPE, "cond is not defined on empty arrays");
  of_values<T>(c, [&](int64_t i, const Buffer<R>& s) {
    const R least = s.size() ? s[s.size() - 1] : R(1), greatest = s.size() ? s[0] : R(0);
    store_number(out, i, least > 0 ? greatest / least : std::numeric_limits<R>::infinity());
  });
}

template <class T>
void pinv(const LibraryCall& c) {
  using R = Real<T>;
  const Matrices<T> a(c, 0);
  const int m = a.rows(), n = a.columns();
  const Stack out = make_stack(c, 0, {n, m});
  const auto share = static_cast<R>(c.given(1) ? c.number(1) : negligible(c.in(0), is_single(c.in(0))));
  Svd<T> d('S', m, n);
  Buffer<T> f(a.elements());
  const BlasThreads threads(c.context(), lapack_work(6.0 * m * n * d.least()));
  for (int64_t i = 0; i < a.count() && d.least() > 0; ++i) {
    a.load(i, f.data());
    d.run(c, f.data());
    // The adjoint of the pseudo-inverse: U / S times V's adjoint.
    for (int64_t k = 0; k < d.least(); ++k) {
      const R scale = d.s[k] > share * d.s[0] ? 1 / d.s[k] : R(0);
      for (int64_t j = 0; j < m; ++j) d.u[k * m + j] *= scale;
    }
    lapack::gemm(m, n, d.least(), d.u.data(), d.v.data(), f.data());
    for (T& v : f) v = conjugate(v);
    store_matrix(out, i, f.data(), m, true);
  }
}

/// Result k becomes a vector.
template <class T>
void give_vector(const LibraryCall& c, size_t k, const Buffer<T>& values) {
  if (c.result_elem(k) == VR_FLOAT32)
    std::transform(values.begin(), values.end(), static_cast<float*>(c.make_vector(k, values.size())),
                   [](T v) { return static_cast<float>(v); });
  else
    std::copy(values.begin(), values.end(), static_cast<double*>(c.make_vector(k, values.size())));
}

template <class T>
void lstsq(const LibraryCall& c) {
  using R = Real<T>;
  const bool vector = c.in(1).rank == 1;
  const Matrices<T> a(c, 0), b(c, 1, vector ? with_axis(c.in(1), 1) : c.in(1));
  const int m = a.rows(), n = a.columns(), k = b.columns(), least = std::min(m, n);
  if (b.rows() != m) c.fail(VR_SHAPE_MISMATCH, "incompatible dimensions");
  const vr_array& made = vector ? c.make(0, {n}) : c.make(0, {n, k});
  const Stack x(vector ? with_axis(made, 1) : made, 2);
  const int64_t height = std::max({m, n, 1});
  Buffer<T> f(a.elements()), h(height * std::max(k, 1)), work;
  Buffer<R> s(least), real_work;
  std::fill(h.begin(), h.end(), T(0));
  a.load(0, f.data());
  b.load(0, h.data(), false, height);
  int rank = 0;
  if (least > 0) {
    const auto share = static_cast<R>(c.given(2) ? c.number(2) : negligible(c.in(0), std::is_same_v<R, float>));
    const BlasThreads threads(c.context(), lapack_work(4.0 * m * n * (least + 0.5 * k)));
    int info = all_finite(f.data(), f.size()) && all_finite(h.data(), h.size()) ? 0 : 1;
    if (info == 0) {
      T size{};
      R real_size{};
      int whole_size = 0;
      const int columns = std::max(k, 1);
      info = lapack::gelsd(m, n, columns, f.data(), h.data(), static_cast<int>(height), s.data(), share, &rank, &size,
                           -1, &real_size, &whole_size);
      if (lapack::asked(size) > INT_MAX) c.fail(VR_SIZE, "matrix is too large for LAPACK");
      work = Buffer<T>(lapack::asked(size));
      real_work = Buffer<R>(is_complex<T> ? lapack::asked(real_size) : 0);
      Buffer<int> whole_work(std::max(whole_size, 1));
      info = lapack::gelsd(m, n, columns, f.data(), h.data(), static_cast<int>(height), s.data(), share, &rank,
                           work.data(), static_cast<int>(work.size()), real_work.data(), whole_work.data());
    }
    if (info != 0) c.fail(VR_TYPE, "SVD did not converge in Linear Least Squares");
  }
  if (n > 0 && k > 0) store_matrix(x, 0, h.data(), height);
  if (c.results() > 1) {
    const bool sums = rank == n && m > n;
    Buffer<R> residuals(sums ? k : 0);
    for (int64_t j = 0; j < residuals.size(); ++j) {
      residuals[j] = 0;
      for (int64_t i = n; i < m; ++i) residuals[j] += std::norm(h[j * height + i]);
    }
    give_vector(c, 1, residuals);
  }
  if (c.results() > 2) c.give<int64_t>(2, rank);
  if (c.results() > 3) give_vector(c, 3, s);
}

/// The eigenvalues of a general matrix, and its right eigenvectors if `job` is 'V'.
template <class T>
class Eig {
 public:
  Eig(char job, int n) : values(n), vectors(job == 'V' ? int64_t{n} * n : 0), job_(job), n_(n), parts_(int64_t{2} * n) {
    if (!is_complex<T>) packed_ = Buffer<T>(vectors.size());
  }
  void run(const LibraryCall& c, T* a) {
    if (!all_finite(a, int64_t{n_} * n_)) c.fail(VR_TYPE, "array must not contain infs or NaNs");
    int info = 0;
    if constexpr (is_complex<T>) {
      info = lapack::with_work(work_, [&](T* work, int size) {
        return lapack::geev(job_, n_, a, values.data(), parts_.data(), vectors.data(), work, size);
      });
    } else {
      T* im = parts_.data() + n_;
      info = lapack::with_work(work_, [&](T* work, int size) {
        return lapack::geev(job_, n_, a, parts_.data(), im, packed_.data(), work, size);
      });
      for (int64_t k = 0; k < n_; ++k) values[k] = {parts_[k], im[k]};
      if (job_ == 'V' && info == 0) unpack(im);
    }
    if (info != 0) c.fail(VR_TYPE, "eigenvalues did not converge");
  }
  Buffer<Complex<T>> values, vectors;

 private:
  /// For a pair of conjugate eigenvalues, LAPACK returns the vectors' real part in one column and the imaginary part in
  /// the next.
  void unpack(const T* im) {
    for (int64_t j = 0; j < n_; ++j) {
      const bool pair = im[j] != 0 && j + 1 < n_;
      for (int64_t k = 0; k < n_; ++k) {
        const T re = packed_[j * n_ + k], i = pair ? packed_[(j + 1) * n_ + k] : T(0);
        vectors[j * n_ + k] = {re, i};
        if (pair) vectors[(j + 1) * n_ + k] = {re, -i};
      }
      if (pair) ++j;
    }
  }
  char job_;
  int n_;
  Buffer<Real<T>> parts_;
  Buffer<T> packed_, work_;
};

/// The eigenvalues of a Hermitian matrix, of which one triangle is read, and its eigenvectors if `job` is 'V'.
template <class T>
class Eigh {
 public:
  Eigh(const LibraryCall& c, char job, bool upper, int n) : values(n), job_(job), upper_(upper), n_(n) {
    if (n == 0) return;
    T size{};
    Real<T> real_size{};
    int whole_size = 0;
    lapack::heevd(job, triangle(), n, nullptr, values.data(), &size, -1, &real_size, -1, &whole_size, -1);
    if (lapack::asked(size) > INT_MAX || lapack::asked(real_size) > INT_MAX)
      c.fail(VR_SIZE, "matrix is too large for LAPACK");
    work_ = Buffer<T>(lapack::asked(size));
    real_work_ = Buffer<Real<T>>(is_complex<T> ? lapack::asked(real_size) : 0);
    whole_work_ = Buffer<int>(std::max(whole_size, 1));
  }
  /// Replaces a by the eigenvectors; by NaN if a number of the triangle is not finite, because LAPACK's iterations need
  /// finite numbers.
  void run(const LibraryCall& c, T* a) {
    bool finite = true;
    for (int64_t j = 0; j < n_ && finite; ++j)
      finite = upper_ ? all_finite(&a[j * n_], j + 1) : all_finite(&a[j * n_ + j], n_ - j);
    if (!finite) {
      std::fill(values.begin(), values.end(), std::numeric_limits<Real<T>>::quiet_NaN());
      std::fill(a, a + int64_t{n_} * n_, T(std::numeric_limits<Real<T>>::quiet_NaN()));
      return;
    }
    const int info = lapack::heevd(job_, triangle(), n_, a, values.data(), work_.data(), static_cast<int>(work_.size()),
                                   real_work_.data(), static_cast<int>(real_work_.size()), whole_work_.data(),
                                   static_cast<int>(whole_work_.size()));
    if (info != 0) c.fail(VR_TYPE, "eigenvalues did not converge");
  }
  Buffer<Real<T>> values;

 private:
  char triangle() const { return upper_ ? 'U' : 'L'; }
  char job_;
  bool upper_;
  int n_;
  Buffer<T> work_;
  Buffer<Real<T>> real_work_;
  Buffer<int> whole_work_;
};

template <class T>
void eigh(const LibraryCall& c, bool with_vectors) {
  const Matrices<T> a(c, 0);
  need_square(c, a);
  const int n = a.rows();
  const Stack values = make_stack(c, 0, {n});
  Stack vectors = values;
  if (c.results() > 1) vectors = make_stack(c, 1, {n, n});
  Eigh<T> e(c, with_vectors && c.results() > 1 ? 'V' : 'N', c.truth(1, false), n);
  Buffer<T> f(a.elements());
  const BlasThreads threads(c.context(), lapack_work(4 * cube(n)));
  for (int64_t i = 0; i < a.count() && n > 0; ++i) {
    a.load(i, f.data());
    e.run(c, f.data());
    store_vector(values, i, e.values.data());
    if (c.results() > 1) store_matrix(vectors, i, f.data(), n);
  }
}

template <class T>
bool is_hermitian(const T* a, int64_t n) {
  for (int64_t j = 0; j < n; ++j)
    for (int64_t k = 0; k <= j; ++k)
      if (a[j * n + k] != conjugate(a[k * n + j])) return false;
  return true;
}

template <class T>
void eig(const LibraryCall& c, bool with_vectors) {
  const Matrices<T> a(c, 0);
  need_square(c, a);
  const int n = a.rows();
  const Stack values = make_stack(c, 0, {n});
  Stack vectors = values;
  if (c.results() > 1) vectors = make_stack(c, 1, {n, n});
  const char job = with_vectors && c.results() > 1 ? 'V' : 'N';
  Eig<T> e(job, n);
  Buffer<T> f(a.elements());
  const BlasThreads threads(c.context(), lapack_work(10 * cube(n)));
  for (int64_t i = 0; i < a.count() && n > 0; ++i) {
    a.load(i, f.data());
    if (c.matlab() && is_hermitian(f.data(), n)) {
      Eigh<T> h(c, job, false, n);
      h.run(c, f.data());
      std::copy(h.values.begin(), h.values.end(), e.values.begin());
      std::copy(f.begin(), f.begin() + e.vectors.size(), e.vectors.begin());
    } else {
      e.run(c, f.data());
    }
    store_vector(values, i, e.values.data());
    if (c.results() > 1) store_matrix(vectors, i, e.vectors.data(), n);
  }
}

}  // namespace

#define VR_OF_MATRIX(Name, compute, ...)                                                                  \
  void Name(const LibraryCall& c) {                                                                       \
    visit_matrix(c, c.in(0).elem,                                                                         \
                 [&](auto tag) { compute<typename decltype(tag)::type>(c __VA_OPT__(, ) __VA_ARGS__); }); \
  }
VR_OF_MATRIX(SingularVectors, svd)
VR_OF_MATRIX(SvdVals, svdvals)
VR_OF_MATRIX(MatrixRank, matrix_rank)
VR_OF_MATRIX(Cond, cond)
VR_OF_MATRIX(Pinv, pinv)
VR_OF_MATRIX(EigVals, eig, false)
VR_OF_MATRIX(EigVectors, eig, true)
VR_OF_MATRIX(EighVals, eigh, false)
VR_OF_MATRIX(EighVectors, eigh, true)
#undef VR_OF_MATRIX
void LeastSquares(const LibraryCall& c) {
  visit_matrix(c, c.result_elem(0), [&](auto tag) { lstsq<typename decltype(tag)::type>(c); });
}

}  // namespace vr::runtime::library
