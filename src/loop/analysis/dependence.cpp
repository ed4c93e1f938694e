#include "loop/analysis/dependence.hpp"

#include "loop/analysis/invariants.hpp"
#include "loop/walk.hpp"
#include "support/restore.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>

namespace vr::lower {

namespace {

constexpr int64_t largest =
    int64_t{1} << 40;  // coefficients and constants: sums of a few products of them do not overflow
constexpr size_t most_accesses = 64;

bool small(const LinearForm& f) {
  auto fits = [](int64_t v) { return v <= largest && v >= -largest; };
  return fits(f.constant) && std::all_of(f.terms.begin(), f.terms.end(), [&](const auto& t) { return fits(t.second); });
}

std::optional<LinearForm> sum(std::optional<LinearForm> a, const std::optional<LinearForm>& b, int64_t factor) {
  if (!a || !b || std::llabs(factor) > 1 << 20) return {};
  a->constant += factor * b->constant;
  for (const auto& [v, c] : b->terms)
    if ((a->terms[v] += factor * c) == 0) a->terms.erase(v);
  return small(*a) ? a : std::nullopt;
}

}  // namespace

LinearForms::LinearForms(const Function& fn, const CountedLoop& nest) : fn_(fn), changed_(changes(fn, nest.body)) {
  ++changed_[nest.var];
  loops_.push_back(nest.var);
}

void LinearForms::execute(const SetVar& s) { values_[s.var] = {of(s.value), is_invariant(s.value)}; }

void LinearForms::enter(const CountedLoop& loop) {
  // An earlier iteration may have assigned them.
  forget(loop);
  loops_.push_back(loop.var);
}

void LinearForms::leave(const CountedLoop& loop) {
  loops_.pop_back();
  forget(loop);
}

void LinearForms::forget(const CountedLoop& loop) {
  values_.erase(loop.var);
  for (const auto& [v, times] : changes(fn_, loop.body)) values_.erase(v);
}

bool LinearForms::is_invariant(ExprP e) const {
  if (!e) return true;
  if (e->kind == Expr::Kind::Load) return false;
  if (e->kind == Expr::Kind::Var) {
    const auto it = values_.find(e->var);
    return it == values_.end() ? !changed_.count(e->var) : it->second.invariant;
  }
  return is_invariant(e->a) && is_invariant(e->b) && is_invariant(e->c);
}

std::optional<LinearForm> LinearForms::of(ExprP e) const {
  if (e->type != Scalar::Int64) return {};
  switch (e->kind) {
    case Expr::Kind::IntConst: {
      LinearForm f;
      f.constant = e->ival;
      return small(f) ? std::optional(f) : std::nullopt;
    }
    case Expr::Kind::Var: {
      if (const auto it = values_.find(e->var); it != values_.end()) return it->second.form;
      if (changed_.count(e->var) && std::find(loops_.begin(), loops_.end(), e->var) == loops_.end()) return {};
      LinearForm f;
      f.terms[e->var] = 1;
      return f;
    }
    case Expr::Kind::Unary:
      return e->op == Op::Neg ? sum(LinearForm(), of(e->a), -1) : std::nullopt;
    case Expr::Kind::Binary:
      if (e->op == Op::Add) return sum(of(e->a), of(e->b), 1);
      if (e->op == Op::Sub) return sum(of(e->a), of(e->b), -1);
      if (e->op != Op::Mul) return {};
      if (e->a->kind == Expr::Kind::IntConst) return sum(LinearForm(), of(e->b), e->a->ival);
      if (e->b->kind == Expr::Kind::IntConst) return sum(LinearForm(), of(e->a), e->b->ival);
      return {};
    default:
      return {};
  }
}

namespace {

class Collect {
 public:
  Collect(NestDependences& to, const Function& fn, const CountedLoop& nest) : to_(to), forms_(fn, nest) {
    const auto changed = changes(fn, nest.body);
    for (const auto& [v, times] : changed) changed_.insert(v);
    loops_.push_back(nest.var);
    place_.push_back(0);
    block(nest.body);
  }

 private:
  void block(const Block& b) {
    const Restore leaf(leaf_, !has<CountedLoop>(b));
    for (size_t k = 0; k < b.size(); ++k) {
      const Stmt& s = b[k];
      place_.back() = k;
      if (auto* n = std::get_if<CountedLoop>(&s.node)) {
        loads(n->lo), loads(n->hi);
        forms_.enter(*n);
        loops_.push_back(n->var);
        place_.push_back(0);
        block(n->body);
        place_.pop_back();
        loops_.pop_back();
        forms_.leave(*n);
      } else if (auto* n = std::get_if<SetVar>(&s.node)) {
        loads(n->value);
        forms_.execute(*n);
      } else if (auto* n = std::get_if<Store>(&s.node)) {
        loads(n->value), loads(n->base), loads(n->offset);
        access(nullptr, n->base, n->offset, n->alias_set);
      } else {
        to_.known = false;
      }
    }
  }
  void loads(ExprP e) {
    if (!e || is_simple(e)) return;
    for (ExprP part : {e->a, e->b, e->c}) loads(part);
    if (e->kind == Expr::Kind::Load) access(e, e->a, e->b, e->alias_set);
  }
  void access(ExprP load, ExprP base, ExprP offset, int32_t alias_set) {
    NestAccess a{load, none, alias_set, {}, {}, loops_, place_, leaf_};
    if (base->kind == Expr::Kind::Var && !changed_.count(base->var)) a.base = base->var;
    for (ExprP axis = offset; axis && axis->kind == Expr::Kind::At; axis = axis->c) {
      // The array may have other strides elsewhere in the nest.
      const bool fixed =
          axis->b->kind == Expr::Kind::IntConst || (axis->b->kind == Expr::Kind::Var && !changed_.count(axis->b->var));
      a.subscripts.push_back(fixed ? forms_.of(axis->a) : std::nullopt);
      a.strides.push_back(axis->b);
    }
    to_.accesses.push_back(std::move(a));
  }

  NestDependences& to_;
  LinearForms forms_;
  std::set<VarId> changed_;
  std::vector<VarId> loops_;
  std::vector<size_t> place_;
  bool leaf_ = false;
};

/// No value: the two accesses never access the same element.
std::optional<Dependence> test(const NestDependences& nest, size_t first, size_t second) {
  const NestAccess &a = nest.accesses[first], &b = nest.accesses[second];
  size_t common = 0;
  while (common < a.loops.size() && common < b.loops.size() && a.loops[common] == b.loops[common] &&
         (common == 0 || a.place[common - 1] == b.place[common - 1]))
    ++common;
  Dependence d{first, second, std::vector<std::optional<int64_t>>(common)};
  if (a.base == none || b.base == none || a.base != b.base) {
    const bool apart = a.alias_set >= 0 && b.alias_set >= 0 && a.alias_set != b.alias_set &&
                       a.alias_set / alias_sets_in_group == b.alias_set / alias_sets_in_group;
    return apart ? std::nullopt : std::optional(d);
  }
  if (a.subscripts.size() != b.subscripts.size()) return d;
  for (size_t axis = 0; axis < a.subscripts.size(); ++axis) {
    if (!a.subscripts[axis] || !b.subscripts[axis]) continue;
    LinearForm at = *a.subscripts[axis], bt = *b.subscripts[axis];
    // Equal if the sum of coefficient * distance over the common loops is `apart`.
    std::optional<size_t> loop;
    bool solvable = true;
    int64_t by = 0;
    for (size_t k = 0; k < common; ++k) {
      const VarId v = a.loops[k];
      const int64_t ca = at.terms.count(v) ? at.terms[v] : 0, cb = bt.terms.count(v) ? bt.terms[v] : 0;
      at.terms.erase(v), bt.terms.erase(v);
      if (ca != cb || (ca != 0 && loop)) solvable = false;
      if (ca != 0) loop = k, by = ca;
    }
    // What remains differs between the two only if one of them is in a loop that the other is not in.
    auto own = [&](const LinearForm& f, const NestAccess& of) {
      return std::any_of(of.loops.begin() + static_cast<ptrdiff_t>(common), of.loops.end(),
                         [&](VarId v) { return f.terms.count(v) != 0; });
    };
    if (!solvable || own(at, a) || own(bt, b) || at.terms != bt.terms) continue;
    const int64_t apart = at.constant - bt.constant;
    if (!loop) {
      if (apart != 0) return {};
      continue;
    }
    if (apart % by != 0 || (d.distance[*loop] && *d.distance[*loop] != apart / by)) return {};
    d.distance[*loop] = apart / by;
  }
  return d;
}

}  // namespace

std::optional<size_t> unit_stride_axis(const Function& fn, const NestAccess& a) {
  for (const ArrayVars& array : fn.arrays)
    for (size_t axis = 0; array.data == a.base && axis < a.strides.size(); ++axis)
      if (a.strides[axis]->kind == Expr::Kind::IntConst && a.strides[axis]->ival == array.element_bytes()) return axis;
  return {};
}

NestDependences::NestDependences(const Function& fn, const CountedLoop& nest) {
  Collect(*this, fn, nest);
  if (accesses.size() > most_accesses) known = false;
  if (!known) return;
  for (size_t k = 0; k < accesses.size(); ++k)
    for (size_t other = k; other < accesses.size(); ++other) {
      if (!accesses[k].is_store() && !accesses[other].is_store()) continue;
      if (accesses[k].base == accesses[other].base && accesses[k].base != none) distinct.insert(accesses[k].base);
      if (auto d = test(*this, k, other)) all.push_back(std::move(*d));
    }
}

bool NestDependences::may_jam(int64_t lanes) const {
  if (!known) return false;
  // Whether the first access, in iteration i of the outermost loop, still runs before the second one, in a later
  // iteration: the first difference of their inner iterations and statements must have the same direction.
  auto ordered = [&](const Dependence& d, const NestAccess& before, const NestAccess& after, int64_t sign) {
    if (d.distance[0] && (sign * *d.distance[0] <= 0 || sign * *d.distance[0] >= lanes)) return true;
    for (size_t level = 1; level <= d.distance.size(); ++level) {
      const bool innermost = level == before.loops.size() && level == after.loops.size() && before.leaf;
      if (!innermost && before.place[level - 1] != after.place[level - 1])
        return before.place[level - 1] < after.place[level - 1];
      if (level == d.distance.size()) return true;
      if (!d.distance[level] || sign * *d.distance[level] < 0) return false;
      if (*d.distance[level] != 0) return true;
    }
    return true;
  };
  return std::all_of(all.begin(), all.end(), [&](const Dependence& d) {
    const NestAccess &a = accesses[d.first], &b = accesses[d.second];
    return ordered(d, a, b, 1) && ordered(d, b, a, -1);
  });
}

std::optional<int64_t> NestDependences::skew(int64_t lanes, int64_t most) const {
  if (!known ||
      std::any_of(accesses.begin(), accesses.end(), [](const NestAccess& a) { return a.loops.size() != 2 || !a.leaf; }))
    return {};
  int64_t needed = 0;
  for (const Dependence& d : all) {
    if (!d.distance[0] || !d.distance[1]) return {};
    const int64_t sign = *d.distance[0] < 0 ? -1 : 1, later = sign * *d.distance[0], inner = sign * *d.distance[1];
    if (later == 0 || later >= lanes || inner >= 0) continue;
    needed = std::max(needed, (-inner + later - 1) / later);
    if (needed > most) return {};
  }
  return needed;
}

bool NestDependences::is_independent(VarId loop, int64_t lanes) const {
  if (!known) return false;
  return std::all_of(all.begin(), all.end(), [&](const Dependence& d) {
    const NestAccess& a = accesses[d.first];
    for (size_t k = 0; k < d.distance.size(); ++k) {
      if (a.loops[k] == loop) return d.distance[k] == 0;
      // Accesses in different iterations of an outer loop are never in the same run of this loop.
      if (d.distance[k] && std::llabs(*d.distance[k]) >= (k == 0 ? lanes : 1)) return true;
    }
    return true;  // one of them is not in the loop
  });
}

std::string NestDependences::text(const Function& fn) const {
  if (!known) return "unknown\n";
  std::string r;
  auto name = [&](const NestAccess& a) {
    std::string array = "?";
    for (const ArrayVars& v : fn.arrays)
      if (v.data == a.base) array = v.name;
    return fmt::format("{} {}", a.is_store() ? "store" : "load", array);
  };
  for (const Dependence& d : all) {
    r += fmt::format("{} {}: {} {}: (", d.first, name(accesses[d.first]), d.second, name(accesses[d.second]));
    for (size_t k = 0; k < d.distance.size(); ++k)
      r += (k ? ", " : "") + (d.distance[k] ? std::to_string(*d.distance[k]) : std::string("*"));
    r += ")\n";
  }
  return r;
}

}  // namespace vr::lower
