#include <velociraptor/array.hpp>

#include <algorithm>
#include <new>

#include "runtime/cpu/builtin.hpp"
#include "runtime/cpu/copy.hpp"
#include "runtime/cpu/pool.hpp"
#include "runtime/cpu/sizes.hpp"

namespace vr {

namespace {

void retain(ArrayObject* object) {
  if (object) object->refs.fetch_add(1, std::memory_order_relaxed);
}

/// Releases one reference; true if it was the last. With a count of 1 no other thread can have one, so no atomic update is needed.
bool drop(ArrayObject* object) {
  return object->refs.load(std::memory_order_acquire) == 1 || object->refs.fetch_sub(1, std::memory_order_acq_rel) == 1;
}

void release(ArrayObject* object) {
  // A loop, not recursion: a long chain of views must not use up the stack.
  while (object && drop(object)) {
    ArrayObject* base = object->base;
    runtime::pool_free(object->storage);
    object->~ArrayObject();
    runtime::pool_free(object);
    object = base;
  }
}

Result<Array> make(Elem elem, std::span<const int64_t> extents, Layout layout, bool complex, bool zeroed) {
  int32_t code = static_cast<int32_t>(elem) | (complex ? VR_COMPLEX : 0);
  int64_t width = runtime::element_bytes(code);
  if (width == 0) return make_error(Code::Type, "unknown element type");
  if (extents.empty() || extents.size() > VR_MAX_RANK) {
    return make_error(Code::Usage, "an array has 1 to 16 dimensions, not " + std::to_string(extents.size()));
  }
  if (layout == Layout::Strided) return make_error(Code::Usage, "a new array is row-major or column-major");
  auto rank = static_cast<int32_t>(extents.size());
  runtime::Size size = runtime::array_size(rank, extents.data(), width);
  if (!size.ok) return make_error(Code::Size, "array size is negative or too large");
  void* storage = runtime::pool_allocate(size.bytes, zeroed);
  ArrayObject* object = storage ? runtime::make_array_object(code, rank) : nullptr;
  if (!object) {
    runtime::pool_free(storage);
    return make_error(Code::OutOfMemory, "no memory for an array of " + std::to_string(size.bytes) + " bytes");
  }
  object->data = object->storage = storage;
  std::ranges::copy(extents, object->extent);
  runtime::contiguous_strides(rank, extents.data(), width, layout == Layout::ColMajor, object->stride);
  return Array::adopt(object);
}

}  // namespace

ArrayObject* runtime::make_array_object(int32_t elem, int32_t rank) noexcept {
  void* memory = pool_allocate(sizeof(ArrayObject), false);
  if (!memory) return nullptr;
  auto* object = new (memory) ArrayObject;
  object->elem = elem;
  object->rank = rank;
  return object;
}

Result<Array> Array::zeros(Elem elem, std::span<const int64_t> extents, Layout layout, bool complex) {
  return make(elem, extents, layout, complex, true);
}

Result<Array> Array::empty(Elem elem, std::span<const int64_t> extents, Layout layout, bool complex) {
  return make(elem, extents, layout, complex, false);
}

Result<Array> Array::from(std::span<const double> values, std::span<const int64_t> extents) {
  Result<Array> array = make(Elem::Float64, extents, Layout::RowMajor, false, false);
  if (!array.ok()) return array;
  if (array->size() != static_cast<int64_t>(values.size())) {
    return make_error(Code::ShapeMismatch, "the shape has " + std::to_string(array->size()) + " elements, but " +
                                               std::to_string(values.size()) + " values are given");
  }
  std::ranges::copy(values, array->data_as<double>());
  return array;
}

Array Array::from(std::initializer_list<double> values) {
  int64_t extent = static_cast<int64_t>(values.size());
  Result<Array> array = from(std::span(values.begin(), values.size()), std::span(&extent, 1));
  if (!array.ok()) throw std::bad_alloc();
  return std::move(array).value();
}

Array Array::borrow(void* data, Elem elem, bool complex, std::span<const int64_t> extents,
                    std::span<const int64_t> strides) {
  auto rank = static_cast<int32_t>(std::min<size_t>({extents.size(), strides.size(), VR_MAX_RANK}));
  ArrayObject* object = runtime::make_array_object(static_cast<int32_t>(elem) | (complex ? VR_COMPLEX : 0), rank);
  if (!object) throw std::bad_alloc();
  object->data = data;
  std::copy_n(extents.begin(), object->rank, object->extent);
  std::copy_n(strides.begin(), object->rank, object->stride);
  return Array(object);
}

Array Array::borrow_const(const void* data, Elem elem, bool complex, std::span<const int64_t> extents,
                          std::span<const int64_t> strides) {
  Array out = borrow(const_cast<void*>(data), elem, complex, extents, strides);
  out.object_->read_only = true;
  return out;
}

Array Array::read_only_view() const {
  Array out = view(data(), extents(), strides());
  out.object_->read_only = true;
  return out;
}

Array Array::view(void* data, std::span<const int64_t> extents, std::span<const int64_t> strides) const {
  Array out = borrow(data, elem(), complex(), extents, strides);
  out.object_->read_only = read_only();
  out.object_->base = object_;
  vr::retain(object_);
  return out;
}

Array Array::adopt(ArrayObject* object) { return Array(object); }

Array::Array(const Array& o) : object_(o.object_) { vr::retain(object_); }

Array::~Array() { vr::release(object_); }

int64_t Array::size() const {
  int64_t n = 1;
  for (int64_t extent : extents()) n *= extent;
  return n;
}

int Array::element_bytes() const { return static_cast<int>(runtime::element_bytes(object_->elem)); }

void* Array::at(std::span<const int64_t> index) const {
  char* address = static_cast<char*>(object_->data);
  for (size_t k = 0; k < index.size(); ++k) address += index[k] * object_->stride[k];
  return address;
}

bool Array::contiguous(Layout layout) const {
  if (layout == Layout::Strided) return true;
  return runtime::is_contiguous(object_->rank, object_->extent, object_->stride, element_bytes(),
                                layout == Layout::ColMajor);
}

Result<Array> Array::copy(Layout layout) const {
  Result<Array> out = make(elem(), extents(), layout, complex(), false);
  if (out.ok()) {
    runtime::copy_elements(rank(), object_->extent, element_bytes(), out->data_as<char>(), out->object_->stride,
                           data_as<char>(), object_->stride);
  }
  return out;
}

vr_array Array::descriptor() const {
  vr_array d = {};
  d.data = object_->data;
  d.elem = object_->elem;
  d.rank = object_->rank;
  d.flags = object_->read_only ? VR_ARRAY_READ_ONLY : 0;
  std::ranges::copy(extents(), d.extent);
  std::ranges::copy(strides(), d.stride);
  return d;
}

}  // namespace vr
