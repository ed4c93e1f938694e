#include "interp/scalar.hpp"

#include <cmath>
#include <cstring>
#include <limits>

namespace vr::interp {

namespace {

int64_t wrap(int64_t v, Elem e) {
  if (e == Elem::Bool) return v != 0;
  return e == Elem::Int32 ? static_cast<int32_t>(static_cast<uint64_t>(v)) : v;
}

Part convert_part(Part p, Elem from, Elem to) {
  if (from == to) return p;
  if (ir::is_float(from)) {
    if (to == Elem::Float64) return p;
    if (to == Elem::Float32) return {.f = static_cast<double>(static_cast<float>(p.f))};
    return {.i = to == Elem::Bool ? int64_t(p.f != 0) : saturate(p.f, to)};
  }
  // int64 to float32 rounds once, not by way of double.
  if (to == Elem::Float32) return {.f = static_cast<double>(static_cast<float>(p.i))};
  if (to == Elem::Float64) return {.f = static_cast<double>(p.i)};
  return {.i = wrap(p.i, to)};
}

template <class T>
T load_as(const void* p, int k) {
  T v;
  std::memcpy(&v, static_cast<const char*>(p) + static_cast<size_t>(k) * sizeof(T), sizeof(T));
  return v;
}
template <class T>
void store_as(void* p, int k, T v) {
  std::memcpy(static_cast<char*>(p) + static_cast<size_t>(k) * sizeof(T), &v, sizeof(T));
}

Part load_part(const void* p, Elem e, int k) {
  switch (e) {
    case Elem::Bool:
      return {.i = load_as<uint8_t>(p, k) != 0};
    case Elem::Int32:
      return {.i = load_as<int32_t>(p, k)};
    case Elem::Int64:
      return {.i = load_as<int64_t>(p, k)};
    case Elem::Float32:
      return {.f = load_as<float>(p, k)};
    case Elem::Float64:
      return {.f = load_as<double>(p, k)};
  }
  return {.i = 0};
}
void store_part(void* p, Elem e, int k, Part v) {
  switch (e) {
    case Elem::Bool:
      return store_as(p, k, static_cast<uint8_t>(v.i));
    case Elem::Int32:
      return store_as(p, k, static_cast<int32_t>(v.i));
    case Elem::Int64:
      return store_as(p, k, v.i);
    case Elem::Float32:
      return store_as(p, k, static_cast<float>(v.f));
    case Elem::Float64:
      return store_as(p, k, v.f);
  }
}

}  // namespace

int64_t saturate(double v, Elem elem) {
  if (std::isnan(v)) return 0;
  const double lo = elem == Elem::Int32 ? -0x1p31 : -0x1p63, hi = elem == Elem::Int32 ? 0x1p31 : 0x1p63;
  if (v >= hi) return elem == Elem::Int32 ? std::numeric_limits<int32_t>::max() : std::numeric_limits<int64_t>::max();
  if (v <= lo) return elem == Elem::Int32 ? std::numeric_limits<int32_t>::min() : std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(v);
}

Scalar Scalar::real(double v, Elem e) {
  Scalar s;
  s.re.f = v;
  return e == Elem::Float64 ? s : convert(s, e, false);
}
Scalar Scalar::integer(int64_t v, Elem e) {
  Scalar s;
  s.elem = Elem::Int64;
  s.re.i = v;
  s.im.i = 0;
  return e == Elem::Int64 ? s : convert(s, e, false);
}
Scalar Scalar::complex_of(double re, double im, Elem e) {
  Scalar s;
  s.complex = true;
  s.re.f = re;
  s.im.f = im;
  return e == Elem::Float64 ? s : convert(s, e, true);
}
Scalar Scalar::zero(Elem e, bool complex) {
  Scalar s;
  s.elem = e;
  s.complex = complex;
  if (!ir::is_float(e)) s.re.i = s.im.i = 0;
  return s;
}
Scalar Scalar::re_scalar() const {
  Scalar s = zero(elem);
  s.re = re;
  return s;
}
Scalar Scalar::im_scalar() const {
  Scalar s = zero(elem);
  if (complex) s.re = im;
  return s;
}

Scalar convert(const Scalar& v, Elem elem, bool complex) {
  if (v.elem == elem && v.complex == complex) return v;
  Scalar r = Scalar::zero(elem, complex);
  if (elem == Elem::Bool && v.complex && !complex) {
    r.re.i = truth(v);
    return r;
  }
  r.re = convert_part(v.re, v.elem, elem);
  if (complex && v.complex) r.im = convert_part(v.im, v.elem, elem);
  return r;
}

bool truth(const Scalar& v) {
  if (v.floating()) return v.re.f != 0 || (v.complex && v.im.f != 0);
  return v.re.i != 0 || (v.complex && v.im.i != 0);
}

std::optional<int64_t> integral(const Scalar& v) {
  if (v.complex && v.imag_part() != 0) return {};
  if (!v.floating()) return v.re.i;
  if (!(v.re.f >= -0x1p63 && v.re.f < 0x1p63) || std::trunc(v.re.f) != v.re.f) return {};
  return static_cast<int64_t>(v.re.f);
}

Scalar load(const void* p, Elem elem, bool complex) {
  Scalar s = Scalar::zero(elem, complex);
  s.re = load_part(p, elem, 0);
  if (complex) s.im = load_part(p, elem, 1);
  return s;
}
void store(void* p, const Scalar& v) {
  store_part(p, v.elem, 0, v.re);
  if (v.complex) store_part(p, v.elem, 1, v.im);
}

Value to_value(const Scalar& v) {
  vr_value raw = {};
  store(&raw, v);
  return Value::scalar(v.elem, v.complex, raw);
}
Scalar from_value(const Value& v) { return load(&v.raw(), v.type().elem, v.type().complex); }

}  // namespace vr::interp
