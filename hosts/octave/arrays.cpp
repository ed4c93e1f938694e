#include "arrays.hpp"

#include <velociraptor/make_binding.hpp>

#include <octave/ov-bool-mat.h>
#include <octave/ov-bool.h>
#include <octave/ov-complex.h>
#include <octave/ov-cx-mat.h>
#include <octave/ov-fcn-handle.h>
#include <octave/ov-float.h>
#include <octave/ov-flt-complex.h>
#include <octave/ov-flt-cx-mat.h>
#include <octave/ov-flt-re-mat.h>
#include <octave/ov-int16.h>
#include <octave/ov-int32.h>
#include <octave/ov-int64.h>
#include <octave/ov-int8.h>
#include <octave/ov-lazy-idx.h>
#include <octave/ov-null-mat.h>
#include <octave/ov-range.h>
#include <octave/ov-re-mat.h>
#include <octave/ov-scalar.h>
#include <octave/ov-str-mat.h>
#include <octave/ov-uint16.h>
#include <octave/ov-uint32.h>
#include <octave/ov-uint64.h>
#include <octave/ov-uint8.h>

#include <atomic>
#include <variant>

namespace vr::octave_host {

using matlab::Cls;

namespace {

/// The properties of an object that the binding reads.
struct Fields {
  void* data = nullptr;
  int32_t elem = VR_FLOAT64;
  int32_t rank = 2;
  int64_t dims[VR_MAX_RANK];
  bool read_only = false;
  std::atomic<int64_t> count{1};
};

std::atomic<int64_t> live{0};

struct Object : Fields {
  Object() { live.fetch_add(1, std::memory_order_relaxed); }
  ~Object() { live.fetch_sub(1, std::memory_order_relaxed); }
  std::variant<std::monostate, NDArray, FloatNDArray, ComplexNDArray, FloatComplexNDArray, boolNDArray, int8NDArray,
               int16NDArray, int32NDArray, int64NDArray, uint8NDArray, uint16NDArray, uint32NDArray, uint64NDArray>
      array;
};

/// An object that shares the storage of an argument, which must not be written.
template <class A>
Fields* share(const A& array, int32_t elem) {
  auto* o = new Object;
  const dim_vector& d = array.dims();
  o->elem = elem;
  o->rank = d.ndims();
  for (int k = 0; k < o->rank; ++k) o->dims[k] = d(k);
  o->data = const_cast<void*>(static_cast<const void*>(array.data()));
  o->read_only = true;
  o->array = array;
  return o;
}

template <class A>
Fields* make(int32_t elem, int32_t rank, const int64_t* extents) {
  auto o = std::make_unique<Object>();
  dim_vector d;
  d.resize(rank);
  for (int k = 0; k < rank; ++k) d(k) = o->dims[k] = extents[k];
  (void)d.safe_numel();  // throws if the number of elements does not fit the index type
  A array(d);
  o->elem = elem;
  o->rank = rank;
  o->data = array.fortran_vec();
  o->array = std::move(array);
  return o.release();
}

struct OctaveBinding {
  using Object = Fields;
  static constexpr const char* name = "octave";
  static HostField data() { return VR_HOST_VALUE(Fields, data); }
  static HostField elem() { return VR_HOST_VALUE(Fields, elem); }
  static HostField rank() { return VR_HOST_VALUE(Fields, rank); }
  static HostField extents() { return VR_HOST_VALUES(Fields, dims); }
  static HostField read_only() { return VR_HOST_VALUE(Fields, read_only); }
  static constexpr StrideUnit stride_unit = StrideUnit::None;
  static constexpr ir::Layout layout = ir::Layout::ColMajor;

  static Fields* allocate(int32_t elem, int32_t rank, const int64_t* extents, ir::Layout) {
    if (rank < 2 || rank > VR_MAX_RANK) return nullptr;
    struct Row {
      int32_t elem;
      Fields* (*make)(int32_t, int32_t, const int64_t*);
    };
    static constexpr Row rows[] = {{VR_FLOAT64, make<NDArray>},
                                   {VR_FLOAT32, make<FloatNDArray>},
                                   {VR_FLOAT64 | VR_COMPLEX, make<ComplexNDArray>},
                                   {VR_FLOAT32 | VR_COMPLEX, make<FloatComplexNDArray>},
                                   {VR_BOOL, make<boolNDArray>},
                                   {VR_INT8, make<int8NDArray>},
                                   {VR_INT16, make<int16NDArray>},
                                   {VR_INT32, make<int32NDArray>},
                                   {VR_INT64, make<int64NDArray>},
                                   {VR_UINT8, make<uint8NDArray>},
                                   {VR_UINT16, make<uint16NDArray>},
                                   {VR_UINT32, make<uint32NDArray>},
                                   {VR_UINT64, make<uint64NDArray>}};
    for (const Row& r : rows)
      if (r.elem == elem) return r.make(elem, rank, extents);
    return nullptr;
  }
  static void retain(Fields* o) { o->count.fetch_add(1, std::memory_order_relaxed); }
  static void release(Fields* o) {
    if (o->count.fetch_sub(1, std::memory_order_acq_rel) == 1) delete static_cast<octave_host::Object*>(o);
  }
  static ir::Conventions conventions() { return ir::Conventions::matlab(); }
};

// A code consists of the class (from 1), bits for complex, strings and handles, the rank, and for each extent a bit
// that is set if it is 1.
constexpr uint64_t kComplex = 1 << 8, kRank = 1 << 12, kOne = 1 << 20;
constexpr uint64_t class_code(Cls c) { return static_cast<uint64_t>(c) + 1; }
constexpr uint64_t kScalar = 2 * kRank | 3 * kOne;
Cls class_of(uint64_t code) { return static_cast<Cls>((code & 0xff) - 1); }

/// Codes by Octave's type id. For types that are not scalars, the rank and the extents are missing.
const std::vector<uint64_t>& table() {
  static const auto* list = [] {
    auto* t = new std::vector<uint64_t>(256, 0);
    auto put = [&](int id, Cls c, bool complex, bool scalar) {
      if (id >= 0 && id < 256) (*t)[static_cast<size_t>(id)] = class_code(c) | (complex ? kComplex : 0) | (scalar ? kScalar : 0);
    };
    put(octave_scalar::static_type_id(), Cls::Double, false, true);
    put(octave_matrix::static_type_id(), Cls::Double, false, false);
    put(ov_range<double>::static_type_id(), Cls::Double, false, false);
    put(octave_lazy_index::static_type_id(), Cls::Double, false, false);
    put(octave_complex::static_type_id(), Cls::Double, true, true);
    put(octave_complex_matrix::static_type_id(), Cls::Double, true, false);
    put(octave_float_scalar::static_type_id(), Cls::Single, false, true);
    put(octave_float_matrix::static_type_id(), Cls::Single, false, false);
    put(octave_float_complex::static_type_id(), Cls::Single, true, true);
    put(octave_float_complex_matrix::static_type_id(), Cls::Single, true, false);
    put(octave_bool::static_type_id(), Cls::Logical, false, true);
    put(octave_bool_matrix::static_type_id(), Cls::Logical, false, false);
    put(octave_int8_scalar::static_type_id(), Cls::Int8, false, true);
    put(octave_int8_matrix::static_type_id(), Cls::Int8, false, false);
    put(octave_int16_scalar::static_type_id(), Cls::Int16, false, true);
    put(octave_int16_matrix::static_type_id(), Cls::Int16, false, false);
    put(octave_int32_scalar::static_type_id(), Cls::Int32, false, true);
    put(octave_int32_matrix::static_type_id(), Cls::Int32, false, false);
    put(octave_int64_scalar::static_type_id(), Cls::Int64, false, true);
    put(octave_int64_matrix::static_type_id(), Cls::Int64, false, false);
    put(octave_uint8_scalar::static_type_id(), Cls::Uint8, false, true);
    put(octave_uint8_matrix::static_type_id(), Cls::Uint8, false, false);
    put(octave_uint16_scalar::static_type_id(), Cls::Uint16, false, true);
    put(octave_uint16_matrix::static_type_id(), Cls::Uint16, false, false);
    put(octave_uint32_scalar::static_type_id(), Cls::Uint32, false, true);
    put(octave_uint32_matrix::static_type_id(), Cls::Uint32, false, false);
    put(octave_uint64_scalar::static_type_id(), Cls::Uint64, false, true);
    put(octave_uint64_matrix::static_type_id(), Cls::Uint64, false, false);
    // the types of the literals [], '' and ""
    put(octave_null_matrix::static_type_id(), Cls::Double, false, false);
    put(octave_null_str::static_type_id(), Cls::Char, false, false);
    put(octave_null_sq_str::static_type_id(), Cls::Char, false, false);
    put(octave_char_matrix_str::static_type_id(), Cls::Char, false, false);
    put(octave_char_matrix_sq_str::static_type_id(), Cls::Char, false, false);
    put(octave_fcn_handle::static_type_id(), Cls::Handle, false, true);
    return t;
  }();
  return *list;
}

template <class T>
Value scalar(ir::Elem elem, bool complex, T v) {
  vr_value raw = {};
  std::memcpy(&raw, &v, sizeof v);
  return Value::scalar(elem, complex, raw);
}

template <class T>
octave_value integer(const vr_value& raw) {
  typename T::val_type v;
  std::memcpy(&v, &raw, sizeof v);
  return octave_value(T(v));
}

template <class A>
octave_value take(Object* o) {
  A array = std::get<A>(o->array);
  OctaveBinding::release(o);  // before the value is made, since that may test whether the storage is shared
  dim_vector d = array.dims();
  const int rank = d.ndims();
  d.chop_trailing_singletons();
  if (d.ndims() != rank) array = array.reshape(d);
  return octave_value(array);
}

}  // namespace

int64_t live_objects() { return live; }

HostBinding binding() { return make_binding<OctaveBinding>(); }

bool is_text(uint64_t code) { return code && class_of(code) == Cls::Char; }
bool is_handle(uint64_t code) { return code && class_of(code) == Cls::Handle; }

uint64_t type_code(const octave_value& v) {
  const int id = v.type_id();
  const uint64_t code = id >= 0 && id < 256 ? table()[static_cast<size_t>(id)] : 0;
  if (!code || code & kScalar) return code;
  const dim_vector d = v.dims();
  const int rank = d.ndims();
  if (rank > VR_MAX_RANK) return 0;
  uint64_t ones = 0;
  for (int k = 0; k < rank; ++k) ones |= d(k) == 1 ? kOne << k : 0;
  return code | static_cast<uint64_t>(rank) * kRank | ones;
}

matlab::Type text_type(const octave_value& v) {
  return matlab::Type::string(v.string_value(), v.is_dq_string() ? matlab::Quotes::Double : matlab::Quotes::Single);
}
std::string text_key(const octave_value& v) {
  const char quote = v.is_dq_string() ? '"' : '\'';
  return quote + v.string_value() + quote;
}

uint64_t array_code(uint64_t code) { return (code & (0xff | kComplex)) | 2 * kRank; }

matlab::Type type_of(uint64_t code) {
  std::vector<int64_t> extents;
  const auto rank = (code / kRank) & 0xff;
  for (uint64_t k = 0; k < rank; ++k) extents.push_back(code & (kOne << k) ? 1 : matlab::kNotOne);
  matlab::Type t = matlab::Type::array(class_of(code), extents, (code & kComplex) != 0);
  // A row of this class may be a range.
  if (t.cls == Cls::Double && !t.complex && t.is_row() && !t.is_scalar()) t.special = matlab::kRangeForm;
  return t;
}

Value argument(const octave_value& v, uint64_t code) {
  const Cls cls = class_of(code);
  const bool complex = code & kComplex;
  // An array of one element (a range, a result of find()) is a scalar to the compiler, as in Octave.
  const auto rank = (code / kRank) & 0xff;
  if ((code / kOne) == (uint64_t{1} << rank) - 1) {
    switch (cls) {
      case Cls::Double: return complex ? scalar(Elem::Float64, true, v.complex_value()) : Value(v.double_value());
      case Cls::Single:
        return complex ? scalar(Elem::Float32, true, v.float_complex_value()) : Value(v.float_value());
      case Cls::Logical: return Value(v.bool_value());
      case Cls::Int8: return scalar(Elem::Int8, false, v.int8_scalar_value().value());
      case Cls::Int16: return scalar(Elem::Int16, false, v.int16_scalar_value().value());
      case Cls::Int32: return scalar(Elem::Int32, false, v.int32_scalar_value().value());
      case Cls::Int64: return scalar(Elem::Int64, false, v.int64_scalar_value().value());
      case Cls::Uint8: return scalar(Elem::UInt8, false, v.uint8_scalar_value().value());
      case Cls::Uint16: return scalar(Elem::UInt16, false, v.uint16_scalar_value().value());
      case Cls::Uint32: return scalar(Elem::UInt32, false, v.uint32_scalar_value().value());
      case Cls::Uint64: return scalar(Elem::UInt64, false, v.uint64_scalar_value().value());
      default: break;
    }
  }
  switch (cls) {
    case Cls::Double:
      return Value::object(complex ? share(v.complex_array_value(), VR_FLOAT64 | VR_COMPLEX)
                                   : share(v.array_value(), VR_FLOAT64));
    case Cls::Single:
      return Value::object(complex ? share(v.float_complex_array_value(), VR_FLOAT32 | VR_COMPLEX)
                                   : share(v.float_array_value(), VR_FLOAT32));
    case Cls::Logical: return Value::object(share(v.bool_array_value(), VR_BOOL));
    case Cls::Int8: return Value::object(share(v.int8_array_value(), VR_INT8));
    case Cls::Int16: return Value::object(share(v.int16_array_value(), VR_INT16));
    case Cls::Int32: return Value::object(share(v.int32_array_value(), VR_INT32));
    case Cls::Int64: return Value::object(share(v.int64_array_value(), VR_INT64));
    case Cls::Uint8: return Value::object(share(v.uint8_array_value(), VR_UINT8));
    case Cls::Uint16: return Value::object(share(v.uint16_array_value(), VR_UINT16));
    case Cls::Uint32: return Value::object(share(v.uint32_array_value(), VR_UINT32));
    case Cls::Uint64: return Value::object(share(v.uint64_array_value(), VR_UINT64));
    default: return Value();
  }
}

Value copied(const ir::Type& type, const vr_value& v) {
  if (!type.is_array()) return Value::scalar(type.elem, type.complex, v);
  const vr_array& from = *v.array;
  const int rank = std::max(2, from.rank);
  int64_t extents[VR_MAX_RANK];
  for (int k = 0; k < rank; ++k) extents[k] = k < from.rank ? from.extent[k] : 1;
  Fields* to = OctaveBinding::allocate(from.elem, rank, extents, ir::Layout::ColMajor);
  if (!to) throw std::bad_alloc();
  const auto bytes = static_cast<size_t>(ir::elem_bytes(type.elem)) * (type.complex ? 2 : 1);
  int64_t n = 1, at[VR_MAX_RANK] = {};
  for (int k = 0; k < rank; ++k) n *= extents[k];
  auto* out = static_cast<char*>(to->data);
  for (int64_t k = 0; k < n; ++k, out += bytes) {
    const char* p = static_cast<const char*>(from.data);
    for (int d = 0; d < from.rank; ++d) p += at[d] * from.stride[d];
    std::memcpy(out, p, bytes);
    for (int d = 0; d < rank && ++at[d] == extents[d]; ++d) at[d] = 0;
  }
  return Value::object(to);
}

void release(const Value& v) {
  if (v.is_object()) OctaveBinding::release(static_cast<Fields*>(v.object()));
}

namespace {
/// Text of an array of bytes.
octave_value text_of(Object* o) {
  const octave_value bytes = take<uint8NDArray>(o);
  const uint8NDArray from = bytes.uint8_array_value();
  charNDArray to(from.dims());
  for (octave_idx_type k = 0; k < from.numel(); ++k) to(k) = static_cast<char>(from(k).value());
  return octave_value(to, '\'');
}
}  // namespace

octave_value result(const Value& v, const matlab::ResultInfo& info) {
  if (v.is_scalar()) {
    const vr_value& raw = v.raw();
    switch (info.cls) {
      case Cls::Double:
        return info.complex ? octave_value(Complex(raw.cf64[0], raw.cf64[1])) : octave_value(raw.f64);
      case Cls::Single:
        return info.complex ? octave_value(FloatComplex(raw.cf32[0], raw.cf32[1])) : octave_value(raw.f32);
      case Cls::Logical: return octave_value(raw.b != 0);
      case Cls::Int8: return integer<octave_int8>(raw);
      case Cls::Int16: return integer<octave_int16>(raw);
      case Cls::Int32: return integer<octave_int32>(raw);
      case Cls::Int64: return integer<octave_int64>(raw);
      case Cls::Uint8: return integer<octave_uint8>(raw);
      case Cls::Uint16: return integer<octave_uint16>(raw);
      case Cls::Uint32: return integer<octave_uint32>(raw);
      case Cls::Uint64: return integer<octave_uint64>(raw);
      case Cls::Char:
        return octave_value(std::string(1, static_cast<char>(raw.u8)), '\'');
      default: return octave_value();
    }
  }
  auto* o = static_cast<Object*>(static_cast<Fields*>(v.object()));
  switch (info.cls) {
    case Cls::Double: return info.complex ? take<ComplexNDArray>(o) : take<NDArray>(o);
    case Cls::Single: return info.complex ? take<FloatComplexNDArray>(o) : take<FloatNDArray>(o);
    case Cls::Logical: return take<boolNDArray>(o);
    case Cls::Int8: return take<int8NDArray>(o);
    case Cls::Int16: return take<int16NDArray>(o);
    case Cls::Int32: return take<int32NDArray>(o);
    case Cls::Int64: return take<int64NDArray>(o);
    case Cls::Uint8: return take<uint8NDArray>(o);
    case Cls::Uint16: return take<uint16NDArray>(o);
    case Cls::Uint32: return take<uint32NDArray>(o);
    case Cls::Uint64: return take<uint64NDArray>(o);
    case Cls::Char:
      return text_of(o);
    default: return octave_value();
  }
}

}  // namespace vr::octave_host
