// Subscripts: the positions that they access, the shape of slices, stores and growth (docs/vrir.md "Indexing").
#include "analysis/shape_eval.hpp"

#include <velociraptor/ir/visit.hpp>

namespace vr::analysis {

using namespace ir;

namespace {

Interval counted(const Number& first, const Number& last, const Interval& step) {
  // The trip count from first to last, both included, in steps of `step` (positive).
  const Interval span = (last - first).range;
  const auto q = quotient({std::max<int64_t>(span.lo, -1), std::max<int64_t>(span.hi, -1)}, step);
  Interval n = q.value_or(Interval{0, Interval::most}) + Interval::of(1);
  // A negative span means no iterations.
  if (span.hi < 0) return Interval::of(0);
  if (span.lo < 0) n.lo = 0;
  return {std::max<int64_t>(n.lo, 0), std::max<int64_t>(n.hi, 0)};
}

}  // namespace

void ShapeEval::select_range(const Subscript& sub, const Interval& extent, ShapeState& s, SubscriptAccess& a,
                             Interval& count) const {
  const int64_t base = conventions_.indexing;
  auto* r = as<Range>(sub.value);
  count = {0, Interval::most};
  if (!r) {
    value(sub.value, s);
    return;
  }
  auto part = [&](const ExprPtr& p) { return p ? std::optional(number(p, s)) : std::nullopt; };
  const std::optional<Number> start = part(r->start), step = part(r->step), stop = part(r->stop);
  const Interval by = step ? step->range : Interval::of(1);
  const bool up = by.lo > 0, down = by.hi < 0;
  if (!start && !stop && (!step || (step->whole && (up || down)))) {
    // The whole dimension, with a step: no position is out of bounds.
    a.known = true;
    count = counted(Number::of(1), Number::in(extent), up ? by : -by);
    if (by == Interval::of(1)) count = extent;
    return;
  }
  if ((start && !start->whole) || (stop && !stop->whole) || (step && !step->whole) || (!up && !down)) {
    // A slice with an integer step other than 0 is not longer than the array, except in a store that grows it.
    if (!a.store) count = {0, extent.hi};
    return;
  }
  const bool exclude = stop && r->exclude.value_or(conventions_.exclude);
  const Number one = Number::of(1);
  const Number end = Number::in(extent) + Number::of(base - 1);  // the last position, as a subscript
  const Number first = start ? *start : up ? Number::of(base) : end;
  const Number last = !stop ? (up ? end : Number::of(base)) : !exclude ? *stop : up ? *stop - one : *stop + one;
  a.known = true;
  // Omitted parts of a range are within bounds. In an array without elements no position is accessed.
  std::vector<Number>&low = up ? a.low : a.high, &high = up ? a.high : a.low;
  if (start) low.push_back(first);
  if (stop) high.push_back(last);
  if (sub.negative) {
    // Bounds within the array, or just after its end, neither count from the end nor are clipped.
    if (up) {
      if (stop) a.low.push_back(*stop);
      if (start) a.high.push_back(first - one);
    } else {
      a.known = false;
    }
    const Interval behind = Interval::of(extent.lo) + Interval::of(base);
    const bool inside = up && (!start || (first.range.lo >= base && first.range.hi <= behind.lo)) &&
                        (!stop || (stop->range.lo >= base && last.range.hi < behind.lo));
    if (!inside) {
      count = {0, extent.hi};
      return;
    }
  }
  count = up ? counted(first, last, by) : counted(last, first, -by);
  if (!a.store && extent.hi < count.hi) count.hi = std::max(count.lo, extent.hi);
}

ShapeEval::Selected ShapeEval::select(const Expr& node, SymbolId array, const std::vector<Subscript>& subs,
                                      bool flatten, bool store, ShapeState& s) const {
  Selected sel;
  const size_t rank = type_of(array).rank, given = subs.size();
  const bool flat = flatten && given < rank;
  // Subscripts are evaluated before the array is accessed.
  std::vector<ShapeValue> values;
  for (const Subscript& sub : subs)
    values.push_back(sub.value->kind == Kind::Range || sub.value->type.is_domain() ? ShapeValue()
                                                                                   : value(sub.value, s));
  sel.element = given == rank || flat;
  const bool mask_all = given == 1 && subs[0].value->type.is_array() && subs[0].value->type.elem == Elem::Bool &&
                        subs[0].value->type.rank == rank && !matlab();
  for (size_t k = 0; k < (flat ? given : rank); ++k) {
    Selected::Axis axis;
    const ArrayShape& a = variable(array, s).array;
    Interval extent = a.extents[k];
    if (flat && k + 1 == given)
      for (size_t d = k + 1; d < rank; ++d) extent = extent * a.extents[d];
    if (k >= given) {
      if (mask_all) break;
      axis.kind = Selected::Axis::Kind::Range;
      axis.whole = true;
      axis.count = extent;
      axis.step = 1;
      sel.element = false;
      sel.axes.push_back(std::move(axis));
      continue;
    }
    const Subscript& sub = subs[k];
    SubscriptAccess access;
    access.node = &node;
    access.axis = k;
    access.store = store;
    access.extent = extent;
    const Type& t = sub.value->type;
    if (sub.value->kind == Kind::Range || t.is_domain()) {
      sel.element = false;
      axis.kind = Selected::Axis::Kind::Range;
      access.range = true;
      auto* r = as<Range>(sub.value);
      axis.whole = r && !r->start && !r->step && !r->stop;
      select_range(sub, extent, s, access, axis.count);
      axis.inquires = axis.whole && store && matlab() && given == rank;
      for (const Interval& n : a.extents) axis.inquires = axis.inquires && n.contains(0);
      if (axis.inquires) access.known = false;
      axis.step = !r ? std::nullopt : !r->step ? std::optional<int64_t>(1) : number(r->step, s).constant();
    } else if (t.is_array()) {
      sel.element = false;
      axis.kind = Selected::Axis::Kind::List;
      const ArrayShape& list = values[k].array;
      axis.mask = t.elem == Elem::Bool;
      axis.shape = list.extents;
      axis.count = list.size();
      if (axis.mask) {
        axis.count.lo = 0;
      } else if (list.element.whole) {
        access.known = true;
        access.low = access.high = {list.element};
      }
    } else {
      axis.at = values[k].number;
      access.known = axis.at.whole;
      access.low = access.high = {axis.at};
    }
    if (access.known) {
      axis.highest = {-1, -1};
      for (const Number& n : access.high)
        axis.highest = max(axis.highest, (n - Number::of(conventions_.indexing)).range);
    }
    if (accessed) accessed(std::move(access));
    sel.axes.push_back(std::move(axis));
  }
  return sel;
}

std::vector<Interval> ShapeEval::selected_shape(const Selected& sel, const std::vector<Subscript>& subs, size_t rank,
                                                bool flatten) const {
  using Kind = Selected::Axis::Kind;
  const size_t given = subs.size();
  std::vector<Interval> shape;
  if (!matlab()) {
    for (const auto& a : sel.axes) {
      if (a.kind == Kind::Number) continue;
      if (a.kind == Kind::List && !a.mask)
        shape.insert(shape.end(), a.shape.begin(), a.shape.end());
      else
        shape.push_back(a.count);
    }
    return shape;
  }
  size_t last = given < rank && !flatten ? rank : 0;
  for (size_t k = 0; k < given; ++k)
    if (sel.axes[k].kind != Kind::Number) last = std::max(last, k + 1);
  last = std::max<size_t>(last, 2);
  for (size_t k = 0; k < last; ++k) shape.push_back(k < sel.axes.size() ? sel.axes[k].count : Interval::of(1));
  return shape;
}

ShapeValue ShapeEval::element_or_slice(const Index& e, ShapeState& s) const {
  const Type &t = e.type, &source = type_of(e.array);
  const bool flatten = e.flatten.value_or(conventions_.flatten);
  const Selected sel = select(e, e.array, e.subscripts, flatten, false, s);
  const ArrayShape& a = variable(e.array, s).array;
  const size_t rank = source.rank, given = e.subscripts.size();
  using Kind = Selected::Axis::Kind;
  if (t.is_scalar()) {
    // One element; if the subscripts are constants, that element itself.
    Number n = a.element;
    if (sel.element && given == rank && !a.elements.empty()) {
      int64_t at = 0;
      for (size_t k = 0; k < rank && at >= 0; ++k) {
        const auto c = sel.axes[k].at.constant();
        const int64_t p = c && *c >= conventions_.indexing ? *c - conventions_.indexing : -1;
        at = p < 0 || p >= a.extents[k].lo ? -1 : at * a.extents[k].lo + p;
      }
      if (at >= 0) n = a.elements[static_cast<size_t>(at)];
    }
    return ShapeValue::of(converted(n, t));
  }
  if (!t.is_array()) return {};
  std::vector<Interval> shape;
  if (matlab() && given == 1 && flatten && given < rank) {
    // A(x) over all dimensions: A(:) is a column, a vector keeps its direction, else the subscript's shape.
    const auto& x = sel.axes[0];
    auto is = [](const Interval& i) { return i == Interval::of(1) ? 1 : i.contains(1) ? 0 : -1; };
    const int first = rank == 2 ? is(a.extents[0]) : -1, second = rank == 2 ? is(a.extents[1]) : -1;
    const bool row = first == 1 && second == -1, column = second == 1 && first == -1;
    const bool neither = rank != 2 || (first == -1 && second == -1) || (first == 1 && second == 1);
    const bool vector_list = x.shape.size() == 2 && (x.shape[0] == Interval::of(1) || x.shape[1] == Interval::of(1));
    const bool no_vector_list = x.shape.size() != 2 || (is(x.shape[0]) == -1 && is(x.shape[1]) == -1);
    if (x.kind == Kind::Range) {
      if (x.whole || column) shape = {x.count, Interval::of(1)};
      if (!x.whole && (row || neither)) shape = {Interval::of(1), x.count};
    } else if (!x.mask) {
      if (neither || no_vector_list) shape = x.shape;
      if (vector_list && row) shape = {Interval::of(1), x.count};
      if (vector_list && column) shape = {x.count, Interval::of(1)};
    }
  } else {
    bool masks = false;
    for (const auto& x : sel.axes) masks = masks || x.mask;
    const bool whole_mask = masks && !matlab() && given == 1 && e.subscripts[0].value->type.rank == rank;
    shape = whole_mask ? std::vector<Interval>{sel.axes[0].count} : selected_shape(sel, e.subscripts, rank, flatten);
  }
  if (shape.size() != t.rank) return any_value(t);
  ArrayShape r = new_array(t, std::move(shape));
  r.element = converted(a.element, t.element());
  if (t.layout != Layout::Strided || !a.strides || given != rank) return ShapeValue::of(std::move(r));
  // A view: the strides of the dimensions that remain, times the steps.
  std::vector<int64_t> strides;
  for (size_t k = 0; k < rank; ++k) {
    const auto& x = sel.axes[k];
    if (x.kind == Kind::Number && !matlab()) continue;
    int64_t bytes = 0;
    if (x.kind == Kind::List || (x.kind == Kind::Range && !x.step) ||
        __builtin_mul_overflow((*a.strides)[k], x.step.value_or(1), &bytes))
      return ShapeValue::of(std::move(r));
    strides.push_back(bytes);
  }
  const bool copies = e.copyslice.value_or(conventions_.slices == SliceMode::Copy);
  if (strides.size() == t.rank && !copies && type_of(e.array).elem == t.elem && type_of(e.array).complex == t.complex &&
      r.size().lo > 0)
    r.strides = std::move(strides);
  return ShapeValue::of(std::move(r));
}

void ShapeEval::store(const Index& target, const ShapeValue& v, ShapeState& s,
                      const std::function<bool()>& may_grow) const {
  const Type& t = type_of(target.array);
  if (!t.is_array()) return;
  const bool flatten = target.flatten.value_or(conventions_.flatten);
  const size_t rank = t.rank, given = target.subscripts.size();
  const Selected sel = select(target, target.array, target.subscripts, flatten, true, s);
  ArrayShape a = variable(target.array, s).array;
  const bool flat = flatten && given < rank;
  bool fits = true, grows = false;
  std::vector<Interval> extents = a.extents;
  auto could_grow = [&](size_t k) { return target.subscripts[k].grow.value_or(conventions_.grow); };
  for (size_t k = 0; k < given; ++k) {
    if (!could_grow(k)) continue;
    const auto& x = sel.axes[k];
    Interval extent = a.extents[k];
    if (flat && k + 1 == given)
      for (size_t d = k + 1; d < rank; ++d) extent = extent * a.extents[d];
    const bool inquires = x.inquires;
    if (x.whole && !inquires) continue;
    if (!inquires && x.highest.hi < extent.lo) continue;
    fits = false;
    // Ranges and index arrays may be empty: only a number gives a lower bound of the new extent.
    const Interval needed = x.highest + Interval::of(1);
    grows = grows || inquires;
    if (inquires)
      extents[k] = {0, Interval::most};
    else
      extents[k] = max(extents[k], {x.kind == Selected::Axis::Kind::Number ? needed.lo : 0, needed.hi});
  }
  if (!fits && !grows) grows = may_grow();
  if (grows) {
    // Growth through fewer subscripts than dimensions has special rules: the new extents are treated as unknown.
    if (flat || given != rank) extents.assign(rank, {0, Interval::most});
    ArrayShape g = new_array(t, std::move(extents));
    g.element = join(a.element, Number::of(0));
    a = std::move(g);
    assign(target.array, ShapeValue::of(a), s);
  }
  const Number stored = converted(v.kind == ShapeValue::Kind::Array ? v.array.element : v.number, t.element());
  touch(target.array, stored, s, false);
  // A single element at a known position is certainly replaced.
  ArrayShape now = a;
  int64_t at = 0;
  bool one = sel.element && given == rank && !now.elements.empty();
  for (size_t k = 0; k < rank && one; ++k) {
    const auto c = sel.axes[k].at.constant();
    const int64_t p = c && *c >= conventions_.indexing ? *c - conventions_.indexing : -1;
    one = p >= 0 && p < a.extents[k].lo;
    at = at * a.extents[k].lo + p;
  }
  if (one) {
    now.elements[static_cast<size_t>(at)] = stored;
    assign(target.array, ShapeValue::of(std::move(now)), s);
  } else {
    assign(target.array, with_stored(ShapeValue::of(std::move(now)), t, stored), s);
  }
}

}  // namespace vr::analysis
