// unroll: iterations of short loops in kernels, one after another.
//
//   for k in [-1, 2) {                    s = s + a[i + -1, j]
//     s = s + a[i + k, j]                 s = s + a[i, j]
//   }                                     s = s + a[i + 1, j]
#include "loop/transform/unroll.hpp"

#include "loop/analysis/independent_part.hpp"
#include "loop/replace.hpp"
#include "loop/walk.hpp"

#include <set>
#include <vector>

namespace vr::lower {

namespace {

constexpr int64_t most_iterations = 32;
constexpr int64_t most_nodes = 1000;  // nodes of expressions in all iterations together
constexpr int64_t most_in_kernel = 4000;

/// Whether a jump in the block leaves it, or goes to the next iteration of the loop around it.
bool jumps(const Block& b) {
  for (const Stmt& s : b) {
    if (std::holds_alternative<Break>(s.node) || std::holds_alternative<Continue>(s.node) || std::holds_alternative<Exit>(s.node) ||
        std::holds_alternative<Fail>(s.node))
      return true;
    const bool loop = std::holds_alternative<CountedLoop>(s.node) || std::holds_alternative<Loop>(s.node);
    for (const Block* p : parts(s))
      if (loop ? has<Exit>(*p) || has<Fail>(*p) : jumps(*p)) return true;
  }
  return false;
}

class Unroll {
 public:
  Unroll(Exprs& x, Function& kernel) : x_(x), out_(x, kernel), whole_(kernel.body) {}

  void run() {
    Block body = std::move(out_.fn.body);
    out_.fn.body = out_.collect([&] { block(body); });
  }

 private:
  void block(Block& b) {
    for (Stmt& s : b) {
      const Restore place(out_.place, s.place);
      auto* n = std::get_if<CountedLoop>(&s.node);
      // Refers to the original loop, before its inner loops change.
      const std::set<VarId> outside = n ? used_outside(*n) : std::set<VarId>();
      for (Block* p : parts(s)) *p = out_.collect([&] { block(*p); });
      if (!n || !loop(*n, outside)) out_.block->push_back(std::move(s));
    }
  }

  std::set<VarId> used_outside(const CountedLoop& n) const {
    std::set<VarId> used;
    for (const auto& [v, times] : assignments(n.body))
      if (is_used_outside(out_.fn, whole_, n, v)) used.insert(v);
    return used;
  }

  bool loop(const CountedLoop& n, const std::set<VarId>& outside) {
    if (n.parallel || n.spread || n.lo->kind != Expr::Kind::IntConst || n.hi->kind != Expr::Kind::IntConst || jumps(n.body)) return false;
    const int64_t lo = n.lo->ival, hi = n.hi->ival;
    if (hi <= lo || hi - lo > most_iterations) return false;
    const int64_t size = nodes(n.body) * (hi - lo);
    if (size > most_nodes || made_ + size > most_in_kernel) return false;
    made_ += size;
    // The variables of each iteration have new names, so that each is assigned once.
    std::set<VarId> own;
    single_.clear();
    for (const auto& [v, times] : assignments(n.body))
      if (!outside.count(v) && begins_with_assignment(n.body, v)) {
        own.insert(v);
        if (times == 1) single_.insert(v);
      }
    for (int64_t k = lo; k < hi; ++k) {
      values_ = {{n.var, x_.int_const(k)}};
      names_.clear();
      if (k > lo)
        for (VarId v : own) {
          const Var like = out_.fn.vars[static_cast<size_t>(v)];
          const VarId copy = out_.new_var(like.name, like.type);
          if (out_.fn.narrow.count(v)) out_.fn.narrow.insert(copy);
          names_[v] = copy;
          values_[v] = x_.var(copy, like.type);
        }
      out_.append(copy(n.body));
    }
    return true;
  }

  Block copy(const Block& b) {
    Block made;
    for (const Stmt& s : b) {
      Stmt c = s;
      each_expr_of(c, [&](ExprP& e) { e = expr(e); });
      if (auto* n = std::get_if<SetVar>(&c.node); n && single_.count(n->var) && n->value->kind == Expr::Kind::IntConst) {
        values_[n->var] = n->value;
        continue;
      }
      const auto renamed = [&](VarId& v) {
        if (auto it = names_.find(v); it != names_.end()) v = it->second;
      };
      if (auto* n = std::get_if<SetVar>(&c.node)) renamed(n->var);
      if (auto* n = std::get_if<CountedLoop>(&c.node)) renamed(n->var);
      if (auto* n = std::get_if<Atomic>(&c.node)) renamed(n->result);
      for (Block* p : parts(c)) *p = copy(*p);
      if (auto* n = std::get_if<If>(&c.node); n && is_const(n->cond)) {
        for (Stmt& inner : is_true(n->cond) ? n->then_body : n->else_body) made.push_back(std::move(inner));
        continue;
      }
      made.push_back(std::move(c));
    }
    return made;
  }
  /// Folds constants in integer expressions.
  ExprP expr(ExprP e) {
    if (!e || is_const(e)) return e;
    if (e->kind == Expr::Kind::Var) {
      const auto it = values_.find(e->var);
      return it == values_.end() ? e : it->second;
    }
    const ExprP made = with_parts(x_, e, [&](ExprP part) { return expr(part); });
    if (made->kind == Expr::Kind::Select && is_const(made->a)) return is_true(made->a) ? made->b : made->c;
    if (made != e && made->kind == Expr::Kind::At) {
      // Strides of axes whose subscripts became 0 are omitted.
      std::vector<ExprP> index, stride;
      for (ExprP axis = made; axis; axis = axis->c) index.push_back(axis->a), stride.push_back(axis->b);
      const ExprP at = x_.at(index, stride);
      return made->ival ? x_.part(at, made->ival) : at;
    }
    if (made == e || is_float(e->type) || e->type == Scalar::Ptr) return made;
    if (made->kind == Expr::Kind::Binary) return x_.binary(made->op, made->a, made->b);
    if (made->kind == Expr::Kind::Unary) return x_.unary(made->op, made->a);
    if (made->kind == Expr::Kind::Convert && is_const(made->a)) return x_.convert(made->a, made->type);
    return made;
  }

  Exprs& x_;
  Writer out_;
  const Block whole_;  ///< the kernel as it was
  int64_t made_ = 0;   ///< nodes
  std::set<VarId> single_;  ///< variables of the iteration that are assigned once
  std::map<VarId, ExprP> values_;
  std::map<VarId, VarId> names_;
};

}  // namespace

void unroll(Module& m, const PassOptions& options) {
  if (!options.version_loops || !options.lanes) return;
  Exprs x(m);
  for (const auto& f : m.functions)
    if (f->kind == Function::Kind::Kernel && f->disjoint && f->team == 0) Unroll(x, *f).run();
}

}  // namespace vr::lower
