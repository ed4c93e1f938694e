#include "transform/fold.hpp"

#include "ir/typing.hpp"

#include <velociraptor/ir/visit.hpp>

#include <cmath>
#include <optional>

namespace vr::transform {

using namespace ir;

namespace {

/// A real number of an element type: in `i` for integers and bool, in `f` for floats (a float32 is stored rounded).
struct FoldedNumber {
  Elem elem = Elem::Int64;
  int64_t i = 0;
  double f = 0;
};

FoldedNumber convert(const FoldedNumber& n, Elem to) {
  if (n.elem == to) return n;
  const bool from_float = is_float(n.elem);
  if (!is_float(to)) return {to, from_float ? saturate(n.f, to) : wrap(n.i, to), 0};
  if (from_float) return {to, 0, rounded(n.f, to)};
  // Converts directly, which rounds once; via double it would be rounded twice.
  return {to, 0, visit_elem(to, [&](auto tag) -> double {
            if constexpr (tag.kind == ElemKind::Floating) return int_to_float<typename decltype(tag)::type>(n.i, n.elem);
            return 0;
          })};
}

bool truth(const FoldedNumber& n) { return is_float(n.elem) ? n.f != 0 : n.i != 0; }
FoldedNumber boolean(bool b) { return {Elem::Bool, b, 0}; }

std::optional<FoldedNumber> number(const ExprPtr& e) {
  if (!is_constant(e)) return {};
  if (auto* c = as<IntConst>(e)) return convert({Elem::Int64, c->value, 0}, e->type.elem);
  return convert({Elem::Float64, 0, static_cast<const FloatConst&>(*e).value}, e->type.elem);
}

ExprPtr literal(const FoldedNumber& n, const Type& type, TextPos pos) {
  const FoldedNumber r = convert(n, type.elem);
  if (is_float(r.elem) && std::isnan(r.f)) return nullptr;
  auto placed = [&](auto node) {
    node->pos = pos;
    return ExprPtr(std::move(node));
  };
  if (is_float(r.elem)) return placed(std::make_shared<FloatConst>(type, r.f));
  return placed(std::make_shared<IntConst>(type, r.i));
}

double float_op(Kind k, double a, double b) {
  return k == Kind::Plus ? a + b : k == Kind::Minus ? a - b : k == Kind::Mult ? a * b : a / b;
}

std::optional<FoldedNumber> arithmetic(Kind k, const FoldedNumber& a, const FoldedNumber& b, const Type& stated) {
  Elem e = common_elem(a.elem, b.elem);
  if (e == Elem::Bool) e = Elem::Int32;
  if (k == Kind::Div && !is_float(e) && is_float(stated.elem)) e = stated.elem;
  const FoldedNumber x = convert(a, e), y = convert(b, e);
  // For each of these operations on two float32, rounding the double result to float32 gives the float32 result.
  if (is_float(e)) return FoldedNumber{e, 0, rounded(float_op(k, x.f, y.f), e)};
  if (k == Kind::Div && y.i == 0) return {};
  const auto p = static_cast<uint64_t>(x.i), q = static_cast<uint64_t>(y.i);
  const uint64_t r = k == Kind::Plus    ? p + q
                     : k == Kind::Minus ? p - q
                     : k == Kind::Mult  ? p * q
                                        : static_cast<uint64_t>(int_quotient(x.i, y.i, e));
  return convert({Elem::Int64, static_cast<int64_t>(r), 0}, e);
}

template <Kind K>
std::optional<FoldedNumber> value(const Binary<K>& e) {
  const auto a = number(e.lhs), b = number(e.rhs);
  if constexpr (K == Kind::And || K == Kind::Or) {
    // For numbers, the right side is not evaluated if the left side decides the result.
    if (a && e.rhs->type.is_scalar() && truth(*a) != (K == Kind::And)) return boolean(K == Kind::Or);
    if (a && b) return boolean(truth(*b));
    return {};
  } else {
    if (!a || !b) return {};
    if constexpr (K == Kind::Plus || K == Kind::Minus || K == Kind::Mult || K == Kind::Div) {
      return arithmetic(K, *a, *b, e.type);
    } else {
      const Elem c = common_elem(a->elem, b->elem);
      const FoldedNumber x = convert(*a, c), y = convert(*b, c);
      if (is_float(c)) return boolean(compare(K, x.f, y.f));
      return boolean(with_integer(x.i, c, [&](auto p) { return compare(K, p, static_cast<decltype(p)>(y.i)); }));
    }
  }
}
std::optional<FoldedNumber> value(const Not& e) {
  const auto a = number(e.operand);
  return a ? std::optional(boolean(!truth(*a))) : std::nullopt;
}
std::optional<FoldedNumber> value(const Negate& e) {
  const auto a = number(e.operand);
  if (!a) return {};
  if (is_float(a->elem)) return FoldedNumber{a->elem, 0, -a->f};
  const Elem t = a->elem == Elem::Bool ? Elem::Int32 : a->elem;
  return convert({Elem::Int64, static_cast<int64_t>(0 - static_cast<uint64_t>(a->i)), 0}, t);
}
std::optional<FoldedNumber> value(const Cast& e) { return number(e.operand); }
std::optional<FoldedNumber> value(const Expr&) { return {}; }

}  // namespace

bool is_constant(const ExprPtr& e) {
  return e && (e->kind == Kind::IntConst || e->kind == Kind::FloatConst) && e->type.is_scalar() && !e->type.complex;
}

bool constant_truth(const ExprPtr& e) { return truth(*number(e)); }
int64_t constant_integer(const ExprPtr& e) {
  const FoldedNumber n = *number(e);
  return nearest_int64(n.i, n.elem);
}

ExprPtr constant_as(const ExprPtr& e, const Type& type) {
  return type.is_scalar() && !type.complex && is_constant(e) ? literal(*number(e), type, e->pos) : nullptr;
}

ExprPtr fold(const Expr& e) {
  if (!e.type.is_scalar() || e.type.complex) return nullptr;
  const auto v = visit(e, [](const auto& n) { return value(n); });
  return v ? literal(*v, e.type, e.pos) : nullptr;
}

}  // namespace vr::transform
