#include "loop/analysis/shared_sizes.hpp"

#include "loop/walk.hpp"

#include <algorithm>
#include <set>

namespace vr::lower {

namespace {

using Kind = SharePlan::Kind;
using Plans = std::vector<SharePlan>;

/// Walks the kernel once, with intervals of its integers that hold at each statement.
class Sizes {
 public:
  Sizes(LaunchIntervals& at, Exprs& x, const Function& kernel) : at_(at), x_(x), kernel_(kernel) {
    for (const Param& p : kernel.params)
      if (p.array != none && p.written) boxes_[kernel.arrays[static_cast<size_t>(p.array)].data] = {};
    const auto times = assignments(kernel.body);
    for (const Stmt& s : kernel.body)
      if (auto* set = std::get_if<SetVar>(&s.node);
          set && times.at(set->var) == 1 && set->value->type == Scalar::Int64 && is_fixed(set->value, times))
        fixed_[set->var] = resolved(set->value);
    for (const auto& [v, count] : times)
      if (!fixed_.count(v)) changing_.insert(v);
  }

  SharedSizes run(const Plans& plans) {
    sizes_.alone = x_.int_const(0);
    block(kernel_.body, &plans, nullptr);
    for (auto& [data, box] : boxes_)
      if (box.fits && box.stored && is_own(box.box)) sizes_.boxes.push_back(std::move(box.box));
    return std::move(sizes_);
  }

 private:
  struct Candidate {
    OwnBox box = {};
    bool seen = false, fits = true, stored = false;
  };

  // ---------------------------------------------------------------- the walk
  void block(const Block& b, const Plans* plans, ExprP outer) {
    for (size_t k = 0; k < b.size(); ++k) statement(b[k], plans ? &(*plans)[k] : nullptr, outer);
  }
  void statement(const Stmt& s, const SharePlan* plan, ExprP outer) {
    each_expr(s, [&](ExprP e) { loads(e); });
    if (auto* set = std::get_if<SetVar>(&s.node)) return at_.define(*set);
    if (auto* store = std::get_if<Store>(&s.node)) return note(store->base, store->offset, store->value->type, true);
    if (auto* atomic = std::get_if<Atomic>(&s.node)) {
      note(atomic->base, atomic->offset, atomic->value->type, true);
      if (const auto it = boxes_.find(atomic->base->var); it != boxes_.end()) it->second.stored = true;
    }
    if (auto* n = std::get_if<If>(&s.node)) {
      const auto before = at_.state;
      for (const Block* b : {&n->then_body, &n->else_body}) {
        at_.narrow_by(n->cond, b == &n->then_body, true);
        block(*b, plans_of(plan, b == &n->then_body ? 0 : 1), outer);
        at_.state = before;
      }
      return forget(s);
    }
    auto* loop = std::get_if<CountedLoop>(&s.node);
    if (!loop && !std::holds_alternative<Loop>(s.node)) return forget(s);
    const bool shared = plan && (plan->kind == Kind::Share || plan->kind == Kind::Rows);
    const ExprP all = shared ? measure(*loop, plan->kind == Kind::Rows, outer) : outer;
    if (plan && (plan->kind == Kind::All || plan->kind == Kind::One)) measure_alone(loop);
    forget(s);
    if (loop) at_.enter(*loop);
    const bool serial = plan && plan->kind == Kind::Serial;
    serial_ += serial;
    block(*parts(s)[0], plans_of(plan, 0), all);
    serial_ -= serial;
    forget(s);
  }
  static const Plans* plans_of(const SharePlan* plan, size_t k) {
    return plan && k < plan->parts.size() ? &plan->parts[k] : nullptr;
  }
  /// What the statement assigns is unknown.
  void forget(const Stmt& s) {
    for (const auto& entry : assignments(Block{s})) at_.state.erase(entry.first);
  }

  // ---------------------------------------------------------------- shared loops
  /// Returns the iterations of the loop and those around it.
  ExprP measure(const CountedLoop& loop, bool rows, ExprP outer) {
    const auto trips = at_.value(loop.hi);
    if (!trips || trips->valid) {
      sizes_.known = false;
      return outer;
    }
    const bool constant = trips->hi->kind == Expr::Kind::IntConst;
    if (constant) sizes_.bounds[loop.var] = trips->hi->ival;
    sizes_.rows = sizes_.rows || rows;
    const ExprP all = outer ? at_.keep(x_.mul(outer, trips->hi)) : trips->hi;
    if (rows) return all;
    sizes_.most = sizes_.most ? at_.keep(x_.max(sizes_.most, all)) : all;
    if (outer)
      sizes_.row = constant ? std::min(std::max(sizes_.row.value_or(0), trips->hi->ival), SharedSizes::most_row)
                            : SharedSizes::most_row;
    return all;
  }

  void measure_alone(const CountedLoop* loop) {
    const auto trips = loop ? at_.value(loop->hi) : std::nullopt;
    const bool known = sizes_.alone && trips && !trips->valid;
    sizes_.alone = known ? at_.keep(x_.add(sizes_.alone, trips->hi)) : nullptr;
  }

  // ---------------------------------------------------------------- boxes
  bool is_fixed(ExprP e, const std::map<VarId, int>& times) const {
    const auto used = variables(e);
    return !lower::loads(e) &&
           std::all_of(used.begin(), used.end(), [&](VarId v) { return !times.count(v) || fixed_.count(v) != 0; });
  }
  ExprP resolved(ExprP e) const {
    return replaced(x_, e, [&](ExprP n) -> ExprP {
      const auto it = n->kind == Expr::Kind::Var ? fixed_.find(n->var) : fixed_.end();
      return it == fixed_.end() ? nullptr : it->second;
    });
  }
  void loads(ExprP e) {
    any_node(e, [&](ExprP n) {
      if (n->kind == Expr::Kind::Load) note(n->a, n->b, n->type, false);
      return false;
    });
  }
  void note(ExprP base, ExprP offset, Scalar type, bool store) {
    const auto it = base->kind == Expr::Kind::Var ? boxes_.find(base->var) : boxes_.end();
    if (it == boxes_.end() || !it->second.fits) return;
    Candidate& c = it->second;
    c.stored = c.stored || (store && serial_ > 0);
    c.fits = add(c, base->var, offset, type);
    c.seen = true;
  }
  bool add(Candidate& c, VarId data, ExprP offset, Scalar type) {
    if (offset->kind != Expr::Kind::At || offset->ival != 0 || (c.seen && type != c.box.type)) return false;
    std::vector<ExprP> index, stride;
    for (ExprP axis = offset; axis; axis = axis->c) index.push_back(axis->a), stride.push_back(axis->b);
    if (!c.seen) {
      c.box = {data, type, {}, stride, {}};
      size_t fixed = 0;
      for (; fixed < index.size() && is_fixed_now(index[fixed]); ++fixed) c.box.fixed.push_back(resolved(index[fixed]));
    }
    const auto array =
        std::find_if(kernel_.arrays.begin(), kernel_.arrays.end(), [&](const ArrayVars& a) { return a.data == data; });
    if (array == kernel_.arrays.end() || array->extent.size() != index.size()) return false;
    if (!c.seen)  // the stride of an axis whose subscript is 0 is not in the access
      for (size_t k = 0; k < stride.size(); ++k)
        if (is_int(stride[k], 0)) c.box.stride[k] = x_.var(array->stride[k], Scalar::Int64);
    const size_t fixed = c.box.fixed.size();
    if (c.seen && c.box.stride.size() != stride.size()) return false;
    for (size_t k = 0; k < index.size(); ++k) {
      if (is_int(index[k], 0) && k >= fixed) continue;
      // The variable and the constant that it is known to be.
      if (c.box.stride[k]->kind == Expr::Kind::Var && stride[k]->kind == Expr::Kind::IntConst)
        c.box.stride[k] = stride[k];
      const bool own = stride[k]->kind == Expr::Kind::IntConst ||
                       (stride[k]->kind == Expr::Kind::Var && stride[k]->var == array->stride[k]);
      if (!own || !same(c.box.stride[k], stride[k])) return false;
    }
    for (size_t k = 0; k < fixed; ++k)
      if (k >= index.size() || !same(resolved(index[k]), c.box.fixed[k])) return false;
    for (size_t k = fixed; k < index.size(); ++k) {
      const ExprP extent = at_.input_value(array->extent[k]);
      if (!extent) return false;
      const auto i = at_.value(index[k]);
      const bool known = i && !i->valid && i->lo && i->hi;
      // Where nothing is known of the subscript: all that the axis has.
      const ExprP lo = known ? i->lo : x_.int_const(0), hi = known ? i->hi : at_.keep(x_.sub(extent, x_.int_const(1)));
      const size_t axis = k - fixed;
      if (axis >= c.box.axes.size()) {
        c.box.axes.push_back({lo, hi, extent});
      } else {
        OwnBox::Axis& a = c.box.axes[axis];
        a = {at_.keep(x_.min(a.lo, lo)), at_.keep(x_.max(a.hi, hi)), extent};
      }
    }
    return true;
  }
  bool is_fixed_now(ExprP e) const {
    const auto used = variables(e);
    return !lower::loads(e) && e->kind != Expr::Kind::IntConst &&
           std::none_of(used.begin(), used.end(), [&](VarId v) { return changing_.count(v) != 0; });
  }
  /// Whether different iterations of the kernel have different boxes.
  bool is_own(const OwnBox& box) const {
    return !box.axes.empty() && std::all_of(kernel_.dims.begin(), kernel_.dims.end(), [&](VarId dim) {
      return std::any_of(box.fixed.begin(), box.fixed.end(),
                         [&](ExprP e) { return e->kind == Expr::Kind::Var && e->var == dim; });
    });
  }

  LaunchIntervals& at_;
  Exprs& x_;
  const Function& kernel_;
  SharedSizes sizes_;
  std::map<VarId, Candidate> boxes_;  ///< by data variable
  std::map<VarId, ExprP> fixed_;      ///< variables with one value in an iteration, of its dimensions and the inputs
  std::set<VarId> changing_;          ///< other variables that the kernel assigns
  int serial_ = 0;                    ///< serial loops around the current statement
};

}  // namespace

SharedSizes shared_sizes(LaunchIntervals& at, Exprs& x, const Function& kernel, const std::vector<SharePlan>& plans) {
  return Sizes(at, x, kernel).run(plans);
}

}  // namespace vr::lower
