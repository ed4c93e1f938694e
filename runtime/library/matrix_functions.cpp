// Functions of matrices that are computed from products: matrix_power, expm, kron.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "runtime/library/matrices.hpp"

namespace vr::runtime::library {

namespace {

template <class T>
void identity(T* a, int64_t n) {
  std::fill(a, a + n * n, T(0));
  for (int64_t k = 0; k < n; ++k) a[k * n + k] = T(1);
}

template <class T>
void power(const LibraryCall& c) {
  const Matrices<T> a(c, 0);
  need_square(c, a);
  const int n = a.rows();
  const int64_t exponent = c.whole(1);
  const Stack out = make_stack(c, 0, {n, n});
  Buffer<T> square(a.elements()), result(a.elements()), spare(a.elements()), work;
  Buffer<int> pivots(n);
  const BlasThreads threads(c.context(), cube(n));
  // The power of the transpose is the transpose of the power; inverses are computed from the matrix itself, as by inv.
  const bool turned = exponent >= 0 && a.by_rows();
  for (int64_t i = 0; i < a.count() && n > 0; ++i) {
    a.load(i, square.data(), turned);
    uint64_t rest = exponent < 0 ? -static_cast<uint64_t>(exponent) : static_cast<uint64_t>(exponent);
    if (exponent < 0) {
      int info = lapack::getrf(n, n, square.data(), pivots.data());
      if (info == 0) info = lapack::getri(n, square.data(), pivots.data(), work);
      if (info > 0) c.fail(VR_TYPE, "singular matrix");
    }
    bool any = false;
    if (rest == 0) identity(result.data(), n);
    for (; rest > 0; rest >>= 1) {
      if (rest & 1) {
        if (any) {
          lapack::gemm(n, n, n, result.data(), square.data(), spare.data());
          std::swap(result, spare);
        } else {
          std::copy(square.begin(), square.end(), result.begin());
        }
        any = true;
      }
      if (rest > 1) {
        lapack::gemm(n, n, n, square.data(), square.data(), spare.data());
        std::swap(square, spare);
      }
    }
    store_matrix(out, i, result.data(), n, turned);
  }
}

/// Padé approximants of exp (Higham 2005, "The scaling and squaring method for the matrix exponential revisited"): the
/// largest 1-norm for which each degree is exact up to rounding, and the coefficients.
struct Pade {
  int degree;
  double norm;
  std::array<double, 14> b;
};
constexpr Pade of_double[] = {
    {3, 1.495585217958292e-2, {120, 60, 12, 1}},
    {5, 2.539398330063230e-1, {30240, 15120, 3360, 420, 30, 1}},
    {7, 9.504178996162932e-1, {17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1}},
    {9,
     2.097847961257068,
     {17643225600., 8821612800., 2075673600., 302702400., 30270240., 2162160., 110880., 3960., 90., 1.}},
    {13,
     5.371920351148152,
     {64764752532480000., 32382376266240000., 7771770303897600., 1187353796428800., 129060195264000., 10559470521600.,
      670442572800., 33522128640., 1323241920., 40840800., 960960., 16380., 182., 1.}}};
constexpr Pade of_float[] = {{3, 4.258730016922831e-1, {120, 60, 12, 1}},
                             {5, 1.880152677804762, {30240, 15120, 3360, 420, 30, 1}},
                             {7, 3.925724783138660, {17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1}}};

template <class T>
class Exponential {
 public:
  explicit Exponential(int n) : n_(n), size_(int64_t{n} * n), u_(size_), v_(size_), spare_(size_), pivots_(n) {
    for (auto& p : powers_) p = Buffer<T>(size_);
  }
  /// Replaces the finite matrix a by its exponential.
  void run(T* a) {
    Real<T> norm = 0;
    for (int64_t j = 0; j < n_; ++j) {
      Real<T> sum = 0;
      for (int64_t k = 0; k < n_; ++k) sum += std::abs(a[j * n_ + k]);
      norm = std::max(norm, sum);
    }
    const Pade* p = std::is_same_v<Real<T>, float> ? std::begin(of_float) : std::begin(of_double);
    const Pade* last = std::is_same_v<Real<T>, float> ? std::end(of_float) - 1 : std::end(of_double) - 1;
    while (p != last && !(norm <= p->norm)) ++p;
    int squarings = 0;
    if (norm > p->norm) {
      // The norm of finite numbers may overflow to infinity; the largest finite number is used then.
      const double ratio = std::isinf(norm) ? double(std::numeric_limits<Real<T>>::max()) : norm / p->norm;
      squarings = std::max(0, static_cast<int>(std::ceil(std::log2(ratio))) + (std::isinf(norm) ? 32 : 0));
      // In two steps, because the factor itself may underflow.
      for (int done = 0; done < squarings;) {
        const int step = std::min(squarings - done, 64);
        const Real<T> scale = std::ldexp(Real<T>(1), -step);
        for (int64_t k = 0; k < size_; ++k) a[k] *= scale;
        done += step;
      }
    }
    approximate(*p, a);
    for (int k = 0; k < squarings; ++k) {
      lapack::gemm(n_, n_, n_, a, a, spare_.data());
      std::copy(spare_.begin(), spare_.end(), a);
    }
  }

 private:
  /// Replaces a by (V - U)^-1 (V + U): V has the even powers, U the odd ones.
  void approximate(const Pade& p, T* a) {
    const int evens = std::min(p.degree / 2, p.degree == 13 ? 3 : 4);  // A^2, A^4 ... in powers_
    for (int k = 0; k < evens; ++k)
      lapack::gemm(n_, n_, n_, k == 0 ? a : powers_[k - 1].data(), k == 0 ? a : powers_[0].data(), powers_[k].data());
    if (p.degree == 13) {
      // A^6 (b13 A^6 + b11 A^4 + b9 A^2), and the lower powers.
      sum(spare_, p, 9, 2);
      lapack::gemm(n_, n_, n_, powers_[2].data(), spare_.data(), v_.data());
      sum(spare_, p, 1, 0);
      for (int64_t k = 0; k < size_; ++k) spare_[k] += v_[k];
      lapack::gemm(n_, n_, n_, a, spare_.data(), u_.data());
      sum(spare_, p, 8, 2);
      lapack::gemm(n_, n_, n_, powers_[2].data(), spare_.data(), v_.data());
      sum(spare_, p, 0, 0);
      for (int64_t k = 0; k < size_; ++k) v_[k] += spare_[k];
    } else {
      sum(spare_, p, 1, 0);
      lapack::gemm(n_, n_, n_, a, spare_.data(), u_.data());
      sum(v_, p, 0, 0);
    }
    for (int64_t k = 0; k < size_; ++k) {
      const T odd = u_[k], even = v_[k];
      a[k] = even + odd;
      v_[k] = even - odd;
    }
    lapack::getrf(n_, n_, v_.data(), pivots_.data());
    lapack::getrs(n_, n_, v_.data(), pivots_.data(), a);
  }
  /// b[first] I + b[first + 2] A^2 + ... for the powers that are available; if `from` is 2, without I and with powers
  /// lower by one.
  void sum(Buffer<T>& to, const Pade& p, int first, int from) {
    std::fill(to.begin(), to.end(), T(0));
    if (from == 0)
      for (int64_t k = 0; k < n_; ++k) to[k * n_ + k] = T(static_cast<Real<T>>(p.b[static_cast<size_t>(first)]));
    const int evens = std::min(p.degree / 2, p.degree == 13 ? 3 : 4);
    for (int q = 0; q < evens; ++q) {
      const int at = from == 0 ? first + 2 * (q + 1) : first + 2 * q;
      if (at > p.degree) break;
      const auto b = static_cast<Real<T>>(p.b[static_cast<size_t>(at)]);
      for (int64_t k = 0; k < size_; ++k) to[k] += b * powers_[q][k];
    }
  }

  int n_;
  int64_t size_;
  Buffer<T> powers_[4], u_, v_, spare_;
  Buffer<int> pivots_;
};

template <class T>
void expm(const LibraryCall& c) {
  const Matrices<T> a(c, 0);
  need_square(c, a);
  const int n = a.rows();
  const Stack out = make_stack(c, 0, {n, n});
  if (n == 0) return;
  Exponential<T> e(n);
  Buffer<T> f(a.elements());
  const BlasThreads threads(c.context(), cube(n));
  const bool turned = a.by_rows();
  for (int64_t i = 0; i < a.count(); ++i) {
    a.load(i, f.data(), turned);
    if (all_finite(f.data(), f.size()))
      e.run(f.data());
    else
      std::fill(f.begin(), f.end(), T(std::numeric_limits<Real<T>>::quiet_NaN()));
    store_matrix(out, i, f.data(), n, turned);
  }
}

/// Products of elements: integers wrap around, or saturate for MATLAB; bool: logical and.
template <class T>
T product(T a, T b, bool saturated) {
  if constexpr (std::is_same_v<T, bool>) {
    return a && b;
  } else if constexpr (std::is_integral_v<T>) {
    T r;
    if (__builtin_mul_overflow(a, b, &r) && saturated)
      return std::is_signed_v<T> && (a < 0) != (b < 0) ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
    return r;
  } else {
    return a * b;
  }
}

template <class T>
class Kronecker {
 public:
  explicit Kronecker(const LibraryCall& c)
      : a_(c.values<T>(0, Order::Row)), b_(c.values<T>(1, Order::Row)), saturated_(c.matlab()) {
    const vr_array &a = c.in(0), &b = c.in(1);
    const int32_t rank = std::max(a.rank, b.rank);
    int64_t extents[VR_MAX_RANK];
    for (int32_t k = 0; k < rank; ++k) {
      of_a_[k] = k < rank - a.rank ? 1 : a.extent[k - (rank - a.rank)];
      of_b_[k] = k < rank - b.rank ? 1 : b.extent[k - (rank - b.rank)];
      if (__builtin_mul_overflow(of_a_[k], of_b_[k], &extents[k])) c.fail(VR_SIZE, "the product is too large");
    }
    out_ = c.make(0, std::span<const int64_t>(extents, static_cast<size_t>(rank)));
    if (element_count(out_) > 0) axis(0, a_.data(), a_.size(), b_.data(), b_.size(), static_cast<char*>(out_.data));
  }

 private:
  /// Computes the axes from k on, for a part of a with `na` elements and a part of b with `nb` along axis k.
  void axis(int32_t k, const T* a, int64_t na, const T* b, int64_t nb, char* to) {
    const int64_t stride = out_.stride[k];
    if (k + 1 == out_.rank) {
      for (int64_t i = 0; i < na; ++i)
        for (int64_t j = 0; j < nb; ++j, to += stride) {
          const T v = product(a[i], b[j], saturated_);
          std::memcpy(to, &v, sizeof v);
        }
      return;
    }
    na /= of_a_[k];
    nb /= of_b_[k];
    for (int64_t i = 0; i < of_a_[k]; ++i)
      for (int64_t j = 0; j < of_b_[k]; ++j, to += stride) axis(k + 1, a + i * na, na, b + j * nb, nb, to);
  }

  Buffer<T> a_, b_;
  bool saturated_;
  vr_array out_{};
  int64_t of_a_[VR_MAX_RANK], of_b_[VR_MAX_RANK];
};

}  // namespace

void MatrixPower(const LibraryCall& c) {
  // NumPy computes products of float32 in float32 too.
  if (c.in(0).elem == VR_FLOAT32 && c.whole(1) >= 0) return power<float>(c);
  if (c.in(0).elem == (VR_FLOAT32 | VR_COMPLEX) && c.whole(1) >= 0) return power<std::complex<float>>(c);
  visit_matrix(c, c.in(0).elem, [&](auto tag) { power<typename decltype(tag)::type>(c); });
}
void Expm(const LibraryCall& c) {
  visit_matrix(c, c.in(0).elem, [&](auto tag) { expm<typename decltype(tag)::type>(c); });
}
void Kron(const LibraryCall& c) {
  const int32_t elem = c.result_elem(0);
  if (!(elem & VR_COMPLEX))
    return ir::visit_computed_elem(real_part(elem), [&](auto tag) { Kronecker<typename decltype(tag)::type>{c}; });
  if (!is_float_code(elem)) c.fail(VR_TYPE, "complex integers are not multiplied");
  if (elem == (VR_FLOAT32 | VR_COMPLEX))
    Kronecker<std::complex<float>>{c};
  else
    Kronecker<std::complex<double>>{c};
}

}  // namespace vr::runtime::library
