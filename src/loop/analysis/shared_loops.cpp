#include "loop/analysis/shared_loops.hpp"

#include "loop/analysis/carried_reduction.hpp"
#include "loop/analysis/independent_loop.hpp"
#include "loop/analysis/private_arrays.hpp"
#include "loop/kernel_forms.hpp"
#include "loop/walk.hpp"

#include <algorithm>

namespace vr::lower {

namespace {

using Kind = SharePlan::Kind;
using Plans = std::vector<SharePlan>;

/// Trip count of a loop that each member, or one of them, runs whole beside serial loops.
constexpr int64_t most_alone = 16;
constexpr int64_t fewest_shared = 5;  // trip count of a loop that is shared

bool is_loop(const Stmt& s) {
  return std::holds_alternative<CountedLoop>(s.node) || std::holds_alternative<Loop>(s.node);
}
bool is_change(const Stmt& s) {
  return std::holds_alternative<Store>(s.node) || std::holds_alternative<Atomic>(s.node);
}
bool is_known(const Stmt& s) {
  return std::holds_alternative<SetVar>(s.node) || is_change(s) || std::holds_alternative<If>(s.node) || is_loop(s) ||
         std::holds_alternative<Break>(s.node) || std::holds_alternative<Continue>(s.node) ||
         std::holds_alternative<AliasGroup>(s.node) || std::holds_alternative<Fail>(s.node);
}
bool shares(const Plans& plans) {
  return std::any_of(plans.begin(), plans.end(), [](const SharePlan& p) {
    return p.kind == Kind::Share || p.kind == Kind::Rows || std::any_of(p.parts.begin(), p.parts.end(), shares);
  });
}
std::optional<int64_t> constant_trips(const CountedLoop& n) {
  if (n.hi->kind != Expr::Kind::IntConst) return {};
  return n.hi->ival;
}

class Planner {
 public:
  Planner(Exprs& x, const Function& kernel) : x_(x), fn_(kernel), private_(kernel.body, true) {}

  std::optional<Plans> run() {
    if (!fn_.disjoint || !runs_alone(fn_) || !private_.fit()) return {};
    auto plans = block(fn_.body, Polynomials(fn_), true);
    if (!plans || !(serial_ || sums_) || (long_ && (serial_ || !sums_))) return {};
    // What the members of a group assign in their iterations is unknown to the others.
    for (VarId v : own_)
      if (common_.count(v)) return {};
    return plans;
  }

 private:
  /// nested: loops that each member runs may contain loops that are shared.
  std::optional<Plans> block(const Block& b, Polynomials values, bool nested) {
    Plans all;
    for (size_t k = 0; k < b.size(); ++k) {
      auto one = statement(b, k, values, nested);
      if (!one) return {};
      all.push_back(std::move(*one));
      values.execute(b[k]);
    }
    return all;
  }
  std::optional<SharePlan> statement(const Block& b, size_t k, const Polynomials& values, bool nested) {
    const Stmt& s = b[k];
    if (std::holds_alternative<Scratch>(s.node)) return SharePlan{Kind::Gone};
    if (auto* set = std::get_if<SetVar>(&s.node); set && set->value->type == Scalar::Ptr)
      return private_.of(set->value) ? std::optional<SharePlan>(SharePlan{Kind::Gone}) : std::nullopt;
    if (!is_known(s)) return {};
    if (auto* loop = std::get_if<CountedLoop>(&s.node); loop && is_shared(b, k, values)) return shared(s, values);
    if (!any_statement(s, is_loop)) return whole(s);
    note_common(s);
    if (auto* loop = std::get_if<CountedLoop>(&s.node)) {
      auto body = nested ? block(loop->body, values.inside(s), true) : std::nullopt;
      if (body && shares(*body)) {
        serial_ = true;
        return SharePlan{Kind::Serial, {std::move(*body)}};
      }
      if (any_statement(loop->body, is_loop) || !is_int(loop->lo, 0)) return {};
      const auto trips = constant_trips(*loop);
      long_ = long_ || !trips || *trips > most_alone;
      return whole(s);
    }
    if (auto* loop = std::get_if<Loop>(&s.node)) {
      auto body = nested ? block(loop->body, values.inside(s), true) : std::nullopt;
      if (!body || !shares(*body) || has_own<Continue>(loop->body)) return {};
      serial_ = true;
      return SharePlan{Kind::Serial, {std::move(*body)}};
    }
    auto& choice = std::get<If>(s.node);
    auto yes = block(choice.then_body, values.inside(s), nested);
    auto no = block(choice.else_body, values.inside(s), nested);
    // Jumps out of a loop with barriers are executed by all members or none.
    if (!yes || !no || has_own<Break>(choice.then_body) || has_own<Break>(choice.else_body)) return {};
    SharePlan plan{Kind::Choice, {}};
    plan.parts.push_back(std::move(*yes));
    plan.parts.push_back(std::move(*no));
    return plan;
  }
  /// A statement that each member, or one of them, executes as it is.
  std::optional<SharePlan> whole(const Stmt& s) {
    if (any_statement(s, [](const Stmt& inner) { return !is_known(inner); })) return {};
    any_statement(s, [&](const Stmt& inner) {
      note_common(inner);
      return false;
    });
    if (!any_statement(s, is_change)) return SharePlan{Kind::All};
    // A jump is executed by all; what one member assigns is not known to the others.
    if (has_own<Break>(Block{s}) || has_own<Continue>(Block{s}) || has<Fail>(Block{s})) return {};
    for (const auto& [v, times] : assignments(Block{s}))
      if (is_used_elsewhere(s, v)) return {};
    return SharePlan{Kind::One};
  }
  bool is_used_elsewhere(const Stmt& s, VarId v) const {
    const auto count = [&](const auto& in) {
      int64_t uses = 0;
      any_statement(in, [&](const Stmt& inner) {
        each_expr(inner, [&](ExprP e) {
          uses += any_node(e, [&](ExprP n) { return n->kind == Expr::Kind::Var && n->var == v; });
        });
        return false;
      });
      return uses;
    };
    return count(s) != count(fn_.body);
  }
  void note_common(const Stmt& s) {
    each_expr(s, [&](ExprP e) { common_.merge(variables(e)); });
  }

  bool is_shared(const Block& b, size_t k, const Polynomials& values) const {
    const auto& loop = std::get<CountedLoop>(b[k].node);
    const auto trips = constant_trips(loop);
    if (!is_int(loop.lo, 0) || (trips && *trips < fewest_shared)) return false;
    if (any_statement(loop.body, [](const Stmt& s) { return !is_known(s); })) return false;
    if (!any_statement(loop.body, is_change)) return false;
    if (!loop.parallel) return is_independent(x_, fn_, b, k, values);
    const auto assigned = assignments(loop.body);
    return !has_own<Break>(loop.body) && std::none_of(assigned.begin(), assigned.end(), [&](const auto& entry) {
      return first_access(loop.body, 0, entry.first) == FirstAccess::Read;
    });
  }
  std::optional<SharePlan> shared(const Stmt& s, const Polynomials& values) {
    const auto& loop = std::get<CountedLoop>(s.node);
    const auto assigned = assignments(Block{s});
    for (const auto& [v, times] : assigned) own_.insert(v);
    for (VarId v : variables(Block{s}))
      if (!assigned.count(v)) common_.insert(v);
    common_.merge(variables(loop.hi));
    sums_ = sums_ || has<Atomic>(loop.body);
    if (auto rows = rows_of(s, values)) return rows;
    return SharePlan{Kind::Share};
  }
  /// A nest of two shared loops of which the inner one walks along rows of what it stores.
  std::optional<SharePlan> rows_of(const Stmt& s, const Polynomials& values) const {
    const auto& loop = std::get<CountedLoop>(s.node);
    Planner inner(x_, fn_);
    auto body = inner.block(loop.body, values.inside(s), false);
    if (!body || !shares(*body)) return {};
    for (VarId v : inner.own_)
      if (inner.common_.count(v)) return {};
    if (!fits_in_rows(loop.body, *body)) return {};
    return SharePlan{Kind::Rows, {std::move(*body)}};
  }
  /// Whether the members of a row can follow these plans; nests in them become loops.
  static bool fits_in_rows(const Block& b, Plans& plans) {
    for (size_t k = 0; k < b.size(); ++k) {
      SharePlan& plan = plans[k];
      if (plan.kind == Kind::Gone) return false;
      // A fault of a row alone: the others would not leave.
      if (plan.kind == Kind::All && has<Fail>(Block{b[k]})) return false;
      if (plan.kind == Kind::Rows) plan = SharePlan{Kind::Share};
      if (plan.kind == Kind::Share && !is_along_rows(std::get<CountedLoop>(b[k].node))) return false;
      if (plan.kind != Kind::Choice) continue;
      const auto branches = lower::parts(b[k]);
      for (size_t branch = 0; branch < branches.size(); ++branch)
        if (!fits_in_rows(*branches[branch], plan.parts[branch])) return false;
    }
    return true;
  }
  static bool is_along_rows(const CountedLoop& loop) {
    return any_statement(loop.body, [&](const Stmt& s) {
      auto* n = std::get_if<Store>(&s.node);
      if (!n || n->offset->kind != Expr::Kind::At) return false;
      ExprP axis = n->offset;
      while (axis->c) axis = axis->c;
      return is_iteration_number(loop, axis->a);
    });
  }

  Exprs& x_;
  const Function& fn_;
  const PrivateArrays private_;
  std::set<VarId> own_;     ///< what shared loops assign
  std::set<VarId> common_;  ///< what is used where all members must have the same value
  bool serial_ = false;     ///< a shared loop is in a loop
  bool long_ = false;       ///< a loop that each member, or one of them, runs whole has many iterations
  bool sums_ = false;       ///< a shared loop adds to elements that its iterations may have in common
};

}  // namespace

bool in_serial_loops(const Plans& plans) {
  return std::any_of(plans.begin(), plans.end(), [](const SharePlan& p) {
    return p.kind == Kind::Serial || std::any_of(p.parts.begin(), p.parts.end(), in_serial_loops);
  });
}

std::optional<std::vector<SharePlan>> plan_shares(Exprs& x, const Function& kernel) { return Planner(x, kernel).run(); }

}  // namespace vr::lower
