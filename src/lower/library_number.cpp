// Calls of the standard library that give a number: elementwise functions, sums, norms, counts.
#include "ir/library.hpp"
#include "ir/typing.hpp"
#include "lower/array.hpp"
#include "lower/axis.hpp"
#include "lower/elementwise.hpp"
#include "lower/evaluation_order.hpp"
#include "lower/index.hpp"
#include "lower/library.hpp"
#include "lower/library_forms.hpp"
#include "lower/reduce.hpp"
#include "loop/runtime_fn.hpp"
#include "lower/scalar.hpp"
#include "lower/storage.hpp"
#include "lower/variables.hpp"
#include "runtime/abi.h"

#include <algorithm>
#include <cmath>

namespace vr::lower {

using ir::Elem;
using ir::Layout;
using ir::LibRule;

namespace {
bool any_array(const ir::LibCall& c) {
  return std::any_of(c.args.begin(), c.args.end(), [](const auto& a) { return a->type.is_array(); });
}

ScalarValue mapped(Lowering& f, const ir::LibCall& c, ir::LibMap fn) {
  std::vector<ScalarValue> args;
  for (size_t k = 0; k < c.args.size(); ++k) {
    args.push_back(scalar(f, c.args[k]));
    // Side effects of later arguments must not change this argument's value.
    if (std::any_of(c.args.begin() + static_cast<ptrdiff_t>(k) + 1, c.args.end(),
                    [&](const ir::ExprPtr& a) { return has_effects(f, a); }))
      args.back() = {f.out.temp(args.back().re), args.back().im ? f.out.temp(args.back().im) : nullptr,
                     args.back().elem};
  }
  return map(f.out, fn, std::move(args), c.type);
}

/// Of two vectors.
ScalarValue inner_product(Lowering& f, const ir::LibCall& c) {
  ArrayGen a = gen_in_order(f, c.args, 0), b = gen(f, c.args[1]);
  need_vector(f.out, a);
  need_vector(f.out, b);
  ExprP n = f.out.keep(total(f.out, a.extent), "n");
  f.out.fail_if(f.x.ne(n, total(f.out, b.extent)), Code::ShapeMismatch, "the vectors of a product differ in length");
  // Each element is read once, so that an operand needs storage only if its elements are costly, can fault, or have no
  // linear positions.
  auto in_order = [&](ArrayGen& g) {
    const bool counts = g.rank() == 1 || (g.flat && is_true(g.flat_if));
    if (g.costly || g.faults || !counts) g = leaf(f.out, materialise(f, g, g.layout, 0), {});
    auto at = g.at;
    return g.rank() == 1 ? std::function<ScalarValue(ExprP)>([at](ExprP i) { return at({i}); }) : g.flat;
  };
  auto left = in_order(a), right = in_order(b);
  ArrayGen product;
  // Computed in the operands' common type; the result is converted to the stated type.
  ir::Type own = ir::common_type(c.args[0]->type.element(), c.args[1]->type.element());
  if (own.elem == Elem::Bool) own.elem = Elem::Int32;
  product.elem = own.elem;
  product.complex = own.complex;
  product.extent = {n};
  product.at = [=, &f](const std::vector<ExprP>& i) {
    return convert(f.out, binary(f.out, ir::Kind::Mult, left(i[0]), right(i[0]), own), own);
  };
  return convert(f.out, reduce_all(f, ir::library(ir::Lib::Sum), product, own), c.type);
}

ScalarValue runtime_norm(Lowering& f, const ir::LibCall& c, const ArrayGen& g, ExprP p) {
  const Elem elem = ir::is_float(g.elem) ? g.elem : Elem::Float64;
  Slot in = materialise(f, convert(f.out, g, elem, g.complex), g.layout, VR_IN_ENGINE);
  // NumPy's norm of a matrix without an order is the root of the sum of squares; with one it is a matrix norm.
  int kind = f.conv.mindims == 2 ? VR_NORM_AUTO : c.args.size() == 2 ? VR_NORM_MATRIX : VR_NORM_FRO;
  if (in.type.rank == 1) kind = VR_NORM_AUTO;
  Slot r = new_slot(f.out, "norm", ir::Type::array(elem, 1, Layout::RowMajor));
  f.own.temps.push_back(r.array);
  f.out.call(
      rt::Norm,
      {f.out.site_arg(), f.out.in_array(in.array), f.out.out_array(r.array), f.out.scalar_arg(p), f.out.int_arg(kind)},
      true);
  return load(f.out, f.out.get(f.out.array(r.array).data), f.x.int_const(0), elem, false);
}

ScalarValue vector_norm(Lowering& f, const ir::LibCall& c) {
  // sqrt of the sum of squared magnitudes; where that overflows or underflows, the runtime's norm, which scales.
  ArrayGen g = gen(f, c.args[0]);
  if (g.costly) g = leaf(f.out, materialise(f, g, g.layout, 0), {});
  ir::Type real = ir::Type::scalar(Elem::Float64);
  ArrayGen squares = g.derived();
  squares.elem = real.elem;
  squares.complex = false;
  squares.flat = nullptr;
  squares.at = [=, &f](const std::vector<ExprP>& i) {
    ScalarValue v = f.out.keep(convert(f.out, g.at(i), real.elem, g.complex));
    ExprP s = f.x.mul(v.re, v.re);
    return ScalarValue{v.im ? f.x.add(s, f.x.mul(v.im, v.im)) : s, nullptr, real.elem};
  };
  ExprP sum = f.out.keep(reduce_all(f, ir::library(ir::Lib::Sum), squares, real).re, "squares");
  VarId norm = f.out.new_var("norm", Scalar::Float64);
  f.out.set(norm, f.x.math(MathFn::Sqrt, sum));
  ExprP out_of_range =
      f.x.not_(f.x.both(f.x.gt(sum, f.x.float_const(0x1p-960)), f.x.lt(sum, f.x.float_const(HUGE_VAL))));
  if (f.out.fn.kind == Function::Kind::Kernel) return {f.x.math(MathFn::Sqrt, sum), nullptr, Elem::Float64};
  f.out.emit(If{out_of_range,
                f.out.collect([&] {
                  ScalarValue scaled = runtime_norm(f, c, g, f.x.float_const(2));
                  f.out.set(norm, f.x.convert(scaled.re, Scalar::Float64));
                }),
                {},
                true});
  return {f.out.get(norm), nullptr, Elem::Float64};
}

ScalarValue norm_of_number(Lowering& f, const ir::LibCall& c) {
  ScalarValue v = f.out.keep(scalar(f, c.args[0]));
  if (v.elem == Elem::Bool || !ir::is_float(v.elem)) v = convert(f.out, v, Elem::Float64, v.complex());
  ScalarValue size = f.out.keep(map(f.out, ir::LibMap::Abs, {v}, c.type));
  if (c.args.size() == 1) return size;
  // Every norm of a number is its magnitude, except the "norm" 0, which counts nonzero elements.
  ExprP p = convert(f.out, scalar(f, c.args[1]), Elem::Float64, false).re;
  size.re = f.x.select(f.x.eq(p, f.x.float_const(0)), f.x.convert(truth(f.out, v), size.re->type), size.re);
  return size;
}

ScalarValue norm(Lowering& f, const ir::LibCall& c) {
  if (c.args.size() == 1 && c.args[0]->type.is_array() && c.args[0]->type.rank == 1) return vector_norm(f, c);
  if (!any_array(c)) return norm_of_number(f, c);
  ArrayGen g = gen(f, c.args[0]);
  ExprP p = c.args.size() == 2 ? convert(f.out, scalar(f, c.args[1]), Elem::Float64, false).re : f.x.float_const(2);
  return runtime_norm(f, c, g, f.out.keep(p));
}

ScalarValue only_element(Lowering& f, const ir::LibCall& c) {
  if (!any_array(c)) return scalar(f, c.args[0]);
  ArrayGen g = gen(f, c.args[0]);
  f.out.fail_if(f.x.ne(total(f.out, g.extent), f.x.int_const(1)), Code::ShapeMismatch,
                "an array of exactly one element is needed");
  return g.at(std::vector<ExprP>(g.extent.size(), f.x.int_const(0)));
}

ScalarValue count(Lowering& f, const ir::LibCall& c, ir::LibValue what) {
  const std::vector<ExprP> extents = extents_of(f, c);
  auto result = [&](ExprP e) { return ScalarValue{e, nullptr, Elem::Int64}; };
  if (what == ir::LibValue::Elements) return result(total(f.out, extents));
  if (what == ir::LibValue::Rank)
    return result(f.x.int_const(std::max<int64_t>(f.conv.mindims, static_cast<int64_t>(extents.size()))));
  if (extents.empty()) return result(f.x.int_const(1));
  // NumPy's len is the first extent; MATLAB's length the largest one, 0 when there is no element.
  if (f.conv.mindims == 1) return result(extents[0]);
  ExprP longest = f.x.int_const(0), n = f.out.keep(total(f.out, extents), "n");
  for (ExprP e : extents) longest = f.out.keep(f.x.max(longest, e), "length");
  return result(f.x.select(f.x.eq(n, f.x.int_const(0)), f.x.int_const(0), longest));
}

ScalarValue extent_along(Lowering& f, const ir::LibCall& c) {
  const std::vector<ExprP> extents = extents_of(f, c);
  ExprP k = checked_axis(f, f.x, f.conv, c.args[1], std::max(f.conv.mindims, static_cast<int>(extents.size())));
  ExprP e = f.x.int_const(1);
  for (size_t d = extents.size(); d-- > 0;)
    e = f.x.select(f.x.eq(k, f.x.int_const(static_cast<int64_t>(d))), extents[d], e);
  return {e, nullptr, Elem::Int64};
}

}  // namespace

ScalarValue library_scalar(Lowering& f, const ir::LibCall& c) {
  const ir::LibFunction* fn = ir::find_library(c.func);
  if (!fn) f.out.unsupported("library function '" + c.func + "'", c.pos);
  const bool arrays = any_array(c);
  // A number counts as an array of one element, whose axes are checked like any other's.
  auto check_axis = [&] {
    if (c.args.size() == 2) checked_axis(f, f.x, f.conv, c.args[1], arrays ? c.args[0]->type.rank : f.conv.mindims);
  };
  auto number = [&] {
    ScalarValue v = f.out.keep(scalar(f, c.args[0]));
    check_axis();
    return v;
  };
  auto arithmetic = [&](ir::Kind op, size_t left, size_t right) {
    return binary(f.out, op, scalar(f, c.args[left]), scalar(f, c.args[right]), c.type);
  };
  switch (fn->rule) {
    case LibRule::Elementwise:
      if (arrays) break;
      return mapped(f, c, fn->map());
    case LibRule::Reduced: {
      if (!arrays) return reduce_one(f.out, *fn, number());
      ArrayGen g = gen(f, c.args[0]);
      check_axis();
      return reduce_all(f, *fn, g, c.type);
    }
    case LibRule::Scanned:
    case LibRule::Sorted:
      if (arrays) break;
      return number();
    case LibRule::Product:
    case LibRule::Inner:
      return arrays ? inner_product(f, c) : arithmetic(ir::Kind::Mult, 0, 1);
    case LibRule::Outer:
      if (arrays) break;
      return arithmetic(ir::Kind::Mult, 0, 1);
    case LibRule::RightQuotient:
      if (arrays) break;
      return arithmetic(ir::Kind::Div, 0, 1);
    case LibRule::LeftQuotient:
      if (arrays) break;
      return arithmetic(ir::Kind::Div, 1, 0);
    case LibRule::Transposed:
      if (arrays) break;
      return scalar(f, c.args[0]);
    case LibRule::Copied:
      return scalar(f, c.args[0]);
    case LibRule::Called: {
      const Slot s = called(f, c, {c.type}, VR_IN_ENGINE)[0];
      return {f.out.get(s.var), s.im == none ? nullptr : f.out.get(s.im), s.type.elem};
    }
    case LibRule::Norm:
      return norm(f, c);
    case LibRule::Element:
      return only_element(f, c);
    case LibRule::Count:
      return count(f, c, fn->values);
    case LibRule::Sizes:
      if (c.args.size() != 2) break;
      return extent_along(f, c);
    case LibRule::Reshaped:
    case LibRule::SideBySide:
    case LibRule::Stacked:
    case LibRule::Progression:
    case LibRule::Linspace:
    case LibRule::Identity:
    case LibRule::Filled:
    case LibRule::Found:
      break;
  }
  f.out.unsupported("library function '" + c.func + "' with these arguments as a number", c.pos);
}

}  // namespace vr::lower
