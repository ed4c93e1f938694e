#include "analysis/shape_value.hpp"

namespace vr::analysis {

namespace {

bool equal(const ArrayShape& a, const ArrayShape& b) {
  return a.extents == b.extents && a.strides == b.strides && a.element == b.element && a.elements == b.elements;
}

// Computes `element`, which holds for all elements, from the elements.
void summarise(ArrayShape& a) {
  if (a.elements.empty()) return;
  a.element = a.elements[0].plain();
  for (const Number& n : a.elements) a.element = join(a.element, n.plain());
}

std::optional<std::vector<int64_t>> contiguous(const ir::Type& t, const ArrayShape& a) {
  if (t.layout == ir::Layout::Strided || !a.known()) return {};
  std::vector<int64_t> strides(a.extents.size());
  __int128 bytes = ir::elem_bytes(t.elem) * (t.complex ? 2 : 1);
  for (size_t step = 0; step < strides.size(); ++step) {
    const size_t k = t.layout == ir::Layout::ColMajor ? step : strides.size() - 1 - step;
    if (bytes > Interval::most) return {};
    strides[k] = static_cast<int64_t>(bytes);
    bytes *= a.extents[k].lo;
  }
  return strides;
}

ArrayShape join(const ArrayShape& a, const ArrayShape& b) {
  ArrayShape r;
  for (size_t k = 0; k < a.extents.size(); ++k) r.extents.push_back(hull(a.extents[k], b.extents[k]));
  if (a.strides == b.strides) r.strides = a.strides;
  r.element = join(a.element, b.element);
  if (a.extents == b.extents && !a.elements.empty() && a.elements.size() == b.elements.size())
    for (size_t k = 0; k < a.elements.size(); ++k) r.elements.push_back(join(a.elements[k], b.elements[k]));
  // An array without elements does not restrict `element`.
  if (a.count() == 0) r.element = b.element;
  if (b.count() == 0) r.element = a.element;
  return r;
}

Interval widened(const Interval& old, const Interval& next, const Interval& all, const std::vector<int64_t>& stops) {
  Interval r = next;
  if (next.lo < old.lo) {
    auto it = std::upper_bound(stops.begin(), stops.end(), next.lo);
    r.lo = it == stops.begin() ? all.lo : std::max(all.lo, *std::prev(it));
  }
  if (next.hi > old.hi) {
    auto it = std::lower_bound(stops.begin(), stops.end(), next.hi);
    r.hi = it == stops.end() ? all.hi : std::min(all.hi, *it);
  }
  return r;
}

Number widened(const Number& old, const Number& next, ir::Elem e, const std::vector<int64_t>& stops) {
  const auto all = numbers_of(e);
  if (!old.whole || !next.whole || !all) return next;
  Number r = next;
  r.range = widened(old.range, next.range, *all, stops);
  if (!next.terms.empty() && old.terms == next.terms) r.rest = widened(old.rest, next.rest, Interval{}, stops);
  if (r.rest == Interval{}) r.terms.clear();
  if (r.terms.empty()) r.rest = {};
  // A float64 that may exceed the exactly represented integers is no longer known to be an integer.
  if (e == ir::Elem::Float64 && (r.range.lo == all->lo || r.range.hi == all->hi)) return {};
  return r;
}

bool mentions(const Number& n, int first, int end) {
  for (const Term& t : n.terms)
    if (t.variable.statement >= first && t.variable.statement < end) return true;
  return false;
}

}  // namespace

bool ArrayShape::known() const {
  for (const Interval& e : extents)
    if (!e.single()) return false;
  return true;
}

Interval ArrayShape::size() const {
  Interval n = Interval::of(1);
  for (const Interval& e : extents) n = n * e;
  return n;
}

std::optional<int64_t> ArrayShape::count() const {
  const Interval n = size();
  return n.single() && n.hi < Interval::most ? std::optional(n.lo) : std::nullopt;
}

ShapeValue ShapeValue::of(Number n) {
  ShapeValue v;
  v.kind = Kind::Number;
  v.number = std::move(n);
  return v;
}
ShapeValue ShapeValue::of(ArrayShape a) {
  ShapeValue v;
  v.kind = Kind::Array;
  summarise(a);
  v.array = std::move(a);
  return v;
}
ShapeValue ShapeValue::tuple(std::vector<ShapeValuePtr> parts) {
  ShapeValue v;
  v.kind = Kind::Tuple;
  v.parts = std::move(parts);
  return v;
}

bool operator==(const ShapeValue& a, const ShapeValue& b) {
  if (a.kind != b.kind || a.parts.size() != b.parts.size()) return false;
  for (size_t k = 0; k < a.parts.size(); ++k)
    if (a.parts[k] != b.parts[k] && !(*a.parts[k] == *b.parts[k])) return false;
  return a.number == b.number && equal(a.array, b.array);
}

std::string ShapeValue::text() const {
  auto number_text = [](const Number& n) { return n.whole ? n.range.text() : std::string("?"); };
  auto list = [](const auto& items, auto&& text) {
    std::string s;
    for (const auto& i : items) s += (s.empty() ? "" : ",") + text(i);
    return s;
  };
  switch (kind) {
    case Kind::Other:
      return "?";
    case Kind::Number:
      return number_text(number);
    case Kind::Array: {
      std::string s =
          "[" + list(array.extents, [](const Interval& e) { return e == any_extent ? "?" : e.text(); }) + "]";
      if (!array.elements.empty()) return s + "{" + list(array.elements, number_text) + "}";
      if (array.element.whole && array.element.range != Interval{}) s += " of " + array.element.range.text();
      return s;
    }
    case Kind::Tuple:
      return "(" + list(parts, [](const ShapeValuePtr& p) { return p->text(); }) + ")";
  }
  return "";
}

ShapeValue any_value(const ir::Type& t) {
  if (t.is_scalar()) return ShapeValue::of(any_of(t));
  if (t.is_array()) return ShapeValue::of(new_array(t, std::vector<Interval>(t.rank, any_extent)));
  if (!t.is_tuple()) return {};
  std::vector<ShapeValuePtr> parts;
  for (const ir::Type& p : t.components()) parts.push_back(std::make_shared<ShapeValue>(any_value(p)));
  return ShapeValue::tuple(std::move(parts));
}

ShapeValue start_value(const ir::Type& t) {
  if (t.is_scalar()) return ShapeValue::of(t.complex || ir::is_float_below_64(t.elem) ? Number() : Number::of(0));
  if (t.is_array()) return ShapeValue::of(new_array(t, std::vector<Interval>(t.rank, Interval::of(0))));
  if (!t.is_tuple()) return {};
  std::vector<ShapeValuePtr> parts;
  for (const ir::Type& p : t.components()) parts.push_back(std::make_shared<ShapeValue>(start_value(p)));
  return ShapeValue::tuple(std::move(parts));
}

ArrayShape new_array(const ir::Type& t, std::vector<Interval> extents) {
  ArrayShape a;
  a.extents = std::move(extents);
  for (Interval& e : a.extents) e = {std::max<int64_t>(e.lo, 0), std::max<int64_t>(e.hi, 0)};
  a.strides = contiguous(t, a);
  a.element = any_of(t);
  return a;
}

ShapeValue join(const ShapeValue& a, const ShapeValue& b) {
  if (a.kind != b.kind || a.parts.size() != b.parts.size() || a.array.extents.size() != b.array.extents.size())
    return {};
  ShapeValue r;
  r.kind = a.kind;
  if (a.kind == ShapeValue::Kind::Number) r.number = join(a.number, b.number);
  if (a.kind == ShapeValue::Kind::Array) r.array = join(a.array, b.array);
  for (size_t k = 0; k < a.parts.size(); ++k)
    r.parts.push_back(a.parts[k] == b.parts[k] ? a.parts[k]
                                               : std::make_shared<ShapeValue>(join(*a.parts[k], *b.parts[k])));
  return r;
}

ShapeValue converted(const ShapeValue& v, const ir::Type& from, const ir::Type& to) {
  if (to.is_scalar() && v.kind == ShapeValue::Kind::Number) return ShapeValue::of(converted(v.number, to));
  if (to.is_array() && v.kind == ShapeValue::Kind::Array && v.array.extents.size() == to.rank) {
    ArrayShape a = v.array;
    a.element = converted(a.element, to);
    for (Number& n : a.elements) n = converted(n, to);
    const bool same = from.is_array() && from.elem == to.elem && from.complex == to.complex;
    // A view keeps its strides; every other change makes a new array in the stated layout.
    if (!same || (to.layout != ir::Layout::Strided && from.layout != to.layout)) a.strides = contiguous(to, a);
    return ShapeValue::of(std::move(a));
  }
  if (to.is_tuple() && v.kind == ShapeValue::Kind::Tuple && v.parts.size() == to.components().size() &&
      from.is_tuple() && from.components().size() == v.parts.size()) {
    std::vector<ShapeValuePtr> parts;
    for (size_t k = 0; k < v.parts.size(); ++k)
      parts.push_back(std::make_shared<ShapeValue>(converted(*v.parts[k], from.components()[k], to.components()[k])));
    return ShapeValue::tuple(std::move(parts));
  }
  return any_value(to);
}

ShapeValue with_stored(const ShapeValue& v, const ir::Type& t, const Number& stored) {
  if (v.kind == ShapeValue::Kind::Array) {
    ShapeValue r = v;
    r.array.elements.clear();
    r.array.element = join(v.array.element, converted(stored.plain(), t.element()));
    return r;
  }
  if (v.kind != ShapeValue::Kind::Tuple || !t.is_tuple()) return v;
  std::vector<ShapeValuePtr> parts;
  for (size_t k = 0; k < v.parts.size(); ++k)
    parts.push_back(std::make_shared<ShapeValue>(with_stored(*v.parts[k], t.components()[k], stored)));
  return ShapeValue::tuple(std::move(parts));
}

ShapeValue widened(const ShapeValue& old, const ShapeValue& next, const ir::Type& t,
                   const std::vector<int64_t>& stops) {
  if (old.kind != next.kind) return next;
  ShapeValue r = next;
  if (r.kind == ShapeValue::Kind::Number) r.number = widened(old.number, next.number, t.elem, stops);
  if (r.kind == ShapeValue::Kind::Array && old.array.extents.size() == next.array.extents.size()) {
    for (size_t k = 0; k < r.array.extents.size(); ++k)
      r.array.extents[k] = widened(old.array.extents[k], next.array.extents[k], any_extent, stops);
    if (!r.array.known()) r.array.elements.clear();
    for (size_t k = 0; k < r.array.elements.size() && k < old.array.elements.size(); ++k)
      r.array.elements[k] = widened(old.array.elements[k], next.array.elements[k], t.elem, stops);
    r.array.element = widened(old.array.element, next.array.element, t.elem, stops);
  }
  if (r.kind == ShapeValue::Kind::Tuple && t.is_tuple())
    for (size_t k = 0; k < r.parts.size() && k < old.parts.size(); ++k)
      r.parts[k] = std::make_shared<ShapeValue>(widened(*old.parts[k], *r.parts[k], t.components()[k], stops));
  return r;
}

ShapeValuePtr without_loops(const ShapeValuePtr& v, int first, int end) {
  if (v->kind == ShapeValue::Kind::Number)
    return mentions(v->number, first, end) ? std::make_shared<ShapeValue>(ShapeValue::of(v->number.plain())) : v;
  if (v->kind == ShapeValue::Kind::Array) {
    bool any = false;
    for (const Number& n : v->array.elements) any = any || mentions(n, first, end);
    if (!any) return v;
    auto r = std::make_shared<ShapeValue>(*v);
    for (Number& n : r->array.elements)
      if (mentions(n, first, end)) n = n.plain();
    return r;
  }
  if (v->kind != ShapeValue::Kind::Tuple) return v;
  std::shared_ptr<ShapeValue> r;
  for (size_t k = 0; k < v->parts.size(); ++k) {
    ShapeValuePtr p = without_loops(v->parts[k], first, end);
    if (p == v->parts[k]) continue;
    if (!r) r = std::make_shared<ShapeValue>(*v);
    r->parts[k] = std::move(p);
  }
  return r ? ShapeValuePtr(r) : v;
}

}  // namespace vr::analysis
