#include "engine/scalar_convert.hpp"

#include <cmath>

namespace vr::engine {

namespace {

// One real number, integers kept exactly.
struct Number {
  bool is_int = true;
  int64_t i = 0;
  double d = 0;
};

Number part(const Value& v, int which) {
  const vr_value& r = v.raw();
  const bool c = v.type().complex;
  Number n;
  switch (v.type().elem) {
    case Elem::Bool:
      n.i = c ? r.cb[which] : r.b;
      break;
    case Elem::Int32:
      n.i = c ? r.ci32[which] : r.i32;
      break;
    case Elem::Int64:
      n.i = c ? r.ci64[which] : r.i64;
      break;
    case Elem::Float32:
      n.is_int = false, n.d = c ? r.cf32[which] : r.f32;
      break;
    case Elem::Float64:
      n.is_int = false, n.d = c ? r.cf64[which] : r.f64;
      break;
  }
  return n;
}

bool to_integer(const Number& n, int64_t low, int64_t high, int64_t* out) {
  if (n.is_int) {
    *out = n.i;
  } else {
    if (!(n.d >= -9223372036854775808.0 && n.d < 9223372036854775808.0) || n.d != std::floor(n.d)) return false;
    *out = static_cast<int64_t>(n.d);
  }
  return *out >= low && *out <= high;
}

bool put(const Number& n, Elem elem, bool complex, int which, vr_value* out) {
  int64_t i = 0;
  const double d = n.is_int ? static_cast<double>(n.i) : n.d;
  switch (elem) {
    case Elem::Bool:
      if (!to_integer(n, 0, 1, &i)) return false;
      (complex ? out->cb[which] : out->b) = static_cast<uint8_t>(i);
      return true;
    case Elem::Int32:
      if (!to_integer(n, INT32_MIN, INT32_MAX, &i)) return false;
      (complex ? out->ci32[which] : out->i32) = static_cast<int32_t>(i);
      return true;
    case Elem::Int64:
      if (!to_integer(n, INT64_MIN, INT64_MAX, &i)) return false;
      (complex ? out->ci64[which] : out->i64) = i;
      return true;
    // A float parameter rounds, as the language's own literals do.
    case Elem::Float32:
      (complex ? out->cf32[which] : out->f32) = static_cast<float>(d);
      return true;
    case Elem::Float64:
      (complex ? out->cf64[which] : out->f64) = d;
      return true;
  }
  return false;
}

}  // namespace

bool convert_scalar(const Value& v, const ir::Type& to, vr_value* out) {
  *out = {};
  if (!v.is_scalar()) return false;
  const Number re = part(v, 0);
  const Number im = v.type().complex ? part(v, 1) : Number{};
  if (!put(re, to.elem, to.complex, 0, out)) return false;
  if (to.complex) return put(im, to.elem, true, 1, out);
  return im.is_int ? im.i == 0 : im.d == 0;
}

}  // namespace vr::engine
