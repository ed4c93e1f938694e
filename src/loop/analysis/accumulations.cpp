#include "loop/analysis/accumulations.hpp"

#include "loop/walk.hpp"

#include <cstdlib>
#include <map>

namespace vr::lower {

namespace {

class Accumulations {
 public:
  explicit Accumulations(const Function& kernel) : f_(kernel) {
    for (const Param& p : kernel.params)
      if (p.array != none && p.written) found_[f_.arrays[static_cast<size_t>(p.array)].data] = {p.array, {}};
    block(kernel.body, false);
    for (const auto& [v, times] : assignments(kernel.body)) {
      found_.erase(v);
      if (times > 1) constants_.erase(v), copies_.erase(v);
    }
  }

  std::vector<Accumulation> all() const {
    std::vector<Accumulation> r;
    for (const auto& [data, sums] : found_) {
      if (sums.atomics.empty()) continue;
      Accumulation a{sums.array, sums.atomics[0].atomic->value->type};
      bool bounded = true, fits = !is_float(a.type) || (f_.fast_math & ir::fastmath::Reassoc);
      for (const auto& [atomic, in_loop] : sums.atomics) {
        fits = fits && atomic->value->type == a.type && !read_.count(atomic->result);
        const ExprP by = constant(atomic->value);
        bounded = bounded && !in_loop && by->kind == Expr::Kind::IntConst && by->ival >= -most_constant &&
                  by->ival <= most_constant;
        if (bounded) a.most += std::abs(by->ival);
      }
      if (!bounded) a.most = 0;
      a.slices = slice_stride(sums);
      if (fits) r.push_back(a);
    }
    return r;
  }

 private:
  static constexpr int64_t most_constant = 1 << 20;
  struct Sums {
    ArrayId array;
    struct One {
      const Atomic* atomic;
      bool in_loop;
    };
    std::vector<One> atomics;
  };

  ExprP slice_stride(const Sums& sums) const {
    ExprP stride = nullptr;
    for (const auto& [atomic, in_loop] : sums.atomics) {
      const Expr& at = *atomic->offset;
      if (f_.dims.size() < 2 || at.kind != Expr::Kind::At || !at.c || at.ival != 0 ||
          !is_number(f_.dims.back(), at.a) || (stride && !same(stride, at.b)))
        return nullptr;
      stride = at.b;
    }
    return stride;
  }
  /// Whether the expression is the variable, or another one that is assigned its value.
  bool is_number(VarId v, ExprP e) const {
    if (e->kind != Expr::Kind::Var) return false;
    const auto it = copies_.find(e->var);
    return (it == copies_.end() ? e->var : it->second) == v;
  }
  /// The variable's constant value; no value if it is not known to be constant.
  ExprP constant(ExprP e) const {
    const auto it = e->kind == Expr::Kind::Var ? constants_.find(e->var) : constants_.end();
    return it == constants_.end() ? e : it->second;
  }

  /// Only arrays whose address has no other use in the kernel.
  void expr(ExprP e) {
    if (!e) return;
    if (e->kind == Expr::Kind::Var) {
      read_.insert(e->var);
      found_.erase(e->var);
    }
    expr(e->a);
    expr(e->b);
    expr(e->c);
  }
  void block(const Block& b, bool in_loop) {
    for (const Stmt& s : b) {
      if (auto* n = std::get_if<Atomic>(&s.node)) {
        const bool sum = n->op == ir::AtomicOp::Add || n->op == ir::AtomicOp::Sub;
        const auto it = sum && n->base->kind == Expr::Kind::Var ? found_.find(n->base->var) : found_.end();
        if (it == found_.end())
          expr(n->base);
        else
          it->second.atomics.push_back({n, in_loop});
        for (ExprP e : {n->offset, n->value, n->expected}) expr(e);
      } else {
        if (auto* set = std::get_if<SetVar>(&s.node); set && set->value->kind == Expr::Kind::IntConst)
          constants_[set->var] = set->value;
        if (auto* set = std::get_if<SetVar>(&s.node); set && set->value->kind == Expr::Kind::Var)
          copies_[set->var] = set->value->var;
        each_expr(s, [this](ExprP e) { expr(e); });
      }
      const bool loop = std::holds_alternative<CountedLoop>(s.node) || std::holds_alternative<Loop>(s.node);
      for (const Block* p : parts(s)) block(*p, in_loop || loop);
    }
  }

  const Function& f_;
  std::map<VarId, Sums> found_;  ///< by the variables of the arrays' addresses
  std::set<VarId> read_;
  std::map<VarId, ExprP> constants_;  ///< variables that are assigned once
  std::map<VarId, VarId> copies_;     ///< the same, and the variables whose values they are assigned
};

}  // namespace

std::vector<Accumulation> accumulations(const Function& kernel) { return Accumulations(kernel).all(); }

}  // namespace vr::lower
