// Library functions that the runtime computes (ir/library.def: VR_LIB_CALLED), for the interpreter and for native code
// alike. Each is a function of a LibraryCall: it reads its arguments, allocates its results, and throws a Fault on errors. No
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

/// An owned contiguous buffer of elements, initially undefined. Throws std::bad_alloc.
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

/// Contiguous elements to be read only: an array's own, or a copy.
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

/// Calls f with a tag for the type of the elements (for complex arrays, of their parts). ir::visit_computed_elem:
/// programs pass no narrow floats.
template <class F>
decltype(auto) visit_real(const vr_array& a, F&& f) {
  return ir::visit_computed_elem(real_part(a.elem), std::forward<F>(f));
}

/// An array as the set of its lines along an axis, for functions along an axis: the same storage without the axis.
struct Lines {
  vr_array across;  ///< the array with extent 1 along the axis
  int64_t count;    ///< elements per line
  int64_t stride;   ///< bytes from one element of a line to the next
};

/// One call. Scalars are arrays of rank 0 without an owner.
class LibraryCall {
 public:
  LibraryCall(vr_context* ctx, const vr_site* site, const char* name, int32_t conventions,
              std::span<const vr_array* const> in, std::span<vr_array* const> out)
      : ctx_(ctx), site_(site), name_(name), conventions_(conventions), in_(in), out_(out) {}

  /// The context of the call, for parallel loops.
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
  /// The order in which the language numbers the elements of an array.
  Order linear_order() const { return matlab() ? Order::Column : Order::Row; }

  /// Argument k as a number; whole(): fault TYPE if it has a fraction. `otherwise` is the value if the argument is
  /// absent.
  double number(size_t k) const;
  double number(size_t k, double otherwise) const { return given(k) ? number(k) : otherwise; }
  int64_t whole(size_t k) const;
  int64_t whole(size_t k, int64_t otherwise) const { return given(k) ? whole(k) : otherwise; }
  bool truth(size_t k, bool otherwise) const { return given(k) ? whole(k) != 0 : otherwise; }
  /// Argument k as an axis of argument 0, from 0; -1 if the argument is absent. OUT_OF_BOUNDS if there is no such axis;
  /// for MATLAB, axes past the last are returned as `rank`.
  int32_t axis(size_t k) const;

  /// All elements of an argument in a buffer, converted to T (as a cast would: docs/vrir.md), in that order.
  template <class T>
  Buffer<T> values(size_t k, Order order) const;
  template <class T>
  Buffer<T> values(size_t k) const {
    return values<T>(k, linear_order());
  }

  /// The same, read-only: not copied if the array's own elements have this type and order.
  template <class T>
  Elements<T> elements(size_t k, Order order) const;
  template <class T>
  Elements<T> elements(size_t k) const {
    return elements<T>(k, linear_order());
  }

  /// Allocates result k; elements are undefined. make_vector: a vector; with rank 2 (MATLAB) a column, or a row if `row`.
  const vr_array& make(size_t k, std::span<const int64_t> extents) const;
  const vr_array& make(size_t k, std::initializer_list<int64_t> extents) const {
    return make(k, std::span<const int64_t>(extents.begin(), extents.size()));
  }
  void* make_vector(size_t k, int64_t n, bool row = false) const;
  /// Whether the vector argument k is a row (MATLAB); false for NumPy's vectors of rank 1.
  bool is_row(size_t k) const { return in(k).rank == 2 && in(k).extent[0] == 1 && in(k).extent[1] != 1; }
  /// Sets result k, a scalar.
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
/// `a` with an axis of extent 1 and stride 0 inserted before `axis`, as reduced results need to be traversed with their argument.
vr_array with_axis(const vr_array& a, int32_t axis);
/// Calls f(address in a, address in b) for each subscript; the arrays have the same shape.
template <class F>
void for_each_pair(const vr_array& a, const vr_array& b, F f);

/// A row of the table: the library function's name and its implementation.
struct LibraryFunction {
  const char* name;
  void (*compute)(const LibraryCall&);
};
/// The row of an ir::Lib; null if the runtime does not compute that function.
const LibraryFunction* library_function(int32_t id);

/// Runs function `id`. Returns VR_OK, or the code of the fault that it records in the context; then there are no results. On
/// entry `out` have the element type and rank that each result must have.
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
