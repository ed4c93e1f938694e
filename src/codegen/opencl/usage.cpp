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
    u_.fp32_divide |= divides && e->type == Scalar::Float32;
    if (e->kind == Expr::Kind::Var) u_.read.insert(e->var);
    expr(e->a);
    expr(e->b);
    expr(e->c);
  }
  void scalar(VarId v) { u_.fp64 |= v != none && f_.vars[v].type == Scalar::Float64; }

 private:
  void visit(const SetVar& s) {
    u_.assigned.insert(s.var);
    scalar(s.var);
    expr(s.value);
  }
  void visit(const Store& s) {
    expr(s.base);
    expr(s.offset);
    expr(s.value);
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
  }
  void visit(const Loop& s) { block(s.body); }
  void visit(const Fail& s) {
    u_.fails = true;
    expr(s.index);
    expr(s.extent);
  }
  // Break, Continue, Exit use nothing; the writer refuses the rest.
  template <class T>
  void visit(const T&) {}

  const Function& f_;
  Usage& u_;
  std::unordered_set<ExprP> seen_;  // expressions are shared: each is looked at once
};

}  // namespace

Usage find_usage(const Function& kernel, const Block& b) {
  Usage u;
  Finder(kernel, u).block(b);
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
