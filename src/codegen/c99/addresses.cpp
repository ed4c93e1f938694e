#include "codegen/c99/addresses.hpp"

#include "codegen/c99/prepare.hpp"
#include "loop/walk.hpp"
#include "loop/writer.hpp"

#include <algorithm>

namespace vr::codegen::c99 {

using namespace lower;

namespace {

// ---------------------------------------------------------------- constant distances between elements

/// A sum of products with constants. Numbers wrap around, as addresses do.
struct Linear {
  std::vector<std::pair<ExprP, int64_t>> terms;
  int64_t constant = 0;

  /// Adds factor * e.
  void add(ExprP e, int64_t factor) {
    if (e->kind == Expr::Kind::IntConst) {
      constant = static_cast<int64_t>(static_cast<uint64_t>(constant) + static_cast<uint64_t>(times(factor, e->ival)));
    } else if (e->kind == Expr::Kind::Binary && (e->op == Op::Add || e->op == Op::Sub)) {
      add(e->a, factor);
      add(e->b, e->op == Op::Add ? factor : times(factor, -1));
    } else if (e->kind == Expr::Kind::Binary && e->op == Op::Mul && e->b->kind == Expr::Kind::IntConst) {
      add(e->a, times(factor, e->b->ival));
    } else {
      terms.emplace_back(e, factor);
    }
  }
  /// The sum of those terms for which `wanted` holds; null: there are none.
  template <class F>
  ExprP sum(Exprs& x, const F& wanted) const {
    ExprP made = nullptr;
    for (const auto& [term, factor] : terms) {
      if (!wanted(term)) continue;
      const ExprP one = x.mul(term, x.int_const(factor));
      made = made ? x.add(made, one) : one;
    }
    return made;
  }

 private:
  static int64_t times(int64_t a, int64_t b) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  }
};

/// Addresses that differ by constants are written so: v = w + 2 makes b + v * 8 into b + w * 8 + 16. gcc vectorises
/// neighbouring elements only if it sees how far apart they are, and it does not look through sums that may wrap
/// around.
class Distances {
 public:
  explicit Distances(Exprs& x, const Function& f) : x_(x), fn_(f) {}

  void block(Block& b) {
    std::vector<VarId> mine;
    std::map<VarId, int> later;  // assignments, also by calls
    any_statement(b, [&](const Stmt& s) {
      each_assigned(fn_, s, [&](VarId v) { ++later[v]; });
      return false;
    });
    for (Stmt& s : b) {
      each_expr_of(s, [&](ExprP& e) { e = with_loads(e); });
      if (auto* n = std::get_if<Store>(&s.node)) n->offset = address(n->offset);
      for (Block* p : parts(s)) block(*p);
      // What the block assigns once, from what it does not assign: nothing changes either until the block ends.
      if (const auto* n = std::get_if<SetVar>(&s.node);
          n && fn_.vars[static_cast<size_t>(n->var)].type == Scalar::Int64) {
        const std::set<VarId> used = variables(n->value);
        const bool fixed = later[n->var] == 1 && std::none_of(used.begin(), used.end(), [&](VarId v) {
                             return later.contains(v) && (later[v] != 1 || !values_.contains(v));
                           });
        if (fixed && is_sum(n->value)) {
          values_[n->var] = with_values(n->value);
          mine.push_back(n->var);
        }
      }
    }
    for (const VarId v : mine) values_.erase(v);
  }

 private:
  /// A variable, a product of one and a constant, or the sum of such and a constant.
  static bool is_sum(ExprP e) {
    if (e->kind == Expr::Kind::Var) return true;
    if (e->kind != Expr::Kind::Binary || e->b->kind != Expr::Kind::IntConst) return false;
    return e->op == Op::Mul ? e->a->kind == Expr::Kind::Var : e->op == Op::Add && is_sum(e->a);
  }
  ExprP with_values(ExprP e) {
    if (!e || is_const(e) || e->kind == Expr::Kind::Load) return e;
    if (e->kind == Expr::Kind::Var) {
      const auto known = values_.find(e->var);
      return known == values_.end() ? e : known->second;
    }
    return with_parts(x_, e, [&](ExprP part) { return with_values(part); });
  }
  ExprP with_loads(ExprP e) {
    if (!e || is_simple(e)) return e;
    const ExprP made = with_parts(x_, e, [&](ExprP part) { return with_loads(part); });
    if (made->kind != Expr::Kind::Load) return made;
    Expr load = *made;
    load.b = address(made->b);
    return load.b == made->b ? made : x_.make(load);
  }
  ExprP address(ExprP offset) {
    const ExprP known = with_values(offset);
    if (known == offset) return offset;
    Linear sum;
    sum.add(known, 1);
    const ExprP made = sum.sum(x_, [](ExprP) { return true; });
    return made ? x_.add(made, x_.int_const(sum.constant)) : x_.int_const(sum.constant);
  }

  Exprs& x_;
  const Function& fn_;
  std::map<VarId, ExprP> values_;
};

// ---------------------------------------------------------------- addresses of rows

/// The parts of addresses that an innermost loop does not change are computed in front of it, once for all elements of
/// a row: gcc otherwise has a register for each element.
class Rows {
 public:
  Rows(Exprs& x, Function& f) : x_(x), out_(x, f) {}

  void block(Block& b) {
    Block made;
    for (Stmt& s : b) {
      for (Block* p : parts(s)) block(*p);
      if (auto* n = std::get_if<CountedLoop>(&s.node); n && !n->fallback && is_plain(n->body)) hoist(*n, s.place, made);
      made.push_back(std::move(s));
    }
    b = std::move(made);
  }

 private:
  struct Row {
    VarId base;
    ExprP distance;
    VarId address;
  };

  void hoist(CountedLoop& loop, int32_t place, Block& before) {
    changed_ = assignments(loop.body);
    ++changed_[loop.var];
    rows_.clear();
    change(loop.body);
    for (const Row& r : rows_)
      before.push_back({SetVar{r.address, x_.offset(x_.var(r.base, Scalar::Ptr), r.distance)}, place});
  }
  void change(Block& b) {
    for (Stmt& s : b) {
      each_expr_of(s, [&](ExprP& e) { e = with_rows(e); });
      if (auto* n = std::get_if<Store>(&s.node)) replace(n->base, n->offset);
      for (Block* p : parts(s)) change(*p);
    }
  }
  ExprP with_rows(ExprP e) {
    if (!e || is_simple(e)) return e;
    const ExprP made = with_parts(x_, e, [&](ExprP part) { return with_rows(part); });
    if (made->kind != Expr::Kind::Load) return made;
    Expr load = *made;
    replace(load.a, load.b);
    return load.a == made->a ? made : x_.make(load);
  }
  void replace(ExprP& base, ExprP& offset) {
    if (base->kind != Expr::Kind::Var || changed_.contains(base->var)) return;
    Linear sum;
    sum.add(offset, 1);
    const ExprP fixed = sum.sum(x_, [&](ExprP term) { return is_fixed(term); });
    const ExprP other = sum.sum(x_, [&](ExprP term) { return !is_fixed(term); });
    if (!fixed || !other) return;
    offset = x_.add(other, x_.int_const(sum.constant));
    base = x_.var(row(base->var, fixed), Scalar::Ptr);
  }
  bool is_fixed(ExprP e) const {
    return !any_node(e, [&](ExprP part) {
      return part->kind == Expr::Kind::Load || (part->kind == Expr::Kind::Var && changed_.contains(part->var));
    });
  }
  VarId row(VarId base, ExprP distance) {
    for (const Row& r : rows_)
      if (r.base == base && same(r.distance, distance)) return r.address;
    rows_.push_back({base, distance, out_.new_var("row", Scalar::Ptr)});
    return rows_.back().address;
  }

  Exprs& x_;
  Writer out_;
  std::map<VarId, int> changed_;
  std::vector<Row> rows_;
};

}  // namespace

void arrange_addresses(Exprs& x, Function& f) {
  Distances(x, f).block(f.body);
  Rows(x, f).block(f.body);
}

}  // namespace vr::codegen::c99
