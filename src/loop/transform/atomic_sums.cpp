#include "loop/transform/atomic_sums.hpp"

#include "loop/analysis/independent_loop.hpp"
#include "loop/analysis/nest.hpp"
#include "loop/walk.hpp"
#include "loop/writer.hpp"

#include <map>
#include <utility>

namespace vr::lower {

namespace {

class AtomicSums {
 public:
  AtomicSums(Exprs& x, Function& kernel) : x_(x), out_(x, kernel) {}

  /// Whether the kernel has changed.
  bool run() {
    block(out_.fn.body, Polynomials(out_.fn));
    return changed_;
  }

 private:
  void block(Block& b, Polynomials values) {
    for (size_t k = 0; k < b.size(); ++k) {
      auto* loop = std::get_if<CountedLoop>(&b[k].node);
      if (!loop || !changes(b, k, values))
        for (Block* p : parts(b[k])) block(*p, values.inside(b[k]));
      values.execute(b[k]);
    }
  }
  /// Whether the sums of the loop, statement `at`, have become atomic.
  bool changes(Block& b, size_t at, const Polynomials& values) {
    const auto& loop = std::get<CountedLoop>(b[at].node);
    if (loop.parallel || !has<Store>(loop.body) || is_independent(x_, out_.fn, b, at, values)) return false;
    Stmt plain = b[at];
    values_.clear();
    times_ = assignments(loop.body);
    const size_t vars = out_.fn.vars.size();
    if (replace(std::get<CountedLoop>(b[at].node).body) && is_independent(x_, out_.fn, b, at, values))
      return changed_ = true;
    b[at] = std::move(plain);
    out_.fn.vars.resize(vars);
    return false;
  }
  /// Whether there are sums in the block. What it assigns is unknown behind it.
  bool replace(Block& b) {
    bool found = false;
    const auto outside = values_;
    for (Stmt& s : b) {
      for (const auto& [v, times] : assignments(Block{s}))
        std::erase_if(values_, [v = v](const auto& known) { return mentions(known.second, v); });
      if (auto* n = std::get_if<SetVar>(&s.node); n && times_.at(n->var) == 1 && !mentions(n->value, n->var))
        record_value(x_, values_, n->var, n->value);
      if (auto* n = std::get_if<Store>(&s.node))
        if (const ExprP term = added(*n)) {
          const VarId old = out_.new_var("old", n->value->type);
          s.node = Atomic{ir::AtomicOp::Add, old, n->base, n->offset, term};
          found = true;
        }
      for (Block* p : parts(s)) found = replace(*p) || found;
    }
    values_ = outside;
    return found;
  }
  /// What is added to the element that is stored; null: the store does something else.
  ExprP added(const Store& n) {
    const Scalar type = n.value->type;
    if (!is_integer(type) || scalar_bytes(type) < 4 || n.base->kind != Expr::Kind::Var) return nullptr;
    const ExprP sum = n.value;
    if (sum->kind != Expr::Kind::Binary || (sum->op != Op::Add && sum->op != Op::Sub)) return nullptr;
    const auto is_old = [&](ExprP e) {
      return e->kind == Expr::Kind::Load && same(e->a, n.base) &&
             same(substituted(x_, e->b, values_), substituted(x_, n.offset, values_));
    };
    // Elements that the loop's number tells are better summed in variables.
    if (!loads(substituted(x_, n.offset, values_))) return nullptr;
    if (is_old(sum->a)) return sum->op == Op::Add ? sum->b : x_.neg(sum->b);
    return sum->op == Op::Add && is_old(sum->b) ? sum->a : nullptr;
  }

  Exprs& x_;
  Writer out_;
  std::map<VarId, int> times_;     ///< how often the loop assigns variables
  std::map<VarId, ExprP> values_;  ///< of those that it assigns once
  bool changed_ = false;
};

}  // namespace

std::optional<Function> with_atomic_sums(Exprs& x, const Function& kernel) {
  Function f = kernel;
  if (!AtomicSums(x, f).run()) return {};
  return f;
}

}  // namespace vr::lower
