// The guard that selects a version of an inner loop moves in front of the loop around it, if it holds in all iterations
// whenever it holds in the first and the last one. The checks of the outer loop itself move with it.
//
//   for i in [0, n) {                               if unlikely !(n - 1 < a.extent0 & m - 1 < a.extent1) {
//     if unlikely !(i < a.extent0 & m - 1 < a.extent1) {    for i in [0, n) { the loop with checks }
//       the loop with checks                        } else {
//     } else { for j in [0, m) { a[i, j] = x } }      for i in [0, n) { for j in [0, m) { a[i, j] = x } }
//   }                                               }
//
// The copy without checks is a nest that other transformations can see through, and a short inner loop does not pay for
// its guard in each iteration. There are two copies of the nest before and after: the slow one has the inner loops with
// checks only. It runs if a check would fail, or if arrays overlap: the guards of the inner loops would then have
// failed too.
#include "loop/transform/hoist_guards.hpp"

#include "loop/analysis/affine.hpp"
#include "loop/analysis/invariants.hpp"
#include "loop/analysis/proof.hpp"
#include "loop/replace.hpp"

#include <algorithm>
#include <iterator>

namespace vr::lower {

namespace {

constexpr size_t most_guard_conditions = 48;  // of a guard

/// Whether the statement selects between a loop with checks (then) and the same loop without them.
bool is_version_guard(const If& n) {
  if (!n.unlikely || n.else_body.empty()) return false;
  bool loops = false;
  for (const Stmt& s : n.then_body)
    if (auto* loop = std::get_if<CountedLoop>(&s.node)) {
      if (!loop->fallback) return false;
      loops = true;
    }
  return loops;
}
/// Whether arrays may grow in the loop that has the checks.
bool may_grow(const If& guard) { return has<Call>(guard.then_body) || has<CallFunction>(guard.then_body); }

/// Determines whether all guards inside of a loop can be moved out of it.
class Hoist {
 public:
  Hoist(Writer& out, const CountedLoop& loop) : out_(out), loop_(loop) { find(loop_.body); }

  bool may_grow() const {
    return std::any_of(guards_.begin(), guards_.end(), [](const If* n) { return lower::may_grow(*n); });
  }

  /// Whether there are guards, and whether a condition before the loop (`required`) makes all of them hold.
  bool run() {
    if (guards_.empty()) return false;
    // A check that stays may change variables that the proofs of others depend on: repeat without it.
    for (int round = 0; round < 4; ++round) {
      required.clear();
      before.clear();
      failed_.clear();
      fixed_.clear();
      changed_ = changes(out_.fn, fast(loop_.body));
      ++changed_[loop_.var];
      Affine affine(out_, loop_, changed_);
      if (!visit(affine, loop_.body, true)) return false;
      if (failed_.empty()) return required.size() <= most_guard_conditions;
      for (const If* n : failed_) passes_.erase(n);
    }
    return false;
  }
  /// The body without guards and without the checks that pass.
  Block fast(const Block& b) const {
    return copy(b, [&](const If& n, Block& to) {
      if (passes_.count(&n)) return true;
      if (!guards_.count(&n)) return false;
      append(fast(n.else_body), to);
      return true;
    });
  }
  /// The body with the loops that have checks.
  Block slow(const Block& b) const {
    return copy(b, [&](const If& n, Block& to) {
      if (!guards_.count(&n)) return false;
      append(slow(n.then_body), to);
      return true;
    });
  }

  std::vector<ExprP> required;  ///< Bool
  Block before;                 ///< computes what the conditions share

 private:
  static void append(Block from, Block& to) { std::move(from.begin(), from.end(), std::back_inserter(to)); }
  /// `replace` writes what takes the place of an If, or returns false.
  template <class F>
  static Block copy(const Block& b, const F& replace) {
    Block to;
    for (const Stmt& s : b) {
      auto* n = std::get_if<If>(&s.node);
      if (n && replace(*n, to)) continue;
      // Parts are copied one by one: the guards are known by their addresses in the original.
      Stmt made = s;
      const auto from = parts(s);
      const auto parts_made = parts(made);
      for (size_t k = 0; k < from.size(); ++k) *parts_made[k] = copy(*from[k], replace);
      to.push_back(std::move(made));
    }
    return to;
  }

  void find(const Block& b) {
    for (const Stmt& s : b) {
      auto* n = std::get_if<If>(&s.node);
      if (n && is_version_guard(*n)) {
        guards_.insert(n);
        find(n->else_body);
      } else if (n && is_check(*n)) {
        passes_.insert(n);
      } else {
        for (const Block* p : parts(s)) find(*p);
      }
    }
  }

  /// always: every iteration gets here. A condition that only some iterations need would be too strong for the others.
  bool visit(Affine& affine, const Block& b, bool always) {
    for (const Stmt& s : b) {
      auto* n = std::get_if<If>(&s.node);
      if (n && passes_.count(n)) {
        if (!always || !require(affine, n->cond)) failed_.push_back(n);
        continue;
      }
      if (n && guards_.count(n)) {
        if (!always || !require(affine, n->cond) || !visit(affine, n->else_body, true)) return false;
        continue;
      }
      if (auto* set = std::get_if<SetVar>(&s.node)) define(affine, *set);
      const bool counted = std::holds_alternative<CountedLoop>(s.node);
      for (const Block* p : parts(s)) {
        // Facts from assignments in a block are valid only in the block, because it may not run.
        const Affine::Scope inside(affine);
        const Restore fixed(fixed_);
        if (!visit(affine, *p, always && counted)) return false;
      }
      // No iteration follows a fault.
      if (n && goes_away(n->then_body) && !always_fails(n->then_body)) always = false;
    }
    return true;
  }
  /// A variable that has one value in all iterations is computed before the loop.
  void define(Affine& affine, const SetVar& s) {
    const ExprP value = known(s.value);
    const auto times = changed_.find(s.var);
    if (times != changed_.end() && times->second == 1 && steady(value, changed_)) {
      const char* name = out_.fn.vars[static_cast<size_t>(s.var)].name.c_str();
      ExprP kept = value;
      keep(out_.collect([&] { kept = out_.keep(value, name); }));
      fixed_[s.var] = kept;
      return;
    }
    affine.define(s.var, value);
  }
  ExprP known(ExprP e) {
    if (!e || is_const(e)) return e;
    if (e->kind == Expr::Kind::Var) {
      const auto it = fixed_.find(e->var);
      return it == fixed_.end() ? e : it->second;
    }
    return with_parts(out_.x, e, [this](ExprP part) { return known(part); });
  }
  void keep(Block code) { std::move(code.begin(), code.end(), std::back_inserter(before)); }
  /// Requires that the condition is false in all iterations.
  bool require(Affine& affine, ExprP cond) {
    ExprP need = nullptr;
    Block code = out_.collect([&] { need = affine.never(known(cond)); });
    if (!need || is_false(need)) return false;
    keep(std::move(code));
    add(need);
    return true;
  }
  void add(ExprP c) {
    each_conjunct(c, [&](ExprP part) {
      const auto is_part = [&](ExprP k) { return same(k, part); };
      if (!is_true(part) && std::none_of(required.begin(), required.end(), is_part)) required.push_back(part);
    });
  }

  Writer& out_;
  const CountedLoop& loop_;
  std::set<const If*> guards_, passes_;
  std::vector<const If*> failed_;
  std::map<VarId, int> changed_;
  std::map<VarId, ExprP> fixed_;  ///< variables that the loop assigns, and their values before it
};

/// Gives accesses without an alias set in a block the alias set of their array.
class Labels {
 public:
  Labels(Exprs& x, const std::map<VarId, int32_t>& sets) : x_(x), sets_(sets) {}

  void block(Block& b) {
    for (Stmt& s : b) {
      each_expr_of(s, [&](ExprP& e) { e = expr(e); });
      if (auto* n = std::get_if<Store>(&s.node)) n->alias_set = set(n->base, n->alias_set);
      for (Block* p : parts(s)) block(*p);
    }
  }

 private:
  int32_t set(ExprP base, int32_t present) const {
    if (present != none || base->kind != Expr::Kind::Var) return present;
    const auto it = sets_.find(base->var);
    return it == sets_.end() ? none : it->second;
  }
  ExprP expr(ExprP e) {
    if (!e || is_simple(e)) return e;
    ExprP r = with_parts(x_, e, [this](ExprP part) { return expr(part); });
    if (e->kind != Expr::Kind::Load || set(e->a, e->alias_set) == e->alias_set) return r;
    Expr load = *r;
    load.alias_set = set(e->a, none);
    return x_.make(load);
  }

  Exprs& x_;
  const std::map<VarId, int32_t>& sets_;
};

void hoist_in(Writer& out, Block b) {
  replace_statements(out, b, [&](Stmt& s) {
    auto* n = std::get_if<CountedLoop>(&s.node);
    if (!n || !n->version) return false;
    Block inner = std::move(n->body);
    n->body = out.collect([&] { hoist_in(out, std::move(inner)); });
    if (auto made = hoisted(out, *n, false)) {
      out.append(std::move(made->before));
      if (is_true(made->guard)) {
        out.emit(std::move(made->fast));
      } else {
        Block slow, fast;
        slow.push_back({std::move(made->slow), out.place});
        fast.push_back({std::move(made->fast), out.place});
        out.emit(If{out.x.not_(made->guard), std::move(slow), std::move(fast), true});
      }
    } else {
      if (!Hoist(out, *n).may_grow()) {
        n->version = false;
        n->disjoint = nullptr;
      }
      out.block->push_back(std::move(s));
    }
    return true;
  });
}

}  // namespace

std::optional<HoistedLoop> hoisted(Writer& out, const CountedLoop& loop, bool may_grow) {
  const size_t vars = out.fn.vars.size();
  Hoist hoist(out, loop);
  if (has<AliasGroup>(loop.body) || (!may_grow && hoist.may_grow()) || !hoist.run()) {
    out.fn.vars.resize(vars);
    return {};
  }
  HoistedLoop made{std::move(hoist.before), loop.disjoint ? loop.disjoint->flag : out.x.bool_const(true), loop, loop};
  for (ExprP c : hoist.required) made.guard = out.x.both(made.guard, c);
  made.fast.body = hoist.fast(loop.body);
  if (loop.disjoint) Labels(out.x, loop.disjoint->sets).block(made.fast.body);
  made.slow.body = hoist.slow(loop.body);
  made.slow.fallback = true;
  for (CountedLoop* n : {&made.fast, &made.slow}) {
    n->version = false;
    n->disjoint = nullptr;
  }
  return made;
}

void hoist_guards(Module& m, const PassOptions& options) {
  if (!options.version_loops) return;
  rewrite_cpu_functions(m, [&](Writer& out, Block& body) { hoist_in(out, std::move(body)); });
}

}  // namespace vr::lower
