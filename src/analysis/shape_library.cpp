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
      // Of two numbers that are not negative each bit of the result is one of both.
      if (name == "bitand" && (x.range.lo >= 0 || y.range.lo >= 0))
        return elementwise(converted(Number::in({0, x.range.lo < 0   ? y.range.hi
                                                    : y.range.lo < 0 ? x.range.hi
                                                                     : std::min(x.range.hi, y.range.hi)}),
                                     t));
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

}  // namespace vr::analysis
