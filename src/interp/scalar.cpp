#include "interp/scalar.hpp"

#include <cmath>
#include <cstring>
#include <limits>

namespace vr::interp {

namespace {

Part convert_part(Part p, Elem from, Elem to) {
  if (from == to) return p;
  if (ir::is_float(from)) {
    if (ir::is_float(to)) return {.f = ir::rounded(p.f, to)};
    return {.i = ir::saturate(p.f, to)};
  }
  if (!ir::is_float(to)) return {.i = ir::wrap(p.i, to)};
  // Rounds once, not by way of double.
  return {.f = ir::visit_elem(to, [&](auto tag) -> double {
            if constexpr (tag.kind == ir::ElemKind::Floating) return ir::int_to_float<typename decltype(tag)::type>(p.i, from);
            return 0;
          })};
}

Part load_part(const void* p, Elem e, int k) {
  return ir::visit_elem(e, [&](auto tag) -> Part {
    typename decltype(tag)::type v;
    std::memcpy(&v, static_cast<const char*>(p) + static_cast<size_t>(k) * sizeof v, sizeof v);
    if constexpr (tag.kind == ir::ElemKind::Floating) return {.f = v};
    return {.i = tag.kind == ir::ElemKind::Logical ? v != 0 : static_cast<int64_t>(v)};
  });
}
void store_part(void* p, Elem e, int k, Part part) {
  ir::visit_elem(e, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T v;
    if constexpr (tag.kind == ir::ElemKind::Floating)
      v = static_cast<T>(part.f);
    else
      v = static_cast<T>(part.i);
    std::memcpy(static_cast<char*>(p) + static_cast<size_t>(k) * sizeof v, &v, sizeof v);
  });
}

}  // namespace

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
  if (!v.floating()) return ir::nearest_int64(v.re.i, v.elem);
  if (!(v.re.f >= -0x1p63 && v.re.f <= 0x1p63) || std::trunc(v.re.f) != v.re.f) return {};
  return ir::saturate(v.re.f, Elem::Int64);  // 2^63 is the nearest double of the greatest int64
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
