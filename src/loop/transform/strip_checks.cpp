// strip_checks: see strip_checks.hpp.
//
//   for k in [0, n) {                         for k.strip in [0, n / 4) {
//     i = word[k]                               i0 = word[k.strip * 4]; ... i3 = word[k.strip * 4 + 3]
//     if i >= x.extent0 { fail }                fast = false
//     s = s + x[i]                              if i0 < x.extent0 & ... & i3 < x.extent0 {
//   }                                             v0 = x[i0]; ... v3 = x[i3]
//                                                 s = s + v0; ... s = s + v3
//                                                 fast = true
//                                               }
//                                               if unlikely !fast { for k in [k.strip * 4, k.strip * 4 + 4) { ... } }
//                                             }
//                                             for k in [n / 4 * 4, n) { ... }
#include "loop/transform/strip_checks.hpp"

#include "loop/analysis/nest.hpp"
#include "loop/analysis/used_outside.hpp"
#include "loop/kernel_forms.hpp"
#include "loop/renamed.hpp"
#include "loop/replace.hpp"
#include "loop/transform/if_convert.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace vr::lower {

namespace {

constexpr int64_t most_iterations = 8, few_iterations = 4;  // in a strip
constexpr int64_t most_loads = 2;                           // of an iteration, in long strips

/// What an iteration computes from numbers and loaded elements that no other iteration changes, and the conditions
/// under which it goes on.
struct Stage {
  std::vector<SetVar> values;
  std::vector<ExprP> faults;
};

class CheckedLoop {
 public:
  /// Refers to the loop.
  CheckedLoop(Writer& out, const Block& whole, const CountedLoop& loop)
      : x_(out.x), out_(out), whole_(whole), loop_(loop), times_(assignments(loop.body)) {}

  /// Whether its iterations can run in strips.
  bool fits() {
    if (has<CountedLoop>(loop_.body) || has<Loop>(loop_.body) || !finds_own()) return false;
    stages_.emplace_back();
    for (const Stmt& s : loop_.body)
      if (!take(s)) return false;
    return loads_ > 0 && !late_.empty() && stages_apart() && gathers();
  }
  void write() {
    const int64_t size = loads_ <= most_loads ? most_iterations : few_iterations;
    const ExprP count = x_.int_const(size);
    const ExprP trips = out_.keep(x_.sub(loop_.hi, loop_.lo), "trips");
    const VarId strips = fresh("strips"), strip = fresh("strip"), fast = out_.new_var("fast", Scalar::Bool);
    out_.set(strips, x_.select(x_.gt(trips, x_.int_const(0)), x_.binary(Op::Div, trips, count), x_.int_const(0)));
    CountedLoop all{strip, x_.int_const(0), x_.var(strips, Scalar::Int64), {}};
    all.site = loop_.site;
    all.body = out_.collect([&] {
      const ExprP first = out_.temp(x_.add(loop_.lo, x_.mul(x_.var(strip, Scalar::Int64), count)), "first");
      std::vector<std::map<VarId, VarId>> names(static_cast<size_t>(size));
      for (int64_t k = 0; k < size; ++k) {
        for (VarId v : own_) names[static_cast<size_t>(k)][v] = variable_like(x_, out_.fn, v);
        out_.set(names[static_cast<size_t>(k)].at(loop_.var), x_.add(first, x_.int_const(k)));
      }
      out_.set(fast, x_.bool_const(false));
      stage(0, names, fast);
      CountedLoop slow = loop_;
      slow.lo = first;
      slow.hi = x_.add(first, count);
      slow.unroll = 1;
      Block otherwise;
      otherwise.push_back({std::move(slow), out_.place});
      out_.emit(If{x_.not_(x_.var(fast, Scalar::Bool)), std::move(otherwise), {}, true});
    });
    const ExprP rest = x_.add(loop_.lo, x_.mul(x_.var(strips, Scalar::Int64), count));
    out_.emit(std::move(all));
    CountedLoop last = loop_;
    last.lo = out_.keep(rest, "rest");
    out_.emit(std::move(last));
  }

 private:
  VarId fresh(const char* name) {
    return out_.new_var(out_.fn.vars[static_cast<size_t>(loop_.var)].name + "." + name, Scalar::Int64);
  }

  // ---------------------------------------------------------------- what an iteration does
  /// Finds the variables that an iteration computes without those before.
  bool finds_own() {
    own_.insert(loop_.var);
    const UsedOutside outside(out_.fn, whole_, loop_);
    if (outside(loop_.var)) return false;
    const std::set<VarId> carried = read_before_assigned(out_.fn, loop_.body);
    for (const Stmt& s : loop_.body) {
      auto* set = std::get_if<SetVar>(&s.node);
      if (set && times_.at(set->var) == 1 && !carried.count(set->var) && is_own(set->value) &&
          set->value->type != Scalar::Ptr && !outside(set->var))
        own_.insert(set->var);
    }
    return true;
  }
  /// Whether the value is the same, whatever the iterations before have done.
  bool is_own(ExprP e) const {
    const auto used = variables(e);
    return std::all_of(used.begin(), used.end(), [&](VarId v) { return !times_.count(v) || own_.count(v) != 0; });
  }
  bool take(const Stmt& s) {
    if (auto* set = std::get_if<SetVar>(&s.node); set && own_.count(set->var)) {
      begin_stage(set->value);
      stages_.back().values.push_back(*set);
      return true;
    }
    if (auto* n = std::get_if<If>(&s.node); n && n->else_body.empty() && only_fails(n->then_body)) {
      if (!is_own(n->cond)) return false;
      begin_stage(n->cond);
      stages_.back().faults.push_back(n->cond);
      return true;
    }
    return late(s);
  }
  /// A new stage, if the expression must not be evaluated before the conditions are known.
  void begin_stage(ExprP e) {
    note_loads(e);
    if (!stages_.back().faults.empty() && (lower::loads(e) || !never_faults(e))) stages_.emplace_back();
  }
  void note_loads(ExprP e) {
    each_load(e, [&](const ElementAccess& a) {
      ++loads_;
      if (a.base->kind == Expr::Kind::Var) loaded_.insert(a.base->var);
    });
  }
  /// A statement that follows the checks of all iterations, in order. Elements that it loads become values of a stage.
  bool late(const Stmt& s) {
    const bool known = !any_statement(s, [](const Stmt& inner) {
      return !std::holds_alternative<SetVar>(inner.node) && !std::holds_alternative<If>(inner.node) &&
             !std::holds_alternative<Store>(inner.node);
    });
    if (!known) return false;
    Stmt made = s;
    if (std::holds_alternative<SetVar>(s.node) || std::holds_alternative<Store>(s.node))
      each_expr_of(made, [&](ExprP& e) { e = with_values(e); });
    any_statement(made, [&](const Stmt& inner) {
      each_expr(inner, [&](ExprP e) { note_loads(e); });
      if (auto* n = std::get_if<Store>(&inner.node)) stored_.push_back(n->base);
      return false;
    });
    late_.push_back(std::move(made));
    return true;
  }
  /// The expression with variables for the elements that it always loads.
  ExprP with_values(ExprP e) {
    if (!e) return e;
    if (e->kind == Expr::Kind::Load && is_own(e)) {
      begin_stage(e);
      const VarId v = out_.new_var("gathered", e->type);
      own_.insert(v);
      times_[v] = 1;
      stages_.back().values.push_back({v, e});
      return x_.var(v, e->type);
    }
    if (skips_operands(e)) return e;
    return with_parts(x_, e, [&](ExprP part) { return with_values(part); });
  }
  /// Whether no iteration stores what another one loads.
  bool stages_apart() const {
    return std::all_of(stored_.begin(), stored_.end(),
                       [&](ExprP base) { return base->kind == Expr::Kind::Var && !loaded_.count(base->var); });
  }

  /// Whether a check, or how often the loop runs, depends on what is loaded: the host can prove the others
  /// (kernel_version).
  bool gathers() const {
    std::set<VarId> gathered;
    const auto depends = [&](ExprP e) {
      return lower::loads(e) ||
             any_node(e, [&](ExprP n) { return n->kind == Expr::Kind::Var && gathered.count(n->var) != 0; });
    };
    for (size_t before = 1; before != 0;) {
      before = gathered.size();
      any_statement(whole_, [&](const Stmt& s) {
        if (auto* set = std::get_if<SetVar>(&s.node); set && depends(set->value)) gathered.insert(set->var);
        return false;
      });
      before = gathered.size() - before;
    }
    return std::any_of(stages_.begin(), stages_.end(), [&](const Stage& s) {
      return !s.faults.empty() &&
             (depends(loop_.lo) || depends(loop_.hi) || std::any_of(s.faults.begin(), s.faults.end(), depends));
    });
  }

  // ---------------------------------------------------------------- strips
  void stage(size_t at, const std::vector<std::map<VarId, VarId>>& names, VarId fast) {
    if (at == stages_.size()) {
      for (const auto& own : names)
        for (const Stmt& s : late_) out_.block->push_back(renamed(x_, s, own));
      out_.set(fast, x_.bool_const(true));
      return;
    }
    // One statement of all iterations after the other: loads are outstanding at the same time.
    for (const SetVar& s : stages_[at].values)
      for (const auto& own : names) out_.set(own.at(s.var), renamed(x_, s.value, own));
    ExprP good = x_.bool_const(true);
    for (const auto& own : names)
      for (ExprP fault : stages_[at].faults) good = x_.both(good, x_.not_(renamed(x_, fault, own)));
    if (is_true(good)) return stage(at + 1, names, fast);
    Block inside = out_.collect([&] { stage(at + 1, names, fast); });
    out_.emit(If{good, std::move(inside), {}});
  }

  Exprs& x_;
  Writer& out_;
  const Block& whole_;
  const CountedLoop& loop_;
  std::map<VarId, int> times_;
  std::set<VarId> own_;  ///< the loop's variable, and what an iteration computes without those before
  std::vector<Stage> stages_;
  Block late_;
  std::set<VarId> loaded_;
  std::vector<ExprP> stored_;  ///< the bases of addresses
  int64_t loads_ = 0;
};

void strip_kernel(Exprs& x, Function& kernel) {
  Writer out(x, kernel);
  const Block whole = kernel.body;
  replace_in_body(out, [&](Stmt& s) {
    auto* n = std::get_if<CountedLoop>(&s.node);
    if (!n || n->parallel || n->spread || n->reduction || n->unroll != 0 || !has<Fail>(n->body)) return false;
    const size_t vars = kernel.vars.size();
    CheckedLoop loop(out, whole, *n);
    if (loop.fits()) {
      loop.write();
      return true;
    }
    kernel.vars.resize(vars);
    return false;
  });
}

}  // namespace

void strip_checks(Module& m, const PassOptions& options) {
  if (!options.version_loops) return;
  Exprs x(m);
  for (const auto& f : m.functions)
    if (f->kind == Function::Kind::Kernel && f->disjoint && runs_alone(*f) && !has<Scratch>(f->body))
      strip_kernel(x, *f);
}

}  // namespace vr::lower
