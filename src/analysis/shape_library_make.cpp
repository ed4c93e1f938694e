// Library functions that make arrays, concatenate them and query their extents (docs/vrir-library.md).
#include "analysis/shape_eval.hpp"

#include "ir/library.hpp"

namespace vr::analysis {

using namespace ir;

ShapeValue ShapeEval::joined(bool vertical, const Values& v, const Type& stated) const {
  if (!stated.is_array()) return any_value(stated);
  std::vector<std::vector<Interval>> shapes;
  size_t rank = 0;
  Number element;
  for (size_t k = 0; k < v.size(); ++k) {
    const ArrayShape a = as_array(v[k]);
    shapes.push_back(a.extents);
    rank = std::max(rank, a.extents.size());
    element = k == 0 ? a.element : join(element, a.element);
  }
  if (vertical) rank = std::max<size_t>(rank, 2);
  const size_t along = vertical || rank == 1 ? 0 : 1;
  if (rank != stated.rank) return any_value(stated);
  for (auto& e : shapes) e.insert(matlab() ? e.end() : e.begin(), rank - e.size(), one);
  if (matlab() && shapes.size() > 1)
    // Arrays that may be empty follow other rules for concatenation.
    for (const auto& e : shapes)
      for (const Interval& n : e)
        if (n.lo < 1) return any_value(stated);
  std::vector<Interval> out = shapes[0];
  for (size_t s = 1; s < shapes.size(); ++s)
    for (size_t k = 0; k < rank; ++k)
      out[k] = k == along ? out[k] + shapes[s][k] : meet(out[k], shapes[s][k]).value_or(out[k]);
  ArrayShape r = new_array(stated, std::move(out));
  r.element = converted(element.plain(), stated.element());
  const size_t total = static_cast<size_t>(std::min<int64_t>(r.count().value_or(100), 100));
  if (total <= ArrayShape::most_elements &&
      (rank == 1 || (along == 1 && is_one(r.extents[0])) || (along == 0 && is_one(r.extents[1])))) {
    for (const ShapeValue& x : v) {
      const ArrayShape a = as_array(x);
      for (const Number& n : a.elements) r.elements.push_back(converted(n, stated.element()));
    }
    if (r.elements.size() != total) r.elements.clear();
  }
  return ShapeValue::of(std::move(r));
}

ShapeValue ShapeEval::count_of(const LibFunction& f, const Values& v, const Type& stated) const {
  const ArrayShape a = as_array(v[0]);
  auto number = [&](const Interval& i) { return ShapeValue::of(converted(Number::in(i), stated)); };
  if (f.values == LibValue::Elements) return number(a.size());
  if (f.values == LibValue::Rank) return number(Interval::of(static_cast<int64_t>(a.extents.size())));
  if (f.values != LibValue::Length) return any_value(stated);
  if (!matlab()) return number(a.extents[0]);
  Interval longest = a.extents[0];
  for (const Interval& e : a.extents) longest = max(longest, e);
  if (a.size().lo == 0) longest.lo = 0;
  if (a.size().hi == 0) longest = Interval::of(0);
  return number(longest);
}

ShapeValue ShapeEval::sizes(const Values& v, const Type& stated) const {
  const ArrayShape a = as_array(v[0]);
  if (v.size() > 1) {
    auto number = [&](const Interval& i) { return ShapeValue::of(converted(Number::in(i), stated)); };
    const auto k = axis(v, 1, a.extents.size());
    Interval all = a.extents[0];
    for (const Interval& e : a.extents) all = hull(all, e);
    if (!k) return number(hull(all, one));
    return number(static_cast<size_t>(*k) < a.extents.size() ? a.extents[static_cast<size_t>(*k)] : one);
  }
  if (!stated.is_array()) return any_value(stated);
  std::vector<Interval> e(stated.rank, one);
  e.back() = Interval::of(static_cast<int64_t>(a.extents.size()));
  ArrayShape r = new_array(stated, std::move(e));
  for (const Interval& n : a.extents) r.elements.push_back(converted(Number::in(n), stated.element()));
  return ShapeValue::of(std::move(r));
}

ShapeValue ShapeEval::with_extents(const Values& v, size_t from, const Type& stated, bool reshapes) const {
  if (!stated.is_array() || v.size() <= from) return any_value(stated);
  std::vector<Interval> e;
  auto extent = [&](const Number& n) {
    return n.whole ? meet(n.range, any_extent).value_or(Interval::of(0)) : any_extent;
  };
  const ArrayShape* list = v.size() == from + 1 && v[from].kind == ShapeValue::Kind::Array ? &v[from].array : nullptr;
  if (list) {
    if (list->elements.empty() || list->elements.size() != stated.rank || (stated.rank == 1 && matlab()))
      return any_value(stated);
    for (const Number& n : list->elements) e.push_back(extent(n));
  } else {
    for (size_t k = from; k < v.size(); ++k) {
      if (v[k].kind != ShapeValue::Kind::Number) return any_value(stated);
      e.push_back(extent(v[k].number));
    }
    if (e.size() == 1 && matlab()) e.push_back(reshapes ? one : e[0]);
  }
  if (e.size() != stated.rank) return any_value(stated);
  ArrayShape a = new_array(stated, std::move(e));
  if (reshapes) {
    const ArrayShape source = as_array(v[0]);
    a.element = converted(source.element, stated.element());
    // Reshaping a vector to a vector keeps the order of its elements.
    if (a.count() && a.count() == source.count() && a.extents.size() == 1 && source.extents.size() == 1)
      for (const Number& n : source.elements) a.elements.push_back(converted(n, stated.element()));
  }
  return ShapeValue::of(std::move(a));
}

ShapeValue ShapeEval::filled(const LibFunction& f, const Values& v, const Type& stated) const {
  if (!stated.is_array()) return any_value(stated);
  const bool square = f.rule == LibRule::Identity && v.size() == 1 && v[0].kind == ShapeValue::Kind::Number;
  ShapeValue r = square ? with_extents({v[0], v[0]}, 0, stated, false) : with_extents(v, 0, stated, false);
  if (r.kind != ShapeValue::Kind::Array || stated.complex) return r;
  if (f.values == LibValue::Any) return r;
  const bool zero = f.values == LibValue::Zero, same = zero || f.values == LibValue::One;
  r.array.element = converted(zero ? Number::of(0) : same ? Number::of(1) : Number::in({0, 1}), stated.element());
  if (same && r.array.known() && r.array.count().value_or(100) <= static_cast<int64_t>(ArrayShape::most_elements))
    r.array.elements.assign(static_cast<size_t>(*r.array.count()), r.array.element);
  return r;
}

ShapeValue ShapeEval::linspace(const Values& v, const Type& stated) const {
  if (!stated.is_array()) return any_value(stated);
  Interval n = v.size() > 2 ? any_extent : Interval::of(matlab() ? 100 : 50);
  if (v.size() > 2 && v[2].number.whole) n = max(v[2].number.range, Interval::of(0));
  std::vector<Interval> e(stated.rank, one);
  e.back() = n;
  return ShapeValue::of(new_array(stated, std::move(e)));
}

// colon(start[, step], stop), range(start, stop[, step])
ShapeValue ShapeEval::progression(const LibFunction& f, const Args& args, const Values& v, const Type& stated) const {
  if (!stated.is_array()) return any_value(stated);
  std::vector<Interval> e(stated.rank, one);
  const bool colon = f.id == Lib::Colon, three = v.size() == 3;
  const Number &start = v[0].number, &stop = v[colon && three ? 2 : 1].number;
  const Number step = three ? v[colon ? 1 : 2].number : Number::of(1);
  e.back() = any_extent;
  ArrayShape r = new_array(stated, e);
  Elem in = Elem::Bool;
  for (const ExprPtr& p : args) in = common_elem(in, p->type.elem);
  if (in == Elem::Bool) in = Elem::Int32;
  const Type t = Type::scalar(in);
  const Number a = converted(start, t), b = converted(stop, t), s = converted(step, t);
  if (!a.whole || !b.whole || !s.whole || !s.constant() || *s.constant() == 0 || is_float_below_64(in))
    return ShapeValue::of(std::move(r));
  const bool up = *s.constant() > 0, exclude = !colon && conventions_.exclude;
  const Number last = !exclude ? b : up ? b - Number::of(1) : b + Number::of(1);
  const Interval span = (up ? last - a : a - last).range;
  constexpr int64_t far = int64_t{1} << 50;
  if (is_float(in) && !span.within({-far, far})) return ShapeValue::of(std::move(r));
  const Interval steps = up ? s.range : -s.range;
  const auto q = quotient({std::max<int64_t>(span.lo, 0), std::max<int64_t>(span.hi, 0)}, steps);
  if (!q) return ShapeValue::of(std::move(r));
  Interval count = *q + one;
  if (span.lo < 0) count.lo = 0;
  if (span.hi < 0) count = Interval::of(0);
  e.back() = count;
  r = new_array(stated, std::move(e));
  r.element = converted(Number::in(up ? Interval{a.range.lo, std::max(a.range.lo, last.range.hi)}
                                      : Interval{std::min(a.range.hi, last.range.lo), a.range.hi}),
                        stated.element());
  if (count.single() && count.hi <= static_cast<int64_t>(ArrayShape::most_elements))
    for (int64_t k = 0; k < count.hi; ++k)
      r.elements.push_back(converted(computed(a + Number::of(k) * s, in), stated.element()));
  return ShapeValue::of(std::move(r));
}

}  // namespace vr::analysis
