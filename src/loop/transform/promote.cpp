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
#include <functional>
#include <map>
#include <set>

namespace vr::lower {

namespace {

/// The accesses that one loop makes to one array.
struct Accesses {
  ExprP offset = nullptr;
  Scalar type = Scalar::Bool;
  bool one_place = true;

  void add(ExprP at, Scalar of) {
    one_place = one_place && (!offset || (same(offset, at) && type == of));
    offset = at;
    type = of;
  }
};

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
    std::map<VarId, Accesses> found;
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

  void promote_one(CountedLoop& n, VarId data, const Accesses& a) {
    const ExprP base = x_.var(data, Scalar::Ptr);
    const VarId element = out_.new_var("element", a.type);
    // The bounds are evaluated once, before the loop.
    n.lo = out_.keep(n.lo, "lo");
    n.hi = out_.keep(n.hi, "hi");
    const ExprP runs = x_.lt(n.lo, n.hi);
    Block body = out_.collect([&] {
      out_.set(element, x_.load(a.type, base, a.offset));
      CountedLoop inner = std::move(n);
      rewrite(inner.body, data, element, a.type);
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

  void rewrite(Block& b, VarId data, VarId element, Scalar type) {
    for (Stmt& s : b) {
      each_expr_of(s, [&](ExprP& e) { e = with_variable(e, data, x_.var(element, type)); });
      if (auto* n = std::get_if<Store>(&s.node); n && is_of(n->base, data)) {
        const ExprP value = n->value;
        s.node = SetVar{element, value};
      }
      for (Block* p : parts(s)) rewrite(*p, data, element, type);
    }
  }
  ExprP with_variable(ExprP e, VarId data, ExprP variable) {
    if (!e || is_simple(e)) return e;
    if (e->kind == Expr::Kind::Load && is_of(e->a, data)) return variable;
    return with_parts(x_, e, [&](ExprP part) { return with_variable(part, data, variable); });
  }
  static bool is_of(ExprP base, VarId data) { return base->kind == Expr::Kind::Var && base->var == data; }

  /// Finds the accesses to arrays that the kernel writes; false: it has accesses that cannot be attributed to an array.
  bool accesses(const Block& b, std::map<VarId, Accesses>& found) const {
    bool known = true;
    const auto access = [&](ExprP base, ExprP offset, Scalar type) {
      if (base->kind != Expr::Kind::Var || !offset) return known = false;
      if (arrays_.count(base->var)) found[base->var].add(offset, type);
      return known;
    };
    const std::function<void(ExprP)> loads_of = [&](ExprP e) {
      if (!e) return;
      if (e->kind == Expr::Kind::Load) access(e->a, e->b, e->type);
      for (ExprP part : {e->a, e->b, e->c}) loads_of(part);
    };
    any_statement(b, [&](const Stmt& s) {
      each_expr(s, loads_of);
      if (auto* n = std::get_if<Store>(&s.node))
        access(n->base, n->offset, n->value->type);
      else if (!std::holds_alternative<SetVar>(s.node) && !std::holds_alternative<If>(s.node) && !std::holds_alternative<CountedLoop>(s.node) &&
               !std::holds_alternative<Loop>(s.node) && !std::holds_alternative<Break>(s.node) && !std::holds_alternative<Continue>(s.node) &&
               !std::holds_alternative<AliasGroup>(s.node))
        known = false;
      return !known;
    });
    return known;
  }

  Exprs& x_;
  Writer out_;
  std::set<VarId> arrays_;  ///< data variables of arrays that the kernel writes
};

}  // namespace

void promote(Module& m, const PassOptions& options) {
  if (!options.version_loops) return;
  Exprs x(m);
  for (const auto& f : m.functions)
    if (f->kind == Function::Kind::Kernel && f->disjoint && f->team == 0) Promote(x, *f).run();
}

}  // namespace vr::lower
