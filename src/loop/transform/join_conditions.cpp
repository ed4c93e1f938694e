#include "loop/transform/join_conditions.hpp"

#include "loop/analysis/used_outside.hpp"
#include "loop/exprs.hpp"
#include "loop/transform/if_convert.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace vr::lower {

namespace {

constexpr int64_t most_condition_nodes = 32;  // of what is computed in any case then

class JoinConditions {
 public:
  JoinConditions(Exprs& x, Function& f) : x_(x), fn_(f), times_(assignments(f.body)) {
    for (const Fold& r : f.folds) used_elsewhere_.insert(r.var);
    for (const ArrayVars& a : f.arrays) {
      used_elsewhere_.insert(a.extent.begin(), a.extent.end());
      used_elsewhere_.insert(a.stride.begin(), a.stride.end());
    }
  }

  void block(Block& b) {
    for (Stmt& s : b)
      for (Block* p : parts(s)) block(*p);
    for (size_t k = 1; k < b.size();) {
      if (!joins(b, k)) {
        ++k;
        continue;
      }
      auto& condition = std::get<SetVar>(b[k - 1].node);
      Block inside = std::move(std::get<If>(b[k].node).then_body);
      condition.value = x_.both(condition.value, std::get<SetVar>(inside.back().node).value);
      inside.pop_back();
      --times_[condition.var];
      b.erase(b.begin() + static_cast<std::ptrdiff_t>(k));
      b.insert(b.begin() + static_cast<std::ptrdiff_t>(k - 1), std::make_move_iterator(inside.begin()),
               std::make_move_iterator(inside.end()));
      k += inside.size();
    }
  }

 private:
  /// Whether statement k is a condition on what the statement before it assigns, and only computes what follows from
  /// it.
  bool joins(const Block& b, size_t k) const {
    auto* condition = std::get_if<SetVar>(&b[k - 1].node);
    auto* n = std::get_if<If>(&b[k].node);
    if (!condition || !n || n->unlikely || !n->else_body.empty() || n->then_body.empty()) return false;
    const VarId t = condition->var;
    if (condition->value->type != Scalar::Bool || n->cond->kind != Expr::Kind::Var || n->cond->var != t) return false;
    auto* last = std::get_if<SetVar>(&n->then_body.back().node);
    if (!last || last->var != t) return false;
    int64_t size = 0;
    std::set<VarId> own;
    for (const Stmt& s : n->then_body) {
      auto* set = std::get_if<SetVar>(&s.node);
      if (!set || !is_plain(set->value) || mentions(set->value, t)) return false;
      size += nodes(set->value);
      if (set == last) continue;
      if (set->var == t || times_.at(set->var) != 1 || used_elsewhere_.count(set->var)) return false;
      own.insert(set->var);
    }
    if (size > most_condition_nodes) return false;
    // The condition in front does not depend on them, and they keep no value from before.
    const UsedOutside outside(fn_, fn_.body, n->then_body);
    for (VarId v : own)
      if (mentions(condition->value, v) || outside(v)) return false;
    return true;
  }
  /// Whether the value can be computed where the condition does not hold, and costs little.
  static bool is_plain(ExprP e) {
    return never_faults(e) && !any_node(e, [](ExprP n) {
             return n->kind == Expr::Kind::Load || n->kind == Expr::Kind::Math || n->type == Scalar::Ptr;
           });
  }

  Exprs& x_;
  const Function& fn_;
  std::map<VarId, int> times_;
  std::set<VarId> used_elsewhere_;
};

}  // namespace

void join_conditions(Module& m, const PassOptions& options) {
  if (!options.version_loops) return;
  Exprs x(m);
  for (const auto& f : m.functions)
    if (f->kind == Function::Kind::Kernel) JoinConditions(x, *f).block(f->body);
}

}  // namespace vr::lower
