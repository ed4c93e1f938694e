// promote: an element that a loop updates becomes a variable.
//
//   for k in [0, n) {                     if 0 < n {
//     c[i, j] = c[i, j] + a[i, k]           t = c[i, j]
//   }                                       for k in [0, n) { t = t + a[i, k] }
//                                           c[i, j] = t
//                                         }
#include "loop/transform/promote.hpp"

#include "loop/replace.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace vr::lower {

namespace {

/// The accesses that one loop makes to one array.
struct ArrayAccesses {
  ExprP offset = nullptr;
  Scalar type = Scalar::Bool;
  bool one_place = true;

  void add(ExprP at, Scalar of) {
    one_place = one_place && (!offset || (same(offset, at) && type == of));
    offset = at;
    type = of;
  }
};

bool is_of(ExprP base, VarId data) { return base->kind == Expr::Kind::Var && base->var == data; }

ExprP with_variable(Exprs& x, ExprP e, VarId data, ExprP variable) {
  if (!e || is_simple(e)) return e;
  if (e->kind == Expr::Kind::Load && is_of(e->a, data)) return variable;
  return with_parts(x, e, [&](ExprP part) { return with_variable(x, part, data, variable); });
}

/// Replaces all accesses to the array by the variable.
void use_variable(Exprs& x, Stmt& s, VarId data, VarId element, Scalar type) {
  each_expr_of(s, [&](ExprP& e) { e = with_variable(x, e, data, x.var(element, type)); });
  if (auto* n = std::get_if<Store>(&s.node); n && is_of(n->base, data)) {
    const ExprP value = n->value;
    s.node = SetVar{element, value};
  }
  for (Block* p : parts(s))
    for (Stmt& inner : *p) use_variable(x, inner, data, element, type);
}

class Promote {
 public:
  Promote(Exprs& x, Function& kernel) : x_(x), out_(x, kernel) {
    for (const Param& p : kernel.params)
      if (p.array != none && p.written) arrays_.insert(kernel.arrays[static_cast<size_t>(p.array)].data);
  }

  void run() {
    replace_in_body(out_, [&](Stmt& s) {
      auto* n = std::get_if<CountedLoop>(&s.node);
      return n && !n->parallel && !n->spread && loop(*n);
    });
  }

 private:
  bool loop(CountedLoop& n) {
    if (has<Exit>(n.body) || has<Fail>(n.body)) return false;
    std::map<VarId, ArrayAccesses> found;
    if (!accesses(n.body, found)) return false;
    const auto changed = assignments(n.body);
    for (const auto& [data, a] : found) {
      if (!a.one_place || !stores_always(n.body, data) || changed.count(data) || mentions(a.offset, n.var) || loads(a.offset)) continue;
      const auto used = variables(a.offset);
      if (std::any_of(used.begin(), used.end(), [&](VarId v) { return changed.count(v) != 0; })) continue;
      promote_one(n, data, a);
      return true;
    }
    return false;
  }

  /// Whether each iteration of the loop stores to the array: then no other iteration of the kernel's domain accesses the element.
  static bool stores_always(const Block& b, VarId data) {
    return std::any_of(b.begin(), b.end(), [&](const Stmt& s) {
      auto* n = std::get_if<Store>(&s.node);
      return n && is_of(n->base, data);
    }) && !has<Break>(b) && !has<Continue>(b);
  }

  void promote_one(CountedLoop& n, VarId data, const ArrayAccesses& a) {
    const ExprP base = x_.var(data, Scalar::Ptr);
    const VarId element = out_.new_var("element", a.type);
    // The bounds are evaluated once, before the loop.
    n.lo = out_.keep(n.lo, "lo");
    n.hi = out_.keep(n.hi, "hi");
    const ExprP runs = x_.lt(n.lo, n.hi);
    Block body = out_.collect([&] {
      out_.set(element, x_.load(a.type, base, a.offset));
      CountedLoop inner = std::move(n);
      for (Stmt& s : inner.body) use_variable(x_, s, data, element, a.type);
      // Other elements in the loop may be promoted as well.
      Stmt s{std::move(inner), out_.place};
      if (!loop(std::get<CountedLoop>(s.node))) out_.block->push_back(std::move(s));
      out_.emit(Store{base, a.offset, x_.var(element, a.type), none});
    });
    if (is_true(runs))
      out_.append(std::move(body));
    else
      out_.emit(If{runs, std::move(body), {}});
  }

  /// Finds the accesses to arrays that the kernel writes; false: it has accesses that cannot be attributed to an array.
  bool accesses(const Block& b, std::map<VarId, ArrayAccesses>& found) const {
    bool known = true;
    any_statement(b, [&](const Stmt& s) {
      each_access(s, [&](const ElementAccess& a) {
        if (a.base->kind != Expr::Kind::Var || !a.offset)
          known = false;
        else if (arrays_.count(a.base->var))
          found[a.base->var].add(a.offset, a.type);
      });
      known = known && (std::holds_alternative<Store>(s.node) || std::holds_alternative<SetVar>(s.node) ||
                        std::holds_alternative<If>(s.node) || std::holds_alternative<CountedLoop>(s.node) ||
                        std::holds_alternative<Loop>(s.node) || std::holds_alternative<Break>(s.node) ||
                        std::holds_alternative<Continue>(s.node) || std::holds_alternative<AliasGroup>(s.node));
      return !known;
    });
    return known;
  }

  Exprs& x_;
  Writer out_;
  std::set<VarId> arrays_;  ///< data variables of arrays that the kernel writes
};

/// On the host: an element that is stored in front of a loop without checks and updated in it.
class PromoteStored {
 public:
  PromoteStored(Exprs& x, Function& f) : x_(x), out_(x, f) {}

  void block(Block& b) {
    for (size_t k = 0; k < b.size(); ++k) {
      for (Block* p : parts(b[k])) block(*p);
      auto* first = std::get_if<Store>(&b[k].node);
      if (!first || first->base->kind != Expr::Kind::Var || first->alias_set < 0) continue;
      if (const size_t at = loop_behind(b, k, *first); at < b.size()) promote(b, k, at);
    }
  }

 private:
  /// The statement behind the store that updates the element in loops; b.size(): there is none.
  size_t loop_behind(const Block& b, size_t store, const Store& first) const {
    for (size_t k = store + 1; k < b.size(); ++k) {
      const bool scalar = std::holds_alternative<SetVar>(b[k].node);
      if ((!scalar && !has_loop(b[k])) || !is_apart(b[k], first) || !keeps(b[k], first)) break;
      if (!scalar) return updates(b[k], first) ? k : b.size();
    }
    return b.size();
  }
  static bool has_loop(const Stmt& s) {
    return any_statement(s, [](const Stmt& part) { return std::holds_alternative<CountedLoop>(part.node); });
  }
  /// Whether the element's address is the same before and after the statement.
  bool keeps(const Stmt& s, const Store& first) const {
    std::set<VarId> used = variables(first.offset);
    used.insert(first.base->var);
    const bool changed = any_statement(s, [&](const Stmt& part) {
      bool any = false;
      each_assigned(out_.fn, part, [&](VarId v) { any = any || used.count(v) != 0; });
      return any;
    });
    return !changed && !loads(first.offset);
  }
  /// Whether all its accesses are to this element, or to arrays that are disjoint from it.
  static bool is_apart(const Stmt& s, const Store& first) {
    bool apart = true;
    const auto access = [&](const ElementAccess& a) {
      const int32_t set = a.alias_set;
      if (is_of(a.base, first.base->var))
        apart = apart && same(a.offset, first.offset) && a.type == first.value->type && set == first.alias_set;
      else
        apart = apart && set >= 0 && set != first.alias_set &&
                set / alias_sets_in_group == first.alias_set / alias_sets_in_group;
    };
    const auto look = [&](const Stmt& part) {
      each_access(part, access);
      apart = apart && (std::holds_alternative<Store>(part.node) || std::holds_alternative<SetVar>(part.node) ||
                        std::holds_alternative<If>(part.node) || std::holds_alternative<CountedLoop>(part.node));
      return !apart;
    };
    any_statement(s, look);
    return apart;
  }
  static bool updates(const Stmt& s, const Store& first) {
    return any_statement(s, [&](const Stmt& part) {
      auto* n = std::get_if<Store>(&part.node);
      return n && is_of(n->base, first.base->var);
    });
  }

  void promote(Block& b, size_t store, size_t loop) {
    const Store first = std::get<Store>(b[store].node);
    const Scalar type = first.value->type;
    const VarId element = out_.new_var("element", type);
    b[store].node = SetVar{element, first.value};  // which may load the element
    for (size_t k = store + 1; k <= loop; ++k) use_variable(x_, b[k], first.base->var, element, type);
    b.insert(b.begin() + static_cast<ptrdiff_t>(loop) + 1,
             Stmt{Store{first.base, first.offset, x_.var(element, type), first.alias_set}, b[store].place});
  }

  Exprs& x_;
  Writer out_;
};

}  // namespace

void promote(Module& m, const PassOptions& options) {
  if (!options.version_loops) return;
  Exprs x(m);
  for (const auto& f : m.functions)
    if (f->kind == Function::Kind::Kernel && f->disjoint && f->team == 0) Promote(x, *f).run();
}

void promote_stored(Module& m, const PassOptions&) {
  Exprs x(m);
  for (const auto& f : m.functions)
    if (f->kind != Function::Kind::Kernel) PromoteStored(x, *f).block(f->body);
}

}  // namespace vr::lower
