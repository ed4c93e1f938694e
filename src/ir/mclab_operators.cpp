#include "ir/mclab_operators.hpp"

#include "ir/mclab_convert.hpp"

#include <fmt/format.h>

namespace vr::ir::mclab {

static ExprPtr elementwise_node(Builder& out, Kind op, const ExprPtr& a, const ExprPtr& b, TextPos pos) {
  switch (op) {
#define VR_CASE(K) \
  case Kind::K:    \
    return out.make<K>(pos, a, b);
    VR_CASE(Plus)
    VR_CASE(Minus)
    VR_CASE(Mult)
    VR_CASE(Div)
    VR_CASE(Lt)
    VR_CASE(Leq)
    VR_CASE(Gt)
    VR_CASE(Geq)
    VR_CASE(Eq)
    VR_CASE(Neq)
    VR_CASE(And)
    VR_CASE(Or)
#undef VR_CASE
    default:
      out.refuse(pos, "internal", fmt::format("'{}' is no operator", kind_word(op)));
  }
}

ExprPtr binary(Builder& out, Kind op, ExprPtr a, ExprPtr b, const Type& stated, TextPos pos) {
  for (const ExprPtr* x : {&a, &b})
    if (!(*x)->type.is_numeric())
      out.refuse(pos, "type-mismatch", fmt::format("operand of '{}' is {}", kind_word(op), (*x)->type.text()));
  const bool arrays = a->type.is_array() || b->type.is_array();
  const Elem ea = a->type.elem, eb = b->type.elem;
  const bool complex = a->type.complex || b->type.complex;
  switch (op) {
    case Kind::Lt:
    case Kind::Leq:
    case Kind::Gt:
    case Kind::Geq:  // MATLAB orders complex numbers by their real parts
      if (a->type.complex) a = out.lib(pos, "real", {a});
      if (b->type.complex) b = out.lib(pos, "real", {b});
      [[fallthrough]];
    case Kind::Eq:
    case Kind::Neq: {
      // single against double: both in single (int64 is a double that is known to be whole).
      auto to_single = [&](const ExprPtr& x) {
        const bool wide = x->type.elem == Elem::Float64 || x->type.elem == Elem::Int64;
        return wide ? to_elem(out, x, Elem::Float32, x->type.complex) : x;
      };
      if (ea == Elem::Float32) b = to_single(b);
      if (eb == Elem::Float32) a = to_single(a);
      return elementwise_node(out, op, a, b, pos);
    }
    case Kind::And:
    case Kind::Or: {
      // The text has the same word for & and &&: the stated type distinguishes them.
      if (arrays && stated.is_array()) return elementwise_node(out, op, a, b, pos);
      return elementwise_node(out, op, condition(out, a), condition(out, b), pos);
    }
    default:
      break;
  }
  auto node = [&](const ExprPtr& x, const ExprPtr& y) {
    if (!arrays) return elementwise_node(out, op, x, y, pos);
    const char* name = op == Kind::Plus    ? "libplus"
                       : op == Kind::Minus ? "libminus"
                       : op == Kind::Mult  ? "libmult"
                                           : "libdiv";
    return out.lib(pos, name, {x, y});
  };
  if (!complex && (ea == Elem::Int32 || eb == Elem::Int32)) {
    // Exact in double; the conversion back rounds and saturates.
    ExprPtr wide = node(to_elem(out, a, Elem::Float64, false), to_elem(out, b, Elem::Float64, false));
    const bool exact = op != Kind::Div && !is_float(ea) && !is_float(eb);
    return exact ? to_elem(out, wide, Elem::Int32, false) : to_int32(out, wide);
  }
  // A real factor or divisor applies to both parts separately, and does not add a zero imaginary part: -1 * (Inf + 1i)
  // is -Inf - 1i.
  if (a->type.complex != b->type.complex && (op == Kind::Mult || (op == Kind::Div && a->type.complex))) {
    const Elem e = ea == Elem::Float32 || eb == Elem::Float32 ? Elem::Float32 : Elem::Float64;
    const bool left = a->type.complex;
    const ExprPtr z = out.named(to_elem(out, left ? a : b, e, true), "complex_temp");
    ExprPtr x = to_elem(out, left ? b : a, e, false);
    if (!constant_of(x)) x = out.named(x, "real_temp");
    auto part = [&](const char* name) {
      const ExprPtr p = out.lib(pos, name, {z});
      return left ? node(p, x) : node(x, p);
    };
    const ExprPtr re = part("real");
    return out.make<ComplexExpr>(pos, re, part("imag"));
  }
  if (ea == Elem::Float32 || eb == Elem::Float32)
    return node(to_elem(out, a, Elem::Float32, a->type.complex), to_elem(out, b, Elem::Float32, b->type.complex));
  const bool integral = ea == Elem::Int64 && eb == Elem::Int64 && op != Kind::Div;
  if (integral && stated.is_numeric() && stated.elem == Elem::Int64) return node(a, b);
  return node(to_elem(out, a, Elem::Float64, a->type.complex), to_elem(out, b, Elem::Float64, b->type.complex));
}

}  // namespace vr::ir::mclab
