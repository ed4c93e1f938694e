#include <velociraptor/array.hpp>
#include <velociraptor/binding.hpp>

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "runtime/cpu/builtin.hpp"
#include "runtime/cpu/sizes.hpp"

namespace vr {

void* runtime::builtin_allocate(void*, int32_t elem, int32_t rank, const int64_t* extents, ir::Layout layout) {
  if (rank < 1 || rank > VR_MAX_RANK) return nullptr;
  Result<Array> array = Array::empty(static_cast<Elem>(elem & ~VR_COMPLEX), {extents, static_cast<size_t>(rank)},
                                     layout, (elem & VR_COMPLEX) != 0);
  return array.ok() ? array->release() : nullptr;
}

void runtime::builtin_release(void*, void* object) { Array::adopt(static_cast<ArrayObject*>(object)); }

HostField HostField::at(int32_t offset, uint8_t width, bool is_signed, bool indirect) {
  HostField f;
  f.how = How::Offset;
  f.offset = offset;
  f.width = width;
  f.is_signed = is_signed;
  f.indirect = indirect;
  return f;
}

HostField HostField::constant(int64_t value) {
  HostField f;
  f.fixed = value;
  return f;
}

HostField HostField::call(int64_t (*get)(void*, void*, int32_t)) {
  HostField f;
  f.how = How::Accessor;
  f.get = get;
  return f;
}

namespace {

template <class T>
int64_t load_as(const char* address) {
  T value;
  std::memcpy(&value, address, sizeof value);
  return static_cast<int64_t>(value);
}

int64_t load(const char* address, uint8_t width, bool is_signed) {
  switch (width) {
    case 1:
      return is_signed ? load_as<int8_t>(address) : load_as<uint8_t>(address);
    case 2:
      return is_signed ? load_as<int16_t>(address) : load_as<uint16_t>(address);
    case 4:
      return is_signed ? load_as<int32_t>(address) : load_as<uint32_t>(address);
    default:
      return load_as<int64_t>(address);
  }
}

/// The value of the field, or value k if the field has one for each dimension.
int64_t read(const HostBinding& binding, const HostField& field, void* object, int32_t k) {
  switch (field.how) {
    case HostField::How::Fixed:
      return field.fixed;
    case HostField::How::Accessor:
      return field.get(binding.context, object, k);
    case HostField::How::Offset:
      break;
  }
  const char* address = static_cast<const char*>(object) + field.offset;
  if (field.indirect) address = reinterpret_cast<const char*>(load_as<uintptr_t>(address));
  return load(address + int64_t{k} * field.width, field.width, field.is_signed);
}

/// The first `rank` values of a field that has one value for each dimension.
void read_all(const HostBinding& binding, const HostField& field, void* object, int32_t rank, int64_t* out) {
  if (field.how != HostField::How::Offset || field.width != 8) {
    for (int32_t k = 0; k < rank; ++k) out[k] = read(binding, field, object, k);
    return;
  }
  const char* address = static_cast<const char*>(object) + field.offset;
  if (field.indirect) address = reinterpret_cast<const char*>(load_as<uintptr_t>(address));
  for (int32_t k = 0; k < rank; ++k) out[k] = load_as<int64_t>(address + int64_t{8} * k);
}

static_assert(std::is_standard_layout_v<ArrayObject>);

void builtin_retain(void*, void* object) {
  static_cast<ArrayObject*>(object)->refs.fetch_add(1, std::memory_order_relaxed);
}

void* builtin_view(void*, void* base, const vr_array* shape) {
  auto* object = static_cast<ArrayObject*>(base);
  object->refs.fetch_add(1, std::memory_order_relaxed);
  Array array = Array::adopt(object);
  auto rank = static_cast<size_t>(shape->rank);
  ArrayObject* made = array.view(shape->data, {shape->extent, rank}, {shape->stride, rank}).release();
  if (shape->flags & VR_ARRAY_READ_ONLY) made->read_only = true;
  return made;
}

HostBinding make_builtin() {
  HostBinding b;
  b.name = "builtin";
  b.data = HostField::at(offsetof(ArrayObject, data), sizeof(void*), false);
  b.elem = HostField::at(offsetof(ArrayObject, elem), sizeof(int32_t));
  b.rank = HostField::at(offsetof(ArrayObject, rank), sizeof(int32_t));
  b.extents = HostField::at(offsetof(ArrayObject, extent), sizeof(int64_t));
  b.strides = HostField::at(offsetof(ArrayObject, stride), sizeof(int64_t));
  b.read_only = HostField::at(offsetof(ArrayObject, read_only), sizeof(bool), false);
  b.allocate = runtime::builtin_allocate;
  b.retain = builtin_retain;
  b.release = runtime::builtin_release;
  b.view = builtin_view;
  return b;
}

}  // namespace

const HostBinding& builtin_binding() {
  static const HostBinding binding = make_builtin();
  return binding;
}

namespace {

bool lies(const HostField& f, size_t offset) {
  return f.how == HostField::How::Offset && f.offset == static_cast<int32_t>(offset) && !f.indirect;
}

/// Whether the host's objects are read in the same way as those of the built-in host. (Tests change single fields of
/// its binding.)
bool describes_arrays(const HostBinding& b) {
  return b.retain == builtin_retain && !b.elem_code && b.stride_unit == StrideUnit::Bytes &&
         lies(b.data, offsetof(ArrayObject, data)) && lies(b.elem, offsetof(ArrayObject, elem)) &&
         lies(b.rank, offsetof(ArrayObject, rank)) && lies(b.extents, offsetof(ArrayObject, extent)) &&
         lies(b.strides, offsetof(ArrayObject, stride)) && lies(b.read_only, offsetof(ArrayObject, read_only));
}

/// read_descriptor for the built-in host, whose objects are known.
int32_t describe_builtin(const ArrayObject& o, vr_array* out) {
  if (o.elem < 0 || runtime::element_bytes(o.elem) == 0 || o.rank < 1 || o.rank > VR_MAX_RANK) return VR_TYPE;
  out->data = o.data;
  out->owner = nullptr;
  out->elem = o.elem;
  out->rank = o.rank;
  out->flags = o.read_only ? VR_ARRAY_READ_ONLY : 0;
  out->reserved = 0;
  for (int32_t k = 0; k < o.rank; ++k) {
    if (o.extent[k] < 0) return VR_TYPE;
    out->extent[k] = o.extent[k];
    out->stride[k] = o.stride[k];
  }
  return VR_OK;
}

/// What the host's own function says of the object, checked.
int32_t described(const HostBinding& b, void* object, vr_array* out) {
  *out = {};
  if (b.describe(b.context, object, out) != VR_OK) return VR_TYPE;
  if (out->elem < 0 || runtime::element_bytes(out->elem) == 0 || out->rank < 1 || out->rank > VR_MAX_RANK)
    return VR_TYPE;
  for (int32_t k = 0; k < out->rank; ++k)
    if (out->extent[k] < 0) return VR_TYPE;
  out->owner = nullptr;
  out->flags &= VR_ARRAY_READ_ONLY;
  out->reserved = 0;
  return VR_OK;
}

}  // namespace

int32_t read_descriptor(const HostBinding& binding, void* object, vr_array* out) {
  if (binding.describe) return described(binding, object, out);
  if (describes_arrays(binding)) return describe_builtin(*static_cast<const ArrayObject*>(object), out);
  int64_t elem = read(binding, binding.elem, object, 0);
  if (binding.elem_code) elem = binding.elem_code(binding.context, elem);
  if (elem < 0 || elem > INT32_MAX) return VR_TYPE;
  int64_t width = runtime::element_bytes(static_cast<int32_t>(elem));
  int64_t rank = read(binding, binding.rank, object, 0);
  if (width == 0 || rank < 1 || rank > VR_MAX_RANK) return VR_TYPE;
  out->data = reinterpret_cast<void*>(read(binding, binding.data, object, 0));
  out->owner = nullptr;
  out->elem = static_cast<int32_t>(elem);
  out->rank = static_cast<int32_t>(rank);
  out->flags = read(binding, binding.read_only, object, 0) != 0 ? VR_ARRAY_READ_ONLY : 0;
  out->reserved = 0;
  read_all(binding, binding.extents, object, out->rank, out->extent);
  for (int32_t k = 0; k < rank; ++k)
    if (out->extent[k] < 0) return VR_TYPE;
  if (binding.stride_unit == StrideUnit::None) {
    runtime::contiguous_strides(out->rank, out->extent, width, binding.layout == ir::Layout::ColMajor, out->stride);
  } else {
    read_all(binding, binding.strides, object, out->rank, out->stride);
    if (binding.stride_unit == StrideUnit::Elements)
      for (int32_t k = 0; k < rank; ++k) out->stride[k] *= width;
  }
  return VR_OK;
}

}  // namespace vr
