#include "loop/verify/check_exprs.hpp"

#include <algorithm>

namespace vr::lower {

// The backends walk expressions recursively; expressions of this depth fit on any thread's stack.
static constexpr int max_expr_depth = 2000;

const char* type_name(Scalar s) { return s == Scalar::Ptr ? "pointer" : ir::elem_name(elem_of(s)); }

Scalar ExprCheck::var_type(VarId v) const {
  require(v >= 0 && static_cast<size_t>(v) < f_.vars.size(), "variable {} does not exist", v);
  return f_.vars[v].type;
}

void ExprCheck::check_var(VarId v, Scalar type, const char* what) const {
  Scalar is = var_type(v);
  require(is == type, "{} variable '{}' is {}, not {}", what, f_.vars[v].name, type_name(is), type_name(type));
}

int ExprCheck::check_expr(ExprP e, int level) {
  require(e != nullptr, "an expression is missing");
  require(level <= max_expr_depth, "an expression is nested too deeply");
  if (auto it = depth_.find(e); it != depth_.end()) return it->second;
  int below = 0;
  auto child = [&](ExprP c) {
    below = std::max(below, check_expr(c, level + 1));
    return c->type;
  };
  switch (e->kind) {
    case Expr::Kind::IntConst:
      require(e->type == Scalar::Bool || is_integer(e->type), "an integer constant of type {}", type_name(e->type));
      break;
    case Expr::Kind::FloatConst:
      require(is_float(e->type), "a float constant of type {}", type_name(e->type));
      break;
    case Expr::Kind::Null:
      require(e->type == Scalar::Ptr, "a null of type {}", type_name(e->type));
      break;
    case Expr::Kind::Var:
      check_var(e->var, e->type, "used");
      break;
    case Expr::Kind::Unary: {
      Scalar a = child(e->a);
      require(e->op == Op::Neg || e->op == Op::Not || e->op == Op::Popcount, "operator '{}' is not unary",
              op_name(e->op));
      require(e->op == Op::Not ? a == Scalar::Bool : a != Scalar::Bool && a != Scalar::Ptr && !is_narrow_float(a),
              "operator '{}' on {}", op_name(e->op), type_name(a));
      require(e->op != Op::Popcount || is_integer(a), "operator '{}' on {}", op_name(e->op), type_name(a));
      require(e->type == a, "operator '{}' on {} gives {}", op_name(e->op), type_name(a), type_name(e->type));
      break;
    }
    case Expr::Kind::Binary:
      check_binary(e, child(e->a), child(e->b));
      break;
    case Expr::Kind::Select: {
      Scalar c = child(e->a), a = child(e->b), b = child(e->c);
      require(c == Scalar::Bool, "a select on {}", type_name(c));
      require(a == b && a == e->type, "a select of {} and {} as {}", type_name(a), type_name(b), type_name(e->type));
      break;
    }
    case Expr::Kind::Convert: {
      Scalar a = child(e->a);
      require((a == Scalar::Ptr) == (e->type == Scalar::Ptr) && a != Scalar::Ptr, "a conversion of {} to {}",
              type_name(a), type_name(e->type));
      require(has_conversion(a, e->type), "a conversion of {} to {}, which must be made through float32", type_name(a),
              type_name(e->type));
      break;
    }
    case Expr::Kind::Math:
      require(static_cast<int>(e->fn) < math_count, "maths function {} does not exist", static_cast<int>(e->fn));
      require(is_float(e->type) && !is_narrow_float(e->type), "{} of type {}", math_name(e->fn), type_name(e->type));
      require(child(e->a) == e->type && (math_arity(e->fn) == 1 || child(e->b) == e->type), "{} takes {}",
              math_name(e->fn), type_name(e->type));
      break;
    case Expr::Kind::Load:
    case Expr::Kind::Offset: {
      Scalar a = child(e->a), b = child(e->b);
      require(a == Scalar::Ptr && b == Scalar::Int64, "an address of {} plus {}", type_name(a), type_name(b));
      require(e->kind == Expr::Kind::Load || e->type == Scalar::Ptr, "an address of type {}", type_name(e->type));
      break;
    }
    case Expr::Kind::Aligned: {
      Scalar a = child(e->a), b = child(e->b);
      require(a == Scalar::Ptr && b == Scalar::Int64, "an address of {} plus {}", type_name(a), type_name(b));
      require(e->type == Scalar::Bool && e->ival > 0 && (e->ival & (e->ival - 1)) == 0, "an alignment of {}", e->ival);
      break;
    }
    case Expr::Kind::At: {
      require(level_ == Level::Loops, "subscripts, which are of the loop form alone");
      Scalar a = child(e->a), b = child(e->b);
      require(a == Scalar::Int64 && b == Scalar::Int64 && e->type == Scalar::Int64, "a subscript of {} times {}",
              type_name(a), type_name(b));
      require(!e->c || e->c->kind == Expr::Kind::At, "a list of subscripts that ends in something else");
      if (e->c) child(e->c);
      break;
    }
  }
  require(below < max_expr_depth, "an expression is nested too deeply");
  return depth_[e] = below + 1;
}

void ExprCheck::check_binary(ExprP e, Scalar a, Scalar b) const {
  require(e->op <= Op::Ge, "operator '{}' is not binary", op_name(e->op));
  require(a == b, "operator '{}' on {} and {}", op_name(e->op), type_name(a), type_name(b));
  bool fits = !is_narrow_float(a);
  switch (e->op) {
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Div:
      fits = fits && a != Scalar::Bool && a != Scalar::Ptr;
      break;
    case Op::Rem:
    case Op::Shl:
    case Op::Shr:
      fits = is_integer(a);
      break;
    case Op::And:
    case Op::Or:
    case Op::Xor:
      fits = !is_float(a) && a != Scalar::Ptr;
      break;
    case Op::Eq:
    case Op::Ne:
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge:
    case Op::Neg:
    case Op::Not:
    case Op::Popcount:
      break;
  }
  require(fits, "operator '{}' on {}", op_name(e->op), type_name(a));
  Scalar result = is_comparison(e->op) ? Scalar::Bool : a;
  require(e->type == result, "operator '{}' on {} gives {}", op_name(e->op), type_name(a), type_name(e->type));
}

void ExprCheck::check_typed(ExprP e, Scalar type, const char* what) {
  check_expr(e);
  require(e->type == type, "{} is {}, not {}", what, type_name(e->type), type_name(type));
}

}  // namespace vr::lower
