#include <velociraptor/engine.hpp>

#include <cstring>

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
  return ir::visit_elem(type_.elem, [&](auto tag) {
    typename decltype(tag)::type x;  // the real part of a complex value comes first in every member of the union
    std::memcpy(static_cast<void*>(&x), &value_, sizeof x);
    return static_cast<double>(x);
  });
}

}  // namespace vr
