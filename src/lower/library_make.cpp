// Library functions that make new arrays: of other arrays' elements or extents, and of numbers.
#include "lower/domain.hpp"
#include "lower/element_loops.hpp"
#include "lower/library_forms.hpp"

#include "ir/library.hpp"
#include "ir/typing.hpp"
#include "lower/array.hpp"
#include "lower/elementwise.hpp"
#include "lower/evaluation_order.hpp"
#include "lower/index.hpp"
#include "lower/scalar.hpp"
#include "lower/storage.hpp"
#include "lower/variables.hpp"
#include "runtime/abi.h"

#include <algorithm>
#include <limits>

namespace vr::lower {

using ir::Elem;
using ir::Layout;

namespace {

ArrayGen of_type(const ir::Type& t) {
  ArrayGen g;
  g.elem = t.elem;
  g.complex = t.complex;
  g.layout = t.layout;
  return g;
}

/// A vector of n elements in the conventions' shape. SIZE if no array can have as many, even where none is allocated.
ArrayGen vector_of(Lowering& f, const ir::Type& t, ExprP n, std::function<ScalarValue(ExprP)> element) {
  ArrayGen g = of_type(t);
  if (t.rank == 1)
    g.extent = {n};
  else
    g.extent = {f.x.int_const(1), n};
  fail_if_too_large(f.out, g.extent, element_bytes(t));
  auto convert_element = [=, &f](ExprP i) { return convert(f.out, element(i), t.elem, t.complex); };
  g.at = [convert_element](const std::vector<ExprP>& i) { return convert_element(i.back()); };
  g.flat = convert_element;
  g.flat_if = f.x.bool_const(true);
  return g;
}

}  // namespace

std::vector<ExprP> extents_of(Lowering& f, const ir::LibCall& c) {
  if (c.args[0]->type.is_array()) return gen(f, c.args[0]).extent;
  scalar(f, c.args[0]);
  return {};
}

ArrayGen sizes(Lowering& f, const ir::LibCall& c, const ir::Type& t) {
  std::vector<ExprP> extents = extents_of(f, c);
  while (static_cast<int>(extents.size()) < f.conv.mindims) extents.push_back(f.x.int_const(1));
  return vector_of(f, t, f.x.int_const(static_cast<int64_t>(extents.size())), [=, &f](ExprP i) {
    ExprP e = f.x.int_const(0);
    for (size_t d = extents.size(); d-- > 0;)
      e = f.x.select(f.x.eq(i, f.x.int_const(static_cast<int64_t>(d))), extents[d], e);
    return ScalarValue{e, nullptr, Elem::Int64};
  });
}

ArrayGen reshaped(Lowering& f, const ir::LibCall& c, const ir::Type& t) {
  ArrayGen g = of_type(t);
  ArrayGen from =
      c.args[0]->type.is_array() ? gen_in_order(f, c.args, 0) : one_element(f.out, scalar(f, c.args[0]), t.rank);
  std::vector<ExprP> extents;
  if (c.args.size() == 2 && c.args[1]->type.is_array()) {
    ArrayGen v = gen(f, c.args[1]);
    if (v.costly || !v.flat) v = leaf(f.out, materialise(f, v, v.layout, VR_IN_ENGINE), {});
    f.out.fail_if(f.x.ne(total(f.out, v.extent), f.x.int_const(t.rank)), Code::ShapeMismatch,
                  "the vector of extents must have one element a dimension");
    for (int k = 0; k < t.rank; ++k)
      extents.push_back(f.out.keep(to_int64(f.out, v.flat(f.x.int_const(k)), "an extent"), "extent"));
  } else {
    for (size_t k = 1; k < c.args.size(); ++k)
      extents.push_back(f.out.keep(int_value(f, c.args[k], "an extent"), "extent"));
    while (static_cast<int>(extents.size()) < t.rank) extents.push_back(f.x.int_const(1));
  }
  for (ExprP e : extents) f.out.fail_if(f.x.lt(e, f.x.int_const(0)), Code::Size, "an extent is negative");
  fail_if_too_large(f.out, extents, 1);
  f.out.fail_if(f.x.ne(total(f.out, extents), total(f.out, from.extent)), Code::ShapeMismatch, "reshape keeps the number of elements");
  const Layout order = f.conv.mindims == 2 ? Layout::ColMajor : Layout::RowMajor;
  Slot s = materialise(f, from, order, VR_IN_ENGINE);
  ArrayGen flat = leaf(f.out, s, {});
  g.extent = extents;
  g.layout = order;
  g.elem = from.elem;
  g.complex = from.complex;
  g.flat = flat.flat;
  g.flat_if = f.x.bool_const(true);
  g.at = [=, &f](const std::vector<ExprP>& index) {
    ExprP linear = f.x.int_const(0);
    for (size_t step = 0; step < index.size(); ++step) {
      size_t k = order == Layout::ColMajor ? index.size() - 1 - step : step;
      linear = f.x.add(f.x.mul(linear, extents[k]), index[k]);
    }
    return flat.flat(linear);
  };
  return g;
}

ArrayGen progression(Lowering& f, const ir::LibCall& c, const ir::Type& t) {
  // colon(start[, step], stop) includes stop; range(start, stop[, step]) includes it if the module's ranges do.
  const bool colon = ir::calls(&c, ir::Lib::Colon);
  ScalarValue start = f.out.keep(scalar(f, c.args[0])), step, stop;
  if (colon) {
    stop = f.out.keep(scalar(f, c.args.back()));
    step = c.args.size() == 3 ? f.out.keep(scalar(f, c.args[1])) : number(f.out, 1, start.elem, false);
  } else {
    stop = f.out.keep(scalar(f, c.args[1]));
    step = c.args.size() == 3 ? f.out.keep(scalar(f, c.args[2])) : number(f.out, 1, start.elem, false);
  }
  Elem elem = ir::common_elem(ir::common_elem(start.elem, step.elem), stop.elem);
  if (elem == Elem::Bool) elem = Elem::Int32;
  if (!ir::is_float(elem)) elem = elem == Elem::UInt64 ? elem : Elem::Int64;
  start = f.out.keep(convert(f.out, start, elem, false));
  step = f.out.keep(convert(f.out, step, elem, false));
  stop = f.out.keep(convert(f.out, stop, elem, false));
  ExprP n = range_count(f.out, start.re, step.re, stop.re, !colon && f.conv.exclude);
  return vector_of(f, t, n, [=, &f](ExprP i) {
    return ScalarValue{f.x.add(start.re, f.x.mul(f.x.convert(i, scalar_of(elem)), step.re)), nullptr, elem};
  });
}

ArrayGen linspace(Lowering& f, const ir::LibCall& c, const ir::Type& t) {
  // NumPy's: in double, rounded once to the arguments' own type; then converted to the stated type. Octave's: in the
  // arguments' own type.
  const ir::Type &p = c.args[0]->type, &q = c.args[1]->type;
  Elem elem = ir::common_elem(p.elem, q.elem);
  if (!ir::is_float(elem)) elem = Elem::Float64;
  const bool complex = p.complex || q.complex, matlab = f.conv.mindims == 2;
  const Elem worked = matlab ? elem : Elem::Float64;
  ScalarValue a = f.out.keep(convert(f.out, convert(f.out, scalar(f, c.args[0]), elem, complex), worked, complex)),
              b = f.out.keep(convert(f.out, convert(f.out, scalar(f, c.args[1]), elem, complex), worked, complex));
  ExprP n = c.args.size() == 3 ? f.out.keep(int_value(f, c.args[2], "the number of points"), "n")
                               : f.x.int_const(matlab ? 100 : 50);
  // For a negative number of points MATLAB gives an empty vector, NumPy an error.
  if (!matlab) f.out.fail_if(f.x.lt(n, f.x.int_const(0)), Code::Size, "linspace of a negative number of points");
  n = f.out.keep(f.x.max(n, f.x.int_const(0)), "n");
  const Scalar s = scalar_of(worked);
  ExprP last = f.out.keep(f.x.sub(n, f.x.int_const(1)), "last");
  ExprP steps = f.out.keep(f.x.convert(f.x.max(last, f.x.int_const(1)), s), "steps");
  return vector_of(f, t, n, [=, &f](ExprP i) {
    ExprP at_end = f.x.eq(i, last);
    // A single point is the end under MATLAB's rules, the start under NumPy's.
    if (!matlab) at_end = f.x.both(at_end, f.x.gt(last, f.x.int_const(0)));
    const ExprP zero = f.x.float_const(0, s);
    auto opposite = [&](ExprP p, ExprP q) { return f.x.eq(p, f.x.sub(zero, q)); };
    auto part = [&](ExprP p, ExprP q) {
      ExprP distance = f.x.sub(q, p), delta = f.x.binary(Op::Div, distance, steps);
      if (!matlab) return f.x.select(at_end, q, f.x.add(p, f.x.mul(f.x.convert(i, s), delta)));
      // MATLAB: the ends are exact; where the distance overflows, the step is computed in two parts.
      ExprP far = f.x.eq(f.x.math(MathFn::Fabs, distance), f.x.float_const(std::numeric_limits<double>::infinity(), s));
      delta = f.x.select(far, f.x.sub(f.x.binary(Op::Div, q, steps), f.x.binary(Op::Div, p, steps)), delta);
      ExprP at_start = f.x.either(f.x.eq(i, f.x.int_const(0)), f.x.eq(p, q));
      // Computed from the nearer end, so that the points are symmetric; the middle is the mean of the ends. Between
      // opposite ends it is 0, also between infinities.
      const ExprP back = f.x.sub(last, i);
      ExprP symmetric = opposite(a.re, b.re);
      if (a.im) symmetric = f.x.both(symmetric, opposite(a.im, b.im));
      ExprP mean = f.x.select(far, f.x.add(p, f.x.mul(f.x.convert(i, s), delta)),
                              f.x.mul(f.x.add(p, q), f.x.float_const(0.5, s)));
      ExprP within = f.x.select(f.x.eq(i, back), f.x.select(symmetric, zero, mean),
                                f.x.select(f.x.lt(i, back), f.x.add(p, f.x.mul(f.x.convert(i, s), delta)),
                                           f.x.sub(q, f.x.mul(f.x.convert(back, s), delta))));
      return f.x.select(at_end, q, f.x.select(at_start, p, within));
    };
    return convert(f.out, ScalarValue{part(a.re, b.re), a.im ? part(a.im, b.im) : nullptr, worked}, elem, complex);
  });
}

ArrayGen identity(Lowering& f, const ir::LibCall& c, const ir::Type& t) {
  ArrayGen g = of_type(t);
  ExprP n = f.out.keep(int_value(f, c.args[0], "an extent"), "rows");
  ExprP m = c.args.size() > 1 ? f.out.keep(int_value(f, c.args[1], "an extent"), "columns") : n;
  for (ExprP e : {n, m})
    if (f.conv.mindims == 1) f.out.fail_if(f.x.lt(e, f.x.int_const(0)), Code::Size, "an extent is negative");
  g.extent = {f.out.keep(f.x.max(n, f.x.int_const(0)), "rows"), f.out.keep(f.x.max(m, f.x.int_const(0)), "columns")};
  g.at = [=, &f](const std::vector<ExprP>& i) {
    ScalarValue one = number(f.out, 1, t.elem, t.complex), none = number(f.out, 0, t.elem, t.complex);
    one.re = f.x.select(f.x.eq(i[0], i[1]), one.re, none.re);
    return one;
  };
  return g;
}

ArrayGen joined(Lowering& f, const ir::LibCall& c, const ir::Type& t, bool beside, int where) {
  std::vector<ArrayGen> parts;
  const int rank = t.rank;
  for (size_t q = 0; q < c.args.size(); ++q) {
    const ir::ExprPtr& a = c.args[q];
    ArrayGen p = a->type.is_array() ? gen_in_order(f, c.args, q) : one_element(f.out, scalar(f, a), rank);
    // Missing dimensions have extent 1: in front under NumPy's rules (vertcat stacks vectors as rows), else at the end.
    if (p.rank() < rank) {
      const bool front = f.conv.mindims == 1;
      const std::ptrdiff_t own = p.rank(), first = front ? rank - own : 0;
      ArrayGen full = p.derived();
      full.extent.insert(front ? full.extent.begin() : full.extent.end(), static_cast<size_t>(rank - own),
                         f.x.int_const(1));
      full.flat = nullptr;
      full.at = [at = p.at, first, own](const std::vector<ExprP>& i) {
        return at(std::vector<ExprP>(i.begin() + first, i.begin() + first + own));
      };
      p = full;
    }
    parts.push_back(std::move(p));
  }
  const size_t axis = beside && rank > 1 ? 1 : 0;
  const ExprP zero = f.x.int_const(0), one = f.x.int_const(1);
  std::vector<ExprP> extents = parts[0].extent, size, nothing(parts.size(), f.x.bool_const(false));
  ExprP along = zero, found = f.x.bool_const(true), clash = f.x.bool_const(false);
  // MATLAB: [] can be concatenated with anything; 1 x 0 and 0 x 1 arrays of other shapes are skipped. If some were, and
  // no part has elements or larger extents, the result is 0 x 0.
  if (f.conv.mindims == 2 && rank == 2 && parts.size() > 1) {
    ExprP some = found = f.x.bool_const(false), other = zero;
    for (size_t q = 0; q < parts.size(); ++q) {
      const std::vector<ExprP>& e = parts[q].extent;
      ExprP sum = f.out.keep(f.x.add(e[0], e[1]), "sum"), blank = f.out.keep(f.x.eq(sum, zero), "blank");
      nothing[q] = f.out.keep(f.x.le(sum, one), "nothing");
      ExprP takes =
          f.x.both(f.x.not_(found), f.x.either(f.x.not_(nothing[q]), f.x.both(f.x.not_(some), f.x.not_(blank))));
      other = f.out.keep(f.x.select(takes, e[1 - axis], other), "extent");
      found = f.out.keep(f.x.either(found, f.x.not_(nothing[q])), "found");
      some = f.out.keep(f.x.either(some, f.x.not_(blank)), "some");
    }
    extents[1 - axis] = other;
  }
  for (size_t q = 0; q < parts.size(); ++q) {
    const std::vector<ExprP>& e = parts[q].extent;
    ExprP fits = f.x.bool_const(true);
    for (size_t k = 0; k < extents.size(); ++k)
      if (k != axis) fits = f.x.both(fits, f.x.eq(extents[k], e[k]));
    fits = f.out.keep(fits, "fits");
    f.out.fail_if(f.x.both(f.x.not_(nothing[q]), f.x.not_(fits)), Code::ShapeMismatch,
                  "the parts of a concatenation do not fit together");
    const ExprP skipped = f.out.keep(f.x.both(nothing[q], f.x.not_(fits)), "skipped");
    clash = f.out.keep(f.x.either(clash, f.x.both(skipped, f.x.ne(f.x.add(e[0], e.back()), zero))), "clash");
    size.push_back(f.out.keep(f.x.select(skipped, zero, e[axis]), "size"));
    along = f.out.keep(f.x.add(along, size.back()), "along");
  }
  extents[axis] = along;
  const ExprP empty = f.out.keep(f.x.both(clash, f.x.not_(found)), "empty");
  for (ExprP& e : extents) e = f.out.keep(f.x.select(empty, zero, e), "extent");
  Slot r = alloc(f, ir::Type::array(t.elem, rank, t.layout, t.complex), extents, VR_FILL_NONE, where, "joined");
  ExprP offset = zero, data = f.out.get(f.out.array(r.array).data);
  // Elements are converted to their common type first, then to the stated type.
  Elem common = c.args[0]->type.elem;
  bool complex = false;
  for (const ir::ExprPtr& a : c.args) {
    common = ir::common_elem(common, a->type.elem);
    complex = complex || a->type.complex;
  }
  for (size_t q = 0; q < parts.size(); ++q) {
    ArrayGen p = convert(f.out, convert(f.out, parts[q], common, complex), t.elem, t.complex);
    std::vector<ExprP> counts = p.extent;
    counts[axis] = size[q];
    ExprP from = f.out.keep(offset, "from");
    loop_nest(f, counts, t.layout, true, [&](const std::vector<ExprP>& i) {
      ScalarValue v = p.at(i);
      std::vector<ExprP> index = i;
      index[axis] = f.x.add(from, i[axis]);
      store(f.out, data, f.x.at(index, strides(f.out, r)), v);
    });
    offset = f.x.add(from, size[q]);
  }
  return made(f.out, r);
}

}  // namespace vr::lower
