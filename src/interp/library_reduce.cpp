// Reductions and scans. NumPy: over all elements, or along an axis, which the result lacks. MATLAB: along an axis,
// which has extent 1 in the result; without axis along the first dimension longer than 1 (of a 0 x 0 array: the first).
#include "interp/arithmetic.hpp"
#include "interp/elementwise.hpp"
#include "interp/library.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>

namespace vr::interp {

namespace {

using Line = std::vector<Scalar>;

/// Float32 sums are computed in double, so that the unspecified order of summation has no visible effect.
Scalar sum(const Line& line, const ir::Type& t) {
  const Elem wide = t.elem == Elem::Float32 ? Elem::Float64 : t.elem;
  const ir::Type w = ir::Type::scalar(wide, t.complex);
  Scalar r = Scalar::zero(wide, t.complex);
  for (const Scalar& v : line) r = binary(ir::Kind::Plus, r, convert(v, w), w);
  return convert(r, t);
}

Scalar product(const Line& line, const ir::Type& t) {
  if (line.empty()) return convert(Scalar::integer(1), t);
  Scalar r = convert(line[0], t);  // not 1 * it, which contains NaN for inf + i
  for (size_t k = 1; k < line.size(); ++k) r = binary(ir::Kind::Mult, r, convert(line[k], t), t);
  return r;
}

/// The position of the extreme element: the first one among equal ones. A NaN is selected where NaN propagates, and
/// otherwise only if there are no other elements.
size_t extreme(const Line& line, ir::Kind better, bool omit) {
  size_t best = 0;
  for (size_t k = 0; k < line.size(); ++k) {
    const Scalar &v = line[k], &b = line[best];
    if (v.is_nan() && !omit) return k;
    if (v.is_nan()) continue;
    if (b.is_nan() || truth(binary(better, v, b, ir::Type::scalar(Elem::Bool)))) best = k;
  }
  return best;
}

Elem sum_elem(const LibraryCall& c, Elem e) {
  if (c.matlab()) return e == Elem::Bool ? Elem::Float64 : e;
  return ir::sum_elem(e);
}

struct Reduction {
  ir::Type type;  ///< of a result element
  std::function<Scalar(const Line&)> apply;
  bool needs_element = false;  ///< nothing has no result: SIZE
};

Reduction reduction(const LibraryCall& c, const ir::Type& in) {
  const bool omit = c.conv().nan == ir::NanMode::Omit;
  const int base = c.conv().indexing;
  if (in.complex && c.fn.complex == ir::LibComplex::Refused)
    fail(Code::Type, fmt::format("'{}' has no meaning for complex numbers", c.fn.name));
  const ir::Type wide = ir::Type::scalar(Elem::Float64, in.complex);
  const ir::Type t = ir::Type::scalar(sum_elem(c, in.elem), in.complex);
  auto position = [=](ir::Kind better) {
    return Reduction{
        ir::Type::scalar(Elem::Int64),
        [=](const Line& l) { return Scalar::integer(static_cast<int64_t>(extreme(l, better, omit)) + base); }, true};
  };
  auto element = [=](ir::Kind better) {
    return Reduction{in, [=](const Line& l) { return l[extreme(l, better, omit)]; }, true};
  };
  auto truths = [](bool any) {
    return Reduction{ir::Type::scalar(Elem::Bool), [any](const Line& l) {
                       bool r = !any;
                       for (const Scalar& v : l) r = any ? r || truth(v) : r && truth(v);
                       return Scalar::boolean(r);
                     }};
  };
  switch (c.fn.fold) {
    case ir::LibFold::Sum:
      return {t, [t](const Line& l) { return sum(l, t); }};
    case ir::LibFold::Product:
      return {t, [t](const Line& l) { return product(l, t); }};
    case ir::LibFold::Mean: {
      const ir::Type own = ir::Type::scalar(ir::is_float(in.elem) ? in.elem : Elem::Float64, in.complex);
      return {own, [own, wide](const Line& l) {
                // Real and imaginary part separately: a complex division would propagate a NaN from one to the other.
                Scalar s = sum(l, wide);
                s.re.f /= static_cast<double>(l.size());
                if (s.complex) s.im.f /= static_cast<double>(l.size());
                return convert(s, own);
              }};
    }
    case ir::LibFold::Any:
      return truths(true);
    case ir::LibFold::All:
      return truths(false);
    case ir::LibFold::Least:
      return element(ir::Kind::Lt);
    case ir::LibFold::Greatest:
      return element(ir::Kind::Gt);
    case ir::LibFold::FirstLeast:
      return position(ir::Kind::Lt);
    case ir::LibFold::FirstGreatest:
      return position(ir::Kind::Gt);
    case ir::LibFold::None:
      break;
  }
  fail(Code::Unsupported, fmt::format("the interpreter has no '{}'", c.fn.name));
}

/// The axis of a reduction for which no axis is given under MATLAB's conventions.
int default_axis(const Extents& e) {
  for (size_t k = 0; k < e.size(); ++k)
    if (e[k] != 1) return static_cast<int>(k);
  return 0;
}

/// The elements along `axis` through the element `at` (whose subscript along the axis is ignored).
Line line_of(const ArrayRef& a, Extents at, size_t axis) {
  Line r;
  if (axis >= at.size()) return {a.at(at)};  // a dimension past the last has extent 1
  for (int64_t k = 0; k < a.extent(static_cast<int>(axis)); ++k) {
    at[axis] = k;
    r.push_back(a.at(at));
  }
  return r;
}

}  // namespace

Datum library_reduce(const LibraryCall& c) {
  const Reduction r = reduction(c, element_type(c.args[0], "the argument"));
  auto apply = [&](const Line& l) {
    if (l.empty() && r.needs_element) fail(Code::Size, fmt::format("'{}' of no elements", c.fn.name));
    return r.apply(l);
  };
  if (c.args[0].scalar() && c.args.size() == 1) return apply({*c.args[0].scalar()});
  const ArrayRef a = c.array(0);
  std::optional<int> given = c.axis(1, a.rank());
  if (!given && !c.matlab()) return convert(apply(elements(a, linear_order(c.ctx))), r.type);
  Extents e = a.extents();
  // MATLAB: sum(zeros(0, 0)) is 0, an array of 1 x 1.
  if (!given && element_count(e) == 0 && e == Extents{0, 0}) {
    if (r.needs_element) apply({});
    return array_from(c.ctx, {apply({})}, r.type.elem, r.type.complex, {1, 1}, c.layout(), Order::Row);
  }
  const size_t axis = static_cast<size_t>(given.value_or(default_axis(e)));
  if (axis < e.size()) e[axis] = 1;
  Extents out = e;
  if (!c.matlab()) out.erase(out.begin() + static_cast<std::ptrdiff_t>(axis));
  if (out.empty()) return convert(apply(line_of(a, Extents(e.size(), 0), axis)), r.type);
  ArrayRef result = make_array(c.ctx, r.type.elem, r.type.complex, out, c.layout());
  for_each_index(e, Order::Row, [&](const Extents& at) {
    Extents to = at;
    if (!c.matlab()) to.erase(to.begin() + static_cast<std::ptrdiff_t>(axis));
    result.put(to, apply(line_of(a, at, axis)));
  });
  return result;
}

Datum library_scan(const LibraryCall& c) {
  const ir::Type in = element_type(c.args[0], "the argument");
  const ir::Type t = ir::Type::scalar(sum_elem(c, in.elem), in.complex);
  const ir::Kind op = c.fn.fold == ir::LibFold::Sum ? ir::Kind::Plus : ir::Kind::Mult;
  if (const Scalar* v = c.args[0].scalar()) {
    c.axis(1, c.conv().mindims);
    return convert(*v, t);
  }
  const ArrayRef a = c.array(0);
  auto scan = [&](const Line& line) {
    Line r;
    for (const Scalar& v : line) r.push_back(r.empty() ? convert(v, t) : binary(op, r.back(), convert(v, t), t));
    return r;
  };
  const std::optional<int> given = c.axis(1, a.rank());
  if (!given && !c.matlab()) return vector_from(c.ctx, scan(elements(a, Order::Row)), t.elem, t.complex);
  Extents e = a.extents();
  const size_t axis = static_cast<size_t>(given.value_or(default_axis(e)));
  ArrayRef result = make_array(c.ctx, t.elem, t.complex, e, c.layout());
  if (axis < e.size()) {
    if (e[axis] == 0) return result;
    e[axis] = 1;
  }
  for_each_index(e, Order::Row, [&](const Extents& at) {
    Extents to = at;
    for (const Scalar& v : scan(line_of(a, at, axis))) {
      result.put(to, v);
      if (axis < to.size()) ++to[axis];
    }
  });
  return result;
}

}  // namespace vr::interp
