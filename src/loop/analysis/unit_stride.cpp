#include "loop/analysis/unit_stride.hpp"

#include "loop/analysis/affine.hpp"
#include "loop/walk.hpp"

#include <map>
#include <optional>

namespace vr::lower {

namespace {

/// Variables that the block assigns, without those of counted loops: consecutive work-items run a loop in step, so that its
/// variable has the same value in them.
void computed(const Block& b, std::map<VarId, int>& times) {
  for (const Stmt& s : b) {
    if (auto* n = std::get_if<SetVar>(&s.node)) ++times[n->var];
    if (auto* n = std::get_if<Atomic>(&s.node)) times[n->result] += 2;
    for (const Block* p : parts(s)) computed(*p, times);
  }
}

/// How numbers change along one dimension of the kernel.
class Along {
 public:
  Along(Exprs& x, const Function& kernel, VarId dim, const Block& body)
      : scratch_(kernel),
        out_(x, scratch_),
        affine_(out_, {dim, x.int_const(0), x.limit(Scalar::Int64, true), {}}, changed(body, dim)) {}

  void define(const SetVar& n) {
    if (is_integer(scratch_.vars[static_cast<size_t>(n.var)].type)) affine_.define(n.var, n.value);
  }
  /// By how much the number grows from iteration to iteration; null: not by a constant amount.
  ExprP step(ExprP e) {
    const auto n = affine_.linear(e);
    return n ? n->step : nullptr;
  }

 private:
  static std::map<VarId, int> changed(const Block& body, VarId dim) {
    std::map<VarId, int> times;
    computed(body, times);
    times[dim] += 1;
    return times;
  }
  Function scratch_;
  Writer out_;
  Affine affine_;
};

class Counter {
 public:
  /// varied: accesses that do not differ along dims[0] do not count.
  Counter(Exprs& x, const Function& kernel, VarId dim, bool varied = false) : along_(x, kernel, dim, kernel.body) {
    if (varied) values_.emplace(kernel, true);
    for (const ArrayVars& a : kernel.arrays) bytes_[a.data] = a.element_bytes();
    block(kernel.body, 1);
  }
  int64_t count = 0;
  int64_t apart = 0;  ///< accesses that change, and not by one element

 private:
  void block(const Block& b, int64_t weight) {
    for (const Stmt& s : b) {
      if (auto* n = std::get_if<SetVar>(&s.node)) along_.define(*n);
      if (auto* n = std::get_if<Store>(&s.node)) access(n->base, n->offset, weight);
      each_expr(s, [&](ExprP e) { expr(e, weight); });
      const bool loops = std::holds_alternative<CountedLoop>(s.node) || std::holds_alternative<Loop>(s.node);
      const int64_t inside = loops ? std::min(weight * loop_weight, int64_t{1} << 32) : weight;
      for (const Block* p : parts(s)) block(*p, inside);
    }
  }
  void expr(ExprP e, int64_t weight) {
    if (!e) return;
    if (e->kind == Expr::Kind::Load) access(e->a, e->b, weight);
    expr(e->a, weight);
    expr(e->b, weight);
    expr(e->c, weight);
  }
  void access(ExprP base, ExprP offset, int64_t weight) {
    if (base->kind != Expr::Kind::Var || !offset || offset->kind != Expr::Kind::At) return;
    auto bytes = bytes_.find(base->var);
    if (bytes == bytes_.end()) return;
    bool unit = false, other = false;
    for (ExprP axis = offset; axis && !other; axis = axis->c) {
      const ExprP step = along_.step(axis->a);
      if (step && is_int(step, 0)) continue;
      other = !step || unit || !is_int(axis->b, bytes->second) || (!is_int(step, 1) && !is_int(step, -1));
      unit = true;
    }
    if (other) {
      apart += weight;
      return;
    }
    if (unit && (!values_ || (values_->of(offset) & 1) != 0)) count += weight;
  }

  Along along_;
  std::optional<DimDependence> values_;
  std::map<VarId, int64_t> bytes_;
};

}  // namespace

std::vector<int64_t> unit_stride_accesses(Exprs& x, const Function& kernel) {
  std::vector<int64_t> counts;
  for (VarId d : kernel.dims) counts.push_back(Counter(x, kernel, d).count);
  return counts;
}

std::vector<StrideCounts> stride_counts(Exprs& x, const Function& kernel) {
  std::vector<StrideCounts> counts;
  for (VarId d : kernel.dims) {
    const Counter c(x, kernel, d);
    counts.push_back({c.count, c.apart});
  }
  return counts;
}

int64_t column_accesses(Exprs& x, const Function& kernel) { return Counter(x, kernel, kernel.dims[1], true).count; }

bool is_unit_of_a_dim(Exprs& x, const Function& kernel, const Block& before, ExprP e) {
  if (e->kind == Expr::Kind::Var)
    for (const Stmt& s : before)
      if (auto* n = std::get_if<SetVar>(&s.node); n && n->var == e->var) e = n->value;
  // max(0, x), and x where a condition holds or else 0: the forms in which lowering writes trip counts.
  if (e->kind == Expr::Kind::Select && e->b->kind == Expr::Kind::IntConst)
    e = e->c;
  else if (e->kind == Expr::Kind::Select && is_int(e->c, 0))
    e = e->b;
  int units = 0;
  for (VarId d : kernel.dims) {
    Along along(x, kernel, d, kernel.body);
    for (const Stmt& s : before)
      if (auto* n = std::get_if<SetVar>(&s.node)) along.define(*n);
    const ExprP step = along.step(e);
    if (!step) return false;
    if (is_int(step, 0)) continue;
    if (!is_int(step, 1) && !is_int(step, -1)) return false;
    ++units;
  }
  return units == 1;
}

bool is_column(Exprs& x, const Function& kernel, const DimDependence& dims, const Run& run) {
  bool unit = false;
  for (size_t d = 0; d < run.index.size(); ++d) {
    const ExprP base = run.index[d].base;
    if ((dims.of(base) & 1) == 0) continue;
    if (unit || !is_int(run.stride[d], scalar_bytes(run.type)) || !is_unit_of_a_dim(x, kernel, kernel.body, base))
      return false;
    unit = true;
  }
  return unit;
}

}  // namespace vr::lower
