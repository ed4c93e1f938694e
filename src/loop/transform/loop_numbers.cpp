#include "loop/transform/loop_numbers.hpp"

#include "loop/analysis/invariants.hpp"
#include "loop/transform/if_convert.hpp"
#include "loop/walk.hpp"

#include <algorithm>

namespace vr::lower {

constexpr size_t most_carried = 16;  // numbers that the kernel computes again

bool only_computes(const Stmt& s) {
  if (auto* set = std::get_if<SetVar>(&s.node)) return !loads(set->value);
  return std::holds_alternative<If>(s.node) || std::holds_alternative<Break>(s.node) ||
         std::holds_alternative<Poll>(s.node) || std::holds_alternative<Fail>(s.node);
}

LoopNumbers::LoopNumbers(const Stmt& loop, const Function& f, size_t launch_at)
    : body_(*parts(loop)[0]), at_(launch_at), changed_(changes(f, body_)) {
  if (auto* n = std::get_if<CountedLoop>(&loop.node)) changed_[counter_ = n->var] += 1;
  for (size_t k = 0; k < at_; ++k)
    if (auto* set = std::get_if<SetVar>(&body_[k].node);
        set && set->var != counter_ && changed_.at(set->var) == 1 && is_invariant(set->value))
      same_again_.insert(set->var);
}

bool LoopNumbers::is_invariant(ExprP e) const {
  if (loads(e)) return false;
  const auto used = variables(e);
  return std::all_of(used.begin(), used.end(), [&](VarId v) { return is_invariant(v); });
}

bool LoopNumbers::need(VarId v) {
  if (is_invariant(v) || !carried_.insert(v).second) return true;
  if (carried_.size() > most_carried) return false;
  int found = v == counter_ ? 1 : 0;
  for (size_t k = 0; k < body_.size(); ++k) {
    auto* set = std::get_if<SetVar>(&body_[k].node);
    if (!set || set->var != v) continue;
    ++found;
    if (k == at_ || loads(set->value) || !never_faults(set->value)) return false;
    for (VarId operand : variables(set->value)) {
      if (is_invariant(operand))
        inputs_.insert(operand);
      else if (!need(operand))
        return false;
    }
  }
  return found == changed_.at(v);
}

bool LoopNumbers::need(ExprP e) {
  if (loads(e)) return false;
  const auto used = variables(e);
  return std::all_of(used.begin(), used.end(), [&](VarId v) { return need(v); });
}

bool LoopNumbers::need_arguments(const Function& f, const Launch& n) {
  for (const Operand& o : n.args) {
    if (o.array == none) {
      if (!need(o.var) || (o.im != none && !need(o.im))) return false;
      continue;
    }
    const ArrayVars& a = f.arrays[static_cast<size_t>(o.array)];
    if (is_changed(a.data)) return false;
    for (const auto* fields : {&a.extent, &a.stride})
      for (VarId v : *fields)
        if (is_changed(v)) return false;
  }
  return true;
}

ExprP LoopNumbers::never_fail(Exprs& x) const {
  ExprP r = x.bool_const(true);
  for (const Stmt& s : body_) {
    if (!has<Fail>(Block{s})) continue;
    auto* choice = std::get_if<If>(&s.node);
    if (!choice || !choice->else_body.empty() || !only_fails(choice->then_body)) return x.bool_const(false);
    if (is_invariant(choice->cond)) continue;
    ExprP same = nullptr;
    each_conjunct(choice->cond, [&](ExprP c) {
      if (is_invariant(c)) same = same ? x.both(same, c) : c;
    });
    if (!same) return x.bool_const(false);
    r = x.both(r, x.not_(same));
  }
  return r;
}

Block LoopNumbers::next(Exprs& x) const {
  Block all;
  const auto take = [&](size_t from, size_t to) {
    for (size_t k = from; k < to; ++k)
      if (auto* set = std::get_if<SetVar>(&body_[k].node); set && carried_.count(set->var)) all.push_back(body_[k]);
  };
  take(at_ + 1, body_.size());
  if (carried_.count(counter_))
    all.push_back({SetVar{counter_, x.add(x.var(counter_, Scalar::Int64), x.int_const(1))}, none});
  take(0, at_);
  return all;
}

}  // namespace vr::lower
