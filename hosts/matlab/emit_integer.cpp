// Arithmetic of integer classes. Results are rounded to nearest, halves away from zero, and saturate. Octave computes
// an integer beside a double in double precision (64-bit classes: in more), which gives the same as saturating
// arithmetic of the class where the double is a whole number that the class can hold.
#include "emit.hpp"

#include <cmath>

namespace vr::matlab {

using ir::E;
using ir::Elem;
using ir::Kind;

bool is_wide(Cls c) { return c == Cls::Int64 || c == Cls::Uint64; }

// Whether an integer class holds the number exactly. Not -0, by which a division has the other sign.
bool holds(Cls c, double v) {
  if (v != std::floor(v) || (v == 0 && std::signbit(v))) return false;
  const Elem e = *elem_of(c);
  const ir::IntLimits limit = ir::int_limits(e);
  if (is_wide(c)) return std::abs(v) <= 9007199254740992.0 && (v >= 0 || c == Cls::Int64);
  return v >= static_cast<double>(limit.least) && v <= static_cast<double>(limit.most);
}

// The operand converted to the class, if it is of that class, logical, or a constant with the same value in it; else
// nothing.
std::optional<E> exactly(Emitter& em, const Val& v, Cls cls) {
  const Elem elem = *elem_of(cls);
  if (v.t.cls == cls) return v.e;
  if (v.t.number && holds(cls, *v.t.number))
    return em.f->int_const(static_cast<int64_t>(*v.t.number), ir::Type::scalar(elem));
  if (v.t.cls == Cls::Logical) {
    ir::Type t = v.e.type();
    t.elem = elem;
    return em.f->cast(v.e, t);
  }
  return std::nullopt;
}

namespace {

// A double beside a 64-bit integer: bails out unless the class holds all of its values.
E whole_operand(Emitter& em, const Val& v, Cls cls, bool divisor, Pos pos) {
  const std::string name = class_name(cls);
  if (v.t.number) em.refuse(pos, "arithmetic of " + name + " and a number that it cannot hold");
  ir::Type t = v.e.type();
  if (v.whole() && cls == Cls::Int64 && !divisor) return v.e;
  const E x = em.named({v.t, em.real(v)}, "operand");
  E bad = em.f->binary(Kind::Or, x != em.lib("floor", {x}), !(em.lib("abs", {x}) <= E(9007199254740992.0)));
  if (cls == Cls::Uint64) bad = em.f->binary(Kind::Or, bad, x < E(0.0));
  if (divisor) bad = em.f->binary(Kind::Or, bad, x == E(0.0));
  em.guard(em.some(bad, v.t.is_scalar() ? 0 : v.t.rank()),
           "arithmetic of " + name + " and a number that it cannot hold");
  t.elem = *elem_of(cls);
  return em.f->cast(x, t);
}

const char* saturating(Kind kind) {
  switch (kind) {
    case Kind::Plus:
      return "add_sat";
    case Kind::Minus:
      return "sub_sat";
    case Kind::Mult:
      return "mul_sat";
    default:
      return "div_sat";
  }
}

}  // namespace

Val integer_arithmetic(Emitter& em, Kind kind, const Val& a, const Val& b, const Type& t, Pos pos) {
  if (t.complex) em.refuse(pos, "complex integers");
  std::optional<E> x = exactly(em, a, t.cls), y = exactly(em, b, t.cls);
  if ((!x || !y) && !is_wide(t.cls))  // exact in double; the way back rounds and saturates
    return em.value(t, em.to_integer(em.f->binary(kind, em.real(a), em.real(b)), t.cls));
  if (!x) x = whole_operand(em, a, t.cls, false, pos);
  if (!y) y = whole_operand(em, b, t.cls, kind == Kind::Div, pos);
  return em.value(t, em.lib(saturating(kind), {*x, *y}));
}

Val integer_negation(Emitter& em, const Val& v) {
  const E zero = em.f->int_const(0, ir::Type::scalar(*elem_of(v.t.cls)));
  return em.value(v.t.without_constant(), em.lib("sub_sat", {zero, v.e}));
}

// Powers by a constant multiply, as Octave does for an exponent that is a whole number.
Val integer_power(Emitter& em, const Val& a, const Val& b, const Type& t, Pos pos) {
  if (t.complex) em.refuse(pos, "complex integers");
  if (a.t.cls == t.cls && b.t.number && holds(t.cls, *b.t.number) && *b.t.number >= 1 && *b.t.number <= 8) {
    const Val base = em.named_value(a, "base");
    E r = base.e;
    for (int k = 1; k < static_cast<int>(*b.t.number); ++k) r = em.lib("mul_sat", {r, base.e});
    return em.value(t, r);
  }
  if (is_wide(t.cls)) em.refuse(pos, std::string("this power of class ") + class_name(t.cls), "multiply in a loop");
  const int rank = t.is_scalar() ? 0 : t.rank();
  E x = em.named({a.t, em.real(a)}, "x"), y = em.named({b.t, em.real(b)}, "y");
  E bad = em.f->binary(Kind::And, x < E(0.0), y != em.lib("fix", {y}));
  em.guard(em.some(bad, rank), "a power of a negative integer with a fraction");
  if (em.program.signature.octave)
    em.guard(em.some(y < E(0.0), b.t.is_scalar() ? 0 : b.t.rank()),
             "an integer to a negative power, which Octave truncates");
  return em.value(t, em.to_integer(em.lib("pow", {x, y}), t.cls));
}

// Checks the parts of a range of an integer class: of the class, or constants that it can hold; a step down of an
// unsigned class is the double that it is.
void integer_range(Emitter& em, const std::vector<Val>& parts, Cls cls, Pos pos) {
  if (is_wide(cls)) em.refuse(pos, std::string("a range of class ") + class_name(cls));
  for (size_t k = 0; k < parts.size(); ++k) {
    const Val& v = parts[k];
    if (v.t.cls == cls) continue;
    if (is_integer(v.t.cls)) em.refuse(pos, "a range of two integer classes");
    const bool step = parts.size() == 3 && k == 1;
    if (!v.t.number || !holds(cls, step ? std::abs(*v.t.number) : *v.t.number))
      em.refuse(pos, "a range of an integer class with a part that is not known to be whole");
  }
}

namespace {

// A 64-bit integer beside a double d: the integer as a double compares with d as the integer does, unless the two are
// equal. In that case d is a whole number, and is compared as an integer, except for 2^63 and 2^64, which overflow the
// class.
Val exact_comparison(Emitter& em, Op op, const Val& a, const Val& b, const Type& t) {
  const bool left = is_wide(a.t.cls);
  const Val &integer = left ? a : b, &other = left ? b : a;
  const Elem elem = *elem_of(integer.t.cls);
  const E x = em.named(integer, "integer"), d = em.named({other.t, em.real(other)}, "number");
  const double above = elem == Elem::Int64 ? 9223372036854775808.0 : 18446744073709551616.0;
  em.guard(em.some(d == E(above), other.t.is_scalar() ? 0 : other.t.rank()),
           "a comparison with the limit of an integer class");
  ir::Type whole = d.type();
  whole.elem = elem;
  const E near = em.named({integer.t, em.real(integer)}, "near"),
          own = em.named({other.t, em.f->lib("cast_sat", {d}, whole)}, "own");
  const E tie = em.f->binary(Kind::And, near == d, x == own);
  // The operator with the integer on the left.
  const bool less = op == Op::Lt || op == Op::Le, strict = op == Op::Lt || op == Op::Gt;
  if (op == Op::Eq || op == Op::Ne) return em.value(t, op == Op::Eq ? tie : em.f->not_(tie));
  const bool below = less == left;
  E r = em.f->binary(Kind::Or, below ? near < d : near > d,
                     em.f->binary(Kind::And, near == d, below ? x < own : x > own));
  return em.value(t, strict ? r : em.f->binary(Kind::Or, r, tie));
}

}  // namespace

// A comparison where at least one operand is of an integer class: in one that holds both.
Val integer_comparison(Emitter& em, Op op, const Val& left, const Val& right, const Type& t, Pos pos) {
  Val a = left, b = right;
  if (a.t.complex || b.t.complex) em.refuse(pos, "a comparison of integers and complex numbers");
  auto as = [&](Val& v, Elem elem) {
    ir::Type s = v.e.type();
    if (s.elem == elem) return;
    s.elem = elem;
    v.e = em.f->cast(v.e, s);
  };
  auto compared = [&] { return em.value(t, em.f->binary(comparison_kind(op), a.e, b.e)); };
  if (a.t.cls == b.t.cls) return compared();
  if (!is_wide(a.t.cls) && !is_wide(b.t.cls)) {
    as(a, Elem::Float64);
    as(b, Elem::Float64);
    return compared();
  }
  const Cls wide = is_wide(a.t.cls) ? a.t.cls : b.t.cls;
  const auto x = exactly(em, a, wide), y = exactly(em, b, wide);
  if (x && y) {
    a.e = *x;
    b.e = *y;
    return compared();
  }
  if (is_floating(a.t.cls) || is_floating(b.t.cls)) return exact_comparison(em, op, a, b, t);
  if (a.t.cls == Cls::Uint64 || b.t.cls == Cls::Uint64)
    em.refuse(pos, std::string("a comparison of ") + class_name(a.t.cls) + " and " + class_name(b.t.cls));
  as(a, Elem::Int64);
  as(b, Elem::Int64);
  return compared();
}

}  // namespace vr::matlab
