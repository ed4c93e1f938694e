// Library functions that the runtime computes (ir/library.def: VR_LIB_CALLED), for the interpreter and for native code
// alike. Each is a function of a LibraryCall: it looks at its arguments, makes its results, and throws a Fault. No
// exception leaves call_library().
#pragma once
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "runtime/abi.h"
#include "runtime/cpu/sizes.hpp"

namespace vr::runtime {

struct Fault {
  int32_t code;
  std::string message;  ///< a sentence without a full stop; it names the function
};

/// Elements in one piece, owned. Undefined at first. Throws std::bad_alloc.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(int64_t size) : data_(new T[static_cast<size_t>(size)]), size_(size) {}
  T* begin() { return data_.get(); }
  T* end() { return data_.get() + size_; }
  const T* begin() const { return data_.get(); }
  const T* end() const { return data_.get() + size_; }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  T& operator[](int64_t i) { return data_[static_cast<size_t>(i)]; }
  const T& operator[](int64_t i) const { return data_[static_cast<size_t>(i)]; }
  int64_t size() const { return size_; }

 private:
  std::unique_ptr<T[]> data_;
  int64_t size_ = 0;
};

/// Elements in one piece that are only read: an array's own, or a copy.
template <class T>
class Elements {
 public:
  Elements(const T* data, int64_t size) : data_(data), size_(size) {}
  explicit Elements(Buffer<T> copy) : copy_(std::move(copy)), data_(copy_.data()), size_(copy_.size()) {}
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  const T* data() const { return data_; }
  const T& operator[](int64_t i) const { return data_[i]; }
  int64_t size() const { return size_; }

 private:
  Buffer<T> copy_;
  const T* data_;
  int64_t size_;
};

/// Memory order of elements in a buffer.
enum class Order { Row, Column };

/// f(std::type_identity<T>{}) for the type of elements of a real array, complex<float> and complex<double> of a complex
/// one where `Complex`. Bool is bool.
template <class F>
decltype(auto) visit_real(const vr_array& a, F&& f) {
  return ir::visit_elem(real_part(a.elem), std::forward<F>(f));
}

/// An array as it is counted by a function along an axis: the same storage, the axis taken out.
struct Lines {
  vr_array across;  ///< the array with extent 1 along the axis
  int64_t count;    ///< elements of a line
  int64_t stride;   ///< bytes from one to the next
};

/// One call. Numbers are arrays of rank 0 that nobody owns.
class LibraryCall {
 public:
  LibraryCall(vr_context* ctx, const vr_site* site, const char* name, int32_t conventions,
              std::span<const vr_array* const> in, std::span<vr_array* const> out)
      : ctx_(ctx), site_(site), name_(name), conventions_(conventions), in_(in), out_(out) {}

  /// Whose threads there are.
  vr_context* context() const { return ctx_; }
  size_t arguments() const { return in_.size(); }
  size_t results() const { return out_.size(); }
  bool given(size_t k) const { return k < in_.size(); }
  const vr_array& in(size_t k) const { return *in_[k]; }
  bool is_number(size_t k) const { return in(k).rank == 0; }
  /// The type that the result must have (an element code).
  int32_t result_elem(size_t k) const { return out_[k]->elem; }

  bool matlab() const { return conventions_ & VR_LIBRARY_MATLAB; }
  int base() const { return conventions_ & VR_LIBRARY_BASE_ONE ? 1 : 0; }
  /// In which elements of an array without gaps are counted by the language.
  Order linear_order() const { return matlab() ? Order::Column : Order::Row; }

  /// Argument k as a number; whole(): TYPE where it has a fraction. `otherwise` where it is not given.
  double number(size_t k) const;
  double number(size_t k, double otherwise) const { return given(k) ? number(k) : otherwise; }
  int64_t whole(size_t k) const;
  int64_t whole(size_t k, int64_t otherwise) const { return given(k) ? whole(k) : otherwise; }
  bool truth(size_t k, bool otherwise) const { return given(k) ? whole(k) != 0 : otherwise; }
  /// Argument k as an axis of argument 0, from 0; -1 where it is not given. OUT_OF_BOUNDS where there is no such axis; MATLAB's
  /// past the last are `rank`.
  int32_t axis(size_t k) const;

  /// All elements of an argument in a buffer, converted to T (as a cast would: docs/vrir.md), in that order.
  template <class T>
  Buffer<T> values(size_t k, Order order) const;
  template <class T>
  Buffer<T> values(size_t k) const {
    return values<T>(k, linear_order());
  }

  /// The same to be read only: no copy where the elements lie so.
  template <class T>
  Elements<T> elements(size_t k, Order order) const;
  template <class T>
  Elements<T> elements(size_t k) const {
    return elements<T>(k, linear_order());
  }

  /// Makes result k. A vector of rank 2 (MATLAB) is a column, or a row where `row`. Elements undefined.
  const vr_array& make(size_t k, std::span<const int64_t> extents) const;
  const vr_array& make(size_t k, std::initializer_list<int64_t> extents) const {
    return make(k, std::span<const int64_t>(extents.begin(), extents.size()));
  }
  void* make_vector(size_t k, int64_t n, bool row = false) const;
  /// Whether MATLAB's vector argument k is a row; false of NumPy's.
  bool is_row(size_t k) const { return in(k).rank == 2 && in(k).extent[0] == 1 && in(k).extent[1] != 1; }
  /// A result that is a number.
  template <class T>
  void give(size_t k, T value) const {
    *static_cast<T*>(make(k, {}).data) = value;
  }

  [[noreturn]] void fail(int32_t code, const std::string& what) const { throw Fault{code, std::string(name_) + ": " + what}; }

 private:
  vr_context* ctx_;
  const vr_site* site_;
  const char* name_;
  int32_t conventions_;
  std::span<const vr_array* const> in_;
  std::span<vr_array* const> out_;
};

/// The lines of `a` along `axis` (0 .. rank - 1).
Lines lines_of(const vr_array& a, int32_t axis);
/// `a` with an axis of extent 1 and stride 0 put in before `axis`: what reduced results are beside their argument.
vr_array with_axis(const vr_array& a, int32_t axis);
/// f(address of an element of a, of b) for each subscript; of one shape.
template <class F>
void for_each_pair(const vr_array& a, const vr_array& b, F f);

/// A row of the table: what it is called, and the function.
struct LibraryFunction {
  const char* name;
  void (*compute)(const LibraryCall&);
};
/// By ir::Lib; null where the runtime does not compute that function.
const LibraryFunction* library_function(int32_t id);

/// Runs function `id`. OK, or the code of the fault that the context records; then there are no results. `out` say
/// element type and rank that each result must have.
int32_t call_library(vr_context* ctx, const vr_site* site, int32_t id, int32_t conventions,
                     std::span<const vr_array* const> in, std::span<vr_array* const> out) noexcept;

// ---------------------------------------------------------------- inline parts
template <class F>
void for_each_pair(const vr_array& a, const vr_array& b, F f) {
  int64_t index[VR_MAX_RANK] = {};
  auto *at_a = static_cast<char*>(a.data), *at_b = static_cast<char*>(b.data);
  if (element_count(a) == 0) return;
  for (;;) {
    f(at_a, at_b);
    int32_t k = a.rank - 1;
    for (; k >= 0; --k) {
      if (++index[k] < a.extent[k]) {
        at_a += a.stride[k];
        at_b += b.stride[k];
        break;
      }
      at_a -= (a.extent[k] - 1) * a.stride[k];
      at_b -= (a.extent[k] - 1) * b.stride[k];
      index[k] = 0;
    }
    if (k < 0) return;
  }
}

}  // namespace vr::runtime
