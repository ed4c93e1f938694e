#include "interp/elementwise.hpp"

#include "interp/arithmetic.hpp"
#include "ir/typing.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace vr::interp {

using ir::BroadcastMode;

Extents broadcast(const Extents& a, const Extents& b, BroadcastMode mode) {
  auto disagree = [&] {
    fail(Code::ShapeMismatch, fmt::format("shapes {} and {} do not agree", shape_text(a), shape_text(b)));
  };
  if (mode == BroadcastMode::None) {
    if (a != b) disagree();
    return a;
  }
  const size_t rank = std::max(a.size(), b.size());
  Extents r(rank, 1);
  for (const Extents* e : {&a, &b}) {
    const size_t shift = mode == BroadcastMode::Trailing ? rank - e->size() : 0;
    for (size_t k = 0; k < e->size(); ++k) {
      int64_t& n = r[k + shift];
      const int64_t m = (*e)[k];
      if (n == m || m == 1) continue;
      if (n != 1) disagree();
      n = m;
    }
  }
  return r;
}

void broadcast_index(std::span<const int64_t> at, std::span<const int64_t> from, BroadcastMode mode, Extents& out) {
  const size_t shift = mode == BroadcastMode::Trailing ? at.size() - from.size() : 0;
  out.resize(from.size());
  for (size_t k = 0; k < from.size(); ++k) out[k] = from[k] == 1 ? 0 : at[k + shift];
}

ir::Type element_type(const Datum& d, const char* what) {
  if (const Scalar* s = d.scalar()) return type_of(*s);
  if (const ArrayRef* a = d.array()) return a->element();
  fail(Code::Type, fmt::format("{} is {} where a number or an array is needed", what, d.kind_text()));
}

Layout wanted_layout(const Context& ctx, const ir::Type& stated) {
  return stated.is_array() ? contiguous_layout(ctx, stated.layout) : ir::fresh_layout(ctx.conv);
}

Datum map(Context& ctx, const Datum& a, const ir::Type& t, Layout layout,
          const std::function<Scalar(const Scalar&)>& f) {
  if (const Scalar* s = a.scalar()) return convert(f(*s), t);
  element_type(a, "the operand");
  const ArrayRef& x = *a.array();
  ArrayRef r = make_array(ctx, t.elem, t.complex, x.extents(), layout);
  for_each_index(x.array.extents(), Order::Row, [&](const Extents& i) { r.put(i, f(x.at(i))); });
  return r;
}

Datum map(Context& ctx, const Datum& a, const Datum& b, const ir::Type& t, Layout layout,
          const std::function<Scalar(const Scalar&, const Scalar&)>& f) {
  element_type(a, "the left operand");
  element_type(b, "the right operand");
  const ArrayRef *x = a.array(), *y = b.array();
  if (!x && !y) return convert(f(*a.scalar(), *b.scalar()), t);
  const BroadcastMode mode = ctx.conv.broadcast;
  const Extents extents = !x ? y->extents() : !y ? x->extents() : broadcast(x->extents(), y->extents(), mode);
  ArrayRef r = make_array(ctx, t.elem, t.complex, extents, layout);
  Extents at;
  auto operand = [&](const ArrayRef* array, const Datum& d, const Extents& i) {
    if (!array) return *d.scalar();
    broadcast_index(i, array->array.extents(), mode, at);
    return array->at(at);
  };
  for_each_index(extents, Order::Row, [&](const Extents& i) {
    const Scalar p = operand(x, a, i);
    r.put(i, f(p, operand(y, b, i)));
  });
  return r;
}

Datum apply_binary(Context& ctx, ir::Kind kind, const Datum& a, const Datum& b, const ir::Type& stated) {
  if (const Scalar *x = a.scalar(), *y = b.scalar(); x && y) return binary(kind, *x, *y, stated);
  const ir::Type t =
      operation_type(kind, element_type(a, "the left operand"), element_type(b, "the right operand"), stated);
  return map(ctx, a, b, t, wanted_layout(ctx, stated),
             [&](const Scalar& p, const Scalar& q) { return binary(kind, p, q, stated); });
}

}  // namespace vr::interp
