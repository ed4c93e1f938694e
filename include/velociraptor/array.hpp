// vr::Array, the built-in host's array: reference-counted storage, any rank 1..16, any strides.
#pragma once
#include <velociraptor/descriptor.h>
#include <velociraptor/ir/types.hpp>
#include <velociraptor/status.hpp>

#include <atomic>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <utility>

#pragma GCC visibility push(default)

namespace vr {

using ir::Elem;
using ir::Layout;

/// The object behind a vr::Array; what the built-in HostBinding describes by offsets. Intrusive atomic count.
struct ArrayObject {
  std::atomic<int64_t> refs{1};
  int32_t elem = VR_FLOAT64;  ///< code | VR_COMPLEX
  int32_t rank = 1;
  void* data = nullptr;
  int64_t extent[VR_MAX_RANK];       ///< entries from `rank` on stay uninitialised: that saves over half the cost of an array
  int64_t stride[VR_MAX_RANK];       ///< bytes; likewise
  ArrayObject* base = nullptr;       ///< the array, retained, whose storage this is a view of; null when `storage` is owned
  void* storage = nullptr;           ///< freed with the object; 64-byte aligned
  bool read_only = false;            ///< a store to the elements is fault READ_ONLY
};

/// A counted reference to an ArrayObject; copies refer to the same object. Counts are atomic; element access is not synchronised.
class Array {
 public:
  Array() = default;
  /// Zero-filled array. Error SIZE when an extent is negative or the size overflows, OUT_OF_MEMORY.
  static Result<Array> zeros(Elem elem, std::span<const int64_t> extents, Layout layout = Layout::RowMajor,
                             bool complex = false);
  /// As zeros, but the elements are undefined.
  static Result<Array> empty(Elem elem, std::span<const int64_t> extents, Layout layout = Layout::RowMajor,
                             bool complex = false);
  /// A row-major copy of the values; the shape's product must equal the count (else SHAPE_MISMATCH).
  static Result<Array> from(std::span<const double> values, std::span<const int64_t> extents);
  static Array from(std::initializer_list<double> values);  ///< a float64 vector; throws std::bad_alloc
  /// A view of foreign memory that must outlive the array; strides in bytes.
  static Array borrow(void* data, Elem elem, bool complex, std::span<const int64_t> extents,
                      std::span<const int64_t> strides);
  /// As borrow, for memory that must not be written: the result is a read-only array.
  static Array borrow_const(const void* data, Elem elem, bool complex, std::span<const int64_t> extents,
                            std::span<const int64_t> strides);
  /// A view of this array's storage, which it keeps alive: element (0,...,0) at `data`, strides in bytes. Not checked.
  /// A view of a read-only array is read-only.
  Array view(void* data, std::span<const int64_t> extents, std::span<const int64_t> strides) const;
  /// Takes over one reference.
  static Array adopt(ArrayObject* object);

  Array(const Array& o);
  Array(Array&& o) noexcept : object_(o.object_) { o.object_ = nullptr; }
  Array& operator=(Array o) noexcept { std::swap(object_, o.object_); return *this; }
  ~Array();

  explicit operator bool() const { return object_ != nullptr; }
  Elem elem() const { return static_cast<Elem>(object_->elem & ~VR_COMPLEX); }
  bool complex() const { return object_->elem & VR_COMPLEX; }
  int rank() const { return object_->rank; }
  std::span<const int64_t> extents() const { return {object_->extent, size_t(object_->rank)}; }
  std::span<const int64_t> strides() const { return {object_->stride, size_t(object_->rank)}; }
  int64_t extent(int k) const { return object_->extent[k]; }
  int64_t size() const;          ///< number of elements
  int element_bytes() const;     ///< of a complex element: both parts
  void* data() const { return object_->data; }
  template <class T>
  T* data_as() const { return static_cast<T*>(object_->data); }
  /// Address of the element with these 0-based indices; not checked.
  void* at(std::span<const int64_t> index) const;
  bool contiguous(Layout layout) const;
  /// Whether functions may not store to the elements (fault READ_ONLY), through this array and views of it.
  bool read_only() const { return object_->read_only; }
  /// A view of all of this array that functions may not store to.
  Array read_only_view() const;
  /// A fresh array with the same elements in the given layout (RowMajor or ColMajor); never read-only.
  Result<Array> copy(Layout layout = Layout::RowMajor) const;
  /// The descriptor that generated code works on; `owner` is null.
  vr_array descriptor() const;
  int64_t use_count() const { return object_ ? object_->refs.load() : 0; }

  ArrayObject* object() const { return object_; }
  ArrayObject* release() { auto* o = object_; object_ = nullptr; return o; }

 private:
  explicit Array(ArrayObject* o) : object_(o) {}
  ArrayObject* object_ = nullptr;
};

}  // namespace vr
#pragma GCC visibility pop
