// Library functions: the extents of what they give, and its values where these say something about extents and
// subscripts (docs/vrir-library.md).
#include "analysis/shape_eval.hpp"

#include "ir/library.hpp"

#include <velociraptor/ir/visit.hpp>

namespace vr::analysis {

using namespace ir;

namespace {

constexpr Interval any_extent{0, Interval::most};
const Interval one = Interval::of(1);

bool is_one(const Interval& i) { return i == one; }

/// Every extent is, or some extent cannot be, 1.
std::optional<bool> single(const ArrayShape& a) {
  const Interval n = a.size();
  if (n == one) return true;
  return n.contains(1) ? std::nullopt : std::optional(false);
}

Number each(const ShapeValue& v) { return v.kind == ShapeValue::Kind::Array ? v.array.element : v.number; }

}  // namespace

ArrayShape ShapeEval::as_array(const ShapeValue& v) const {
  if (v.kind == ShapeValue::Kind::Array) return v.array;
  ArrayShape a;
  a.extents.assign(static_cast<size_t>(conventions_.mindims), one);
  a.element = v.number.plain();
  a.elements = {v.number};
  return a;
}

std::optional<int64_t> ShapeEval::axis(const Values& v, size_t k, size_t rank) const {
  if (k >= v.size() || v[k].kind != ShapeValue::Kind::Number) return {};
  const auto c = v[k].number.constant();
  if (!c) return {};
  int64_t n = 0;
  if (__builtin_sub_overflow(*c, int64_t{conventions_.indexing}, &n)) return {};
  if (!matlab() && n < 0) n += static_cast<int64_t>(rank);
  if (n < 0 || (!matlab() && n >= static_cast<int64_t>(rank))) return {};
  return std::min<int64_t>(n, 16);
}

ShapeValue ShapeEval::library(std::string_view name, const std::vector<ExprPtr>& args, const Values& v,
                              const Type& stated) const {
  const LibFunction* f = find_library(name);
  if (!f || v.empty()) return any_value(stated);
  auto elementwise = [&](const Number& n) {
    if (stated.is_scalar()) return ShapeValue::of(converted(n, stated));
    std::vector<Interval> extents;
    for (const ShapeValue& x : v) {
      if (x.kind != ShapeValue::Kind::Array) continue;
      extents = extents.empty() ? x.array.extents : broadcast(extents, x.array.extents);
    }
    ArrayShape a = new_array(stated, std::move(extents));
    a.element = converted(n.plain(), stated.element());
    return ShapeValue::of(std::move(a));
  };
  auto arg_type = [&](size_t k) { return args[k]->type.element(); };
  switch (f->sort) {
    case LibSort::FloatMap:
      return elementwise(Number::unknown());
    case LibSort::RealPart:
      return elementwise(name == "real" && !arg_type(0).complex   ? each(v[0])
                         : name == "imag" && !arg_type(0).complex ? Number::of(0)
                                                                  : Number::unknown());
    case LibSort::SameMap: {
      const Number x = each(v[0]);
      if (arg_type(0).complex || !x.whole) return elementwise(any_of(stated.element()));
      if (name == "abs") {
        const Interval& r = x.range;
        const Interval n = r.lo >= 0 ? r : r.hi <= 0 ? -r : Interval{0, std::max((-r).hi, r.hi)};
        return elementwise(computed(r.lo >= 0 ? x : Number::in(n), arg_type(0).elem));
      }
      if (name == "sign")
        return elementwise(Number::in({x.range.lo > 0    ? 1
                                       : x.range.lo == 0 ? 0
                                                         : -1,
                                       x.range.hi > 0    ? 1
                                       : x.range.hi == 0 ? 0
                                                         : -1}));
      return elementwise(x);  // floor ceil round fix conj of a whole number
    }
    case LibSort::Test:
      return elementwise(Number::in({0, 1}));
    case LibSort::Arith: {
      const Type a = arg_type(0), b = arg_type(1), t = stated.element();
      if (name == "libplus") return elementwise(arithmetic(Kind::Plus, each(v[0]), each(v[1]), a, b, t));
      if (name == "libminus") return elementwise(arithmetic(Kind::Minus, each(v[0]), each(v[1]), a, b, t));
      if (name == "libmult") return elementwise(arithmetic(Kind::Mult, each(v[0]), each(v[1]), a, b, t));
      if (name == "libdiv") return elementwise(arithmetic(Kind::Div, each(v[0]), each(v[1]), a, b, t));
      Elem e = common_elem(a.elem, b.elem);
      if (e == Elem::Bool) e = Elem::Int32;
      const Number x = converted(each(v[0]), Type::scalar(e)), y = converted(each(v[1]), Type::scalar(e));
      if (a.complex || b.complex || !x.whole || !y.whole) return elementwise(any_of(t));
      if (name == "min2" || name == "max2") {
        const bool lesser = name == "min2";
        // The one that is always less, or greater, with what is known of it.
        const Interval d = (x - y).range;
        if (lesser ? d.hi <= 0 : d.lo >= 0) return elementwise(converted(x, t));
        if (lesser ? d.lo >= 0 : d.hi <= 0) return elementwise(converted(y, t));
        return elementwise(converted(Number::in(lesser ? min(x.range, y.range) : max(x.range, y.range)), t));
      }
      if (name == "mod" && y.range.lo > 0) {
        // MATLAB takes a quotient of floats near a whole number for that number.
        if (!is_float(e) && x.range.lo >= 0 && x.range.hi < y.range.lo) return elementwise(converted(x, t));
        return elementwise(converted(Number::in({0, y.range.hi - 1}), t));
      }
      if (name == "rem" && y.range.lo > 0) {
        const int64_t most = y.range.hi - 1;
        return elementwise(converted(Number::in({x.range.lo >= 0 ? 0 : -most, x.range.hi <= 0 ? 0 : most}), t));
      }
      return elementwise(any_of(t));
    }
    case LibSort::Select:
      if (arg_type(1).complex || arg_type(2).complex) return elementwise(any_of(stated.element()));
      {
        const Type t = Type::scalar(common_elem(arg_type(1).elem, arg_type(2).elem));
        return elementwise(join(converted(each(v[1]), t), converted(each(v[2]), t)));
      }
    case LibSort::Matrix:
      return matrix(name, args, v, stated);
    case LibSort::Reduce:
    case LibSort::Scan:
      return reduce(name, args, v, stated);
    case LibSort::Shape:
      return shape(name, args, v, stated);
    case LibSort::Make:
      return make(name, args, v, stated);
    case LibSort::Other:
      break;
  }
  if (name == "copy") return converted(v[0], args[0]->type, stated);
  if (name == "sort") {
    if (v[0].kind == ShapeValue::Kind::Number) return any_value(stated);
    auto like = [&](const Type& t) { return new_array(t, v[0].array.extents); };
    if (stated.is_array()) {
      ArrayShape a = like(stated);
      a.element = converted(v[0].array.element, stated.element());
      return ShapeValue::of(std::move(a));
    }
    if (!stated.is_tuple() || stated.components().size() != 2 || !stated.components()[0].is_array() ||
        !stated.components()[1].is_array())
      return any_value(stated);
    return ShapeValue::tuple({std::make_shared<ShapeValue>(ShapeValue::of(like(stated.components()[0]))),
                              std::make_shared<ShapeValue>(ShapeValue::of(like(stated.components()[1])))});
  }
  // find: as many as there are elements at most; positions count from the base.
  const ArrayShape a = as_array(v[0]);
  const Interval count{0, a.size().hi};
  auto found = [&](const Type& t, const Interval& limit) {
    if (!t.is_array()) return any_value(t);
    ArrayShape r = new_array(t, std::vector<Interval>(t.rank, any_extent));
    if (t.rank == 1) r = new_array(t, {count});
    if (limit.hi < Interval::most - 1)
      r.element = converted(
          Number::in({conventions_.indexing, conventions_.indexing + std::max<int64_t>(limit.hi, 1) - 1}), t.element());
    return ShapeValue::of(std::move(r));
  };
  if (stated.is_array()) return found(stated, a.size());
  if (!stated.is_tuple() || stated.components().size() < 2) return any_value(stated);
  std::vector<ShapeValuePtr> parts;
  Interval columns = one;
  for (size_t k = 1; k < a.extents.size(); ++k) columns = columns * a.extents[k];
  for (size_t k = 0; k < stated.components().size(); ++k)
    parts.push_back(std::make_shared<ShapeValue>(
        k > 1 ? any_value(stated.components()[k]) : found(stated.components()[k], k == 0 ? a.extents[0] : columns)));
  return ShapeValue::tuple(std::move(parts));
}

ShapeValue ShapeEval::matrix(std::string_view name, const std::vector<ExprPtr>& args, const Values& v,
                             const Type& stated) const {
  if (!stated.is_array()) return any_value(stated);
  auto made = [&](std::vector<Interval> e) {
    return e.size() == stated.rank ? ShapeValue::of(new_array(stated, std::move(e))) : any_value(stated);
  };
  const ArrayShape a = as_array(v[0]);
  if (name == "trans") {
    std::vector<Interval> e = a.extents;
    std::reverse(e.begin(), e.end());
    ShapeValue r = made(std::move(e));
    r.array.element = converted(a.element, stated.element());
    if (args.size() == 1 && args[0]->type.complex) r.array.element = any_of(stated.element());
    return r;
  }
  if (v.size() < 2) return any_value(stated);
  const ArrayShape b = as_array(v[1]);
  const size_t ra = a.extents.size(), rb = b.extents.size();
  if (name == "outer") return made({a.size(), b.size()});
  if (name == "mmult") {
    if (matlab()) {
      // A matrix of one element scales, unless the extents fit anyway; then the product is the same.
      const auto sa = single(a), sb = single(b);
      const bool product_fits = ra == 2 && rb == 2 && a.extents[1].single() && a.extents[1] == b.extents[0];
      if (!product_fits) {
        if (!sa || !sb) return any_value(stated);
        if (*sa) return made(b.extents);
        if (*sb) return made(a.extents);
      }
    }
    if (ra == 2 && rb == 2) return made({a.extents[0], b.extents[1]});
    if (ra == 2) return made({a.extents[0]});
    if (rb == 2) return made({b.extents[1]});
    return any_value(stated);
  }
  if (name == "mldiv" || name == "mrdiv") {
    const bool left = name == "mldiv";
    const ArrayShape &matrix = left ? a : b, &other = left ? b : a;
    if (matrix.extents.size() != 2) return any_value(stated);
    if (matlab()) {
      const auto s = single(matrix);
      if (!s) return any_value(stated);
      if (*s) return made(other.extents);
    }
    // mldiv: A X = B, X has the columns of A as rows; mrdiv: X B = A, X has the rows of B as columns.
    const Interval& n = matrix.extents[left ? 1 : 0];
    if (other.extents.size() == 1) return made({n});
    return left ? made({n, other.extents[1]}) : made({other.extents[0], n});
  }
  return any_value(stated);
}

ShapeValue ShapeEval::reduce(std::string_view name, const std::vector<ExprPtr>& args, const Values& v,
                             const Type& stated) const {
  const bool scan = name == "cumsum" || name == "cumprod";
  const bool picks = name == "min" || name == "max";
  auto with_element = [&](ShapeValue r, const Interval& longest) {
    Number n = any_of(stated.element());
    if (picks && !args[0]->type.complex) n = converted(each(v[0]), stated.element());
    if ((name == "argmin" || name == "argmax") && longest.hi < Interval::most - 1)
      n = converted(Number::in({conventions_.indexing, conventions_.indexing + std::max<int64_t>(longest.hi, 1) - 1}),
                    stated.element());
    if (r.kind == ShapeValue::Kind::Array) r.array.element = n.plain();
    if (r.kind == ShapeValue::Kind::Number) r.number = n.plain();
    return r;
  };
  if (v[0].kind != ShapeValue::Kind::Array) return with_element(any_value(stated), one);
  const ArrayShape& a = v[0].array;
  const size_t rank = a.extents.size();
  if (stated.is_scalar()) return with_element(any_value(stated), a.size());
  if (!stated.is_array()) return any_value(stated);
  auto made = [&](std::vector<Interval> e, const Interval& longest) {
    if (e.size() != stated.rank) return any_value(stated);
    return with_element(ShapeValue::of(new_array(stated, std::move(e))), longest);
  };
  if (scan) {
    if (!matlab() && v.size() == 1) return made({a.size()}, one);
    return made(a.extents, one);
  }
  if (v.size() > 1) {
    const auto k = axis(v, 1, rank);
    if (!k) return any_value(stated);
    std::vector<Interval> e = a.extents;
    if (static_cast<size_t>(*k) >= rank) return made(e, one);
    const Interval longest = e[static_cast<size_t>(*k)];
    if (matlab())
      e[static_cast<size_t>(*k)] = one;
    else
      e.erase(e.begin() + *k);
    return made(std::move(e), longest);
  }
  if (!matlab()) return any_value(stated);
  // Along the first dimension whose extent is not 1; of 0 x 0 comes 1 x 1.
  std::vector<Interval> e = a.extents;
  bool all_zero = true;
  for (const Interval& n : e) all_zero = all_zero && n.contains(0);
  if (all_zero && rank == 2) {
    if (a.known()) return made({one, one}, one);
    return any_value(stated);
  }
  for (Interval& n : e) {
    if (is_one(n)) continue;
    if (n.contains(1)) return any_value(stated);
    const Interval longest = n;
    n = one;
    return made(std::move(e), longest);
  }
  return made(std::move(e), one);
}

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
    // What may be empty joins by rules of its own.
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

ShapeValue ShapeEval::shape(std::string_view name, const std::vector<ExprPtr>& args, const Values& v,
                            const Type& stated) const {
  if (name == "horzcat" || name == "vertcat") return joined(name == "vertcat", v, stated);
  if (name == "reshape") return with_extents(v, 1, stated, true);
  const ArrayShape a = as_array(v[0]);
  auto number = [&](const Interval& i) { return ShapeValue::of(converted(Number::in(i), stated)); };
  if (name == "scalar") {
    const Number n = a.elements.size() == 1 ? a.elements[0] : a.element;
    return ShapeValue::of(converted(args[0]->type.complex ? Number() : n, stated));
  }
  if (name == "numel") return number(a.size());
  if (name == "ndims") return number(Interval::of(static_cast<int64_t>(a.extents.size())));
  if (name == "length") {
    if (!matlab()) return number(a.extents[0]);
    Interval longest = a.extents[0];
    for (const Interval& e : a.extents) longest = max(longest, e);
    if (a.size().lo == 0) longest.lo = 0;
    if (a.size().hi == 0) longest = Interval::of(0);
    return number(longest);
  }
  if (v.size() > 1) {
    const auto k = axis(v, 1, a.extents.size());
    Interval all = a.extents[0];
    for (const Interval& e : a.extents) all = hull(all, e);
    if (!k) return number(hull(all, one));
    return number(static_cast<size_t>(*k) < a.extents.size() ? a.extents[static_cast<size_t>(*k)] : one);
  }
  // size, dimvec: all extents as a vector
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
    // A vector keeps the order of its elements.
    if (a.count() && a.count() == source.count() && a.extents.size() == 1 && source.extents.size() == 1)
      for (const Number& n : source.elements) a.elements.push_back(converted(n, stated.element()));
  }
  return ShapeValue::of(std::move(a));
}

ShapeValue ShapeEval::make(std::string_view name, const std::vector<ExprPtr>& args, const Values& v,
                           const Type& stated) const {
  if (!stated.is_array()) return any_value(stated);
  if (name == "zeros" || name == "ones" || name == "empty" || name == "eye") {
    ShapeValue r;
    if (name == "eye" && v.size() == 1 && v[0].kind == ShapeValue::Kind::Number)
      r = with_extents({v[0], v[0]}, 0, stated, false);
    else
      r = with_extents(v, 0, stated, false);
    if (r.kind != ShapeValue::Kind::Array || stated.complex) return r;
    if (name == "empty") return r;  // undefined: anything
    const Number n = name == "zeros" ? Number::of(0) : name == "ones" ? Number::of(1) : Number::in({0, 1});
    r.array.element = converted(n, stated.element());
    if (name != "eye" && r.array.known() &&
        r.array.count().value_or(100) <= static_cast<int64_t>(ArrayShape::most_elements))
      r.array.elements.assign(static_cast<size_t>(*r.array.count()), r.array.element);
    return r;
  }
  std::vector<Interval> e(stated.rank, one);
  if (name == "linspace") {
    Interval n = v.size() > 2 ? any_extent : Interval::of(matlab() ? 100 : 50);
    if (v.size() > 2 && v[2].number.whole) n = max(v[2].number.range, Interval::of(matlab() ? 1 : 0));
    e.back() = n;
    return ShapeValue::of(new_array(stated, std::move(e)));
  }
  // colon(start[, step], stop), range(start, stop[, step])
  const bool colon = name == "colon", three = v.size() == 3;
  const Number &start = v[0].number, &stop = v[colon && three ? 2 : 1].number;
  const Number step = three ? v[colon ? 1 : 2].number : Number::of(1);
  e.back() = any_extent;
  ArrayShape r = new_array(stated, e);
  Elem in = Elem::Int32;
  for (const ExprPtr& p : args) in = common_elem(in, p->type.elem);
  const Type t = Type::scalar(in);
  const Number a = converted(start, t), b = converted(stop, t), s = converted(step, t);
  if (!a.whole || !b.whole || !s.whole || !s.constant() || *s.constant() == 0 || in == Elem::Float32)
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
