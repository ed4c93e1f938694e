// Stacks of matrices: arguments or results whose last two axes are those of a matrix; the leading axes enumerate matrices.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <span>
#include <vector>

#include "runtime/cpu/copy.hpp"
#include "runtime/library/call.hpp"
#include "runtime/library/lapack.hpp"

namespace vr::runtime::library {

/// An array as a stack of matrices (`tail` 2), vectors (1) or scalars (0).
class Stack {
 public:
  Stack(const vr_array& a, int32_t tail) : a_(a), leading_(a.rank - tail) {
    for (int32_t k = 0; k < leading_; ++k) count_ *= a.extent[k];
  }
  int64_t count() const { return count_; }
  /// Address of matrix i; they are numbered with the last leading axis fastest.
  char* at(int64_t i) const {
    auto* data = static_cast<char*>(a_.data);
    for (int32_t k = leading_ - 1; k >= 0 && i > 0; --k) {
      data += i % a_.extent[k] * a_.stride[k];
      i /= a_.extent[k];
    }
    return data;
  }
  /// The same stack broadcast to these leading extents.
  Stack stretched(std::span<const int64_t> leading) const {
    const int32_t more = static_cast<int32_t>(leading.size()) - leading_, tail = a_.rank - leading_;
    vr_array a = a_;
    a.rank += more;
    for (int32_t k = a.rank - 1; k >= 0; --k) {
      const bool ours = k >= more;
      a.extent[k] = k < leading_ + more ? leading[static_cast<size_t>(k)] : a_.extent[k - more];
      a.stride[k] = ours && (k >= leading_ + more || a_.extent[k - more] != 1) ? a_.stride[k - more] : 0;
    }
    return Stack(a, tail);
  }
  /// Whether the elements are float or complex<float>.
  bool single() const { return real_part(a_.elem) == ir::Elem::Float32; }
  int64_t extent(int32_t k) const { return a_.extent[leading_ + k]; }
  int64_t stride(int32_t k) const { return a_.stride[leading_ + k]; }

 private:
  vr_array a_;
  int32_t leading_;
  int64_t count_ = 1;
};

/// Copies a matrix; strides in bytes.
template <class T>
void copy_matrix(int64_t rows, int64_t columns, char* to, int64_t to_row, int64_t to_column, const char* from,
                 int64_t from_row, int64_t from_column) {
  if (rows * columns > 64) {
    const int64_t extents[] = {columns, rows}, ts[] = {to_column, to_row}, fs[] = {from_column, from_row};
    return copy_elements(2, extents, sizeof(T), to, ts, from, fs);
  }
  for (int64_t j = 0; j < columns; ++j)
    for (int64_t i = 0; i < rows; ++i)
      std::memcpy(to + i * to_row + j * to_column, from + i * from_row + j * from_column, sizeof(T));
}

/// The matrices of an argument, converted to T (integers and bool become float64).
template <class T>
class Matrices {
 public:
  Matrices(const LibraryCall& c, size_t k) : Matrices(c, k, c.in(k)) {}
  /// `a`: the argument, or the same elements with additional axes of extent 1.
  Matrices(const LibraryCall& c, size_t k, vr_array a)
      : copy_(a.elem == code ? Buffer<T>() : c.template values<T>(k, Order::Row)),
        stack_(placed(c, a, copy_.data()), 2) {}
  void stretch(std::span<const int64_t> leading) { stack_ = stack_.stretched(leading); }
  int64_t count() const { return stack_.count(); }
  int rows() const { return static_cast<int>(stack_.extent(0)); }
  int columns() const { return static_cast<int>(stack_.extent(1)); }
  /// Elements of one matrix.
  int64_t elements() const { return stack_.extent(0) * stack_.extent(1); }
  /// Copies matrix i, column-major, with leading dimension `ld` (0: contiguous); its transpose if `transposed`.
  void load(int64_t i, T* to, bool transposed = false, int64_t ld = 0) const {
    if (ld == 0) ld = transposed ? columns() : rows();
    const int64_t down = transposed ? ld : 1, right = transposed ? 1 : ld;
    copy_matrix<T>(rows(), columns(), reinterpret_cast<char*>(to), down * width, right * width, stack_.at(i),
                   stack_.stride(0), stack_.stride(1));
  }
  /// Whether the stride along rows is the smaller one: then the transpose is cheaper to load.
  bool by_rows() const { return std::abs(stack_.stride(1)) < std::abs(stack_.stride(0)); }

 private:
  static constexpr int64_t width = sizeof(T);
  static constexpr int32_t code =
      (std::is_same_v<Real<T>, float> ? VR_FLOAT32 : VR_FLOAT64) | (is_complex<T> ? VR_COMPLEX : 0);
  static vr_array placed(const LibraryCall& c, vr_array a, T* copy) {
    if (a.rank < 2) c.fail(VR_SHAPE_MISMATCH, "a matrix is needed");
    if (a.extent[a.rank - 1] > INT_MAX || a.extent[a.rank - 2] > INT_MAX)
      c.fail(VR_SIZE, "matrix is too large for LAPACK");
    if (a.elem == code) return a;
    a.data = copy;
    contiguous_strides(a.rank, a.extent, width, false, a.stride);
    return a;
  }
  Buffer<T> copy_;
  Stack stack_;
};

/// Result k: its leading axes are those of argument 0, its last axes have the extents `tail`.
inline Stack make_stack(const LibraryCall& c, size_t k, std::initializer_list<int64_t> tail) {
  const vr_array& a = c.in(0);
  std::vector<int64_t> extents(a.extent, a.extent + std::max(a.rank - 2, 0));
  extents.insert(extents.end(), tail);
  if (c.matlab() && extents.size() == 1) {  // in MATLAB a vector is a column
    extents.push_back(1);
    vr_array column = c.make(k, extents);
    column.rank = 1;
    return Stack(column, 1);
  }
  return Stack(c.make(k, extents), static_cast<int32_t>(tail.size()));
}

template <class T>
using Single = std::conditional_t<is_complex<T>, std::complex<float>, float>;
/// Stores an element of a result, rounded if the result is single precision and T is not.
template <class T>
void store_element(const Stack& to, char* at, T v) {
  if constexpr (std::is_same_v<Real<T>, double>) {
    if (to.single()) {
      const auto rounded = static_cast<Single<T>>(v);
      std::memcpy(at, &rounded, sizeof rounded);
      return;
    }
  }
  std::memcpy(at, &v, sizeof v);
}

/// Stores matrix i of a result from `from`, which is column-major with leading dimension `ld`; or its transpose.
template <class T>
void store_matrix(const Stack& to, int64_t i, const T* from, int64_t ld, bool transposed = false) {
  const int64_t down = transposed ? ld : 1, right = transposed ? 1 : ld;
  if (std::is_same_v<Real<T>, double> && to.single()) {
    for (int64_t k = 0; k < to.extent(0); ++k)
      for (int64_t j = 0; j < to.extent(1); ++j)
        store_element(to, to.at(i) + k * to.stride(0) + j * to.stride(1), from[k * down + j * right]);
    return;
  }
  const int64_t width = sizeof(T);
  copy_matrix<T>(to.extent(0), to.extent(1), to.at(i), to.stride(0), to.stride(1), reinterpret_cast<const char*>(from),
                 down * width, right * width);
}
template <class T>
void store_vector(const Stack& to, int64_t i, const T* from) {
  char* at = to.at(i);
  for (int64_t k = 0; k < to.extent(0); ++k) store_element(to, at + k * to.stride(0), from[k]);
}
template <class T>
void store_number(const Stack& to, int64_t i, T v) {
  store_element(to, to.at(i), v);
}

template <class T>
bool all_finite(const T* values, int64_t n) {
  using R = Real<T>;
  auto* p = reinterpret_cast<const R*>(values);
  // 0 times a number is 0; 0 times infinity or NaN is NaN.
  R sum = 0;
  for (int64_t k = 0; k < n * static_cast<int64_t>(sizeof(T) / sizeof(R)); ++k) sum += p[k] * R(0);
  return sum == 0;
}

template <class T>
void need_square(const LibraryCall& c, const Matrices<T>& a) {
  if (a.rows() != a.columns()) c.fail(VR_SHAPE_MISMATCH, "last 2 dimensions of the array must be square");
}
inline double cube(double n) { return n * n * n; }
/// The `work` for BlasThreads of a LAPACK algorithm with this number of multiplications: less, because its threads synchronise
/// at every block and spin while they wait. Threads are worth waking from about 500 rows on.
inline double lapack_work(double multiplications) { return multiplications / 32; }

/// Calls f(std::type_identity<T>{}) with the type in which elements of that code are computed: double for integers and bool,
/// and with NumPy's conventions for float too, whose results are then rounded.
template <class F>
void visit_matrix(const LibraryCall& c, int32_t elem, F f) {
  const bool complex = elem & VR_COMPLEX;
  if (real_part(elem) == ir::Elem::Float32 && c.matlab())
    complex ? f(std::type_identity<std::complex<float>>{}) : f(std::type_identity<float>{});
  else
    complex ? f(std::type_identity<std::complex<double>>{}) : f(std::type_identity<double>{});
}

/// The singular values of m x n matrices, and their vectors.
template <class T>
class Svd {
 public:
  /// job 'N': only the values, 'S': as many vectors as values, 'A': all vectors.
  Svd(char job, int m, int n);
  /// Decomposes `a`, which it overwrites: u (m x u_columns()), v (v_rows() x n). Faults if an element is NaN; if one is
  /// infinite the values are NaN and the vectors are an arbitrary basis.
  void run(const LibraryCall& c, T* a);
  int u_columns() const { return job_ == 'A' ? m_ : least_; }
  int v_rows() const { return job_ == 'A' ? n_ : least_; }
  int least() const { return least_; }
  Buffer<Real<T>> s;
  Buffer<T> u, v;

 private:
  char job_;
  int m_, n_, least_;
  Buffer<T> work_;
  Buffer<Real<T>> real_work_;
  Buffer<int> whole_work_;
};

}  // namespace vr::runtime::library
