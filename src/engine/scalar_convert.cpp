#include "engine/scalar_convert.hpp"

#include <cmath>
#include <cstring>
#include <optional>

namespace vr::engine {

namespace {

// One real number; integers are represented exactly.
struct Number {
  bool is_int = true;
  __int128 i = 0;
  double d = 0;
};

Number part(const Value& v, int which) {
  return ir::visit_elem(v.type().elem, [&](auto tag) -> Number {
    typename decltype(tag)::type x;  // each member of the union begins with the real part
    std::memcpy(&x, reinterpret_cast<const char*>(&v.raw()) + static_cast<size_t>(which) * sizeof x, sizeof x);
    if constexpr (tag.kind == ir::ElemKind::Floating)
      return {false, 0, x};
    else
      return {true, x, 0};
  });
}

std::optional<__int128> to_integer(const Number& n, Elem elem) {
  __int128 i = n.i;
  if (!n.is_int) {
    if (!(n.d >= -0x1p63 && n.d < 0x1p64) || n.d != std::floor(n.d)) return {};
    i = static_cast<__int128>(n.d);
  }
  auto wide = [elem](int64_t bits) { return ir::with_integer(bits, elem, [](auto v) { return __int128{v}; }); };
  if (const ir::IntLimits limit = ir::int_limits(elem); i < limit.least || i > wide(limit.most)) return {};
  return i;
}

bool put(const Number& n, Elem elem, int which, vr_value* out) {
  return ir::visit_elem(elem, [&](auto tag) {
    typename decltype(tag)::type x;
    if constexpr (tag.kind == ir::ElemKind::Floating) {
      // A float parameter rounds the number, as literals in the host's language do.
      x = static_cast<decltype(x)>(n.is_int ? static_cast<double>(n.i) : n.d);
    } else {
      const auto i = to_integer(n, elem);
      if (!i) return false;
      x = static_cast<decltype(x)>(*i);
    }
    std::memcpy(reinterpret_cast<char*>(out) + static_cast<size_t>(which) * sizeof x, &x, sizeof x);
    return true;
  });
}

}  // namespace

bool convert_scalar(const Value& v, const ir::Type& to, vr_value* out) {
  *out = {};
  if (!v.is_scalar()) return false;
  if (v.type().elem == to.elem && v.type().complex == to.complex) {
    *out = v.raw();
    return true;
  }
  const Number re = part(v, 0);
  const Number im = v.type().complex ? part(v, 1) : Number{};
  if (!put(re, to.elem, 0, out)) return false;
  if (to.complex) return put(im, to.elem, 1, out);
  return im.is_int ? im.i == 0 : im.d == 0;
}

}  // namespace vr::engine
