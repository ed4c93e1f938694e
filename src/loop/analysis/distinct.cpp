#include "loop/analysis/distinct.hpp"

#include <algorithm>

namespace vr::lower {

namespace {

ExprP distinct(Writer& out, VarId base, const NestDependences& d) {
  Exprs& x = out.x;
  const ArrayVars* array = nullptr;
  for (const ArrayVars& a : out.fn.arrays)
    if (a.data == base) array = &a;
  if (!array || array->extent.empty()) return nullptr;
  // The stride of an axis is 0 where its subscript is the constant 0. It has no influence if the axis has no other
  // subscripts.
  std::vector<ExprP> strides(array->extent.size(), x.int_const(0));
  for (const NestAccess& a : d.accesses) {
    if (a.base != base) continue;
    if (a.strides.size() != strides.size()) return nullptr;
    for (size_t axis = 0; axis < strides.size(); ++axis)
      if (!is_int(a.strides[axis], 0)) strides[axis] = a.strides[axis];
  }
  std::vector<ExprP> extents;
  for (VarId v : array->extent) extents.push_back(out.get(v));
  return distinct_axes(out, extents, strides, array->element_bytes());
}

}  // namespace

ExprP distinct_axes(Writer& out, const std::vector<ExprP>& extents, const std::vector<ExprP>& strides, int64_t bytes) {
  Exprs& x = out.x;
  const auto axes = std::count_if(strides.begin(), strides.end(), [](ExprP e) { return !is_int(e, 0); });
  auto chain = [&](bool last_fastest) {
    ptrdiff_t done = 0;
    ExprP c = x.bool_const(true), span = x.int_const(bytes), one = x.int_const(1), zero = x.int_const(0);
    for (size_t k = 0; k < strides.size(); ++k) {
      const size_t axis = last_fastest ? strides.size() - 1 - k : k;
      const ExprP stride = strides[axis], extent = extents[axis];
      if (is_int(stride, 0)) continue;
      ++done;
      const ExprP step = x.select(x.lt(stride, zero), x.neg(stride), stride);
      c = x.both(c, x.either(x.le(extent, one), x.ge(step, span)));
      if (done == axes) break;
      const ExprP inner = x.select(x.gt(extent, one), x.mul(x.sub(extent, one), step), zero);
      span = out.keep(x.add(span, inner), "span");
    }
    return c;
  };
  if (strides.size() == 1 || strides.back()->kind == Expr::Kind::IntConst) return chain(true);
  if (strides.front()->kind == Expr::Kind::IntConst) return chain(false);
  return x.either(chain(true), chain(false));
}

ExprP distinct_elements(Writer& out, const NestDependences& nest) {
  ExprP all = out.x.bool_const(true);
  for (VarId base : nest.distinct) {
    ExprP c = distinct(out, base, nest);
    if (!c) return nullptr;
    all = out.x.both(all, c);
  }
  return all;
}

}  // namespace vr::lower
