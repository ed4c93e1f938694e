#include "loop/analysis/dim_dependence.hpp"

#include "loop/walk.hpp"

namespace vr::lower {

std::set<VarId> read_only_arrays(const Function& kernel) {
  std::set<VarId> data;
  for (const Param& p : kernel.params)
    if (p.array != none && !p.written) data.insert(kernel.arrays[static_cast<size_t>(p.array)].data);
  return data;
}

DimDependence::DimDependence(const Function& kernel, bool values_alone, DimSet dims)
    : kernel_(kernel), values_alone_(values_alone), read_only_(read_only_arrays(kernel)) {
  for (size_t d = 0; d < kernel.dims.size(); ++d) {
    const DimSet own = dims & (DimSet{1} << d);
    if (own != 0) dims_[kernel.dims[d]] = own;
    all_ |= own;
  }
  do {
    changed_ = false;
    visit(kernel.body, 0);
  } while (changed_);
}

bool DimDependence::is_constant_load(ExprP e) const {
  return e->kind == Expr::Kind::Load && e->a->kind == Expr::Kind::Var && read_only_.count(e->a->var) != 0;
}

DimSet DimDependence::of(VarId v) const {
  const auto it = dims_.find(v);
  return it == dims_.end() ? 0 : it->second;
}

DimSet DimDependence::of(ExprP e) const {
  if (!e) return 0;
  if (e->kind == Expr::Kind::Var) return of(e->var);
  if (e->kind == Expr::Kind::Load && !is_constant_load(e)) return all_;
  return of(e->a) | of(e->b) | of(e->c);
}

DimSet DimDependence::contents(const Block& b) const {
  DimSet dims = 0;
  for (const Stmt& s : b) {
    each_expr(s, [&](ExprP e) { dims |= of(e); });
    each_assigned(kernel_, s, [&](VarId v) { dims |= of(v); });
    if (std::holds_alternative<Atomic>(s.node)) dims |= all_;
    for (const Block* p : parts(s)) dims |= contents(*p);
  }
  return dims;
}

DimSet DimDependence::region(const Stmt& s) const {
  DimSet dims = 0;
  each_expr(s, [&](ExprP e) { dims |= of(e); });
  if (dims == 0 || values_alone_) return 0;
  for (const Block* p : parts(s)) dims |= contents(*p);
  return dims;
}

void DimDependence::join(VarId v, DimSet dims) {
  DimSet& known = dims_[v];
  if ((known | dims) == known) return;
  known |= dims;
  changed_ = true;
}

void DimDependence::visit(const Block& b, DimSet around) {
  for (const Stmt& s : b) {
    const bool assigns = std::holds_alternative<SetVar>(s.node) || std::holds_alternative<CountedLoop>(s.node);
    DimSet dims = around;
    auto* loop = values_alone_ ? std::get_if<CountedLoop>(&s.node) : nullptr;
    each_expr(s, [&](ExprP e) {
      if (!loop || e == loop->lo) dims |= of(e);
    });
    each_assigned(kernel_, s, [&](VarId v) { join(v, assigns ? dims : all_); });
    if (!parts(s).empty()) {
      const DimSet inside = around | region(s);
      for (const Block* p : parts(s)) visit(*p, inside);
      // The variable of a loop within a region is a variable of the region.
      each_assigned(kernel_, s, [&](VarId v) { join(v, inside); });
    }
  }
}

}  // namespace vr::lower
