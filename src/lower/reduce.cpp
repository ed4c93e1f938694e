// Reductions and scans (thesis 4.5.3): sum prod min max mean any all argmin argmax, cumsum cumprod.
#include "lower/axis.hpp"
#include "lower/runtime_fn.hpp"
#include "runtime/abi.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vr::lower {

using ir::Elem;
using ir::Layout;

ExprP checked_axis(FunctionLowering& f, Exprs& x, const ir::Conventions& conv, const ir::ExprPtr& axis, int rank) {
  const ExprP zero = x.int_const(0), last = x.int_const(rank);
  ExprP k = f.keep(x.sub(f.int_value(axis, "the axis"), x.int_const(conv.indexing)), "axis");
  if (conv.mindims == 1) k = f.keep(x.select(x.lt(k, zero), x.add(k, last), k), "axis");
  ExprP bad = x.lt(k, zero);
  if (conv.mindims == 1) bad = x.either(bad, x.ge(k, last));
  f.fail_if(bad, Code::OutOfBounds, "the axis is not one of the array's dimensions");
  return k;
}

// The running state of one reduction: an accumulator, and for argmin/argmax the position.
struct FunctionLowering::Accumulator {
  std::string name;
  ir::Type result;   // scalar type of the result
  ir::Type natural;  // in which it is defined, before what is stated converts it
  Elem elem;         // in which elements are accumulated
  bool complex;
  VarId re = none, im = none, position = none;
  VarId noted = none;  ///< min and max of floats: a NaN (or, where NaN is left out, a number) has been seen
  bool minmax() const { return name == "min" || name == "max" || arg(); }
  bool arg() const { return name == "argmin" || name == "argmax"; }
};

FunctionLowering::Accumulator FunctionLowering::accumulator(const std::string& name, const ArrayGen& g,
                                                            const ir::Type& result) {
  // The elements' type as the typing rules widen it (ir/typing_library.cpp).
  Elem elem = g.elem;
  bool complex = g.complex;
  if (name == "sum" || name == "prod" || name == "cumsum" || name == "cumprod") {
    if (conv_.mindims == 1)
      elem = elem < Elem::Int64 ? Elem::Int64 : elem;
    else if (elem == Elem::Bool)
      elem = Elem::Float64;
    // Both wrap, so that the narrower one gives the same.
    if (elem == Elem::Int64 && result.elem == Elem::Int32) elem = Elem::Int32;
  }
  if (name == "mean" && !ir::is_float(elem)) elem = Elem::Float64;
  if (name == "any" || name == "all") elem = Elem::Bool, complex = false;
  Accumulator a{name, ir::Type::scalar(result.elem, result.complex), ir::Type::scalar(elem, complex), elem, complex};
  // Sums of float32 are kept in double and rounded once: in float32 a running sum of ones stops at 2^24, and the result
  // would depend on how the loop was vectorised. Adding in blocks would be a second loop for each dimension; this costs
  // half of the lanes, which only arrays that fit into the cache show (docs/performance.md).
  if ((name == "sum" || name == "mean") && a.elem == Elem::Float32 &&
      (fn_.kind != Function::Kind::Kernel || m_.options.fp64))
    a.elem = Elem::Float64;
  a.re = new_var(name, scalar_of(a.elem));
  if (a.complex) a.im = new_var(name + ".im", scalar_of(a.elem));
  if (a.arg()) a.position = new_var(name + ".position", Scalar::Int64);
  if (a.minmax() && !a.arg() && ir::is_float(a.elem)) a.noted = new_var(name + ".noted", Scalar::Bool);
  return a;
}

void FunctionLowering::start(const Accumulator& a) {
  if (a.minmax() && !a.arg()) {
    // The value that any other beats. Whether NaN has the last word is noted apart from it, so that the comparison is
    // one that vectorises.
    const bool smaller = a.name == "min";
    const Scalar s = scalar_of(a.elem);
    if (is_float(s))
      set(a.re, x_.float_const(smaller ? HUGE_VAL : -HUGE_VAL, s));
    else if (s == Scalar::Bool)
      set(a.re, x_.bool_const(smaller));
    else if (s == Scalar::Int32)
      set(a.re, x_.int_const(smaller ? INT32_MAX : INT32_MIN, s));
    else
      set(a.re, x_.int_const(smaller ? INT64_MAX : INT64_MIN, s));
    if (a.noted != none) set(a.noted, x_.bool_const(false));
    return;
  }
  ScalarValue v = number(a.name == "prod" || a.name == "all" || a.name == "cumprod" ? 1 : 0, a.elem, a.complex);
  set(a.re, v.re);
  if (a.complex) set(a.im, v.im);
  if (a.arg()) set(a.position, x_.int_const(0));
}

// One element joins; `k` counts them from 0 (the first one starts an argmin and a complex product).
void FunctionLowering::join(const Accumulator& a, ScalarValue v, ExprP k) {
  if (a.name == "any" || a.name == "all") {
    set(a.re, x_.binary(a.name == "any" ? Op::Or : Op::And, get(a.re), truth(v)));
    return;
  }
  if (a.minmax()) {
    if (v.complex()) unsupported(a.name + " of complex numbers");
    ExprP x = keep(convert(v, a.elem, false).re), best = get(a.re);
    const bool smaller = a.name == "min" || a.name == "argmin";
    if (!a.arg()) {
      if (a.noted != none) {
        // Propagate notes a NaN, omit notes a number.
        ExprP number = x_.eq(x, x);
        set(a.noted, x_.either(get(a.noted), conv_.nan == ir::NanMode::Propagate ? x_.not_(number) : number));
        x = keep(x_.select(number, x, x_.float_const(smaller ? HUGE_VAL : -HUGE_VAL, x->type)));
      }
      set(a.re, x_.any_order(x_.select(smaller ? x_.lt(x, best) : x_.gt(x, best), x, best)));
      return;
    }
    ExprP take = smaller ? x_.lt(x, best) : x_.gt(x, best);
    if (ir::is_float(a.elem)) {
      // Propagate: the first NaN wins and stays. Omit: anything beats a NaN.
      ExprP nan = conv_.nan == ir::NanMode::Propagate ? x_.both(x_.ne(x, x), x_.eq(best, best))
                                                      : x_.both(x_.ne(best, best), x_.eq(x, x));
      take = x_.either(take, nan);
    }
    take = keep(x_.either(x_.eq(k, x_.int_const(0)), take), "take");
    set(a.re, x_.select(take, x, get(a.re)));
    set(a.position, x_.select(take, k, get(a.position)));
    return;
  }
  v = keep(convert(v, a.elem, a.complex));
  ScalarValue acc{get(a.re), a.complex ? get(a.im) : nullptr, a.elem};
  const bool product = a.name == "prod" || a.name == "cumprod";
  ScalarValue next = binary(product ? ir::Kind::Mult : ir::Kind::Plus, acc, v, ir::Type::scalar(a.elem, a.complex));
  if (a.complex && product) {
    // The first one as it is: 1 * (inf + i) would be no number.
    ExprP first = x_.eq(k, x_.int_const(0));
    next.re = x_.select(first, v.re, next.re);
    next.im = x_.select(first, v.im, next.im);
  }
  if (a.complex) {
    next = {temp(next.re), temp(next.im), next.elem};
    set(a.im, next.im);
  }
  // A scan shows each partial result, so its order is the one written.
  const bool scan = a.name == "cumsum" || a.name == "cumprod";
  ExprP sum = x_.convert(next.re, scalar_of(a.elem));
  set(a.re, scan || a.complex ? sum : x_.any_order(sum));
}

ScalarValue FunctionLowering::finish(const Accumulator& a, ExprP n) {
  if (a.arg())
    return convert({x_.add(get(a.position), x_.int_const(conv_.indexing)), nullptr, Elem::Int64}, a.result);
  ScalarValue v{get(a.re), a.complex ? get(a.im) : nullptr, a.elem};
  if (a.noted != none) {
    ExprP nan = x_.float_const(std::numeric_limits<double>::quiet_NaN(), v.re->type);
    const bool propagate = conv_.nan == ir::NanMode::Propagate;
    v.re = propagate ? x_.select(get(a.noted), nan, v.re) : x_.select(get(a.noted), v.re, nan);
  }
  if (a.name == "mean") {
    ExprP d = x_.convert(n, scalar_of(a.elem));
    v.re = x_.binary(Op::Div, v.re, d);
    if (v.im) v.im = x_.binary(Op::Div, v.im, d);
  }
  return convert(convert(v, a.natural), a.result);
}

ScalarValue FunctionLowering::reduce_all(const std::string& name, const ArrayGen& given, const ir::Type& stated) {
  ArrayGen g = given;
  Accumulator a = accumulator(name, g, stated);
  ExprP n = keep(total(g.extent), "n");
  if (a.minmax()) fail_if(x_.eq(n, x_.int_const(0)), Code::Size, name + " of an array without elements");
  // Positions and the order of summation follow the language: row-major for NumPy, column-major for MATLAB.
  const Layout order = conv_.mindims == 2 ? Layout::ColMajor : Layout::RowMajor;
  start(a);
  VarId count = none;
  const bool counts = a.arg() || (a.complex && name == "prod");
  auto flat = [&] { loop_nest({n}, order, false, [&](const std::vector<ExprP>& p) { join(a, g.flat(p[0]), p[0]); }); };
  auto general = [&] {
    if (counts) {
      count = new_var("count", Scalar::Int64);
      set(count, x_.int_const(0));
    }
    auto loops = [&](const std::function<ScalarValue(const std::vector<ExprP>&)>& at) {
      loop_nest(g.extent, order, false, [&](const std::vector<ExprP>& i) {
        join(a, at(i), counts ? get(count) : x_.int_const(0));
        if (counts) set(count, x_.add(get(count), x_.int_const(1)));
      });
    };
    g.flat ? loops(g.at) : with_elements(g, loops);
  };
  const bool can_flat = g.flat && (g.rank() == 1 || g.layout == order || !a.arg());
  if (can_flat && is_true(g.flat_if)) {
    flat();
  } else if (can_flat) {
    Block fast = collect(flat), slow = collect(general);
    emit(If{g.flat_if, std::move(fast), std::move(slow)});
  } else {
    general();
  }
  return finish(a, n);
}

// Along one axis, or under MATLAB's conventions without an axis along the first dimension longer than 1.
ArrayGen FunctionLowering::reduction(const ir::LibCall& c) {
  const std::string& name = c.func;
  const bool scan = name == "cumsum" || name == "cumprod";
  ArrayGen g =
      c.args[0]->type.is_array() ? gen(c.args[0]) : one_element(scalar(c.args[0]), std::max<int>(1, c.type.rank));
  if (g.costly) g = leaf(materialise(g, g.layout, VR_IN_ENGINE), {});
  const int rank = g.rank();
  const bool keep_dims = conv_.mindims == 2;
  ExprP axis = nullptr, columns = nullptr;
  if (c.args.size() == 2) {
    axis = checked_axis(*this, x_, conv_, c.args[1], rank);
  } else if (keep_dims) {
    axis = x_.int_const(0);
    for (int k = rank - 1; k >= 0; --k)
      axis = x_.select(x_.ne(g.extent[static_cast<size_t>(k)], x_.int_const(1)), x_.int_const(k), axis);
    axis = keep(axis, "axis");
    // MATLAB: nothing by nothing reduces to one element.
    if (!scan && rank == 2) {
      ExprP nothing = x_.both(x_.eq(g.extent[0], x_.int_const(0)), x_.eq(g.extent[1], x_.int_const(0)));
      columns = keep(x_.select(nothing, x_.int_const(1), g.extent[1]), "columns");
    }
  } else if (scan) {
    // NumPy: a scan without an axis runs over all elements in row-major order.
    Slot s = materialise(g, Layout::RowMajor, VR_IN_ENGINE);
    ArrayGen flat = leaf(s, {});
    g = flat;
    g.extent = {keep(total(flat.extent), "n")};
    g.at = [flat](const std::vector<ExprP>& i) { return flat.flat(i[0]); };
    axis = x_.int_const(0);
  } else {
    unsupported("'" + name + "' over all elements as an array", c.pos);
  }
  const int dims = g.rank();
  std::vector<ExprP> shape = g.extent, extents;
  if (columns) shape[1] = columns;
  if (scan) {
    extents = g.extent;
  } else {
    for (int k = 0; k < dims; ++k) {
      ExprP e = shape[static_cast<size_t>(k)], is_axis = x_.eq(axis, x_.int_const(k));
      if (keep_dims) {
        extents.push_back(keep(x_.select(is_axis, x_.int_const(1), e), "extent"));
      } else if (k + 1 < dims) {
        // Dimensions behind the axis move up by one.
        extents.push_back(
            keep(x_.select(x_.ge(x_.int_const(k), axis), g.extent[static_cast<size_t>(k + 1)], e), "extent"));
      }
    }
  }
  ir::Type t = c.type;
  if (t.layout == Layout::Strided) t.layout = Layout::RowMajor;
  t.rank = static_cast<uint8_t>(extents.size());
  Slot r = alloc(t, extents, VR_FILL_NONE, VR_IN_ENGINE, name.c_str());
  ExprP data = get(array(r.array).data);
  auto offset = [&](const std::vector<ExprP>& i) {
    ExprP o = x_.int_const(0);
    for (size_t k = 0; k < i.size(); ++k) o = x_.add(o, x_.mul(i[k], stride(r, static_cast<int>(k))));
    return o;
  };
  // One copy of the loops for each possible axis; an axis beyond the dimensions (MATLAB) has extent 1.
  for (int k = 0; k <= dims; ++k) {
    if (k == dims && !keep_dims) break;
    ExprP is_axis = k == dims ? x_.ge(axis, x_.int_const(dims)) : x_.eq(axis, x_.int_const(k));
    if (is_false(is_axis)) continue;
    Block loops = collect([&] {
      ExprP n = k == dims ? x_.int_const(1) : g.extent[static_cast<size_t>(k)];
      std::vector<ExprP> outer;
      for (int d = 0; d < dims; ++d)
        if (d != k) outer.push_back(shape[static_cast<size_t>(d)]);
      if (outer.empty()) outer.push_back(x_.int_const(1));
      Accumulator a = accumulator(name, g, t);
      if (a.minmax()) {
        ExprP some = x_.ne(total(outer), x_.int_const(0));
        fail_if(x_.both(some, x_.eq(n, x_.int_const(0))), Code::Size, name + " of an array without elements");
      }
      loop_nest(outer, t.layout, false, [&](const std::vector<ExprP>& i) {
        auto full = [&](ExprP along) {
          std::vector<ExprP> f;
          size_t q = 0;
          for (int d = 0; d < dims; ++d) f.push_back(d == k ? along : i[q++]);
          return f;
        };
        auto target = [&](ExprP along) {
          if (scan) return full(along);
          if (keep_dims) return full(x_.int_const(0));
          std::vector<ExprP> f(i.begin(), i.begin() + (dims - 1));
          return f;
        };
        start(a);
        VarId p = new_var("p", Scalar::Int64);
        Block inner = collect([&] {
          join(a, g.at(full(get(p))), get(p));
          if (scan) store(data, offset(target(get(p))), finish(a, n));
        });
        emit(CountedLoop{p, x_.int_const(0), n, std::move(inner), false});
        if (!scan) store(data, offset(target(x_.int_const(0))), finish(a, n));
      });
    });
    if (is_true(is_axis)) {
      for (Stmt& s : loops) block_->push_back(std::move(s));
      break;
    }
    emit(If{is_axis, std::move(loops), {}});
  }
  return leaf(r, {});
}

}  // namespace vr::lower
