#include <velociraptor/engine.hpp>

namespace vr {

Value::Value(Array a) : array_(std::move(a)) { object_ = array_.object(); }

Value Value::scalar(Elem elem, bool complex, vr_value v) {
  Value r;
  r.type_ = ir::Type::scalar(elem, complex);
  r.value_ = v;
  return r;
}

Value Value::complex(double re, double im) {
  vr_value v = {};
  v.cf64[0] = re;
  v.cf64[1] = im;
  return scalar(Elem::Float64, true, v);
}

Value Value::object(void* host_object) {
  Value r;
  r.object_ = host_object;
  return r;
}

double Value::as_double() const {
  if (!is_scalar()) return 0;
  switch (type_.elem) {
    // The real part of a complex value lies first in every member of the union.
    case Elem::Bool:
      return value_.b;
    case Elem::Int32:
      return value_.i32;
    case Elem::Int64:
      return static_cast<double>(value_.i64);
    case Elem::Float32:
      return value_.f32;
    case Elem::Float64:
      return value_.f64;
  }
  return 0;
}

}  // namespace vr
