// Makes expressions of the loop form, with constant folding, so that dumps and the backends see small trees.
#pragma once
#include "loop/form.hpp"

#include <utility>

namespace vr::lower {

class Exprs {
 public:
  explicit Exprs(Module& m) : module_(m) {}

  ExprP int_const(int64_t v, Scalar type = Scalar::Int64);
  ExprP bool_const(bool v) { return int_const(v, Scalar::Bool); }
  ExprP float_const(double v, Scalar type = Scalar::Float64);
  /// The largest (smallest) value of the type; infinity for floats.
  ExprP limit(Scalar type, bool highest);
  ExprP null();
  ExprP var(VarId v, Scalar type);

  ExprP binary(Op op, ExprP a, ExprP b);
  ExprP unary(Op op, ExprP a);
  ExprP select(ExprP cond, ExprP a, ExprP b);
  ExprP convert(ExprP a, Scalar type);
  ExprP math(MathFn fn, ExprP a, ExprP b = nullptr);
  ExprP load(Scalar type, ExprP base, ExprP offset, int32_t alias_set = none);
  ExprP offset(ExprP base, ExprP bytes);
  /// An At: the element with these subscripts in an array of these strides (bytes). The stride of an axis whose subscript is
  /// the constant 0 has no influence and becomes 0.
  ExprP at(const std::vector<ExprP>& index, const std::vector<ExprP>& stride);
  ExprP at(ExprP index, int64_t stride) { return at({index}, {int_const(stride)}); }
  /// The part of that element that begins `bytes` after its first byte.
  ExprP part(ExprP at, int64_t bytes);
  /// The same sum, product or selection, marked as a step of a reduction whose order is free; other expressions unchanged.
  ExprP any_order(ExprP e);

  ExprP add(ExprP a, ExprP b) { return binary(Op::Add, a, b); }
  ExprP sub(ExprP a, ExprP b) { return binary(Op::Sub, a, b); }
  ExprP mul(ExprP a, ExprP b) { return binary(Op::Mul, a, b); }
  ExprP eq(ExprP a, ExprP b) { return binary(Op::Eq, a, b); }
  ExprP ne(ExprP a, ExprP b) { return binary(Op::Ne, a, b); }
  ExprP lt(ExprP a, ExprP b) { return binary(Op::Lt, a, b); }
  ExprP le(ExprP a, ExprP b) { return binary(Op::Le, a, b); }
  ExprP gt(ExprP a, ExprP b) { return binary(Op::Gt, a, b); }
  ExprP ge(ExprP a, ExprP b) { return binary(Op::Ge, a, b); }
  ExprP both(ExprP a, ExprP b) { return binary(Op::And, a, b); }
  ExprP either(ExprP a, ExprP b) { return binary(Op::Or, a, b); }
  ExprP not_(ExprP a) { return unary(Op::Not, a); }
  ExprP neg(ExprP a) { return unary(Op::Neg, a); }
  ExprP min(ExprP a, ExprP b) { return select(lt(b, a), b, a); }
  ExprP max(ExprP a, ExprP b) { return select(lt(a, b), b, a); }

  /// The expression as given, without folding.
  ExprP make(Expr e);

 private:
  ExprP shift(Op op, ExprP a, int64_t count);

  Module& module_;
};

bool is_int(ExprP e, int64_t v);
/// The expression without the constants that are added to it, and their sum; null and the number for a constant.
/// Numbers of more than 32 bits stay in the expression.
std::pair<ExprP, int64_t> without_constant(ExprP e);
/// By how many bits the quotient of signed integers (x & -2^bits) / 2^bits is x shifted to the right, towards negative
/// infinity; 0: the expression is not such a quotient.
int shifted_right(const Expr& quotient);
inline bool is_const(ExprP e) { return e->kind == Expr::Kind::IntConst || e->kind == Expr::Kind::FloatConst; }
inline bool is_true(ExprP e) { return e->type == Scalar::Bool && is_int(e, 1); }
inline bool is_false(ExprP e) { return e->type == Scalar::Bool && is_int(e, 0); }
/// A constant or a variable: can be used any number of times without computing anything again.
inline bool is_simple(ExprP e) { return is_const(e) || e->kind == Expr::Kind::Var || e->kind == Expr::Kind::Null; }
/// Structural equality; two equal pure expressions have one value at one program point.
bool same(ExprP a, ExprP b);

}  // namespace vr::lower
