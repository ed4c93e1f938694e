// hoist_checks: checks of kernels are made once.
//
//   for k in [0, n) {                      p = near[i, k]   (in a loop around it)
//     if p < 0 | p >= x.extent0 { fail }   if 0 < n & (p < 0 | p >= x.extent0) { fail }
//     s = s + x[p, k]                      for k in [0, n) {
//     if p < 0 | p >= x.extent0 { fail }     s = s + x[p, k]
//     t = t + x[p, k] * y[k]                 t = t + x[p, k] * y[k]
//   }                                      }
//
// Most checks go where the host can prove, before a launch, that they never fail (kernel_version). Numbers that come
// from arrays remain. Loops without checks are open to what moves or shares loads.
#include "loop/transform/hoist_checks.hpp"

#include "loop/analysis/nest.hpp"
#include "loop/exprs.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace vr::lower {

namespace {

class KernelChecks {
 public:
  KernelChecks(Exprs& x, Function& kernel) : x_(x), fn_(kernel) {}

  void run() {
    hoist(fn_.body);
    remove_made(fn_.body, {}, {});
  }

 private:
  /// Numbers in terms of others, as long as no variable in them is assigned.
  using Numbers = std::map<VarId, ExprP>;

  /// The fault of a check: `if c { fail }`.
  static const Fail* fault_of(const Stmt& s) {
    auto* n = std::get_if<If>(&s.node);
    if (!n || !n->else_body.empty() || n->then_body.size() != 1) return nullptr;
    return std::get_if<Fail>(&n->then_body[0].node);
  }
  void note(Numbers& numbers, const SetVar& n) const {
    forget(numbers, n.var);
    if (!loads(n.value) && !mentions(n.value, n.var)) record_value(x_, numbers, n.var, n.value);
  }
  static void forget(Numbers& numbers, VarId v) {
    numbers.erase(v);
    std::erase_if(numbers, [&](const auto& entry) { return mentions(entry.second, v); });
  }

  // ---------------------------------------------------------------- in front of loops
  void hoist(Block& b) {
    Block made;
    for (Stmt& s : b) {
      for (Block* p : parts(s)) hoist(*p);
      if (auto* loop = std::get_if<CountedLoop>(&s.node)) take_checks(*loop, made);
      made.push_back(std::move(s));
    }
    b = std::move(made);
  }
  /// Appends the checks with which each iteration of the loop begins, if they are the same in all iterations.
  void take_checks(CountedLoop& loop, Block& before) {
    auto changed = assignments(loop.body);
    ++changed[loop.var];
    const auto is_invariant = [&](ExprP e) {
      if (!e) return true;
      const auto all = variables(e);
      return !loads(e) && std::none_of(all.begin(), all.end(), [&](VarId v) { return changed.count(v) != 0; });
    };
    Numbers numbers;
    for (size_t k = 0; k < loop.body.size();) {
      const Stmt& s = loop.body[k];
      if (auto* set = std::get_if<SetVar>(&s.node)) {
        note(numbers, *set);
        ++k;
        continue;
      }
      const Fail* fault = fault_of(s);
      if (!fault) return;
      const If& check = std::get<If>(s.node);
      const auto outside = [&](ExprP e) { return e ? substituted(x_, e, numbers) : e; };
      const ExprP cond = outside(check.cond);
      Fail same_fault = *fault;
      same_fault.index = outside(fault->index);
      same_fault.extent = outside(fault->extent);
      if (!is_invariant(cond) || !is_invariant(same_fault.index) || !is_invariant(same_fault.extent)) return;
      If moved{x_.both(x_.lt(loop.lo, loop.hi), cond), {}, {}, check.unlikely};
      moved.then_body.push_back({same_fault, check.then_body[0].place});
      before.push_back({std::move(moved), s.place});
      loop.body.erase(loop.body.begin() + static_cast<std::ptrdiff_t>(k));
    }
  }

  // ---------------------------------------------------------------- made before
  /// passed: conditions, in terms of numbers, that do not hold here.
  void remove_made(Block& b, Numbers numbers, std::vector<ExprP> passed) {
    const auto assigned = [&](VarId v) {
      forget(numbers, v);
      std::erase_if(passed, [&](ExprP c) { return mentions(c, v); });
    };
    for (size_t k = 0; k < b.size();) {
      Stmt& s = b[k];
      if (fault_of(s)) {
        const ExprP cond = substituted(x_, std::get<If>(s.node).cond, numbers);
        if (std::any_of(passed.begin(), passed.end(), [&](ExprP c) { return same(c, cond); })) {
          b.erase(b.begin() + static_cast<std::ptrdiff_t>(k));
          continue;
        }
        if (!loads(cond)) passed.push_back(cond);
      } else if (auto* set = std::get_if<SetVar>(&s.node)) {
        assigned(set->var);
        note(numbers, *set);
      } else {
        std::set<VarId> changes;
        any_statement(s, [&](const Stmt& inner) {
          each_assigned(fn_, inner, [&](VarId v) { changes.insert(v); });
          return false;
        });
        for (VarId v : changes) assigned(v);
        for (Block* p : parts(s)) remove_made(*p, numbers, passed);
      }
      ++k;
    }
  }

  Exprs& x_;
  Function& fn_;
};

}  // namespace

void hoist_checks(Module& m, const PassOptions&) {
  Exprs x(m);
  for (const auto& f : m.functions)
    if (f->kind == Function::Kind::Kernel && has<Fail>(f->body)) KernelChecks(x, *f).run();
}

}  // namespace vr::lower
