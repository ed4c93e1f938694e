// narrow_integers: integers are computed with as few bits as their values need.
//
//   d = i64(u8 a[i]) - i64(u8 b[i])       d = i16(u8 a[i]) - i16(u8 b[i])
//   store u8 c[i] = u8(d < 0 ? -d : d)    store u8 c[i] = u8(d < 0 ? -d : d)
#include "loop/transform/narrow_integers.hpp"

#include "loop/analysis/value_ranges.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <vector>

namespace vr::lower {

namespace {

class Narrow {
 public:
  Narrow(Exprs& x, Function& f) : x_(x), fn_(f), ranges_(f), variable_(f.vars.size(), none) {}

  void run() {
    find_variables();
    visit(fn_.body);
    choose();
    if (std::all_of(group_.begin(), group_.end(), [](const Group& g) { return g.type == Scalar::Ptr; })) return;
    for (size_t v = 0; v < variable_.size(); ++v)
      if (variable_[v] != none) {
        const Scalar t = group_[static_cast<size_t>(root(variable_[v]))].type;
        if (t != Scalar::Ptr) fn_.vars[v].type = t;
      }
    rewrite(fn_.body);
  }

 private:
  /// Connected variables and nodes, which get one type.
  struct Group {
    Scalar type = Scalar::Ptr;  ///< the one that is chosen; Ptr: theirs
    Scalar before = Scalar::Ptr;
    bool fixed = false;  ///< something needs their values with this type
    bool computes = false;
    bool empty = true;
    ValueRange range{};
  };

  static bool is_computed(const Expr& e) {
    // A wider negative number has more ones.
    return e.kind == Expr::Kind::Binary || (e.kind == Expr::Kind::Unary && e.op != Op::Popcount) ||
           e.kind == Expr::Kind::Select;
  }

  // ------------------------------------------------------------ groups
  int32_t root(int32_t g) {
    while (parent_[static_cast<size_t>(g)] != g) {
      int32_t& up = parent_[static_cast<size_t>(g)];
      up = parent_[static_cast<size_t>(up)];
      g = up;
    }
    return g;
  }
  int32_t new_group(Scalar type, ValueRange range) {
    parent_.push_back(static_cast<int32_t>(parent_.size()));
    Group g;
    g.before = type;
    g.empty = false;
    g.range = range;
    group_.push_back(g);
    return parent_.back();
  }
  int32_t unite(int32_t a, int32_t b) {
    if (a == none || b == none) return a == none ? b : a;
    a = root(a), b = root(b);
    if (a == b) return a;
    parent_[static_cast<size_t>(b)] = a;
    Group& to = group_[static_cast<size_t>(a)];
    const Group& from = group_[static_cast<size_t>(b)];
    to.fixed = to.fixed || from.fixed;
    to.computes = to.computes || from.computes;
    to.range = {std::min(to.range.lo, from.range.lo), std::max(to.range.hi, from.range.hi)};
    return a;
  }
  void fix(int32_t g) {
    if (g != none) group_[static_cast<size_t>(root(g))].fixed = true;
  }

  // ------------------------------------------------------------ what belongs together
  /// Variables that only SetVar assigns and only expressions use.
  void find_variables() {
    std::set<VarId> assigned, pinned;
    const auto pin = [&](VarId v) { pinned.insert(v); };
    for (const auto* list : {&fn_.params, &fn_.results})
      for (const Param& p : *list) pin(p.var), pin(p.im);
    for (const ArrayVars& a : fn_.arrays) {
      pin(a.flags);
      for (const auto* list : {&a.extent, &a.stride}) pinned.insert(list->begin(), list->end());
    }
    for (const auto& [v, value] : fn_.constants) pin(v);
    for (const Fold& f : fn_.folds) pin(f.var), pin(f.other);
    pinned.insert(fn_.dims.begin(), fn_.dims.end());
    pin(fn_.lo_var), pin(fn_.hi_var);
    names(fn_.cleanup, pinned, pinned);
    names(fn_.join, pinned, pinned);
    names(fn_.body, assigned, pinned);
    for (const VarId v : assigned)
      if (const Scalar t = fn_.vars[static_cast<size_t>(v)].type; is_integer(t) && !pinned.count(v))
        variable_[static_cast<size_t>(v)] = new_group(t, ranges_.of(v));
  }
  void names(const Block& b, std::set<VarId>& assigned, std::set<VarId>& pinned) const {
    const auto pin = [&](VarId v) { pinned.insert(v); };
    for (const Stmt& s : b) {
      if (auto* n = std::get_if<SetVar>(&s.node))
        assigned.insert(n->var);
      else
        each_assigned(fn_, s, pin);
      std::visit(Overloaded{[&](const CountedLoop& n) {
                              pinned.insert(n.own.begin(), n.own.end());
                              if (n.disjoint) each_var(n.disjoint->flag, pin);
                              if (!n.reduction) return;
                              for (const auto* list : {&n.reduction->vars, &n.reduction->others})
                                pinned.insert(list->begin(), list->end());
                              names(n.reduction->join, pinned, pinned);
                            },
                            [](const auto&) {}},
                 s.node);
      each_handed_over(fn_, s, pin);
      for (const Block* p : parts(s)) names(*p, assigned, pinned);
    }
  }
  template <class F>
  static void each_var(ExprP e, const F& f) {
    if (e)
      for (const VarId v : variables(e)) f(v);
  }

  void visit(Block& b) {
    for (Stmt& s : b) {
      if (auto* n = std::get_if<SetVar>(&s.node)) {
        const int32_t value = visit(n->value), var = variable_[static_cast<size_t>(n->var)];
        if (var != none)
          unite(var, value);
        else
          fix(value);
      } else if (auto* store = std::get_if<Store>(&s.node)) {
        visit(store->base), fix(visit(store->offset)), fix(visit(store->value));
      } else {
        each_expr_of(s, [&](ExprP& e) { fix(visit(e)); });
      }
      for (Block* p : parts(s)) visit(*p);
    }
  }
  /// The group of an integer expression; of other expressions none, after their parts were visited.
  int32_t visit(ExprP e) {
    if (!e) return none;
    const auto made = node_.find(e);
    if (made != node_.end()) return made->second;
    int32_t g = none;
    if (is_integer(e->type) && e->kind == Expr::Kind::Var) {
      g = variable_[static_cast<size_t>(e->var)];
      if (g == none) g = new_group(e->type, ranges_.of(e));
    } else if (is_integer(e->type) && is_computed(*e)) {
      g = new_group(e->type, ranges_.of(e));
      group_[static_cast<size_t>(g)].computes = true;
      const bool select = e->kind == Expr::Kind::Select;
      if (select)
        visit(e->a);
      else
        unite(g, visit(e->a));
      unite(g, visit(e->b)), unite(g, visit(e->c));
    } else if (is_integer(e->type) && (e->kind == Expr::Kind::Convert || e->kind == Expr::Kind::IntConst)) {
      // A conversion from another type, and a constant, can have any type that has its value.
      visit(e->a);
      g = new_group(e->type, ranges_.of(e));
    } else if (e->kind == Expr::Kind::Binary && is_comparison(e->op) && is_integer(e->a->type)) {
      const int32_t both = unite(visit(e->a), visit(e->b));
      group_[static_cast<size_t>(root(both))].computes = true;
    } else if ((e->type == Scalar::Bool || is_float(e->type)) && e->kind != Expr::Kind::Load &&
               e->kind != Expr::Kind::Aligned) {
      visit(e->a), visit(e->b), visit(e->c);
    } else {
      visit_address(e);
      if (is_integer(e->type)) fix(g = new_group(e->type, ranges_.of(e)));
    }
    node_.emplace(e, g);
    return g;
  }
  /// Subscripts and what they are computed from keep their type.
  void visit_address(ExprP e) {
    for (ExprP part : {e->a, e->b, e->c}) fix(visit(part));
  }

  void choose() {
    for (size_t g = 0; g < group_.size(); ++g) {
      Group& group = group_[g];
      if (root(static_cast<int32_t>(g)) != static_cast<int32_t>(g) || group.fixed || !group.computes) continue;
      for (const Scalar t : {Scalar::Int16, Scalar::Int32}) {
        if (t == Scalar::Int16 && fn_.kind == Function::Kind::Kernel) continue;
        if (scalar_bytes(t) >= scalar_bytes(group.before) || !group.range.in(range_of(t))) continue;
        group.type = t;
        break;
      }
    }
  }

  // ------------------------------------------------------------ the new expressions
  void rewrite(Block& b) {
    for (Stmt& s : b) {
      if (auto* n = std::get_if<SetVar>(&s.node))
        n->value = x_.convert(with_types(n->value), fn_.vars[static_cast<size_t>(n->var)].type);
      else
        each_expr_of(s, [&](ExprP& e) { e = with_types(e); });
      for (Block* p : parts(s)) rewrite(*p);
    }
  }
  Scalar chosen(ExprP e) {
    const auto it = node_.find(e);
    if (it == node_.end() || it->second == none) return e->type;
    const Scalar t = group_[static_cast<size_t>(root(it->second))].type;
    return t == Scalar::Ptr ? e->type : t;
  }
  /// The expression with the types that were chosen; its own may be another one then.
  ExprP with_types(ExprP e) {
    if (!e) return e;
    const auto done = rewritten_.find(e);
    if (done != rewritten_.end()) return done->second;
    const Scalar t = chosen(e);
    ExprP r = nullptr;
    if (e->kind == Expr::Kind::Convert) {
      r = x_.convert(with_types(e->a), t);
    } else if (t == e->type) {
      r = with_parts(x_, e, [&](ExprP part) { return with_types(part); });
    } else if (e->kind == Expr::Kind::IntConst) {
      r = x_.int_const(e->ival, t);
    } else if (e->kind == Expr::Kind::Var) {
      r = variable_[static_cast<size_t>(e->var)] != none ? x_.var(e->var, t) : x_.convert(e, t);
    } else {
      r = with_parts(x_, e, [&](ExprP part) { return with_types(part); });
      Expr n = *r;
      n.type = t;
      r = x_.make(n);
    }
    rewritten_.emplace(e, r);
    return r;
  }

  Exprs& x_;
  Function& fn_;
  const ValueRanges ranges_;
  std::vector<int32_t> variable_;  ///< the group of each variable; none: its type stays
  std::vector<int32_t> parent_;    ///< of groups that were united
  std::vector<Group> group_;
  std::map<ExprP, int32_t> node_;
  std::map<ExprP, ExprP> rewritten_;
};

}  // namespace

/// Whether the expression has an integer converted from one of fewer bits: other integers have few values only by
/// chance.
static bool widens(ExprP e) {
  return any_node(e, [](ExprP part) {
    return part->kind == Expr::Kind::Convert && is_integer(part->type) && is_integer(part->a->type) &&
           scalar_bytes(part->a->type) < scalar_bytes(part->type);
  });
}

void narrow_integers(Module& m, const PassOptions&) {
  Exprs x(m);
  for (const auto& f : m.functions) {
    const bool any = any_statement(f->body, [](const Stmt& s) {
      bool found = false;
      each_expr(s, [&](ExprP e) { found = found || widens(e); });
      return found;
    });
    if (any) Narrow(x, *f).run();
  }
}

}  // namespace vr::lower
