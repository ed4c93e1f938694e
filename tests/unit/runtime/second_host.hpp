// A host unlike the built-in one: 32-bit column-major dims, no strides, its own element codes, an intrusive count.
#pragma once
#include <velociraptor/make_binding.hpp>

#include <cstdlib>
#include <new>

namespace second {

enum class Class : int8_t { Logical, Double, Single, Int32, ComplexDouble };

struct Matrix {
  int32_t count;  // references
  Class type;
  uint8_t ndims;    // 2 or more
  int32_t dims[8];  // the first runs fastest
  void* values;
};

inline int live = 0;  // objects that exist; for tests

struct Host {
  using Object = Matrix;
  static constexpr const char* name = "second";

  static vr::HostField data() { return VR_HOST_VALUE(Matrix, values); }
  static vr::HostField elem() { return VR_HOST_VALUE(Matrix, type); }
  static vr::HostField rank() { return VR_HOST_VALUE(Matrix, ndims); }
  static vr::HostField extents() { return VR_HOST_VALUES(Matrix, dims); }
  static constexpr vr::StrideUnit stride_unit = vr::StrideUnit::None;
  static constexpr vr::ir::Layout layout = vr::ir::Layout::ColMajor;

  static int32_t elem_code(int64_t code) {
    switch (static_cast<Class>(code)) {
      case Class::Logical:
        return VR_BOOL;
      case Class::Double:
        return VR_FLOAT64;
      case Class::Single:
        return VR_FLOAT32;
      case Class::Int32:
        return VR_INT32;
      case Class::ComplexDouble:
        return VR_FLOAT64 | VR_COMPLEX;
    }
    return -1;
  }

  static Matrix* allocate(int32_t elem, int32_t rank, const int64_t* extents, vr::ir::Layout) {
    Class type;
    size_t bytes;
    switch (elem) {
      case VR_BOOL:
        type = Class::Logical, bytes = 1;
        break;
      case VR_FLOAT64:
        type = Class::Double, bytes = 8;
        break;
      case VR_FLOAT32:
        type = Class::Single, bytes = 4;
        break;
      case VR_INT32:
        type = Class::Int32, bytes = 4;
        break;
      case VR_FLOAT64 | VR_COMPLEX:
        type = Class::ComplexDouble, bytes = 16;
        break;
      default:
        return nullptr;  // this host has no such arrays
    }
    if (rank < 1 || rank > 8) return nullptr;
    auto* m = new Matrix{1, type, static_cast<uint8_t>(rank), {}, nullptr};
    for (int k = 0; k < rank; ++k) {
      m->dims[k] = static_cast<int32_t>(extents[k]);
      if (m->dims[k] != extents[k] || __builtin_mul_overflow(bytes, static_cast<size_t>(extents[k]), &bytes)) {
        delete m;
        return nullptr;
      }
    }
    m->values = std::malloc(bytes ? bytes : 1);
    if (!m->values) {
      delete m;
      return nullptr;
    }
    ++live;
    return m;
  }
  static void retain(Matrix* m) { ++m->count; }
  static void release(Matrix* m) {
    if (--m->count > 0) return;
    --live;
    std::free(m->values);
    delete m;
  }
  static vr::ir::Conventions conventions() { return vr::ir::Conventions::matlab(); }
};

inline vr::HostBinding binding() { return vr::make_binding<Host>(); }

}  // namespace second
