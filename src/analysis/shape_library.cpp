// Library functions: the extents of their results, and the values that influence shapes (docs/vrir-library.md).
#include "analysis/shape_eval.hpp"

#include "ir/library.hpp"

#include <velociraptor/ir/visit.hpp>

namespace vr::analysis {

using namespace ir;

namespace {

/// True: all extents are 1; false: some cannot be 1; nullopt: not known.
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

Number ShapeEval::mapped(const LibFunction& f, const Args& args, const Values& v, const Type& stated) const {
  const Type t = stated.element(), a = args[0]->type.element(), b = args.size() > 1 ? args[1]->type.element() : a;
  const Number first = each(v[0]), second = v.size() > 1 ? each(v[1]) : first;
  // Both arguments in their common type.
  Elem e = common_elem(a.elem, b.elem);
  if (e == Elem::Bool) e = Elem::Int32;
  const Number x = converted(first, Type::scalar(e)), y = converted(second, Type::scalar(e));
  const bool whole = !a.complex && first.whole, both_whole = !a.complex && !b.complex && x.whole && y.whole;
  auto of_both = [&](const Number& n) { return converted(n, t); };
  switch (f.values) {
    case LibValue::Unknown:
      return Number::unknown();
    case LibValue::Truth:
      return Number::in({0, 1});
    case LibValue::RealPart:
      return a.complex ? Number::unknown() : first;
    case LibValue::ImagPart:
      return a.complex ? Number::unknown() : Number::of(0);
    case LibValue::Abs: {
      if (!whole) break;
      const Interval& r = first.range;
      const Interval n = r.lo >= 0 ? r : r.hi <= 0 ? -r : Interval{0, std::max((-r).hi, r.hi)};
      return computed(r.lo >= 0 ? first : Number::in(n), a.elem);
    }
    case LibValue::Sign: {
      if (!whole) break;
      auto sign = [](int64_t n) { return n > 0 ? 1 : n == 0 ? 0 : -1; };
      return Number::in({sign(first.range.lo), sign(first.range.hi)});
    }
    case LibValue::Rounded:
    case LibValue::Conjugate:
      if (!whole) break;
      return first;
    case LibValue::Plus:
      return arithmetic(Kind::Plus, first, second, a, b, t);
    case LibValue::Minus:
      return arithmetic(Kind::Minus, first, second, a, b, t);
    case LibValue::Mult:
      return arithmetic(Kind::Mult, first, second, a, b, t);
    case LibValue::Div:
      return arithmetic(Kind::Div, first, second, a, b, t);
    case LibValue::Lesser:
    case LibValue::Greater: {
      if (!both_whole) break;
      const bool lesser = f.values == LibValue::Lesser;
      // If one argument is always the smaller (larger) one, it is the result, with all facts that are known about it.
      const Interval d = (x - y).range;
      if (lesser ? d.hi <= 0 : d.lo >= 0) return of_both(x);
      if (lesser ? d.lo >= 0 : d.hi <= 0) return of_both(y);
      return of_both(Number::in(lesser ? min(x.range, y.range) : max(x.range, y.range)));
    }
    case LibValue::BitAnd:
      // A bit of the result is set in both operands: the result is not greater than an operand that is not negative.
      if (!both_whole || (x.range.lo < 0 && y.range.lo < 0)) break;
      return of_both(Number::in({0, x.range.lo < 0   ? y.range.hi
                                    : y.range.lo < 0 ? x.range.hi
                                                     : std::min(x.range.hi, y.range.hi)}));
    case LibValue::Mod:
      if (!both_whole || y.range.lo <= 0) break;
      // MATLAB treats a quotient of floats that is close to an integer as that integer.
      if (!is_float(e) && x.range.lo >= 0 && x.range.hi < y.range.lo) return of_both(x);
      return of_both(Number::in({0, y.range.hi - 1}));
    case LibValue::Rem: {
      if (!both_whole || y.range.lo <= 0) break;
      const int64_t most = y.range.hi - 1;
      return of_both(Number::in({x.range.lo >= 0 ? 0 : -most, x.range.hi <= 0 ? 0 : most}));
    }
    case LibValue::Either: {
      const Type p = args[1]->type.element(), q = args[2]->type.element();
      if (p.complex || q.complex) break;
      const Type common = Type::scalar(common_elem(p.elem, q.elem));
      return join(converted(each(v[1]), common), converted(each(v[2]), common));
    }
    case LibValue::Any:
    case LibValue::Same:
    case LibValue::Zero:
    case LibValue::One:
    case LibValue::Position:
    case LibValue::Elements:
    case LibValue::Length:
    case LibValue::Rank:
    case LibValue::Extents:
      break;
  }
  return any_of(t);
}

ShapeValue ShapeEval::library(const LibFunction& f, const Args& args, const Values& v, const Type& stated) const {
  if (v.empty()) return any_value(stated);
  switch (f.rule) {
    case LibRule::Elementwise: {
      const Number n = mapped(f, args, v, stated);
      if (stated.is_scalar()) return ShapeValue::of(converted(n, stated));
      std::vector<Interval> extents;
      for (const ShapeValue& x : v) {
        if (x.kind != ShapeValue::Kind::Array) continue;
        extents = extents.empty() ? x.array.extents : broadcast(extents, x.array.extents);
      }
      ArrayShape a = new_array(stated, std::move(extents));
      a.element = converted(n.plain(), stated.element());
      return ShapeValue::of(std::move(a));
    }
    case LibRule::Product:
    case LibRule::LeftQuotient:
    case LibRule::RightQuotient:
    case LibRule::Transposed:
    case LibRule::Outer:
      return matrix(f, args, v, stated);
    case LibRule::Inner:
    case LibRule::Norm:
    case LibRule::Called:
      return any_value(stated);
    case LibRule::Reduced:
    case LibRule::Scanned:
      return reduce(f, args, v, stated);
    case LibRule::Count:
      return count_of(f, v, stated);
    case LibRule::Sizes:
      return sizes(v, stated);
    case LibRule::Reshaped:
      return with_extents(v, 1, stated, true);
    case LibRule::Element: {
      const ArrayShape a = as_array(v[0]);
      const Number n = a.elements.size() == 1 ? a.elements[0] : a.element;
      return ShapeValue::of(converted(args[0]->type.complex ? Number() : n, stated));
    }
    case LibRule::SideBySide:
      return joined(false, v, stated);
    case LibRule::Stacked:
      return joined(true, v, stated);
    case LibRule::Progression:
      return progression(f, args, v, stated);
    case LibRule::Linspace:
      return linspace(v, stated);
    case LibRule::Identity:
    case LibRule::Filled:
      return filled(f, v, stated);
    case LibRule::Copied:
      return converted(v[0], args[0]->type, stated);
    case LibRule::Sorted:
      return sorted(v, stated);
    case LibRule::Found:
      return found(v, stated);
  }
  return any_value(stated);
}

ShapeValue ShapeEval::sorted(const Values& v, const Type& stated) const {
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

// At most as many positions as elements; positions count from the base.
ShapeValue ShapeEval::found(const Values& v, const Type& stated) const {
  const ArrayShape a = as_array(v[0]);
  const Interval count{0, a.size().hi};
  auto positions = [&](const Type& t, const Interval& limit) {
    if (!t.is_array()) return any_value(t);
    ArrayShape r = new_array(t, std::vector<Interval>(t.rank, any_extent));
    if (t.rank == 1) r = new_array(t, {count});
    if (limit.hi < Interval::most - 1)
      r.element = converted(
          Number::in({conventions_.indexing, conventions_.indexing + std::max<int64_t>(limit.hi, 1) - 1}), t.element());
    return ShapeValue::of(std::move(r));
  };
  if (stated.is_array()) return positions(stated, a.size());
  if (!stated.is_tuple() || stated.components().size() < 2) return any_value(stated);
  std::vector<ShapeValuePtr> parts;
  Interval columns = one;
  for (size_t k = 1; k < a.extents.size(); ++k) columns = columns * a.extents[k];
  for (size_t k = 0; k < stated.components().size(); ++k)
    parts.push_back(
        std::make_shared<ShapeValue>(k > 1 ? any_value(stated.components()[k])
                                           : positions(stated.components()[k], k == 0 ? a.extents[0] : columns)));
  return ShapeValue::tuple(std::move(parts));
}

ShapeValue ShapeEval::matrix(const LibFunction& f, const Args& args, const Values& v, const Type& stated) const {
  if (!stated.is_array()) return any_value(stated);
  auto made = [&](std::vector<Interval> e) {
    return e.size() == stated.rank ? ShapeValue::of(new_array(stated, std::move(e))) : any_value(stated);
  };
  const ArrayShape a = as_array(v[0]);
  if (f.rule == LibRule::Transposed) {
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
  if (f.rule == LibRule::Outer) return made({a.size(), b.size()});
  if (f.rule == LibRule::Product) {
    if (matlab()) {
      // A matrix of one element scales, unless the extents fit as a product, which has the same value.
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
  if (f.rule == LibRule::LeftQuotient || f.rule == LibRule::RightQuotient) {
    const bool left = f.rule == LibRule::LeftQuotient;
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

ShapeValue ShapeEval::reduce(const LibFunction& f, const Args& args, const Values& v, const Type& stated) const {
  const bool scan = f.rule == LibRule::Scanned;
  auto with_element = [&](ShapeValue r, const Interval& longest) {
    Number n = any_of(stated.element());
    if (f.values == LibValue::Same && !args[0]->type.complex) n = converted(each(v[0]), stated.element());
    if (f.values == LibValue::Position && longest.hi < Interval::most - 1)
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

}  // namespace vr::analysis
