#include "codegen/c99/prepare.hpp"

#include "codegen/c99/addresses.hpp"
#include "codegen/c99/lanes.hpp"
#include "codegen/c99/roll.hpp"
#include "loop/walk.hpp"
#include "loop/writer.hpp"

#include <algorithm>
#include <optional>

namespace vr::codegen::c99 {

using namespace lower;

namespace {

// ---------------------------------------------------------------- accesses

bool same_address(const ElementAccess& a, const ElementAccess& b) {
  return a.type == b.type && same(a.base, b.base) && same(a.offset, b.offset);
}
/// Whether alias sets say that the accesses never overlap.
bool are_apart(const ElementAccess& a, const ElementAccess& b) {
  return a.alias_set >= 0 && b.alias_set >= 0 && a.alias_set != b.alias_set &&
         a.alias_set / alias_sets_in_group == b.alias_set / alias_sets_in_group;
}

ElementAccess access_of(const Store& s) { return {s.base, s.offset, s.value->type, s.alias_set, true}; }

// ---------------------------------------------------------------- elements that are stored several times

class KeepElements {
 public:
  KeepElements(Exprs& x, Function& f) : x_(x), out_(x, f) {}

  void block(Block& b) {
    for (size_t k = 0; k < b.size(); ++k) {
      for (Block* p : parts(b[k])) block(*p);
      if (std::holds_alternative<Store>(b[k].node))
        if (const size_t last = next_store(b, k); last > k) keep(b, k, last);
    }
  }

 private:
  /// The next statement that stores the element, if nothing between accesses it in another way; `at`: there is none.
  static size_t next_store(const Block& b, size_t at) {
    const ElementAccess first = access_of(std::get<Store>(b[at].node));
    const std::set<VarId> used = [&] {
      std::set<VarId> all = variables(first.base), more = variables(first.offset);
      all.insert(more.begin(), more.end());
      return all;
    }();
    for (size_t k = at + 1; k < b.size(); ++k) {
      const auto* set = std::get_if<SetVar>(&b[k].node);
      const auto* store = std::get_if<Store>(&b[k].node);
      if (!set && !store) return at;
      bool clear = true;
      each_access(b[k],
                  [&](const ElementAccess& a) { clear = clear && (same_address(a, first) || are_apart(a, first)); });
      if (!clear || (set && used.contains(set->var))) return at;
      if (store && same_address(access_of(*store), first)) return k;
    }
    return at;
  }

  /// The store at `first` becomes a variable, which everything up to `last` uses.
  void keep(Block& b, size_t first, size_t last) {
    const Store store = std::get<Store>(b[first].node);
    const VarId v = out_.new_var("kept", store.value->type);
    b[first].node = SetVar{v, store.value};
    for (size_t k = first + 1; k <= last; ++k)
      each_expr_of(b[k], [&](ExprP& e) { e = with_variable(e, access_of(store), x_.var(v, store.value->type)); });
  }
  ExprP with_variable(ExprP e, const ElementAccess& element, ExprP variable) {
    if (!e || is_simple(e)) return e;
    if (e->kind == Expr::Kind::Load && same_address({e->a, e->b, e->type, e->alias_set, false}, element))
      return variable;
    return with_parts(x_, e, [&](ExprP part) { return with_variable(part, element, variable); });
  }

  Exprs& x_;
  Writer out_;
};

// ---------------------------------------------------------------- independent loops

/// Whether alias sets prove that no iteration accesses what another stores: of each set that the loop stores to, it
/// accesses one element in each iteration, and always another one.
class Independence {
 public:
  explicit Independence(const CountedLoop& loop) : loop_(loop), assigned_(assignments(loop.body)) {
    step_[loop.var] = 1;
  }

  bool holds() {
    if (!is_plain(loop_.body)) return false;
    block(loop_.body, true);
    if (!good_ || std::none_of(all_.begin(), all_.end(), [](const ElementAccess& a) { return a.is_store; }))
      return false;
    for (const ElementAccess& s : all_) {
      if (!s.is_store) continue;
      for (const ElementAccess& a : all_)
        if (!are_apart(a, s) && !(a.alias_set == s.alias_set && same_address(a, s))) return false;
    }
    return true;
  }

 private:
  using Step = std::optional<int64_t>;  ///< by which a value grows in each iteration; no value: unknown

  void block(const Block& b, bool always) {
    for (const Stmt& s : b) {
      each_access(s, [&](const ElementAccess& a) { add(a); });
      if (const auto* n = std::get_if<SetVar>(&s.node))
        step_[n->var] = always && assigned_[n->var] == 1 ? step(n->value) : Step();
      for (const Block* p : parts(s)) block(*p, false);
    }
  }
  void add(const ElementAccess& a) {
    all_.push_back(a);
    good_ = good_ && a.alias_set >= 0;
    if (!a.is_store) return;
    const Step base = step(a.base), offset = step(a.offset);
    good_ = good_ && base == 0 && offset && (*offset >= scalar_bytes(a.type) || -*offset >= scalar_bytes(a.type));
  }

  Step step(ExprP e) const {
    if (e->kind == Expr::Kind::Var) {
      if (const auto known = step_.find(e->var); known != step_.end()) return known->second;
      return assigned_.contains(e->var) ? Step() : Step(0);
    }
    const bool sum = e->kind == Expr::Kind::Binary && e->type == Scalar::Int64;
    if (sum && (e->op == Op::Add || e->op == Op::Sub || e->op == Op::Mul)) {
      const Step a = step(e->a), b = step(e->b);
      if (!a || !b || !is_small(*a) || !is_small(*b)) return {};
      if (e->op == Op::Mul) {
        if (*a == 0 && *b == 0) return 0;
        const ExprP factor = is_const(e->a) ? e->a : is_const(e->b) ? e->b : nullptr;
        return factor && is_small(factor->ival) ? Step((*a + *b) * factor->ival) : Step();
      }
      return e->op == Op::Add ? *a + *b : *a - *b;
    }
    // Anything else is the same in all iterations, or unknown.
    if (e->kind == Expr::Kind::Load) return {};
    for (ExprP part : {e->a, e->b, e->c})
      if (part && step(part) != 0) return {};
    return 0;
  }
  static bool is_small(int64_t v) { return v > -(int64_t{1} << 30) && v < int64_t{1} << 30; }

  const CountedLoop& loop_;
  std::map<VarId, int> assigned_;
  std::map<VarId, Step> step_;
  std::vector<ElementAccess> all_;
  bool good_ = true;
};

void mark_independent(Block& b) {
  for (Stmt& s : b) {
    for (Block* p : parts(s)) mark_independent(*p);
    if (auto* n = std::get_if<CountedLoop>(&s.node); n && !n->independent && !n->fallback)
      n->independent = Independence(*n).holds();
  }
}

// ---------------------------------------------------------------- invariant loads

/// Variables that an independent loop assigns once, from loads at fixed addresses that alias sets say it never stores
/// to, are assigned in front of it. Compilers do not know that, and take the rows that such a variable selects for
/// scattered elements.
class Invariants {
 public:
  explicit Invariants(Exprs& x, Function& f) : out_(x, f) {}

  void block(Block& b) {
    Block made;
    for (Stmt& s : b) {
      for (Block* p : parts(s)) block(*p);
      if (auto* n = std::get_if<CountedLoop>(&s.node); n && n->independent && is_plain(n->body)) {
        const Restore at(out_.place, s.place);
        const Restore to(out_.block, &made);
        hoist(*n);
      }
      made.push_back(std::move(s));
    }
    b = std::move(made);
  }

 private:
  void hoist(CountedLoop& n) {
    std::vector<ElementAccess> stores;
    std::map<VarId, int> assigned = assignments(n.body);
    assigned[n.var] = 2;
    any_statement(n.body, [&](const Stmt& s) {
      each_access(s, [&](const ElementAccess& a) {
        if (a.is_store) stores.push_back(a);
      });
      return false;
    });
    const auto is_fixed = [&](ExprP e) {
      bool fixed = loads(e);
      for (const VarId v : variables(e)) fixed = fixed && !assigned.contains(v);
      each_load(e, [&](const ElementAccess& a) {
        fixed =
            fixed && std::all_of(stores.begin(), stores.end(), [&](const ElementAccess& s) { return are_apart(a, s); });
      });
      return fixed;
    };
    Block fixed;
    std::set<VarId> read;
    for (size_t k = 0; k < n.body.size();) {
      auto* set = std::get_if<SetVar>(&n.body[k].node);
      if (set && assigned[set->var] == 1 && !read.contains(set->var) && is_fixed(set->value)) {
        assigned.erase(set->var);
        fixed.push_back(std::move(n.body[k]));
        n.body.erase(n.body.begin() + static_cast<std::ptrdiff_t>(k));
        continue;
      }
      Block one;
      one.push_back(n.body[k]);
      read.merge(variables(one));
      ++k;
    }
    if (fixed.empty()) return;
    n.lo = out_.keep(n.lo);
    n.hi = out_.keep(n.hi);
    out_.emit(If{out_.x.lt(n.lo, n.hi), std::move(fixed), {}});
  }

  Writer out_;
};

}  // namespace

bool is_plain(const Block& b) {
  return std::all_of(b.begin(), b.end(), [](const Stmt& s) {
    if (const auto* n = std::get_if<If>(&s.node)) return is_plain(n->then_body) && is_plain(n->else_body);
    return std::holds_alternative<SetVar>(s.node) || std::holds_alternative<Store>(s.node);
  });
}

void prepare(Module& m) {
  Exprs x(m);
  for (const auto& f : m.functions) {
    if (f->kind == Function::Kind::Kernel) continue;
    KeepElements(x, *f).block(f->body);
    mark_independent(f->body);
    Invariants(x, *f).block(f->body);
    const std::set<VarId> in_lanes = reduce_in_lanes(x, *f);
    arrange_addresses(x, *f);
    roll_copies(x, *f, in_lanes);
  }
}

}  // namespace vr::codegen::c99
