#include "codegen/opencl/usage.hpp"

namespace vr::codegen::opencl {
namespace {
using namespace lower;

class Finder {
 public:
  Finder(const Function& f, Usage& u) : f_(f), u_(u) {}

  void block(const Block& b) {
    for (const Stmt& s : b) std::visit([this](const auto& node) { visit(node); }, s.node);
  }
  void expr(ExprP e) {
    if (!e || !seen_.insert(e).second) return;
    u_.fp64 |= e->type == Scalar::Float64;
    const bool divides =
        (e->kind == Expr::Kind::Binary && e->op == Op::Div) || (e->kind == Expr::Kind::Math && e->fn == MathFn::Sqrt);
    u_.divides |= divides && is_float(e->type);
    if (e->kind == Expr::Kind::Var) u_.read.insert(e->var);
    expr(e->a);
    expr(e->b);
    expr(e->c);
  }
  void scalar(VarId v) { u_.fp64 |= v != none && f_.vars[v].type == Scalar::Float64; }

  /// A pointer computed from another pointer is in the same address space.
  void spread_pointers() {
    for (bool more = true; more;) {
      more = false;
      for (const SetVar* s : pointers_) more |= u_.is_private(s->value) && u_.to_private.insert(s->var).second;
    }
  }

 private:
  void visit(const SetVar& s) {
    u_.assigned.insert(s.var);
    scalar(s.var);
    expr(s.value);
    if (f_.vars[s.var].type == Scalar::Ptr) pointers_.push_back(&s);
  }
  void visit(const Scratch& s) {
    u_.assigned.insert(s.var);
    u_.scratch.push_back(s);
    u_.to_private.insert(s.var);
  }
  void visit(const Store& s) {
    expr(s.base);
    expr(s.offset);
    expr(s.value);
  }
  void visit(const LoadVector& s) {
    for (VarId v : s.vars) {
      u_.assigned.insert(v);
      scalar(v);
    }
    expr(s.base);
    expr(s.offset);
  }
  void visit(const StoreVector& s) {
    expr(s.base);
    expr(s.offset);
    for (ExprP v : s.values) expr(v);
  }
  void visit(const RowAt& s) {
    scalar_of(s.row);
    // A copy of it is added to the array in the end.
    for (const ArrayVars& a : f_.arrays)
      u_.int64_atomics |= !f_.team && f_.points == 0 && s.base->kind == Expr::Kind::Var && a.data == s.base->var &&
                          ir::elem_bytes(a.elem) == 8;
    expr(s.base);
    expr(s.offset);
    expr(s.step);
  }
  void visit(const RowLoad& s) {
    expr(s.first);
    expr(s.count);
  }
  void visit(const RowStore& s) {
    expr(s.first);
    expr(s.count);
  }
  void visit(const Atomic& s) {
    u_.assigned.insert(s.result);
    u_.int64_atomics |= scalar_bytes(s.value->type) == 8;
    scalar(s.result);
    expr(s.base);
    expr(s.offset);
    expr(s.value);
    expr(s.expected);
  }
  void visit(const If& s) {
    expr(s.cond);
    block(s.then_body);
    block(s.else_body);
  }
  void visit(const CountedLoop& s) {
    u_.assigned.insert(s.var);
    expr(s.lo);
    expr(s.hi);
    block(s.body);
    if (!s.spread || !s.reduction) return;
    for (VarId v : s.reduction->others) u_.assigned.insert(v);
    for (ExprP e : s.reduction->start) expr(e);
    block(s.reduction->join);
  }
  void visit(const Loop& s) { block(s.body); }
  void visit(const Solo& s) { block(s.body); }
  void visit(const Fail& s) {
    u_.fails = true;
    expr(s.index);
    expr(s.extent);
  }
  // Break, Continue and Exit use nothing; the writer rejects the others.
  template <class T>
  void visit(const T&) {}

  void scalar_of(int32_t row) { u_.fp64 |= f_.rows[static_cast<size_t>(row)].type == Scalar::Float64; }

  const Function& f_;
  Usage& u_;
  std::vector<const SetVar*> pointers_;
  std::unordered_set<ExprP> seen_;  // expressions are shared: each is visited once
};

}  // namespace

bool Usage::is_private(ExprP p) const {
  if (!p) return false;
  if (p->kind == Expr::Kind::Var) return to_private.count(p->var) != 0;
  if (p->kind == Expr::Kind::Offset) return is_private(p->a);
  return p->kind == Expr::Kind::Select && is_private(p->b) && is_private(p->c);
}

Usage find_usage(const Function& kernel, const Block& b) {
  Usage u;
  Finder finder(kernel, u);
  for (const Row& r : kernel.rows) {
    u.to_local.insert(r.data);
    u.assigned.insert(r.data);
  }
  for (const Shared& s : kernel.shared) {
    u.to_local.insert(s.data);
    u.assigned.insert(s.data);
  }
  finder.block(b);
  finder.spread_pointers();
  return u;
}

Usage find_usage(const Function& kernel) {
  Usage u = find_usage(kernel, kernel.body);
  Finder finder(kernel, u);
  for (const Param& p : kernel.params)
    if (p.array == none) {
      finder.scalar(p.var);
      finder.scalar(p.im);
    }
  return u;
}

}  // namespace vr::codegen::opencl
