// Calls of the standard library, but for reductions (reduce.cpp): elementwise maps, linear algebra, shapes,
// constructors.
#include "ir/library.hpp"
#include "ir/typing.hpp"
#include "lower/axis.hpp"
#include "lower/evaluation_order.hpp"
#include "lower/runtime_fn.hpp"
#include "runtime/abi.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vr::lower {

using ir::Elem;
using ir::Layout;
using ir::LibSort;

namespace {
/// The order in which elements are counted.
Layout linear_order(const ir::Conventions& c) { return c.mindims == 2 ? Layout::ColMajor : Layout::RowMajor; }

/// SHAPE_MISMATCH unless the matrix is a row or a column: what `dot` and `outer` take for a vector.
void need_vector(FunctionLowering& f, Exprs& x, const ArrayGen& g) {
  if (g.rank() != 2) return;
  const ExprP one = x.int_const(1);
  f.fail_if(x.both(x.ne(g.extent[0], one), x.ne(g.extent[1], one)), Code::ShapeMismatch,
            "a vector is needed, not a matrix");
}
}  // namespace

const ir::LibCall* FunctionLowering::library_call(const ir::FnCall& c) {
  if (m_.ir.find(c.callee) || !ir::find_library(c.callee)) return nullptr;
  for (const ir::Symbol& s : source_.symbols.all())
    if (s.name == c.callee && s.type.is_function()) return nullptr;
  auto lib = std::make_shared<ir::LibCall>(c.type, c.callee, c.args);
  lib->pos = c.pos;
  library_calls_.push_back(std::move(lib));
  return library_calls_.back().get();
}

ScalarValue FunctionLowering::library_scalar(const ir::LibCall& c) {
  const std::string& name = c.func;
  const ir::LibFunction* f = ir::find_library(name);
  if (!f) unsupported("library function '" + name + "'", c.pos);
  if (name == "copy") return scalar(c.args[0]);
  const bool array_argument =
      std::any_of(c.args.begin(), c.args.end(), [](const auto& a) { return a->type.is_array(); });
  // A number counts as an array of one element, whose axes are checked like any other's.
  auto check_axis = [&] {
    if (c.args.size() == 2)
      checked_axis(*this, x_, conv_, c.args[1], array_argument ? c.args[0]->type.rank : conv_.mindims);
  };
  switch (f->sort) {
    case LibSort::FloatMap:
    case LibSort::SameMap:
    case LibSort::RealPart:
    case LibSort::Test:
    case LibSort::Arith:
    case LibSort::Select: {
      if (array_argument) break;
      std::vector<ScalarValue> args;
      for (size_t k = 0; k < c.args.size(); ++k) {
        args.push_back(scalar(c.args[k]));
        // What an argument behind this one does must not change its value.
        if (std::any_of(c.args.begin() + static_cast<ptrdiff_t>(k) + 1, c.args.end(),
                        [&](const ir::ExprPtr& a) { return has_effects(a); }))
          args.back() = {temp(args.back().re), args.back().im ? temp(args.back().im) : nullptr, args.back().elem};
      }
      return map(name, std::move(args), c.type);
    }
    case LibSort::Reduce: {
      if (!array_argument) {
        ScalarValue v = keep(scalar(c.args[0]));
        check_axis();
        if (name == "argmin" || name == "argmax") return {x_.int_const(conv_.indexing), nullptr, Elem::Int64};
        if (name == "any" || name == "all") return {truth(v), nullptr, Elem::Bool};
        return v;
      }
      ArrayGen g = gen(c.args[0]);
      check_axis();
      return reduce_all(name, g, c.type);
    }
    case LibSort::Scan:
    case LibSort::Other: {
      if (array_argument || (name != "sort" && f->sort != LibSort::Scan)) break;
      ScalarValue v = keep(scalar(c.args[0]));
      check_axis();
      return v;
    }
    case LibSort::Matrix: {
      if (!array_argument && (name == "mmult" || name == "dot" || name == "outer"))
        return binary(ir::Kind::Mult, scalar(c.args[0]), scalar(c.args[1]), c.type);
      if (!array_argument && name == "mrdiv")
        return binary(ir::Kind::Div, scalar(c.args[0]), scalar(c.args[1]), c.type);
      if (!array_argument && name == "mldiv")
        return binary(ir::Kind::Div, scalar(c.args[1]), scalar(c.args[0]), c.type);
      if (!array_argument && name == "trans") return scalar(c.args[0]);
      if (name == "dot" || name == "mmult") {
        ArrayGen a = gen_in_order(*this, c.args, 0), b = gen(c.args[1]);
        need_vector(*this, x_, a);
        need_vector(*this, x_, b);
        ExprP n = keep(total(a.extent), "n");
        fail_if(x_.ne(n, total(b.extent)), Code::ShapeMismatch, "the vectors of a product differ in length");
        // Each element is looked at once, so only what cannot be counted through has to be somewhere first.
        auto in_order = [&](ArrayGen& g) {
          const bool counts = g.rank() == 1 || (g.flat && is_true(g.flat_if));
          if (g.costly || g.faults || !counts) g = leaf(materialise(g, g.layout, 0), {});
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
        product.at = [=, this](const std::vector<ExprP>& i) {
          return convert(binary(ir::Kind::Mult, left(i[0]), right(i[0]), own), own);
        };
        return convert(reduce_all("sum", product, own), c.type);
      }
      auto runtime_norm = [&](const ArrayGen& g, ExprP p) {
        const Elem elem = ir::is_float(g.elem) ? g.elem : Elem::Float64;
        Slot in = materialise(convert(g, elem, g.complex), g.layout, VR_IN_ENGINE);
        // NumPy's norm of a matrix without an order is the root of the sum of squares; with one it is a matrix norm.
        int kind = conv_.mindims == 2 ? VR_NORM_AUTO : c.args.size() == 2 ? VR_NORM_MATRIX : VR_NORM_FRO;
        if (in.type.rank == 1) kind = VR_NORM_AUTO;
        Slot r = new_slot("norm", ir::Type::array(elem, 1, Layout::RowMajor));
        temps_.push_back(r.array);
        call(rt::Norm, {site_arg(), in_array(in.array), out_array(r.array), scalar_arg(p), int_arg(kind)}, true);
        return load(get(array(r.array).data), x_.int_const(0), elem, false);
      };
      if (name == "norm" && c.args.size() == 1 && c.args[0]->type.is_array() && c.args[0]->type.rank == 1) {
        // sqrt of the sum of squared magnitudes; where that leaves the range of numbers, the runtime's, which scales.
        ArrayGen g = gen(c.args[0]);
        if (g.costly) g = leaf(materialise(g, g.layout, 0), {});
        ir::Type real = ir::Type::scalar(Elem::Float64);
        ArrayGen squares = g.derived();
        squares.elem = real.elem;
        squares.complex = false;
        squares.flat = nullptr;
        squares.at = [=, this](const std::vector<ExprP>& i) {
          ScalarValue v = keep(convert(g.at(i), real.elem, g.complex));
          ExprP s = x_.mul(v.re, v.re);
          return ScalarValue{v.im ? x_.add(s, x_.mul(v.im, v.im)) : s, nullptr, real.elem};
        };
        ExprP sum = keep(reduce_all("sum", squares, real).re, "squares");
        VarId norm = new_var("norm", Scalar::Float64);
        set(norm, x_.math(MathFn::Sqrt, sum));
        ExprP out_of_range =
            x_.not_(x_.both(x_.gt(sum, x_.float_const(0x1p-960)), x_.lt(sum, x_.float_const(HUGE_VAL))));
        if (fn_.kind == Function::Kind::Kernel) return {x_.math(MathFn::Sqrt, sum), nullptr, Elem::Float64};
        emit(If{out_of_range,
                collect([&] {
                  ScalarValue scaled = runtime_norm(g, x_.float_const(2));
                  set(norm, x_.convert(scaled.re, Scalar::Float64));
                }),
                {},
                true});
        return {get(norm), nullptr, Elem::Float64};
      }
      if (!array_argument && name == "norm") {
        ScalarValue v = keep(scalar(c.args[0]));
        if (v.elem == Elem::Bool || !ir::is_float(v.elem)) v = convert(v, Elem::Float64, v.complex());
        ScalarValue size = keep(map("abs", {v}, c.type));
        if (c.args.size() == 1) return size;
        // Of a number every norm is its magnitude, but the "norm" 0, which counts.
        ExprP p = convert(scalar(c.args[1]), Elem::Float64, false).re;
        size.re = x_.select(x_.eq(p, x_.float_const(0)), x_.convert(truth(v), size.re->type), size.re);
        return size;
      }
      if (name == "norm") {
        ArrayGen g = gen(c.args[0]);
        ExprP p = c.args.size() == 2 ? convert(scalar(c.args[1]), Elem::Float64, false).re : x_.float_const(2);
        return runtime_norm(g, keep(p));
      }
      break;
    }
    case LibSort::Shape: {
      if (name == "scalar") {
        if (!array_argument) return scalar(c.args[0]);
        ArrayGen g = gen(c.args[0]);
        fail_if(x_.ne(total(g.extent), x_.int_const(1)), Code::ShapeMismatch,
                "an array of exactly one element is needed");
        return g.at(std::vector<ExprP>(g.extent.size(), x_.int_const(0)));
      }
      std::vector<ExprP> extents;
      if (c.args[0]->type.is_array())
        extents = gen(c.args[0]).extent;
      else
        scalar(c.args[0]);
      auto result = [&](ExprP e) { return ScalarValue{e, nullptr, Elem::Int64}; };
      if (name == "numel") return result(total(extents));
      if (name == "ndims")
        return result(x_.int_const(std::max<int64_t>(conv_.mindims, static_cast<int64_t>(extents.size()))));
      if (name == "length") {
        if (extents.empty()) return result(x_.int_const(1));
        // NumPy's len is the first extent; MATLAB's length the largest one, 0 when there is no element.
        if (conv_.mindims == 1) return result(extents[0]);
        ExprP longest = x_.int_const(0), n = keep(total(extents), "n");
        for (ExprP e : extents) longest = keep(x_.max(longest, e), "length");
        return result(x_.select(x_.eq(n, x_.int_const(0)), x_.int_const(0), longest));
      }
      if (name == "size" && c.args.size() == 2) {
        ExprP k = checked_axis(*this, x_, conv_, c.args[1], std::max(conv_.mindims, static_cast<int>(extents.size())));
        ExprP e = x_.int_const(1);
        for (size_t d = extents.size(); d-- > 0;)
          e = x_.select(x_.eq(k, x_.int_const(static_cast<int64_t>(d))), extents[d], e);
        return result(e);
      }
      break;
    }
    default:
      break;
  }
  unsupported("library function '" + name + "' with these arguments as a number", c.pos);
}

ArrayGen FunctionLowering::transpose(const ir::LibCall& c) {
  ArrayGen g = gen(c.args[0]);
  if (g.rank() != 2) return g;
  ArrayGen t = g.derived();
  std::swap(t.extent[0], t.extent[1]);
  auto at = g.at;
  t.at = [at](const std::vector<ExprP>& i) { return at({i[1], i[0]}); };
  // In memory a transposed array is the same elements in the other layout.
  t.layout = g.layout == Layout::ColMajor ? Layout::RowMajor : Layout::ColMajor;
  return t;
}

ArrayGen FunctionLowering::library_array(const ir::LibCall& c, int where) {
  const std::string& name = c.func;
  const ir::LibFunction* f = ir::find_library(name);
  if (!f) unsupported("library function '" + name + "'", c.pos);
  switch (f->sort) {
    case LibSort::FloatMap:
    case LibSort::SameMap:
    case LibSort::RealPart:
    case LibSort::Test:
    case LibSort::Arith:
    case LibSort::Select: {
      ArrayGen g = elementwise(c.args, c.type, [this, &c](const auto& v) { return map(c.func, v, c.type.element()); });
      const bool divides = name == "mod" || name == "rem" || name == "libdiv";
      g.faults = g.faults || (divides && !ir::is_float(c.type.elem));
      return g;
    }
    case LibSort::Reduce:
    case LibSort::Scan:
      return reduction(c, where);
    case LibSort::Matrix: {
      if (name == "trans") return transpose(c);
      const bool scalar_left = c.args[0]->type.is_scalar(),
                 scalar_right = c.args.size() > 1 && c.args[1]->type.is_scalar();
      if (name == "mmult" && (scalar_left || scalar_right))
        return elementwise(c.args, c.type,
                           [this, &c](const auto& v) { return binary(ir::Kind::Mult, v[0], v[1], c.type.element()); });
      if (name == "mrdiv" && scalar_right)
        return elementwise(c.args, c.type,
                           [this, &c](const auto& v) { return binary(ir::Kind::Div, v[0], v[1], c.type.element()); });
      if (name == "mldiv" && scalar_left)
        return elementwise({c.args[1], c.args[0]}, c.type,
                           [this, &c](const auto& v) { return binary(ir::Kind::Div, v[0], v[1], c.type.element()); });
      if (name == "outer") {
        ArrayGen a = gen_in_order(*this, c.args, 0), b = gen(c.args[1]);
        need_vector(*this, x_, a);
        need_vector(*this, x_, b);
        Slot p = materialise(a, a.layout, 0), q = materialise(b, b.layout, 0);
        ArrayGen left = leaf(p, {}), right = leaf(q, {}), g;
        g.elem = c.type.elem;
        g.complex = c.type.complex;
        g.extent = {keep(total(a.extent), "rows"), keep(total(b.extent), "columns")};
        g.layout = c.type.layout;
        g.at = [=, this, &c](const std::vector<ExprP>& i) {
          return convert(binary(ir::Kind::Mult, left.flat(i[0]), right.flat(i[1]), c.type.element()), c.type.element());
        };
        return g;
      }
      if (name == "mmult") return product(c, where);
      if (name == "mldiv" || name == "mrdiv") return quotient(c, where);
      break;
    }
    case LibSort::Other:
      if (name == "copy") return gen(c.args[0]);
      if (name == "sort") return made(sort(c, false, where)[0]);
      if (name == "find") {
        const Layout order = linear_order(conv_);
        Slot in = c.args[0]->type.is_array()
                      ? slot_of_array(c.args[0], VR_IN_ENGINE)
                      : materialise(one_element(keep(scalar(c.args[0])), conv_.mindims), order, VR_IN_ENGINE);
        return leaf(find(in, c.type.rank, order), {});
      }
      break;
    case LibSort::Shape:
    case LibSort::Make:
      return shape_array(c, where);
  }
  unsupported("library function '" + name + "'", c.pos);
}

std::vector<Slot> FunctionLowering::sort(const ir::LibCall& c, bool positions, int where) {
  Slot in = slot_of_array(c.args[0], VR_IN_ENGINE);
  const int rank = in.type.rank;
  // MATLAB: along the first dimension longer than 1; NumPy: along the last.
  ExprP axis = x_.int_const(rank - 1);
  if (conv_.mindims == 2) {
    axis = x_.int_const(0);
    for (int k = rank - 1; k >= 0; --k)
      axis =
          x_.select(x_.ne(get(array(in.array).extent[static_cast<size_t>(k)]), x_.int_const(1)), x_.int_const(k), axis);
  }
  if (c.args.size() == 2) axis = checked_axis(*this, x_, conv_, c.args[1], rank);
  // Past the last one it does not matter which (MATLAB).
  Arg axis_arg = scalar_arg(x_.convert(x_.min(axis, x_.int_const(rank)), Scalar::Int32));
  const Layout layout = in.type.layout == Layout::Strided ? ir::fresh_layout(conv_) : in.type.layout;
  Slot values = new_slot("sorted", ir::Type::array(in.type.elem, rank, layout, in.type.complex));
  temps_.push_back(values.array);
  if (!positions) {
    call(rt::Sort,
         {site_arg(), in_array(in.array), out_array(values.array), axis_arg, layout_arg(layout), int_arg(where)}, true);
    return {values};
  }
  Slot places = new_slot("positions", ir::Type::array(Elem::Int64, rank, layout));
  temps_.push_back(places.array);
  call(rt::SortIndex,
       {site_arg(), in_array(in.array), out_array(values.array), out_array(places.array), axis_arg,
        scalar_arg(x_.int_const(conv_.indexing)), layout_arg(layout), int_arg(where)},
       true);
  return {values, places};
}

std::vector<Slot> FunctionLowering::library_results(const ir::LibCall& c) {
  const size_t results = c.type.components().size();
  if (c.func == "sort" && results == 2 && c.args[0]->type.is_array()) return sort(c, true);
  if (c.func == "sort" && results == 2) {
    ScalarValue v = scalar(c.args[0]);
    Slot sorted, where;
    sorted.type = c.args[0]->type;
    sorted.var = temp(v.re)->var;
    if (c.args.size() == 2) checked_axis(*this, x_, conv_, c.args[1], conv_.mindims);
    where.type = ir::Type::scalar(Elem::Int64);
    where.var = temp(x_.int_const(conv_.indexing))->var;
    return {sorted, where};
  }
  if (c.func == "find" && (results == 2 || results == 3)) {
    // Linear positions, taken apart into rows and columns; a third dimension counts on in the columns.
    const Layout order = linear_order(conv_);
    Slot in = c.args[0]->type.is_array()
                  ? slot_of_array(c.args[0], VR_IN_ENGINE)
                  : materialise(one_element(keep(scalar(c.args[0])), conv_.mindims), order, VR_IN_ENGINE);
    if (in.type.layout == Layout::Strided) in = materialise(leaf(in, {}), order, VR_IN_ENGINE);
    Slot linear = find(in, conv_.mindims == 2 ? 2 : 1, order);
    const ArrayGen g = leaf(linear, {}), source = leaf(in, {});
    std::vector<ExprP> extent;  // divided by, for elements that exist only where none is 0
    for (ExprP e : source.extent) extent.push_back(keep(x_.max(e, x_.int_const(1)), "divisor"));
    auto subscripts = [=, this](ScalarValue v) {
      ExprP rest = keep(x_.sub(v.re, x_.int_const(conv_.indexing)), "k");
      std::vector<ExprP> i(extent.size(), nullptr);
      for (size_t step = 0; step < i.size(); ++step) {
        const size_t k = order == Layout::ColMajor ? step : i.size() - 1 - step;
        const bool last = step + 1 == i.size();
        i[k] = last ? rest : keep(x_.binary(Op::Rem, rest, extent[k]), "i");
        if (!last) rest = keep(x_.binary(Op::Div, rest, extent[k]), "k");
      }
      return i;
    };
    auto part = [&](auto of, Elem elem, bool complex) {
      ArrayGen p = g.derived();
      p.elem = elem;
      p.complex = complex;
      p.at = [=](const std::vector<ExprP>& i) { return of(subscripts(g.at(i))); };
      p.flat = [=](ExprP i) { return of(subscripts(g.flat(i))); };
      return materialise(p, linear.type.layout, VR_IN_ENGINE);
    };
    auto position = [this](ExprP e) {
      return ScalarValue{x_.add(e, x_.int_const(conv_.indexing)), nullptr, Elem::Int64};
    };
    auto row = [=](const std::vector<ExprP>& i) { return position(i[0]); };
    auto column = [=, this](const std::vector<ExprP>& i) {
      ExprP e = x_.int_const(0);
      for (size_t k = i.size(); k-- > 1;) e = x_.add(x_.mul(e, extent[k]), i[k]);
      return position(e);
    };
    std::vector<Slot> r = {part(row, Elem::Int64, false), part(column, Elem::Int64, false)};
    if (results == 3)
      r.push_back(part([=](const std::vector<ExprP>& i) { return source.at(i); }, source.elem, source.complex));
    return r;
  }
  unsupported("several results of library function '" + c.func + "' with these arguments", c.pos);
}

ArrayGen FunctionLowering::shape_array(const ir::LibCall& c, int where) {
  const std::string& name = c.func;
  ir::Type t = c.type;
  if (t.layout == Layout::Strided) t.layout = ir::fresh_layout(conv_);
  if (name == "zeros" || name == "ones" || name == "empty") {
    ir::AllocFunc fn = name == "ones"    ? ir::AllocFunc::Ones
                       : name == "zeros" ? ir::AllocFunc::Zeros
                                         : ir::AllocFunc::Empty;
    return gen(std::make_shared<ir::Alloc>(t, fn, c.args));
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
      g.extent = {x_.int_const(1), n};
    auto convert_element = [=, this](ExprP i) { return convert(element(i), t.elem, t.complex); };
    g.at = [convert_element](const std::vector<ExprP>& i) { return convert_element(i.back()); };
    g.flat = convert_element;
    g.flat_if = x_.bool_const(true);
    return g;
  };
  if (name == "size" || name == "dimvec") {
    std::vector<ExprP> extents;
    if (c.args[0]->type.is_array())
      extents = gen(c.args[0]).extent;
    else
      scalar(c.args[0]);
    while (static_cast<int>(extents.size()) < conv_.mindims) extents.push_back(x_.int_const(1));
    return vector_of(x_.int_const(static_cast<int64_t>(extents.size())), [=, this](ExprP i) {
      ExprP e = x_.int_const(0);
      for (size_t d = extents.size(); d-- > 0;)
        e = x_.select(x_.eq(i, x_.int_const(static_cast<int64_t>(d))), extents[d], e);
      return ScalarValue{e, nullptr, Elem::Int64};
    });
  }
  if (name == "reshape") {
    ArrayGen from =
        c.args[0]->type.is_array() ? gen_in_order(*this, c.args, 0) : one_element(scalar(c.args[0]), t.rank);
    std::vector<ExprP> extents;
    if (c.args.size() == 2 && c.args[1]->type.is_array()) {
      ArrayGen v = gen(c.args[1]);
      if (v.costly || !v.flat) v = leaf(materialise(v, v.layout, VR_IN_ENGINE), {});
      fail_if(x_.ne(total(v.extent), x_.int_const(t.rank)), Code::ShapeMismatch,
              "the vector of extents must have one element a dimension");
      for (int k = 0; k < t.rank; ++k)
        extents.push_back(keep(to_int64(v.flat(x_.int_const(k)), "an extent"), "extent"));
    } else {
      for (size_t k = 1; k < c.args.size(); ++k) extents.push_back(keep(int_value(c.args[k], "an extent"), "extent"));
      while (static_cast<int>(extents.size()) < t.rank) extents.push_back(x_.int_const(1));
    }
    for (ExprP e : extents) fail_if(x_.lt(e, x_.int_const(0)), Code::Size, "an extent is negative");
    // The product must not come back to that number round the end of Int64.
    ExprP none = x_.bool_const(false), count = extents[0];
    for (ExprP e : extents) none = x_.either(none, x_.eq(e, x_.int_const(0)));
    for (size_t k = 1; k < extents.size(); ++k) {
      ExprP room = x_.binary(Op::Div, x_.int_const(INT64_MAX), x_.max(extents[k], x_.int_const(1)));
      fail_if(x_.both(x_.not_(none), x_.gt(count, room)), Code::Size, "the array is too large");
      count = keep(x_.mul(count, extents[k]), "elements");
    }
    fail_if(x_.ne(count, total(from.extent)), Code::ShapeMismatch, "reshape keeps the number of elements");
    const Layout order = conv_.mindims == 2 ? Layout::ColMajor : Layout::RowMajor;
    Slot s = materialise(from, order, VR_IN_ENGINE);
    ArrayGen flat = leaf(s, {});
    g.extent = extents;
    g.layout = order;
    g.elem = from.elem;
    g.complex = from.complex;
    g.flat = flat.flat;
    g.flat_if = x_.bool_const(true);
    g.at = [=, this](const std::vector<ExprP>& index) {
      ExprP linear = x_.int_const(0);
      for (size_t step = 0; step < index.size(); ++step) {
        size_t k = order == Layout::ColMajor ? index.size() - 1 - step : step;
        linear = x_.add(x_.mul(linear, extents[k]), index[k]);
      }
      return flat.flat(linear);
    };
    return g;
  }
  if (name == "colon" || name == "range") {
    // colon(start[, step], stop) includes stop; range(start, stop[, step]) as the module's ranges do.
    const bool colon = name == "colon";
    ScalarValue start = keep(scalar(c.args[0])), step, stop;
    if (colon) {
      stop = keep(scalar(c.args.back()));
      step = c.args.size() == 3 ? keep(scalar(c.args[1])) : number(1, start.elem, false);
    } else {
      stop = keep(scalar(c.args[1]));
      step = c.args.size() == 3 ? keep(scalar(c.args[2])) : number(1, start.elem, false);
    }
    Elem elem = ir::common_elem(ir::common_elem(start.elem, step.elem), stop.elem);
    if (elem == Elem::Bool) elem = Elem::Int32;
    if (!ir::is_float(elem)) elem = Elem::Int64;
    start = keep(convert(start, elem, false));
    step = keep(convert(step, elem, false));
    stop = keep(convert(stop, elem, false));
    ExprP n = range_count(start.re, step.re, stop.re, !colon && conv_.exclude);
    return vector_of(n, [=, this](ExprP i) {
      return ScalarValue{x_.add(start.re, x_.mul(x_.convert(i, scalar_of(elem)), step.re)), nullptr, elem};
    });
  }
  if (name == "linspace") {
    // In double, rounded once to the arguments' own type, as NumPy does; what is stated converts the result.
    const ir::Type &p = c.args[0]->type, &q = c.args[1]->type;
    Elem elem = ir::common_elem(p.elem, q.elem);
    if (!ir::is_float(elem)) elem = Elem::Float64;
    const bool complex = p.complex || q.complex;
    ScalarValue a = keep(convert(convert(scalar(c.args[0]), elem, complex), Elem::Float64, complex)),
                b = keep(convert(convert(scalar(c.args[1]), elem, complex), Elem::Float64, complex));
    ExprP n = c.args.size() == 3 ? keep(int_value(c.args[2], "the number of points"), "n")
                                 : x_.int_const(conv_.mindims == 2 ? 100 : 50);
    // Of a negative number MATLAB gives nothing, NumPy an error.
    if (conv_.mindims == 1) fail_if(x_.lt(n, x_.int_const(0)), Code::Size, "linspace of a negative number of points");
    n = keep(x_.max(n, x_.int_const(0)), "n");
    const Scalar s = Scalar::Float64;
    ExprP last = keep(x_.sub(n, x_.int_const(1)), "last");
    ExprP steps = keep(x_.convert(x_.max(last, x_.int_const(1)), s), "steps");
    return vector_of(n, [=, this](ExprP i) {
      ExprP at_end = x_.eq(i, last);
      // A single point is the end under MATLAB's rules, the start under NumPy's.
      if (conv_.mindims == 1) at_end = x_.both(at_end, x_.gt(last, x_.int_const(0)));
      auto part = [&](ExprP p, ExprP q) {
        ExprP distance = x_.sub(q, p), delta = x_.binary(Op::Div, distance, steps);
        if (conv_.mindims == 1) return x_.select(at_end, q, x_.add(p, x_.mul(x_.convert(i, s), delta)));
        // MATLAB: the ends as they are; a distance that overflows in parts.
        ExprP far = x_.eq(x_.math(MathFn::Fabs, distance), x_.float_const(std::numeric_limits<double>::infinity(), s));
        delta = x_.select(far, x_.sub(x_.binary(Op::Div, q, steps), x_.binary(Op::Div, p, steps)), delta);
        ExprP at_start = x_.either(x_.eq(i, x_.int_const(0)), x_.eq(p, q));
        return x_.select(at_end, q, x_.select(at_start, p, x_.add(p, x_.mul(x_.convert(i, s), delta))));
      };
      return convert(ScalarValue{part(a.re, b.re), a.im ? part(a.im, b.im) : nullptr, Elem::Float64}, elem, complex);
    });
  }
  if (name == "eye") {
    ExprP n = keep(int_value(c.args[0], "an extent"), "rows");
    ExprP m = c.args.size() > 1 ? keep(int_value(c.args[1], "an extent"), "columns") : n;
    for (ExprP e : {n, m})
      if (conv_.mindims == 1) fail_if(x_.lt(e, x_.int_const(0)), Code::Size, "an extent is negative");
    g.extent = {keep(x_.max(n, x_.int_const(0)), "rows"), keep(x_.max(m, x_.int_const(0)), "columns")};
    g.at = [=, this](const std::vector<ExprP>& i) {
      ScalarValue one = number(1, t.elem, t.complex), none = number(0, t.elem, t.complex);
      one.re = x_.select(x_.eq(i[0], i[1]), one.re, none.re);
      return one;
    };
    return g;
  }
  if (name == "horzcat" || name == "vertcat") {
    std::vector<ArrayGen> parts;
    const int rank = t.rank;
    for (size_t q = 0; q < c.args.size(); ++q) {
      const ir::ExprPtr& a = c.args[q];
      ArrayGen p = a->type.is_array() ? gen_in_order(*this, c.args, q) : one_element(scalar(a), rank);
      // Missing dimensions have extent 1: in front under NumPy's rules (vertcat stacks vectors as rows), else behind.
      if (p.rank() < rank) {
        const bool front = conv_.mindims == 1;
        const std::ptrdiff_t own = p.rank(), first = front ? rank - own : 0;
        ArrayGen full = p.derived();
        full.extent.insert(front ? full.extent.begin() : full.extent.end(), static_cast<size_t>(rank - own),
                           x_.int_const(1));
        full.flat = nullptr;
        full.at = [at = p.at, first, own](const std::vector<ExprP>& i) {
          return at(std::vector<ExprP>(i.begin() + first, i.begin() + first + own));
        };
        p = full;
      }
      parts.push_back(std::move(p));
    }
    const size_t axis = name == "horzcat" ? static_cast<size_t>(rank == 1 ? 0 : 1) : 0;
    const ExprP zero = x_.int_const(0), one = x_.int_const(1);
    std::vector<ExprP> extents = parts[0].extent, size, nothing(parts.size(), x_.bool_const(false));
    ExprP along = zero, found = x_.bool_const(true), clash = x_.bool_const(false);
    // MATLAB: [] joins with anything; 1 x 0 and 0 x 1 do where they do not fit, but of such alone comes 0 x 0 then.
    if (conv_.mindims == 2 && rank == 2 && parts.size() > 1) {
      ExprP some = found = x_.bool_const(false), other = zero;
      for (size_t q = 0; q < parts.size(); ++q) {
        const std::vector<ExprP>& e = parts[q].extent;
        ExprP sum = keep(x_.add(e[0], e[1]), "sum"), blank = keep(x_.eq(sum, zero), "blank");
        nothing[q] = keep(x_.le(sum, one), "nothing");
        ExprP takes = x_.both(x_.not_(found), x_.either(x_.not_(nothing[q]), x_.both(x_.not_(some), x_.not_(blank))));
        other = keep(x_.select(takes, e[1 - axis], other), "extent");
        found = keep(x_.either(found, x_.not_(nothing[q])), "found");
        some = keep(x_.either(some, x_.not_(blank)), "some");
      }
      extents[1 - axis] = other;
    }
    for (size_t q = 0; q < parts.size(); ++q) {
      const std::vector<ExprP>& e = parts[q].extent;
      ExprP fits = x_.bool_const(true);
      for (size_t k = 0; k < extents.size(); ++k)
        if (k != axis) fits = x_.both(fits, x_.eq(extents[k], e[k]));
      fits = keep(fits, "fits");
      fail_if(x_.both(x_.not_(nothing[q]), x_.not_(fits)), Code::ShapeMismatch,
              "the parts of a concatenation do not fit together");
      const ExprP skipped = keep(x_.both(nothing[q], x_.not_(fits)), "skipped");
      clash = keep(x_.either(clash, x_.both(skipped, x_.ne(x_.add(e[0], e.back()), zero))), "clash");
      size.push_back(keep(x_.select(skipped, zero, e[axis]), "size"));
      along = keep(x_.add(along, size.back()), "along");
    }
    extents[axis] = along;
    const ExprP empty = keep(x_.both(clash, x_.not_(found)), "empty");
    for (ExprP& e : extents) e = keep(x_.select(empty, zero, e), "extent");
    Slot r = alloc(ir::Type::array(t.elem, rank, t.layout, t.complex), extents, VR_FILL_NONE, where, "joined");
    ExprP offset = zero, data = get(array(r.array).data);
    // What they have in common first, then what the call is said to give.
    Elem common = c.args[0]->type.elem;
    bool complex = false;
    for (const ir::ExprPtr& a : c.args) {
      common = ir::common_elem(common, a->type.elem);
      complex = complex || a->type.complex;
    }
    for (size_t q = 0; q < parts.size(); ++q) {
      ArrayGen p = convert(convert(parts[q], common, complex), t.elem, t.complex);
      std::vector<ExprP> counts = p.extent;
      counts[axis] = size[q];
      ExprP from = keep(offset, "from");
      loop_nest(counts, t.layout, true, [&](const std::vector<ExprP>& i) {
        ScalarValue v = p.at(i);
        ExprP o = zero;
        for (size_t k = 0; k < i.size(); ++k)
          o = x_.add(o, x_.mul(k == axis ? x_.add(from, i[k]) : i[k], stride(r, static_cast<int>(k))));
        store(data, o, v);
      });
      offset = x_.add(from, size[q]);
    }
    return made(r);
  }
  unsupported("library function '" + name + "'", c.pos);
}

}  // namespace vr::lower
