// Calls of the standard library, but for reductions (reduce.cpp): elementwise maps, linear algebra, shapes,
// constructors.
#include "lower/library.hpp"

#include "ir/library.hpp"
#include "ir/typing.hpp"
#include "lower/array.hpp"
#include "lower/axis.hpp"
#include "lower/elementwise.hpp"
#include "lower/evaluation_order.hpp"
#include "lower/index.hpp"
#include "lower/loop.hpp"
#include "lower/product.hpp"
#include "lower/reduce.hpp"
#include "lower/reduce_axis.hpp"
#include "lower/runtime_fn.hpp"
#include "lower/scalar.hpp"
#include "lower/variables.hpp"
#include "lower/view.hpp"
#include "runtime/abi.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vr::lower {

using ir::Elem;
using ir::Layout;
using ir::LibSort;

static ArrayGen shape_array(Lowering& f, const ir::LibCall& c, int where);
static std::vector<Slot> sort(Lowering& f, const ir::LibCall& c, bool positions, int where = VR_IN_ENGINE);

namespace {
/// The order in which elements are counted.
Layout linear_order(const ir::Conventions& c) { return c.mindims == 2 ? Layout::ColMajor : Layout::RowMajor; }

/// SHAPE_MISMATCH unless the matrix is a row or a column: what `dot` and `outer` take for a vector.
void need_vector(Lowering& f, Exprs& x, const ArrayGen& g) {
  if (g.rank() != 2) return;
  const ExprP one = x.int_const(1);
  f.out.fail_if(x.both(x.ne(g.extent[0], one), x.ne(g.extent[1], one)), Code::ShapeMismatch,
                "a vector is needed, not a matrix");
}
}  // namespace

const ir::LibCall* library_call(Lowering& f, const ir::FnCall& c) {
  if (f.m.ir.find(c.callee) || !ir::find_library(c.callee)) return nullptr;
  for (const ir::Symbol& s : f.source.symbols.all())
    if (s.name == c.callee && s.type.is_function()) return nullptr;
  auto lib = std::make_shared<ir::LibCall>(c.type, c.callee, c.args);
  lib->pos = c.pos;
  f.library_calls.push_back(std::move(lib));
  return f.library_calls.back().get();
}

ScalarValue library_scalar(Lowering& f, const ir::LibCall& c) {
  const std::string& name = c.func;
  const ir::LibFunction* fn = ir::find_library(name);
  if (!fn) f.out.unsupported("library function '" + name + "'", c.pos);
  if (name == "copy") return scalar(f, c.args[0]);
  const bool array_argument =
      std::any_of(c.args.begin(), c.args.end(), [](const auto& a) { return a->type.is_array(); });
  // A number counts as an array of one element, whose axes are checked like any other's.
  auto check_axis = [&] {
    if (c.args.size() == 2)
      checked_axis(f, f.x, f.conv, c.args[1], array_argument ? c.args[0]->type.rank : f.conv.mindims);
  };
  switch (fn->sort) {
    case LibSort::FloatMap:
    case LibSort::SameMap:
    case LibSort::RealPart:
    case LibSort::Test:
    case LibSort::Arith:
    case LibSort::Select: {
      if (array_argument) break;
      std::vector<ScalarValue> args;
      for (size_t k = 0; k < c.args.size(); ++k) {
        args.push_back(scalar(f, c.args[k]));
        // What an argument behind this one does must not change its value.
        if (std::any_of(c.args.begin() + static_cast<ptrdiff_t>(k) + 1, c.args.end(),
                        [&](const ir::ExprPtr& a) { return has_effects(f, a); }))
          args.back() = {f.out.temp(args.back().re), args.back().im ? f.out.temp(args.back().im) : nullptr,
                         args.back().elem};
      }
      return map(f.out, name, std::move(args), c.type);
    }
    case LibSort::Reduce: {
      if (!array_argument) {
        ScalarValue v = f.out.keep(scalar(f, c.args[0]));
        check_axis();
        if (name == "argmin" || name == "argmax") return {f.x.int_const(f.conv.indexing), nullptr, Elem::Int64};
        if (name == "any" || name == "all") return {truth(f.out, v), nullptr, Elem::Bool};
        return v;
      }
      ArrayGen g = gen(f, c.args[0]);
      check_axis();
      return reduce_all(f, name, g, c.type);
    }
    case LibSort::Scan:
    case LibSort::Other: {
      if (array_argument || (name != "sort" && fn->sort != LibSort::Scan)) break;
      ScalarValue v = f.out.keep(scalar(f, c.args[0]));
      check_axis();
      return v;
    }
    case LibSort::Matrix: {
      if (!array_argument && (name == "mmult" || name == "dot" || name == "outer"))
        return binary(f.out, ir::Kind::Mult, scalar(f, c.args[0]), scalar(f, c.args[1]), c.type);
      if (!array_argument && name == "mrdiv")
        return binary(f.out, ir::Kind::Div, scalar(f, c.args[0]), scalar(f, c.args[1]), c.type);
      if (!array_argument && name == "mldiv")
        return binary(f.out, ir::Kind::Div, scalar(f, c.args[1]), scalar(f, c.args[0]), c.type);
      if (!array_argument && name == "trans") return scalar(f, c.args[0]);
      if (name == "dot" || name == "mmult") {
        ArrayGen a = gen_in_order(f, c.args, 0), b = gen(f, c.args[1]);
        need_vector(f, f.x, a);
        need_vector(f, f.x, b);
        ExprP n = f.out.keep(total(f.out, a.extent), "n");
        f.out.fail_if(f.x.ne(n, total(f.out, b.extent)), Code::ShapeMismatch,
                      "the vectors of a product differ in length");
        // Each element is looked at once, so only what cannot be counted through has to be somewhere first.
        auto in_order = [&](ArrayGen& g) {
          const bool counts = g.rank() == 1 || (g.flat && is_true(g.flat_if));
          if (g.costly || g.faults || !counts) g = leaf(f.out, materialise(f, g, g.layout, 0), {});
          auto at = g.at;
          return g.rank() == 1 ? std::function<ScalarValue(ExprP)>([at](ExprP i) { return at({i}); }) : g.flat;
        };
        auto left = in_order(a), right = in_order(b);
        ArrayGen product;
        // In the operands' own type; what is stated converts the result.
        ir::Type own = ir::common_type(c.args[0]->type.element(), c.args[1]->type.element());
        if (own.elem == Elem::Bool) own.elem = Elem::Int32;
        product.elem = own.elem;
        product.complex = own.complex;
        product.extent = {n};
        product.at = [=, &f](const std::vector<ExprP>& i) {
          return convert(f.out, binary(f.out, ir::Kind::Mult, left(i[0]), right(i[0]), own), own);
        };
        return convert(f.out, reduce_all(f, "sum", product, own), c.type);
      }
      auto runtime_norm = [&](const ArrayGen& g, ExprP p) {
        const Elem elem = ir::is_float(g.elem) ? g.elem : Elem::Float64;
        Slot in = materialise(f, convert(f.out, g, elem, g.complex), g.layout, VR_IN_ENGINE);
        // NumPy's norm of a matrix without an order is the root of the sum of squares; with one it is a matrix norm.
        int kind = f.conv.mindims == 2 ? VR_NORM_AUTO : c.args.size() == 2 ? VR_NORM_MATRIX : VR_NORM_FRO;
        if (in.type.rank == 1) kind = VR_NORM_AUTO;
        Slot r = new_slot(f.out, "norm", ir::Type::array(elem, 1, Layout::RowMajor));
        f.own.temps.push_back(r.array);
        f.out.call(rt::Norm,
                   {f.out.site_arg(), f.out.in_array(in.array), f.out.out_array(r.array), f.out.scalar_arg(p),
                    f.out.int_arg(kind)},
                   true);
        return load(f.out, f.out.get(f.out.array(r.array).data), f.x.int_const(0), elem, false);
      };
      if (name == "norm" && c.args.size() == 1 && c.args[0]->type.is_array() && c.args[0]->type.rank == 1) {
        // sqrt of the sum of squared magnitudes; where that leaves the range of numbers, the runtime's, which scales.
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
        ExprP sum = f.out.keep(reduce_all(f, "sum", squares, real).re, "squares");
        VarId norm = f.out.new_var("norm", Scalar::Float64);
        f.out.set(norm, f.x.math(MathFn::Sqrt, sum));
        ExprP out_of_range =
            f.x.not_(f.x.both(f.x.gt(sum, f.x.float_const(0x1p-960)), f.x.lt(sum, f.x.float_const(HUGE_VAL))));
        if (f.out.fn.kind == Function::Kind::Kernel) return {f.x.math(MathFn::Sqrt, sum), nullptr, Elem::Float64};
        f.out.emit(If{out_of_range,
                      f.out.collect([&] {
                        ScalarValue scaled = runtime_norm(g, f.x.float_const(2));
                        f.out.set(norm, f.x.convert(scaled.re, Scalar::Float64));
                      }),
                      {},
                      true});
        return {f.out.get(norm), nullptr, Elem::Float64};
      }
      if (!array_argument && name == "norm") {
        ScalarValue v = f.out.keep(scalar(f, c.args[0]));
        if (v.elem == Elem::Bool || !ir::is_float(v.elem)) v = convert(f.out, v, Elem::Float64, v.complex());
        ScalarValue size = f.out.keep(map(f.out, "abs", {v}, c.type));
        if (c.args.size() == 1) return size;
        // Of a number every norm is its magnitude, but the "norm" 0, which counts.
        ExprP p = convert(f.out, scalar(f, c.args[1]), Elem::Float64, false).re;
        size.re = f.x.select(f.x.eq(p, f.x.float_const(0)), f.x.convert(truth(f.out, v), size.re->type), size.re);
        return size;
      }
      if (name == "norm") {
        ArrayGen g = gen(f, c.args[0]);
        ExprP p =
            c.args.size() == 2 ? convert(f.out, scalar(f, c.args[1]), Elem::Float64, false).re : f.x.float_const(2);
        return runtime_norm(g, f.out.keep(p));
      }
      break;
    }
    case LibSort::Shape: {
      if (name == "scalar") {
        if (!array_argument) return scalar(f, c.args[0]);
        ArrayGen g = gen(f, c.args[0]);
        f.out.fail_if(f.x.ne(total(f.out, g.extent), f.x.int_const(1)), Code::ShapeMismatch,
                      "an array of exactly one element is needed");
        return g.at(std::vector<ExprP>(g.extent.size(), f.x.int_const(0)));
      }
      std::vector<ExprP> extents;
      if (c.args[0]->type.is_array())
        extents = gen(f, c.args[0]).extent;
      else
        scalar(f, c.args[0]);
      auto result = [&](ExprP e) { return ScalarValue{e, nullptr, Elem::Int64}; };
      if (name == "numel") return result(total(f.out, extents));
      if (name == "ndims")
        return result(f.x.int_const(std::max<int64_t>(f.conv.mindims, static_cast<int64_t>(extents.size()))));
      if (name == "length") {
        if (extents.empty()) return result(f.x.int_const(1));
        // NumPy's len is the first extent; MATLAB's length the largest one, 0 when there is no element.
        if (f.conv.mindims == 1) return result(extents[0]);
        ExprP longest = f.x.int_const(0), n = f.out.keep(total(f.out, extents), "n");
        for (ExprP e : extents) longest = f.out.keep(f.x.max(longest, e), "length");
        return result(f.x.select(f.x.eq(n, f.x.int_const(0)), f.x.int_const(0), longest));
      }
      if (name == "size" && c.args.size() == 2) {
        ExprP k = checked_axis(f, f.x, f.conv, c.args[1], std::max(f.conv.mindims, static_cast<int>(extents.size())));
        ExprP e = f.x.int_const(1);
        for (size_t d = extents.size(); d-- > 0;)
          e = f.x.select(f.x.eq(k, f.x.int_const(static_cast<int64_t>(d))), extents[d], e);
        return result(e);
      }
      break;
    }
    default:
      break;
  }
  f.out.unsupported("library function '" + name + "' with these arguments as a number", c.pos);
}

static ArrayGen transpose(Lowering& f, const ir::LibCall& c) {
  ArrayGen g = gen(f, c.args[0]);
  if (g.rank() != 2) return g;
  ArrayGen t = g.derived();
  std::swap(t.extent[0], t.extent[1]);
  auto at = g.at;
  t.at = [at](const std::vector<ExprP>& i) { return at({i[1], i[0]}); };
  // In memory a transposed array is the same elements in the other layout.
  t.layout = g.layout == Layout::ColMajor ? Layout::RowMajor : Layout::ColMajor;
  return t;
}

ArrayGen library_array(Lowering& f, const ir::LibCall& c, int where) {
  const std::string& name = c.func;
  const ir::LibFunction* fn = ir::find_library(name);
  if (!fn) f.out.unsupported("library function '" + name + "'", c.pos);
  switch (fn->sort) {
    case LibSort::FloatMap:
    case LibSort::SameMap:
    case LibSort::RealPart:
    case LibSort::Test:
    case LibSort::Arith:
    case LibSort::Select: {
      ArrayGen g =
          elementwise(f, c.args, c.type, [&f, &c](const auto& v) { return map(f.out, c.func, v, c.type.element()); });
      const bool divides = name == "mod" || name == "rem" || name == "libdiv";
      g.faults = g.faults || (divides && !ir::is_float(c.type.elem));
      return g;
    }
    case LibSort::Reduce:
    case LibSort::Scan:
      return reduction(f, c, where);
    case LibSort::Matrix: {
      if (name == "trans") return transpose(f, c);
      const bool scalar_left = c.args[0]->type.is_scalar(),
                 scalar_right = c.args.size() > 1 && c.args[1]->type.is_scalar();
      if (name == "mmult" && (scalar_left || scalar_right))
        return elementwise(f, c.args, c.type, [&f, &c](const auto& v) {
          return binary(f.out, ir::Kind::Mult, v[0], v[1], c.type.element());
        });
      if (name == "mrdiv" && scalar_right)
        return elementwise(f, c.args, c.type, [&f, &c](const auto& v) {
          return binary(f.out, ir::Kind::Div, v[0], v[1], c.type.element());
        });
      if (name == "mldiv" && scalar_left)
        return elementwise(f, {c.args[1], c.args[0]}, c.type, [&f, &c](const auto& v) {
          return binary(f.out, ir::Kind::Div, v[0], v[1], c.type.element());
        });
      if (name == "outer") {
        ArrayGen a = gen_in_order(f, c.args, 0), b = gen(f, c.args[1]);
        need_vector(f, f.x, a);
        need_vector(f, f.x, b);
        Slot p = materialise(f, a, a.layout, 0), q = materialise(f, b, b.layout, 0);
        ArrayGen left = leaf(f.out, p, {}), right = leaf(f.out, q, {}), g;
        g.elem = c.type.elem;
        g.complex = c.type.complex;
        g.extent = {f.out.keep(total(f.out, a.extent), "rows"), f.out.keep(total(f.out, b.extent), "columns")};
        g.layout = c.type.layout;
        g.at = [=, &f, &c](const std::vector<ExprP>& i) {
          return convert(f.out, binary(f.out, ir::Kind::Mult, left.flat(i[0]), right.flat(i[1]), c.type.element()),
                         c.type.element());
        };
        return g;
      }
      if (name == "mmult") return product(f, c, where);
      if (name == "mldiv" || name == "mrdiv") return quotient(f, c, where);
      break;
    }
    case LibSort::Other:
      if (name == "copy") return gen(f, c.args[0]);
      if (name == "sort") return made(f.out, sort(f, c, false, where)[0]);
      if (name == "find") {
        const Layout order = linear_order(f.conv);
        Slot in = c.args[0]->type.is_array()
                      ? slot_of_array(f, c.args[0], VR_IN_ENGINE)
                      : materialise(f, one_element(f.out, f.out.keep(scalar(f, c.args[0])), f.conv.mindims), order,
                                    VR_IN_ENGINE);
        return leaf(f.out, find(f, in, c.type.rank, order), {});
      }
      break;
    case LibSort::Shape:
    case LibSort::Make:
      return shape_array(f, c, where);
  }
  f.out.unsupported("library function '" + name + "'", c.pos);
}

static std::vector<Slot> sort(Lowering& f, const ir::LibCall& c, bool positions, int where) {
  Slot in = slot_of_array(f, c.args[0], VR_IN_ENGINE);
  const int rank = in.type.rank;
  // MATLAB: along the first dimension longer than 1; NumPy: along the last.
  ExprP axis = f.x.int_const(rank - 1);
  if (f.conv.mindims == 2) {
    axis = f.x.int_const(0);
    for (int k = rank - 1; k >= 0; --k)
      axis = f.x.select(f.x.ne(f.out.get(f.out.array(in.array).extent[static_cast<size_t>(k)]), f.x.int_const(1)),
                        f.x.int_const(k), axis);
  }
  if (c.args.size() == 2) axis = checked_axis(f, f.x, f.conv, c.args[1], rank);
  // Past the last one it does not matter which (MATLAB).
  Arg axis_arg = f.out.scalar_arg(f.x.convert(f.x.min(axis, f.x.int_const(rank)), Scalar::Int32));
  const Layout layout = in.type.layout == Layout::Strided ? ir::fresh_layout(f.conv) : in.type.layout;
  Slot values = new_slot(f.out, "sorted", ir::Type::array(in.type.elem, rank, layout, in.type.complex));
  f.own.temps.push_back(values.array);
  if (!positions) {
    f.out.call(rt::Sort,
               {f.out.site_arg(), f.out.in_array(in.array), f.out.out_array(values.array), axis_arg,
                f.out.layout_arg(layout), f.out.int_arg(where)},
               true);
    return {values};
  }
  Slot places = new_slot(f.out, "positions", ir::Type::array(Elem::Int64, rank, layout));
  f.own.temps.push_back(places.array);
  f.out.call(
      rt::SortIndex,
      {f.out.site_arg(), f.out.in_array(in.array), f.out.out_array(values.array), f.out.out_array(places.array),
       axis_arg, f.out.scalar_arg(f.x.int_const(f.conv.indexing)), f.out.layout_arg(layout), f.out.int_arg(where)},
      true);
  return {values, places};
}

std::vector<Slot> library_results(Lowering& f, const ir::LibCall& c) {
  const size_t results = c.type.components().size();
  if (c.func == "sort" && results == 2 && c.args[0]->type.is_array()) return sort(f, c, true);
  if (c.func == "sort" && results == 2) {
    ScalarValue v = scalar(f, c.args[0]);
    Slot sorted, where;
    sorted.type = c.args[0]->type;
    sorted.var = f.out.temp(v.re)->var;
    if (c.args.size() == 2) checked_axis(f, f.x, f.conv, c.args[1], f.conv.mindims);
    where.type = ir::Type::scalar(Elem::Int64);
    where.var = f.out.temp(f.x.int_const(f.conv.indexing))->var;
    return {sorted, where};
  }
  if (c.func == "find" && (results == 2 || results == 3)) {
    // Linear positions, taken apart into rows and columns; a third dimension counts on in the columns.
    const Layout order = linear_order(f.conv);
    Slot in =
        c.args[0]->type.is_array()
            ? slot_of_array(f, c.args[0], VR_IN_ENGINE)
            : materialise(f, one_element(f.out, f.out.keep(scalar(f, c.args[0])), f.conv.mindims), order, VR_IN_ENGINE);
    if (in.type.layout == Layout::Strided) in = materialise(f, leaf(f.out, in, {}), order, VR_IN_ENGINE);
    Slot linear = find(f, in, f.conv.mindims == 2 ? 2 : 1, order);
    const ArrayGen g = leaf(f.out, linear, {}), source = leaf(f.out, in, {});
    std::vector<ExprP> extent;  // divided by, for elements that exist only where none is 0
    for (ExprP e : source.extent) extent.push_back(f.out.keep(f.x.max(e, f.x.int_const(1)), "divisor"));
    auto subscripts = [=, &f](ScalarValue v) {
      ExprP rest = f.out.keep(f.x.sub(v.re, f.x.int_const(f.conv.indexing)), "k");
      std::vector<ExprP> i(extent.size(), nullptr);
      for (size_t step = 0; step < i.size(); ++step) {
        const size_t k = order == Layout::ColMajor ? step : i.size() - 1 - step;
        const bool last = step + 1 == i.size();
        i[k] = last ? rest : f.out.keep(f.x.binary(Op::Rem, rest, extent[k]), "i");
        if (!last) rest = f.out.keep(f.x.binary(Op::Div, rest, extent[k]), "k");
      }
      return i;
    };
    auto part = [&](auto of, Elem elem, bool complex) {
      ArrayGen p = g.derived();
      p.elem = elem;
      p.complex = complex;
      p.at = [=](const std::vector<ExprP>& i) { return of(subscripts(g.at(i))); };
      p.flat = [=](ExprP i) { return of(subscripts(g.flat(i))); };
      return materialise(f, p, linear.type.layout, VR_IN_ENGINE);
    };
    auto position = [&f](ExprP e) {
      return ScalarValue{f.x.add(e, f.x.int_const(f.conv.indexing)), nullptr, Elem::Int64};
    };
    auto row = [=](const std::vector<ExprP>& i) { return position(i[0]); };
    auto column = [=, &f](const std::vector<ExprP>& i) {
      ExprP e = f.x.int_const(0);
      for (size_t k = i.size(); k-- > 1;) e = f.x.add(f.x.mul(e, extent[k]), i[k]);
      return position(e);
    };
    std::vector<Slot> r = {part(row, Elem::Int64, false), part(column, Elem::Int64, false)};
    if (results == 3)
      r.push_back(part([=](const std::vector<ExprP>& i) { return source.at(i); }, source.elem, source.complex));
    return r;
  }
  f.out.unsupported("several results of library function '" + c.func + "' with these arguments", c.pos);
}

static ArrayGen shape_array(Lowering& f, const ir::LibCall& c, int where) {
  const std::string& name = c.func;
  ir::Type t = c.type;
  if (t.layout == Layout::Strided) t.layout = ir::fresh_layout(f.conv);
  if (name == "zeros" || name == "ones" || name == "empty") {
    ir::AllocFunc fn = name == "ones"    ? ir::AllocFunc::Ones
                       : name == "zeros" ? ir::AllocFunc::Zeros
                                         : ir::AllocFunc::Empty;
    return gen(f, std::make_shared<ir::Alloc>(t, fn, c.args));
  }
  ArrayGen g;
  g.elem = t.elem;
  g.complex = t.complex;
  g.layout = t.layout;
  // A vector of n elements in the conventions' shape.
  auto vector_of = [&](ExprP n, std::function<ScalarValue(ExprP)> element) {
    if (t.rank == 1)
      g.extent = {n};
    else
      g.extent = {f.x.int_const(1), n};
    auto convert_element = [=, &f](ExprP i) { return convert(f.out, element(i), t.elem, t.complex); };
    g.at = [convert_element](const std::vector<ExprP>& i) { return convert_element(i.back()); };
    g.flat = convert_element;
    g.flat_if = f.x.bool_const(true);
    return g;
  };
  if (name == "size" || name == "dimvec") {
    std::vector<ExprP> extents;
    if (c.args[0]->type.is_array())
      extents = gen(f, c.args[0]).extent;
    else
      scalar(f, c.args[0]);
    while (static_cast<int>(extents.size()) < f.conv.mindims) extents.push_back(f.x.int_const(1));
    return vector_of(f.x.int_const(static_cast<int64_t>(extents.size())), [=, &f](ExprP i) {
      ExprP e = f.x.int_const(0);
      for (size_t d = extents.size(); d-- > 0;)
        e = f.x.select(f.x.eq(i, f.x.int_const(static_cast<int64_t>(d))), extents[d], e);
      return ScalarValue{e, nullptr, Elem::Int64};
    });
  }
  if (name == "reshape") {
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
    // The product must not come back to that number round the end of Int64.
    ExprP none = f.x.bool_const(false), count = extents[0];
    for (ExprP e : extents) none = f.x.either(none, f.x.eq(e, f.x.int_const(0)));
    for (size_t k = 1; k < extents.size(); ++k) {
      ExprP room = f.x.binary(Op::Div, f.x.int_const(INT64_MAX), f.x.max(extents[k], f.x.int_const(1)));
      f.out.fail_if(f.x.both(f.x.not_(none), f.x.gt(count, room)), Code::Size, "the array is too large");
      count = f.out.keep(f.x.mul(count, extents[k]), "elements");
    }
    f.out.fail_if(f.x.ne(count, total(f.out, from.extent)), Code::ShapeMismatch,
                  "reshape keeps the number of elements");
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
  if (name == "colon" || name == "range") {
    // colon(start[, step], stop) includes stop; range(start, stop[, step]) as the module's ranges do.
    const bool colon = name == "colon";
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
    if (!ir::is_float(elem)) elem = Elem::Int64;
    start = f.out.keep(convert(f.out, start, elem, false));
    step = f.out.keep(convert(f.out, step, elem, false));
    stop = f.out.keep(convert(f.out, stop, elem, false));
    ExprP n = range_count(f.out, start.re, step.re, stop.re, !colon && f.conv.exclude);
    return vector_of(n, [=, &f](ExprP i) {
      return ScalarValue{f.x.add(start.re, f.x.mul(f.x.convert(i, scalar_of(elem)), step.re)), nullptr, elem};
    });
  }
  if (name == "linspace") {
    // In double, rounded once to the arguments' own type, as NumPy does; what is stated converts the result.
    const ir::Type &p = c.args[0]->type, &q = c.args[1]->type;
    Elem elem = ir::common_elem(p.elem, q.elem);
    if (!ir::is_float(elem)) elem = Elem::Float64;
    const bool complex = p.complex || q.complex;
    ScalarValue a = f.out.keep(
                    convert(f.out, convert(f.out, scalar(f, c.args[0]), elem, complex), Elem::Float64, complex)),
                b = f.out.keep(
                    convert(f.out, convert(f.out, scalar(f, c.args[1]), elem, complex), Elem::Float64, complex));
    ExprP n = c.args.size() == 3 ? f.out.keep(int_value(f, c.args[2], "the number of points"), "n")
                                 : f.x.int_const(f.conv.mindims == 2 ? 100 : 50);
    // Of a negative number MATLAB gives nothing, NumPy an error.
    if (f.conv.mindims == 1)
      f.out.fail_if(f.x.lt(n, f.x.int_const(0)), Code::Size, "linspace of a negative number of points");
    n = f.out.keep(f.x.max(n, f.x.int_const(0)), "n");
    const Scalar s = Scalar::Float64;
    ExprP last = f.out.keep(f.x.sub(n, f.x.int_const(1)), "last");
    ExprP steps = f.out.keep(f.x.convert(f.x.max(last, f.x.int_const(1)), s), "steps");
    return vector_of(n, [=, &f](ExprP i) {
      ExprP at_end = f.x.eq(i, last);
      // A single point is the end under MATLAB's rules, the start under NumPy's.
      if (f.conv.mindims == 1) at_end = f.x.both(at_end, f.x.gt(last, f.x.int_const(0)));
      auto part = [&](ExprP p, ExprP q) {
        ExprP distance = f.x.sub(q, p), delta = f.x.binary(Op::Div, distance, steps);
        if (f.conv.mindims == 1) return f.x.select(at_end, q, f.x.add(p, f.x.mul(f.x.convert(i, s), delta)));
        // MATLAB: the ends as they are; a distance that overflows in parts.
        ExprP far =
            f.x.eq(f.x.math(MathFn::Fabs, distance), f.x.float_const(std::numeric_limits<double>::infinity(), s));
        delta = f.x.select(far, f.x.sub(f.x.binary(Op::Div, q, steps), f.x.binary(Op::Div, p, steps)), delta);
        ExprP at_start = f.x.either(f.x.eq(i, f.x.int_const(0)), f.x.eq(p, q));
        // The middle one of opposite ends, of infinities too.
        const ExprP zero = f.x.float_const(0, s);
        ExprP middle = f.x.both(f.x.eq(f.x.add(i, i), last), f.x.eq(p, f.x.sub(zero, q)));
        ExprP within = f.x.select(middle, zero, f.x.add(p, f.x.mul(f.x.convert(i, s), delta)));
        return f.x.select(at_end, q, f.x.select(at_start, p, within));
      };
      return convert(f.out, ScalarValue{part(a.re, b.re), a.im ? part(a.im, b.im) : nullptr, Elem::Float64}, elem,
                     complex);
    });
  }
  if (name == "eye") {
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
  if (name == "horzcat" || name == "vertcat") {
    std::vector<ArrayGen> parts;
    const int rank = t.rank;
    for (size_t q = 0; q < c.args.size(); ++q) {
      const ir::ExprPtr& a = c.args[q];
      ArrayGen p = a->type.is_array() ? gen_in_order(f, c.args, q) : one_element(f.out, scalar(f, a), rank);
      // Missing dimensions have extent 1: in front under NumPy's rules (vertcat stacks vectors as rows), else behind.
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
    const size_t axis = name == "horzcat" ? static_cast<size_t>(rank == 1 ? 0 : 1) : 0;
    const ExprP zero = f.x.int_const(0), one = f.x.int_const(1);
    std::vector<ExprP> extents = parts[0].extent, size, nothing(parts.size(), f.x.bool_const(false));
    ExprP along = zero, found = f.x.bool_const(true), clash = f.x.bool_const(false);
    // MATLAB: [] joins with anything; 1 x 0 and 0 x 1 do where they do not fit, but of such alone comes 0 x 0 then.
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
    // What they have in common first, then what the call is said to give.
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
  f.out.unsupported("library function '" + name + "'", c.pos);
}

}  // namespace vr::lower
