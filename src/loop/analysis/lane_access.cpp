#include "loop/analysis/lane_access.hpp"

#include "loop/exprs.hpp"
#include "loop/walk.hpp"

namespace vr::lower {

namespace {

bool is_point(const Function& f, ExprP e) {
  if (e->kind != Expr::Kind::Var) return false;
  if (e->var == f.dims[0]) return true;
  // A copy of dims[0], made once at the top level of the body.
  const SetVar* name = nullptr;
  for (const Stmt& s : f.body)
    if (auto* n = std::get_if<SetVar>(&s.node); n && n->var == e->var) {
      name = n;
      break;
    }
  if (!name || name->value->kind != Expr::Kind::Var || name->value->var != f.dims[0]) return false;
  const auto count = assignments(f.body);
  return count.at(e->var) == 1;
}

}  // namespace

bool is_point_offset(const Function& f, ExprP offset, Scalar type) {
  const int64_t size = scalar_bytes(type);
  if (offset->kind == Expr::Kind::At)
    return !offset->c && offset->ival == 0 && is_int(offset->b, size) && is_point(f, offset->a);
  if (size == 1 && is_point(f, offset)) return true;
  return offset->kind == Expr::Kind::Binary && offset->op == Op::Mul && is_int(offset->b, size) &&
         is_point(f, offset->a);
}

const Lane* lane_of(const Function& kernel, ExprP base, ExprP offset, Scalar type) {
  if (kernel.lanes.empty() || base->kind != Expr::Kind::Var || !offset) return nullptr;
  for (const Lane& l : kernel.lanes)
    if (kernel.arrays[static_cast<size_t>(l.array)].data == base->var && l.type == type)
      return is_point_offset(kernel, offset, type) ? &l : nullptr;
  return nullptr;
}

}  // namespace vr::lower
