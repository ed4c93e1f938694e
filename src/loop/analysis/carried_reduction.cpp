#include "loop/analysis/carried_reduction.hpp"

#include "loop/walk.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace vr::lower {

namespace {

constexpr int64_t most_nodes = 400;  // of the value of a variable in terms of those that the loop carries

class Recognition {
 public:
  Recognition(Writer& out, const Block& b, size_t at, ExprP* ordered)
      : ordered_(ordered),
        out_(out),
        x_(out.x),
        loop_(std::get<CountedLoop>(b[at].node)),
        times_(assignments(loop_.body)) {
    for (const auto& [v, times] : times_)
      if (first_access(loop_.body, 0, v) == FirstAccess::Read || first_access(b, at + 1, v) == FirstAccess::Read)
        state_.insert(v);
  }

  std::optional<Reduction> run() {
    if (state_.count(loop_.var)) return {};
    Reduction r;
    if (state_.empty()) return r;
    Values values;
    if (!block(loop_.body, values)) return {};
    std::set<VarId> done;
    for (VarId v : state_)
      if (const std::vector<VarId> places = places_of(v, values); !places.empty()) {
        add_choice(r, v, places, value(values, v));
        done.insert(v);
        done.insert(places.begin(), places.end());
      }
    for (VarId v : state_)
      if (!done.count(v) && !add(r, v, value(values, v))) return {};
    return r;
  }

 private:
  ExprP* const ordered_;
  /// Variables whose values depend on the state before the iteration. null: on some paths they have no value.
  using Values = std::map<VarId, ExprP>;

  ExprP value(const Values& values, VarId v) const {
    const auto it = values.find(v);
    return it != values.end() ? it->second : x_.var(v, out_.fn.vars[static_cast<size_t>(v)].type);
  }
  /// The expression in terms of the state before the iteration; null: a part has no value, or it is too large.
  ExprP in_state(const Values& values, ExprP e) {
    bool known = true;
    const auto substitute = [&](auto&& self, ExprP at) -> ExprP {
      if (!at || !known) return at;
      if (at->kind == Expr::Kind::Var) {
        ExprP v = value(values, at->var);
        known = known && v;
        return v ? v : at;
      }
      return with_parts(x_, at, [&](ExprP part) { return self(self, part); });
    };
    e = substitute(substitute, e);
    return known && size(e) <= most_nodes ? e : nullptr;
  }
  static int64_t size(ExprP e) { return e ? 1 + size(e->a) + size(e->b) + size(e->c) : 0; }
  /// Whether the expression depends on nothing that the loop carries.
  bool is_free(ExprP e) const {
    const auto all = variables(e);
    return std::none_of(all.begin(), all.end(), [&](VarId v) { return state_.count(v) != 0; });
  }

  /// Executes the statements on the values. False: they do more with the state than to change it.
  bool block(const Block& b, Values& values) {
    return std::all_of(b.begin(), b.end(), [&](const Stmt& s) { return statement(s, values); });
  }
  bool statement(const Stmt& s, Values& values) {
    if (auto* n = std::get_if<SetVar>(&s.node)) {
      ExprP e = in_state(values, n->value);
      if (!e) return false;
      if (state_.count(n->var) || !is_free(e))
        values[n->var] = e;
      else
        values.erase(n->var);
      return true;
    }
    if (auto* n = std::get_if<If>(&s.node)) return branches(*n, values);
    // Other statements may not use the state, nor assign it.
    bool fits = true;
    const auto uses = [&](ExprP e) {
      ExprP now = in_state(values, e);
      fits = fits && now && is_free(now);
    };
    each_expr(s, uses);
    for (const Block* p : parts(s))
      any_statement(*p, [&](const Stmt& inner) {
        each_expr(inner, uses);
        each_assigned(out_.fn, inner, [&](VarId v) { fits = fits && !state_.count(v) && !values.count(v); });
        return false;
      });
    each_assigned(out_.fn, s, [&](VarId v) { fits = fits && !state_.count(v) && !values.count(v); });
    return fits;
  }
  bool branches(const If& n, Values& values) {
    ExprP cond = in_state(values, n.cond);
    if (!cond) return false;
    const bool free = is_free(cond);
    const auto changes_more = [](const Block& b) {
      return any_statement(b, [](const Stmt& s) {
        return !std::holds_alternative<SetVar>(s.node) && !std::holds_alternative<If>(s.node);
      });
    };
    if (!free && (changes_more(n.then_body) || changes_more(n.else_body))) return false;
    Values yes = values, no = values;
    if (!block(n.then_body, yes) || !block(n.else_body, no)) return false;
    std::set<VarId> all;
    for (const Values* side : {&yes, &no})
      for (const auto& entry : *side) all.insert(entry.first);
    // What a condition on the state decides depends on it.
    if (!free)
      for (const Block* b : {&n.then_body, &n.else_body})
        for (const auto& entry : assignments(*b)) all.insert(entry.first);
    for (VarId v : all) {
      ExprP a = value(yes, v), b = value(no, v);
      const bool lost = !state_.count(v) && (!yes.count(v) || !no.count(v));
      values[v] = !a || !b || lost ? nullptr : same(a, b) ? a : x_.select(cond, a, b);
    }
    return true;
  }

  // ---------------------------------------------------------------- recognition
  bool granted(ExprP step, uint8_t flags) const {
    return !is_float(step->type) || step->any_order || (out_.fn.fast_math & flags) == flags;
  }
  bool add(Reduction& r, VarId v, ExprP e) {
    const Scalar type = out_.fn.vars[static_cast<size_t>(v)].type;
    if (!e || type == Scalar::Ptr || is_narrow_float(type)) return false;
    const VarId other = out_.new_var(out_.fn.vars[static_cast<size_t>(v)].name, type);
    ExprP mine = x_.var(v, type), others = x_.var(other, type);
    ExprP joined = nullptr, start = nullptr;
    std::optional<Op> op;
    if (chain(e, v, op) && op) {
      joined = x_.binary(*op, mine, others);
      start = neutral(*op, type);
    } else if (ExprP chosen = extreme(e, v, others)) {
      joined = chosen;
      start = from_before_ ? mine : x_.limit(type, !greater_);
    }
    if (!start) return false;
    r.vars.push_back(v);
    r.others.push_back(other);
    r.start.push_back(start);
    r.join.push_back({SetVar{v, joined}, out_.place});
    return true;
  }
  // ---------------------------------------------------------------- places of extrema
  /// The variables that note the iteration in which v got its value, if v is the first of the least or greatest.
  std::vector<VarId> places_of(VarId v, const Values& values) const {
    const ExprP e = value(values, v);
    const Scalar type = out_.fn.vars[static_cast<size_t>(v)].type;
    const auto is = [](ExprP p, VarId var) { return p->kind == Expr::Kind::Var && p->var == var; };
    if (!e || e->kind != Expr::Kind::Select || !is(e->c, v) || type == Scalar::Ptr || is_narrow_float(type)) return {};
    const ExprP c = e->a;
    if (c->kind != Expr::Kind::Binary || (c->op != Op::Lt && c->op != Op::Gt)) return {};
    const bool first = same(c->a, e->b) && is(c->b, v), second = same(c->b, e->b) && is(c->a, v);
    if ((!first && !second) || !is_free(e->b) || !has_one_value(e->b)) return {};
    std::vector<VarId> places;
    for (VarId w : state_) {
      const ExprP f = w == v ? nullptr : value(values, w);
      if (f && f->kind == Expr::Kind::Select && is(f->c, w) && same(f->a, c) && counts(f->b)) places.push_back(w);
    }
    return places;
  }
  /// Whether later iterations have greater numbers: the loop's variable, from some number on.
  bool counts(ExprP e) const {
    e = defined(e);
    if (e->kind == Expr::Kind::Binary && e->op == Op::Add && e->type == Scalar::Int64)
      return (e->b->kind == Expr::Kind::IntConst && counts(e->a)) ||
             (e->a->kind == Expr::Kind::IntConst && counts(e->b));
    if (e->kind == Expr::Kind::Convert && e->type == Scalar::Int64) return counts(e->a);
    // The conversion of a number of 32 bits does not wrap.
    if (e->kind == Expr::Kind::Convert && e->type == Scalar::Int32)
      return is_loop_variable(defined(e->a)) && out_.fn.narrow.count(loop_.var) != 0;
    return is_loop_variable(e);
  }
  bool is_loop_variable(ExprP e) const { return e->kind == Expr::Kind::Var && e->var == loop_.var; }
  /// In place of variables what each iteration assigns to them, once and at its outermost level.
  ExprP defined(ExprP e) const {
    const ExprP value = e->kind == Expr::Kind::Var ? definition(e->var) : nullptr;
    return value ? defined(value) : e;
  }
  ExprP definition(VarId v) const {
    const auto it = times_.find(v);
    if (it == times_.end() || it->second != 1 || state_.count(v)) return nullptr;
    for (const Stmt& s : loop_.body)
      if (auto* n = std::get_if<SetVar>(&s.node); n && n->var == v) return n->value;
    return nullptr;
  }
  /// Each part of the iterations begins with the state before the loop: where two have the same element, either both
  /// have none of their own, or the place tells which comes first.
  void add_choice(Reduction& r, VarId v, const std::vector<VarId>& places, ExprP e) {
    const auto add_state = [&](VarId var) {
      const Scalar type = out_.fn.vars[static_cast<size_t>(var)].type;
      r.vars.push_back(var);
      r.others.push_back(out_.new_var(out_.fn.vars[static_cast<size_t>(var)].name, type));
      r.start.push_back(x_.var(var, type));
      return std::pair(x_.var(var, type), x_.var(r.others.back(), type));
    };
    const auto [mine, other] = add_state(v);
    std::vector<std::pair<ExprP, ExprP>> at;
    for (VarId w : places) at.push_back(add_state(w));
    const bool less = (e->a->op == Op::Lt) == (e->a->b->kind == Expr::Kind::Var && e->a->b->var == v);
    const VarId takes = out_.new_var("takes", Scalar::Bool);
    const ExprP earlier = x_.both(x_.eq(other, mine), x_.lt(at[0].second, at[0].first));
    r.join.push_back({SetVar{takes, x_.either(less ? x_.lt(other, mine) : x_.gt(other, mine), earlier)}, out_.place});
    at.emplace_back(mine, other);
    for (const auto& [to, from] : at)
      r.join.push_back({SetVar{to->var, x_.select(x_.var(takes, Scalar::Bool), from, to)}, out_.place});
  }

  /// Whether e is v, changed by some number of steps `op` with free operands.
  bool chain(ExprP e, VarId v, std::optional<Op>& op) const {
    if (e->kind == Expr::Kind::Var && e->var == v) return true;
    if (e->kind == Expr::Kind::Select) return is_free(e->a) && chain(e->b, v, op) && chain(e->c, v, op);
    if (e->kind != Expr::Kind::Binary || !granted(e, ir::fastmath::Reassoc)) return false;
    const bool left = !is_free(e->a);
    Op here = e->op;
    if (here == Op::Sub && left) here = Op::Add;
    const bool joins = here == Op::Add || here == Op::Mul || here == Op::And || here == Op::Or || here == Op::Xor;
    if (!joins || (op && *op != here) || (left && !is_free(e->b))) return false;
    op = here;
    return chain(left ? e->a : e->b, v, op);
  }
  ExprP neutral(Op op, Scalar type) {
    const bool real = is_float(type);
    switch (op) {
      case Op::Add:
        return real ? x_.float_const(-0.0, type) : x_.int_const(0, type);
      case Op::Mul:
        return real ? x_.float_const(1, type) : x_.int_const(1, type);
      case Op::And:
        return x_.int_const(type == Scalar::Bool ? 1 : -1, type);
      case Op::Or:
      case Op::Xor:
        return x_.int_const(0, type);
      default:
        return nullptr;
    }
  }
  /// The choice between v and another value, with `other` as the other value; null: e is no such choice. Sets greater_.
  ExprP extreme(ExprP e, VarId v, ExprP other) {
    if (e->kind != Expr::Kind::Select) return nullptr;
    const auto is_v = [&](ExprP p) { return p->kind == Expr::Kind::Var && p->var == v; };
    if (is_v(e->b) == is_v(e->c)) return nullptr;
    const bool takes = is_v(e->c);  // the condition is for the other value
    ExprP element = takes ? e->b : e->c;
    if (!is_free(element) || !has_one_value(element)) return nullptr;
    const auto substitute = [&](auto&& self, ExprP p) -> ExprP {
      if (!p || same(p, element)) return p ? other : p;
      return with_parts(x_, p, [&](ExprP part) { return self(self, part); });
    };
    ExprP cond = substitute(substitute, e->a);
    for (VarId used : variables(cond))
      if (used != v && used != other->var) return nullptr;
    bool ordered = false, nan = false;
    if (!compares(cond, v, other->var, takes, ordered, nan) || !ordered) return nullptr;
    // `e > v ? e : v` passes over NaNs wherever they are; the other forms do not unless they test for them.
    const bool passes = takes && cond->kind == Expr::Kind::Binary && is_comparison(cond->op),
               indifferent = nan || passes;
    const auto flags = static_cast<uint8_t>(ir::fastmath::Reassoc | (indifferent ? 0 : ir::fastmath::Nnan));
    from_before_ = !granted(e, flags);
    if (from_before_) {
      // Each part begins with the state before the loop, which may be a NaN.
      if (!ordered_ || !indifferent) return nullptr;
      // `abs(e) > v ? abs(e) : v`: of the zeros only the one before the loop may be negative, and it stays.
      const bool positive = passes && (cond->op == Op::Lt || cond->op == Op::Gt) && is_absolute(element);
      ExprP mine = x_.var(v, e->type);
      ExprP matters = x_.either(x_.eq(mine, x_.float_const(0, e->type)), x_.ne(mine, mine));
      if (!positive) *ordered_ = *ordered_ ? x_.either(*ordered_, matters) : matters;
    }
    Expr chosen = *e;
    chosen.a = cond;
    (takes ? chosen.b : chosen.c) = other;
    return x_.make(chosen);
  }
  /// Whether the condition orders v and `other` one way only, perhaps with tests for NaN. chooses: the value that makes
  /// it true is `other`.
  bool compares(ExprP c, VarId v, VarId other, bool chooses, bool& ordered, bool& nan) {
    if (c->kind != Expr::Kind::Binary) return false;
    if (c->op == Op::Or)
      return compares(c->a, v, other, chooses, ordered, nan) && compares(c->b, v, other, chooses, ordered, nan);
    if (!is_comparison(c->op) || c->a->kind != Expr::Kind::Var || c->b->kind != Expr::Kind::Var) return false;
    if (c->a->var == c->b->var) {  // a NaN is taken, and then kept
      nan = true;
      return c->op == Op::Ne && c->a->var == (chooses ? other : v);
    }
    if (c->op == Op::Eq || c->op == Op::Ne) return false;
    const bool is_greater = c->op == Op::Gt || c->op == Op::Ge;  // a is the greater one where it holds
    const bool other_is_greater = (c->a->var == other) == is_greater;
    const bool here = chooses ? other_is_greater : !other_is_greater;
    if (ordered && greater_ != here) return false;
    ordered = true;
    greater_ = here;
    return true;
  }
  bool is_absolute(ExprP e) const {
    e = defined(e);
    return e->kind == Expr::Kind::Math && e->fn == MathFn::Fabs;
  }
  /// Whether the variables in it that the loop assigns have one value in an iteration.
  bool has_one_value(ExprP e) const {
    const auto all = variables(e);
    return std::all_of(all.begin(), all.end(), [&](VarId v) {
      const auto it = times_.find(v);
      return it == times_.end() || it->second == 1;
    });
  }

  Writer& out_;
  Exprs& x_;
  const CountedLoop& loop_;
  const std::map<VarId, int> times_;
  std::set<VarId> state_;
  bool greater_ = false, from_before_ = false;  ///< of extreme()
};

}  // namespace

FirstAccess first_access(const Block& b, size_t from, VarId v) {
  for (size_t k = from; k < b.size(); ++k) {
    const Stmt& s = b[k];
    bool read = false, assigned = false;
    each_expr(s, [&](ExprP e) { read = read || mentions(e, v); });
    if (read) return FirstAccess::Read;
    if (auto* n = std::get_if<SetVar>(&s.node)) assigned = n->var == v;
    if (auto* n = std::get_if<Atomic>(&s.node)) assigned = n->result == v;
    if (auto* n = std::get_if<CountedLoop>(&s.node); n && n->var == v) continue;
    const auto inner = parts(s);
    bool all = std::holds_alternative<If>(s.node);
    for (const Block* p : inner) {
      const FirstAccess a = first_access(*p, 0, v);
      if (a == FirstAccess::Read) return a;
      all = all && a == FirstAccess::Assigned;
    }
    if (assigned || all) return FirstAccess::Assigned;
  }
  return FirstAccess::Neither;
}

std::optional<Reduction> carried_reduction(Writer& out, const Block& b, size_t at, ExprP* ordered) {
  return Recognition(out, b, at, ordered).run();
}

}  // namespace vr::lower
