#include "loop/analysis/row_uses.hpp"

#include "loop/analysis/dim_dependence.hpp"
#include "loop/analysis/nest.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace vr::lower {

namespace {

class Uses {
 public:
  Uses(Exprs& x, const Function& kernel) : x_(x), fn_(kernel), dims_(kernel, true), times_(assignments(kernel.body)) {
    for (size_t a = 0; a < fn_.arrays.size(); ++a) arrays_[fn_.arrays[a].data].id = static_cast<ArrayId>(a);
    for (const Param& p : fn_.params)
      if (p.array != none && p.written) arrays_.at(fn_.arrays[static_cast<size_t>(p.array)].data).written = true;
    std::map<VarId, ExprP> values;
    walk(fn_.body, values, true);
  }

  std::vector<RowUse> rows() const {
    std::vector<RowUse> all;
    if (!known_) return all;
    for (const auto& [data, array] : arrays_)
      if (auto use = row_of(array)) all.push_back(std::move(*use));
    return all;
  }
  std::vector<TableUse> tables() const {
    std::vector<TableUse> all;
    if (!known_) return all;
    for (const auto& [data, array] : arrays_) {
      if (array.written || !array.plain) continue;
      TableUse use{array.id, {}};
      for (const Access& a : array.accesses)
        if (is_lookup(a)) use.lookups.push_back(trips(a.loops));
      if (!use.lookups.empty()) all.push_back(std::move(use));
    }
    return all;
  }

 private:
  struct Access {
    std::vector<ExprP> index;  ///< in terms of the kernel's inputs and of variables that are assigned several times
    int64_t part;              ///< bytes behind the element's first one
    std::vector<const CountedLoop*> loops;
    bool certain;  ///< executed in each iteration of the loops
    bool store;
  };
  struct Array {
    ArrayId id = none;
    bool written = false;
    bool plain = true;  ///< all accesses are known
    std::vector<Access> accesses;
  };

  /// values: of variables that are assigned once, before this point of the block or of one around it.
  void walk(const Block& b, std::map<VarId, ExprP>& values, bool certain) {
    for (const Stmt& s : b) {
      each_expr(s, [&](ExprP e) { loads(e, values, certain); });
      if (auto* n = std::get_if<SetVar>(&s.node)) {
        if (fn_.vars[static_cast<size_t>(n->var)].type != Scalar::Ptr && times_.at(n->var) == 1 &&
            !mentions(n->value, n->var))
          record_value(x_, values, n->var, n->value);
      } else if (auto* n = std::get_if<Store>(&s.node)) {
        access(n->base, n->offset, values, certain, true);
      } else if (auto* n = std::get_if<CountedLoop>(&s.node)) {
        std::map<VarId, ExprP> inside = values;
        loops_.push_back(n);
        walk(n->body, inside, certain);
        loops_.pop_back();
      } else if (std::holds_alternative<If>(s.node) || std::holds_alternative<AliasGroup>(s.node)) {
        for (const Block* p : parts(s)) {
          std::map<VarId, ExprP> inside = values;
          walk(*p, inside, false);
        }
      } else if (std::holds_alternative<Fail>(s.node)) {
        fails_ = true;
      } else {
        known_ = false;  // jumps, atomic operations, private arrays
      }
    }
  }
  void loads(ExprP e, const std::map<VarId, ExprP>& values, bool certain) {
    if (!e) return;
    if (e->kind == Expr::Kind::Load) access(e->a, e->b, values, certain, false);
    for (ExprP part : {e->a, e->b, e->c}) loads(part, values, certain);
  }
  void access(ExprP base, ExprP offset, const std::map<VarId, ExprP>& values, bool certain, bool store) {
    if (base->kind != Expr::Kind::Var) {
      known_ = false;
      return;
    }
    const auto it = arrays_.find(base->var);
    if (it == arrays_.end()) {
      known_ = false;
      return;
    }
    Array& array = it->second;
    Access a{{}, offset->ival, loops_, certain, store};
    if (offset->kind == Expr::Kind::At)
      for (ExprP e = offset; e; e = e->c) a.index.push_back(substituted(x_, e->a, values));
    array.plain = array.plain && a.index.size() == fn_.arrays[static_cast<size_t>(array.id)].extent.size();
    array.accesses.push_back(std::move(a));
  }

  std::optional<size_t> dim_of(ExprP e) const {
    if (e->kind != Expr::Kind::Var) return {};
    const auto it = std::find(fn_.dims.begin(), fn_.dims.end(), e->var);
    if (it == fn_.dims.end()) return {};
    return static_cast<size_t>(it - fn_.dims.begin());
  }

  std::optional<RowUse> row_of(const Array& array) const {
    if (!array.plain || array.accesses.empty()) return {};
    const std::vector<ExprP>& first = array.accesses.front().index;
    RowUse use;
    use.array = array.id;
    do {
      if (use.dims.size() + 1 >= first.size()) return {};
      const auto d = dim_of(first[use.dims.size()]);
      if (!d || std::count(use.dims.begin(), use.dims.end(), *d)) return {};
      use.dims.push_back(*d);
    } while (use.dims.back() != 0);
    // Work-items of another dimension would share the row: tiles of several iterations gain more there.
    if (use.dims.size() != fn_.dims.size()) return {};
    const size_t axes = use.dims.size();
    std::vector<const Access*> boxes;
    for (const Access& a : array.accesses) {
      for (size_t k = 0; k < axes; ++k)
        if (!same(a.index[k], first[k])) return {};
      (a.store ? use.stored : use.loaded) = true;
    }
    if (use.stored && fails_) return {};
    for (const Access& a : array.accesses) {
      // What a kernel stores, it must store whole: nobody else's elements are written back.
      if (use.stored && !a.store) continue;
      if (a.store && !a.certain) return {};
      const auto box = box_of(a, axes);
      if (!box) return {};
      bool known = false;
      for (const Access* other : boxes) {
        const bool equal = same_box(a, *other, axes);
        if (!equal && !apart(a, *other, axes)) return {};
        known = known || equal;
      }
      if (known) continue;
      boxes.push_back(&a);
      use.boxes.push_back(*box);
    }
    return use;
  }
  /// Empty if the subscripts behind the first axes are no box, or if a loop around a store is none of the box's: it
  /// might have no iteration.
  std::optional<Box> box_of(const Access& a, size_t axes) const {
    Box box;
    std::set<VarId> used;
    for (size_t k = axes; k < a.index.size(); ++k) {
      if (a.index[k]->kind == Expr::Kind::IntConst) continue;
      const CountedLoop* loop = loop_of(a, a.index[k]);
      if (!loop || !is_int(loop->lo, 0) || !used.insert(loop->var).second) return {};
      box.push_back(loop->hi);
    }
    if (a.store && used.size() != a.loops.size()) return {};
    return box;
  }
  static const CountedLoop* loop_of(const Access& a, ExprP index) {
    if (index->kind != Expr::Kind::Var) return nullptr;
    for (const CountedLoop* loop : a.loops)
      if (loop->var == index->var) return loop;
    return nullptr;
  }
  bool same_box(const Access& a, const Access& b, size_t axes) const {
    if (a.part != b.part) return false;
    for (size_t k = axes; k < a.index.size(); ++k) {
      const CountedLoop *x = loop_of(a, a.index[k]), *y = loop_of(b, b.index[k]);
      if (x && y ? !same(x->hi, y->hi) : x || y || !same(a.index[k], b.index[k])) return false;
    }
    return true;
  }
  static bool apart(const Access& a, const Access& b, size_t axes) {
    if (a.part != b.part) return true;
    for (size_t k = axes; k < a.index.size(); ++k)
      if (a.index[k]->kind == Expr::Kind::IntConst && b.index[k]->kind == Expr::Kind::IntConst &&
          a.index[k]->ival != b.index[k]->ival)
        return true;
    return false;
  }

  /// Whether neighbours load at subscripts that follow no pattern.
  bool is_lookup(const Access& a) const {
    return std::any_of(a.index.begin(), a.index.end(), [&](ExprP e) { return (dims_.of(e) & 1) != 0 && scatters(e); });
  }
  bool scatters(ExprP e) const {
    if (!e) return false;
    const bool bits =
        e->kind == Expr::Kind::Binary && (e->op == Op::And || e->op == Op::Xor) && e->type != Scalar::Bool;
    const bool real = e->kind == Expr::Kind::Convert && is_float(e->a->type);
    return bits || real || e->kind == Expr::Kind::Load || scatters(e->a) || scatters(e->b) || scatters(e->c);
  }
  static Box trips(const std::vector<const CountedLoop*>& loops) {
    Box all;
    for (const CountedLoop* loop : loops) all.push_back(is_int(loop->lo, 0) ? loop->hi : nullptr);
    return all;
  }

  Exprs& x_;
  const Function& fn_;
  const DimDependence dims_;
  const std::map<VarId, int> times_;
  std::map<VarId, Array> arrays_;
  std::vector<const CountedLoop*> loops_;  ///< around the current statement
  bool known_ = true, fails_ = false;
};

}  // namespace

RowUses row_uses(Exprs& x, const Function& kernel) {
  const Uses uses(x, kernel);
  return {uses.rows(), uses.tables()};
}

}  // namespace vr::lower
