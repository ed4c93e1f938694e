// Several views of one array in one parallel loop: kernels get arrays that overlap, one of which may be written, and
// ranges that contain one another.
#include "generator.hpp"

namespace vr::smith {

/// a[lo : lo + n] as a separate variable, which shares the elements if slices are views.
Variable& FunctionGen::view_of(ir::Body& out, const Variable& a, int64_t lo, int64_t n) {
  auto r = std::make_shared<ir::Range>(Type::null(), std::optional<bool>(true), int_const(m_.base() + lo), nullptr,
                                       int_const(m_.base() + lo + n));
  ir::Subscript s;
  s.value = r;
  auto slice = std::make_shared<ir::Index>(Type::null(), a.id, std::vector{s});
  if (rng.chance(70)) slice->copyslice = false;
  ExprPtr value = typed(slice);
  Variable& v = add(value->type, "v");
  v.hidden = true;
  v.group = a.group;
  v.shape = Shape{n};
  assign(out, name(v), value);
  return v;
}

void FunctionGen::views_statement(ir::Body& out) {
  if (parallel_ || m_.matlab()) throw Retry{};
  Variable* y = any([&](const Variable& x) {
    return x.type.is_array() && x.type.rank == 1 && x.shape && (*x.shape)[0] >= 3 && readable(x) && !x.window &&
           !x.type.complex && x.type.elem != Elem::Bool;
  });
  if (!y) throw Retry{};
  const Elem e = y->type.elem;
  const int64_t all = (*y->shape)[0];
  const bool writes = rng.chance(60);
  auto lo_of = [&](int64_t n) { return rng.below(all - n + 1); };
  // If elements are written, both views consist of the same elements and an iteration accesses its own. If they are
  // only read, the views may differ.
  const int64_t n1 = rng.range(1, all), lo1 = lo_of(n1);
  const int64_t n2 = writes ? n1 : rng.range(1, std::max<int64_t>(1, all / 3)), lo2 = writes ? lo1 : lo_of(n2);
  Variable &v = view_of(out, *y, lo1, n1), &w = view_of(out, *y, lo2, n2);
  const int64_t n = writes ? n1 : all;
  Variable& o = add(Type::array(e, 1, ir::fresh_layout(m_.conv)), "o");
  o.hidden = true;
  o.group = ++groups_;
  assign(out, name(o), std::make_shared<ir::Alloc>(o.type, ir::AllocFunc::Zeros, std::vector{int_const(n)}));

  Variable& i = add(Type::scalar(Elem::Int64), "i");
  i.hidden = true;
  ExprPtr range = loop_range(m_.base(), n, Elem::Int64, true);
  if (ir::is_float(range->type.components()[0].elem)) throw Retry{};
  auto wrapped = [&](int64_t extent) {
    ExprPtr k = name(i);
    if (extent == n) return k;
    if (m_.base()) k = binary(Kind::Minus, k, int_const(m_.base()));
    k = lib("mod", {k, int_const(extent)});
    return m_.base() ? binary(Kind::Plus, k, int_const(m_.base())) : k;
  };
  auto own = [&](const Variable& x) { return at(x, {name(i)}); };
  auto sum = [&](ExprPtr a, ExprPtr b) { return to(binary(Kind::Plus, std::move(a), std::move(b)), e, false); };
  ir::Body b;
  if (writes) {
    noted_store(*y);
    if (rng.chance(70)) assign(b, own(o), own(w));
    assign(b, own(v), sum(own(w), int_const(rng.range(1, 5), Elem::Int32)));
    assign(b, own(o), sum(own(o), own(w)));
  } else {
    assign(b, own(o),
           sum(at(v, {wrapped(n1)}), rng.chance(70) ? sum(own(*y), at(w, {wrapped(n2)})) : at(w, {wrapped(n2)})));
  }
  std::optional<std::vector<SymbolId>> shared;
  if (rng.chance(50)) shared = shared_list(b, {i.id});
  info_.has_pfor = true;
  auto loop = located(std::make_shared<ir::PFor>(std::vector{i.id}, range, std::move(shared), std::move(b)));
  if (in_section_ || !m_.sections || rng.chance(30)) {
    out.push_back(loop);
  } else {
    m_.has_section = true;
    out.push_back(located(std::make_shared<ir::StmtList>(true, ir::Body{loop})));
  }
  o.shape = Shape{n};
  o.hidden = v.hidden = w.hidden = false;
}

}  // namespace vr::smith
