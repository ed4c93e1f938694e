// Stores into selected elements, and growth.
#include "interp/elementwise.hpp"
#include "interp/selection.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace vr::interp {

namespace {

/// The elements of `a` in an array of larger extents, at the same subscripts; the other elements are zero.
ArrayRef grown(Context& ctx, const ArrayRef& a, const Extents& extents, Layout layout) {
  ArrayRef r = make_array(ctx, a.elem(), a.complex(), extents, layout);
  for_each_index(a.array.extents(), Order::Row, [&](const Extents& i) { r.put(i, a.at(i)); });
  return r;
}

[[noreturn]] void no_growth(const Subscripted& what, int axis, int64_t index, int64_t extent, const char* why) {
  fail_subscript(Code::OutOfBounds, what.name, axis, index, extent,
                 fmt::format("subscript {} is outside of '{}', which cannot grow: {}", index, what.name, why));
}

/// The extents that the array needs to contain the selection.
Extents needed_extents(const Context& ctx, const Subscripted& what, const ArrayRef& a, const Selection& s) {
  Extents e = a.extents();
  const size_t rank = e.size(), merged = s.merged;
  for (size_t k = 0; k < std::min(merged, s.axes.size()); ++k) e[k] = std::max(e[k], plus(s.axes[k].highest(), 1));
  if (merged == rank) return e;
  const int64_t need = plus(s.axes.back().highest(), 1), have = s.seen.back();
  if (need <= have) return e;
  const int axis = static_cast<int>(merged);
  const int64_t index = need - 1 + ctx.conv.indexing;
  if (merged > 0 || !ctx.matlab() || rank != 2) {
    // The last subscript can enlarge its own dimension if all dimensions after it have extent 1.
    if (!std::all_of(e.begin() + static_cast<std::ptrdiff_t>(merged) + 1, e.end(), [](int64_t n) { return n == 1; }))
      no_growth(what, axis, index, have, "the subscript covers several dimensions");
    e[merged] = need;
  } else if (e[0] == 0 || e[0] == 1) {
    e = {1, need};  // MATLAB: everything but a column grows as a row
  } else if (e[1] == 1) {
    e = {need, 1};
  } else {
    no_growth(what, axis, index, have, "a matrix does not grow by a single subscript");
  }
  return e;
}

Extents without_ones(const Extents& e) {
  Extents r;
  for (int64_t n : e)
    if (n != 1) r.push_back(n);
  return r;
}

/// A(:, k) = v with an array A without elements: whole ranges get the extents of the stored value (MATLAB).
bool inquire_extents(const Context& ctx, const std::vector<SubscriptValue>& subs, const Extents& value, ArrayRef& a,
                     Extents& extents) {
  if (!ctx.matlab() || subs.size() != static_cast<size_t>(a.rank())) return false;
  const Extents have = a.extents();
  if (!std::all_of(have.begin(), have.end(), [](int64_t n) { return n == 0; })) return false;
  auto whole = [](const SubscriptValue& v) {
    auto* r = std::get_if<RangeSpec>(&v.value);
    return r && r->whole();
  };
  if (std::none_of(subs.begin(), subs.end(), [&](auto& v) { return v.grow && whole(v); })) return false;
  const bool numbers =
      std::any_of(subs.begin(), subs.end(), [](auto& v) { return std::holds_alternative<Scalar>(v.value); });
  // If a subscript is a number, the other ones match the value's extents that are not 1; otherwise the extents match
  // one by one.
  const Extents from = numbers ? without_ones(value) : value;
  extents = have;
  size_t next = 0;
  for (size_t k = 0; k < subs.size(); ++k) {
    if (std::holds_alternative<Scalar>(subs[k].value)) continue;
    if (whole(subs[k])) extents[k] = next < from.size() ? from[next] : 1;
    ++next;
  }
  return true;
}

[[noreturn]] void disagree(const Subscripted& what, const Extents& value, const Extents& target) {
  fail(Code::ShapeMismatch, fmt::format("an array of {} cannot be stored into {} elements of '{}'", shape_text(value),
                                        shape_text(target), what.name));
}

void fill(Context& ctx, const Selection& s, const ArrayRef& a, const Scalar& v) {
  const Scalar x = convert(v, a.elem(), a.complex());
  if (s.element) return store(s.address(ctx, a, Extents(s.shape.size(), 0)), x);
  for_each_index(s.shape, Order::Row, [&](const Extents& i) { store(s.address(ctx, a, i), x); });
}

/// MATLAB: the number of elements for one subscript, else the extents that are not 1, must be the same.
void store_matlab(Context& ctx, const Subscripted& what, const Selection& s, const ArrayRef& a, const ArrayRef& v,
                  bool linear) {
  const Extents from = v.extents();
  const bool fits = linear ? element_count(from) == s.count() : without_ones(from) == without_ones(s.shape);
  // Selections and values without elements agree if both are empty.
  if (!fits && !(element_count(from) == 0 && s.count() == 0)) disagree(what, from, s.shape);
  const std::vector<Scalar> values = elements(v, Order::Column);
  size_t k = 0;
  for_each_index(s.shape, Order::Column,
                 [&](const Extents& i) { store(s.address(ctx, a, i), convert(values[k++], a.elem(), a.complex())); });
}

/// NumPy: the value is broadcast to the selection; it may have additional leading extents of 1.
void store_numpy(Context& ctx, const Subscripted& what, const Selection& s, const ArrayRef& a, const ArrayRef& v) {
  const Extents whole = v.extents();
  Extents from = whole;
  const ir::BroadcastMode mode = ctx.conv.broadcast;
  const bool trailing = mode != ir::BroadcastMode::Leading;
  while (from.size() > s.shape.size() && (trailing ? from.front() : from.back()) == 1)
    from.erase(trailing ? from.begin() : from.end() - 1);
  bool fits = from.size() <= s.shape.size();
  for (size_t k = 0; fits && k < from.size(); ++k) {
    const int64_t n = s.shape[trailing ? k + s.shape.size() - from.size() : k];
    fits = from[k] == n || (from[k] == 1 && mode != ir::BroadcastMode::None);
  }
  if (!fits) disagree(what, whole, s.shape);
  const std::vector<Scalar> values = elements(v, Order::Row);  // before the store, because v may overlap the target
  Extents at;
  for_each_index(s.shape, Order::Row, [&](const Extents& i) {
    broadcast_index(i, from, trailing ? ir::BroadcastMode::Trailing : ir::BroadcastMode::Leading, at);
    size_t n = 0;
    for (size_t k = 0; k < from.size(); ++k) n = n * static_cast<size_t>(from[k]) + static_cast<size_t>(at[k]);
    store(s.address(ctx, a, i), convert(values[n], a.elem(), a.complex()));
  });
}

}  // namespace

void write_selection(Context& ctx, const Subscripted& what, ArrayRef& a, const std::vector<SubscriptValue>& subs,
                     const Datum& value) {
  element_type(value, "the value");
  const ArrayRef* v = value.array();
  Selection s = select(ctx, what, a, subs, true);
  Extents extents;
  ArrayRef target = a;
  if (v && inquire_extents(ctx, subs, v->extents(), target, extents)) {
    target = grown(ctx, a, extents, what.type.layout);
    s = select(ctx, what, target, subs, true);
  }
  extents = needed_extents(ctx, what, target, s);
  if (extents != target.extents()) {
    target = grown(ctx, target, extents, what.type.layout);
    s = select(ctx, what, target, subs);
  }
  if (!v || (v->size() == 1 && (ctx.matlab() || s.element))) {
    fill(ctx, s, target, scalar_of(value, "the value"));
  } else if (s.element) {
    disagree(what, v->extents(), {1});
  } else if (ctx.matlab()) {
    store_matlab(ctx, what, s, target, *v, s.axes.size() == 1);
  } else {
    store_numpy(ctx, what, s, target, *v);
  }
  if (target.array.object() != a.array.object()) a = target;
}

}  // namespace vr::interp
