#include "loop/exprs.hpp"

#include <bit>
#include <cmath>

namespace vr::lower {

ExprP Exprs::make(Expr e) {
  module_.exprs.push_back(e);
  return &module_.exprs.back();
}

bool is_int(ExprP e, int64_t v) { return e->kind == Expr::Kind::IntConst && e->ival == v; }

int shifted_right(const Expr& e) {
  if (e.kind != Expr::Kind::Binary || e.op != Op::Div || !is_integer(e.type) || is_unsigned(e.type)) return 0;
  if (e.b->kind != Expr::Kind::IntConst || e.b->ival < 2 || !std::has_single_bit(static_cast<uint64_t>(e.b->ival))) return 0;
  const bool masked = e.a->kind == Expr::Kind::Binary && e.a->op == Op::And && is_int(e.a->b, -e.b->ival);
  return masked ? std::countr_zero(static_cast<uint64_t>(e.b->ival)) : 0;
}

std::pair<ExprP, int64_t> without_constant(ExprP e) {
  constexpr int64_t limit = int64_t{1} << 31;
  const auto is_small = [](ExprP n) { return n->kind == Expr::Kind::IntConst && n->ival > -limit && n->ival < limit; };
  int64_t sum = 0;
  while (e->kind == Expr::Kind::Binary && e->op == Op::Add && is_small(e->b) && sum > -limit && sum < limit) {
    sum += e->b->ival;
    e = e->a;
  }
  return is_small(e) ? std::pair<ExprP, int64_t>(nullptr, sum + e->ival) : std::pair(e, sum);
}

bool same(ExprP a, ExprP b) {
  if (a == b) return true;
  if (!a || !b || a->kind != b->kind || a->type != b->type) return false;
  switch (a->kind) {
    case Expr::Kind::IntConst:
      return a->ival == b->ival;
    case Expr::Kind::FloatConst:
      return a->fval == b->fval && (a->fval != 0);  // 0 and -0 differ; NaN never equal
    case Expr::Kind::Null:
      return true;
    case Expr::Kind::Var:
      return a->var == b->var;
    case Expr::Kind::Unary:
      return a->op == b->op && same(a->a, b->a);
    case Expr::Kind::Binary:
      return a->op == b->op && same(a->a, b->a) && same(a->b, b->b);
    case Expr::Kind::Select:
      return same(a->a, b->a) && same(a->b, b->b) && same(a->c, b->c);
    case Expr::Kind::Convert:
      return same(a->a, b->a);
    case Expr::Kind::Math:
      return a->fn == b->fn && same(a->a, b->a) && (!a->b || same(a->b, b->b));
    case Expr::Kind::Load:
    case Expr::Kind::Offset:
      return same(a->a, b->a) && same(a->b, b->b);
    case Expr::Kind::At:
      return a->ival == b->ival && same(a->a, b->a) && same(a->b, b->b) && same(a->c, b->c);
    case Expr::Kind::Aligned:
      return a->ival == b->ival && same(a->a, b->a) && same(a->b, b->b);
  }
  return false;
}

namespace {
int64_t wrapping(Op op, int64_t a, int64_t b) {
  auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  return static_cast<int64_t>(op == Op::Add ? x + y : op == Op::Sub ? x - y : x * y);
}
template <class T>
bool compare(Op op, T a, T b) {
  switch (op) {
    case Op::Eq:
      return a == b;
    case Op::Ne:
      return a != b;
    case Op::Lt:
      return a < b;
    case Op::Le:
      return a <= b;
    case Op::Gt:
      return a > b;
    default:
      return a >= b;
  }
}
}  // namespace

ExprP Exprs::int_const(int64_t v, Scalar type) {
  Expr e{Expr::Kind::IntConst, type};
  e.ival = ir::wrap(v, elem_of(type));
  return make(e);
}

ExprP Exprs::float_const(double v, Scalar type) {
  Expr e{Expr::Kind::FloatConst, type};
  e.fval = ir::rounded(v, elem_of(type));
  return make(e);
}

ExprP Exprs::limit(Scalar type, bool highest) {
  if (is_float(type)) return float_const(highest ? HUGE_VAL : -HUGE_VAL, type);
  const ir::IntLimits limits = ir::int_limits(elem_of(type));
  return int_const(highest ? limits.most : limits.least, type);
}
ExprP Exprs::null() { return make({Expr::Kind::Null, Scalar::Ptr}); }

ExprP Exprs::var(VarId v, Scalar type) {
  Expr e{Expr::Kind::Var, type};
  e.var = v;
  return make(e);
}

static bool is_other_than_zero(ExprP c) {
  return c->kind == Expr::Kind::Binary && c->op == Op::Ne && is_int(c->b, 0);
}
/// x < 0 or x > 0
static bool is_sign_of(ExprP c, ExprP x) {
  return c->kind == Expr::Kind::Binary && (c->op == Op::Lt || c->op == Op::Gt) && is_int(c->b, 0) && same(c->a, x);
}

/// A shift by a constant, as a product or a quotient of shifted_right(), which analyses know.
ExprP Exprs::shift(Op op, ExprP a, int64_t count) {
  const int bits = 8 * scalar_bytes(a->type),
            by = static_cast<int>(static_cast<uint64_t>(count) % static_cast<unsigned>(bits));
  const auto power = static_cast<int64_t>(uint64_t{1} << by);
  if (by == 0) return a;
  if (op == Op::Shl) return mul(a, int_const(power, a->type));
  if (is_unsigned(a->type)) return binary(Op::Div, a, int_const(power, a->type));
  if (by == bits - 1) return select(lt(a, int_const(0, a->type)), int_const(-1, a->type), int_const(0, a->type));
  return binary(Op::Div, binary(Op::And, a, int_const(-power, a->type)), int_const(power, a->type));
}

ExprP Exprs::binary(Op op, ExprP a, ExprP b) {
  const bool ints = !is_float(a->type) && a->type != Scalar::Ptr;
  const bool ca = a->kind == Expr::Kind::IntConst, cb = b->kind == Expr::Kind::IntConst;
  if (ints) {
    if (is_comparison(op)) {
      if (ca && cb)
        return bool_const(ir::with_integer(a->ival, elem_of(a->type), [&](auto v) {
          return compare(op, v, static_cast<decltype(v)>(b->ival));
        }));
      if (same(a, b)) return bool_const(op == Op::Eq || op == Op::Le || op == Op::Ge);
      if (a->type == Scalar::Bool && (op == Op::Eq || op == Op::Ne) && (ca || cb)) {
        const ExprP other = ca ? b : a;
        return (op == Op::Eq) == is_true(ca ? a : b) ? other : not_(other);
      }
    } else if (ca && cb && (op == Op::Add || op == Op::Sub || op == Op::Mul)) {
      return int_const(wrapping(op, a->ival, b->ival), a->type);
    }
    switch (op) {
      case Op::Add:
        if (is_int(a, 0)) return b;
        if (is_int(b, 0)) return a;
        // (x + c) + d and (x - c) + d become x + k
        if (cb && a->kind == Expr::Kind::Binary && (a->op == Op::Add || a->op == Op::Sub) &&
            a->b->kind == Expr::Kind::IntConst)
          return binary(Op::Add, a->a,
                        int_const(a->op == Op::Add ? wrapping(Op::Add, b->ival, a->b->ival)
                                                   : wrapping(Op::Sub, b->ival, a->b->ival),
                                  a->type));
        if (ca) return binary(Op::Add, b, a);
        break;
      case Op::Sub:
        if (is_int(b, 0)) return a;
        if (same(a, b)) return int_const(0, a->type);
        if (cb) return binary(Op::Add, a, int_const(wrapping(Op::Sub, 0, b->ival), a->type));
        break;
      case Op::Mul:
        if (is_int(a, 1)) return b;
        if (is_int(b, 1)) return a;
        if (is_int(a, 0)) return a;
        if (is_int(b, 0)) return b;
        break;
      case Op::Shl:
      case Op::Shr:
        if (cb) return shift(op, a, b->ival);
        break;
      case Op::And:
        if (a->type == Scalar::Bool) {
          if (is_true(a) || is_false(b)) return b;
          if (is_true(b) || is_false(a)) return a;
          if (same(a, b)) return a;
          // x != 0 & x < 0
          if (is_other_than_zero(a) && is_sign_of(b, a->a)) return b;
          if (is_other_than_zero(b) && is_sign_of(a, b->a)) return a;
        }
        break;
      case Op::Or:
        if (a->type == Scalar::Bool) {
          if (is_true(a) || is_false(b)) return a;
          if (is_true(b) || is_false(a)) return b;
          if (same(a, b)) return a;
        }
        break;
      default:
        break;
    }
  }
  Expr e{Expr::Kind::Binary, is_comparison(op) ? Scalar::Bool : a->type};
  e.op = op;
  e.a = a;
  e.b = b;
  return make(e);
}

ExprP Exprs::unary(Op op, ExprP a) {
  if (op == Op::Not) {
    if (a->kind == Expr::Kind::IntConst) return bool_const(!a->ival);
    if (a->kind == Expr::Kind::Unary && a->op == Op::Not) return a->a;
  }
  if (op == Op::Neg) {
    if (a->kind == Expr::Kind::IntConst) return int_const(wrapping(Op::Sub, 0, a->ival), a->type);
    if (a->kind == Expr::Kind::FloatConst) return float_const(-a->fval, a->type);
  }
  if (op == Op::Popcount && a->kind == Expr::Kind::IntConst)
    return int_const(std::popcount(static_cast<uint64_t>(a->ival) << (64 - 8 * scalar_bytes(a->type))), a->type);
  Expr e{Expr::Kind::Unary, a->type};
  e.op = op;
  e.a = a;
  return make(e);
}

ExprP Exprs::select(ExprP cond, ExprP a, ExprP b) {
  if (is_true(cond)) return a;
  if (is_false(cond)) return b;
  if (same(a, b)) return a;
  Expr e{Expr::Kind::Select, a->type};
  e.a = cond;
  e.b = a;
  e.c = b;
  return make(e);
}

ExprP Exprs::convert(ExprP a, Scalar type) {
  if (a->type == type) return a;
  if (a->kind == Expr::Kind::IntConst) {
    if (type == Scalar::Bool) return bool_const(a->ival != 0);
    if (is_float(type)) {
      // int64 -> float32 must round once. The conversion to float16 by way of float32 also rounds only once: integers
      // that float32 must round are infinite in float16.
      const ir::Elem from = elem_of(a->type);
      if (type != Scalar::Float64) return float_const(ir::int_to_float<float>(a->ival, from), type);
      return float_const(ir::int_to_float<double>(a->ival, from), type);
    }
    return int_const(a->ival, type);
  }
  if (a->kind == Expr::Kind::FloatConst && is_float(type)) return float_const(a->fval, type);
  if (a->kind == Expr::Kind::FloatConst && type == Scalar::Int64 && a->fval >= -9e15 && a->fval <= 9e15)
    return int_const(static_cast<int64_t>(a->fval), type);
  // Narrow floats have few conversions of their own; the others go by way of float32, which holds all their values.
  if (is_narrow_float(a->type) && type != Scalar::Float32) return convert(convert(a, Scalar::Float32), type);
  if (is_narrow_float(type) && !has_conversion(a->type, type)) return convert(convert(a, Scalar::Float32), type);
  Expr e{Expr::Kind::Convert, type};
  e.a = a;
  return make(e);
}

ExprP Exprs::math(MathFn fn, ExprP a, ExprP b) {
  Expr e{Expr::Kind::Math, a->type};
  e.fn = fn;
  e.a = a;
  e.b = b;
  return make(e);
}

ExprP Exprs::load(Scalar type, ExprP base, ExprP offset, int32_t alias_set) {
  Expr e{Expr::Kind::Load, type};
  e.alias_set = alias_set;
  e.a = base;
  e.b = offset;
  return make(e);
}

ExprP Exprs::at(const std::vector<ExprP>& index, const std::vector<ExprP>& stride) {
  if (index.empty()) return int_const(0);
  const Expr* rest = nullptr;
  for (size_t k = index.size(); k-- > 0;) {
    Expr e{Expr::Kind::At, Scalar::Int64};
    e.a = index[k];
    e.b = is_int(index[k], 0) ? int_const(0) : stride[k];  // the stride of an axis with subscript 0 has no influence
    e.c = rest;
    rest = make(e);
  }
  return rest;
}

ExprP Exprs::part(ExprP at, int64_t bytes) {
  if (at->kind != Expr::Kind::At) return add(at, int_const(bytes));
  Expr e = *at;
  e.ival += bytes;
  return make(e);
}

ExprP Exprs::any_order(ExprP e) {
  if (!is_float(e->type) || (e->kind != Expr::Kind::Binary && e->kind != Expr::Kind::Select)) return e;
  Expr copy = *e;
  copy.any_order = true;
  return make(copy);
}

ExprP Exprs::offset(ExprP base, ExprP bytes) {
  if (is_int(bytes, 0)) return base;
  Expr e{Expr::Kind::Offset, Scalar::Ptr};
  e.a = base;
  e.b = bytes;
  return make(e);
}

}  // namespace vr::lower
