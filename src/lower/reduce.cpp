// Reductions and scans (thesis 4.5.3): sum prod min max mean any all argmin argmax, cumsum cumprod.
#include "lower/reduce.hpp"

#include "lower/accumulator.hpp"
#include "lower/element_loops.hpp"
#include "lower/elementwise.hpp"
#include "lower/index.hpp"
#include "runtime/abi.h"

#include <algorithm>
#include <limits>

namespace vr::lower {

using ir::Elem;
using ir::Layout;
using ir::LibFold;

Accumulator accumulator(Lowering& f, const ir::LibFunction& fn, const ArrayGen& g, const ir::Type& result) {
  // The elements' type as the typing rules widen it (ir/typing_library.cpp).
  Elem elem = g.elem;
  bool complex = g.complex;
  if (fn.elem == ir::LibElem::Sum) {
    if (f.conv.mindims == 1)
      elem = ir::sum_elem(elem);
    else if (elem == Elem::Bool)
      elem = Elem::Float64;
    // Both types wrap, so that accumulating in the narrower one gives the same result.
    if (ir::is_integer(elem) && ir::is_integer(result.elem) && ir::elem_bytes(result.elem) < ir::elem_bytes(elem))
      elem = result.elem;
  }
  if (fn.elem == ir::LibElem::Floating && !ir::is_float(elem)) elem = Elem::Float64;
  if (fn.elem == ir::LibElem::Bool) elem = Elem::Bool, complex = false;
  Accumulator a{&fn, ir::Type::scalar(result.elem, result.complex), ir::Type::scalar(elem, complex), elem, complex};
  // Sums of float32 are accumulated in double and rounded once: in float32 a running sum of ones stops at 2^24, and the
  // result would depend on how the loop was vectorised. Adding in blocks would need a second loop for each dimension;
  // double costs half of the lanes, which is measurable only for arrays that fit into the cache (docs/performance.md).
  if ((a.fold() == LibFold::Sum || a.fold() == LibFold::Mean) && !a.is_scan() && a.elem == Elem::Float32 &&
      (f.out.fn.kind != Function::Kind::Kernel || f.m.options.fp64))
    a.elem = Elem::Float64;
  const std::string name(fn.name);
  a.re = f.out.new_var(name, scalar_of(a.elem));
  if (a.complex) a.im = f.out.new_var(name + ".im", scalar_of(a.elem));
  if (a.arg()) a.position = f.out.new_var(name + ".position", Scalar::Int64);
  if (a.minmax() && !a.arg() && ir::is_float(a.elem)) a.noted = f.out.new_var(name + ".noted", Scalar::Bool);
  if (f.section.inside && a.starts_with_first()) a.some = f.out.new_var(name + ".some", Scalar::Bool);
  return a;
}

Accumulator another(Emitter& out, Accumulator a) {
  for (VarId* v : a.states()) {
    const Var like = out.fn.vars[static_cast<size_t>(*v)];
    *v = out.new_var(like.name, like.type);
  }
  return a;
}

void start(Emitter& out, const Accumulator& a) {
  double re = 0, im = 0;
  switch (a.fold()) {
    case LibFold::Least:
    case LibFold::Greatest:
      // The start value loses every comparison. Whether a NaN decides the result is recorded in `noted`, so that the
      // comparison can be vectorised.
      out.set(a.re, out.x.limit(scalar_of(a.elem), a.least()));
      if (a.noted != none) out.set(a.noted, out.x.bool_const(false));
      return;
    case LibFold::Product:
    case LibFold::All:
      re = 1;
      break;
    case LibFold::Sum:
      // -0.0, so that the first partial sum is the first element, even if that is -0.0.
      if (a.is_scan()) re = im = -0.0;
      break;
    case LibFold::Mean:
    case LibFold::Any:
    case LibFold::FirstLeast:
    case LibFold::FirstGreatest:
    case LibFold::None:
      break;
  }
  out.set(a.re, number(out, re, a.elem, false).re);
  if (a.complex) out.set(a.im, number(out, im, a.elem, false).re);
  if (a.arg()) out.set(a.position, out.x.int_const(0));
  if (a.some != none) out.set(a.some, out.x.bool_const(false));
}

static void join_extreme(Emitter& out, const Accumulator& a, ScalarValue v) {
  ExprP x = out.keep(convert(out, v, a.elem, false).re), best = out.get(a.re);
  if (a.noted != none) {
    // `noted`: with Propagate a NaN has been seen, with Omit a number.
    ExprP number = out.x.eq(x, x);
    out.set(a.noted,
            out.x.either(out.get(a.noted), out.conv.nan == ir::NanMode::Propagate ? out.x.not_(number) : number));
    x = out.keep(out.x.select(number, x, out.x.limit(x->type, a.least())));
  }
  out.set(a.re, out.x.any_order(out.x.select(a.least() ? out.x.lt(x, best) : out.x.gt(x, best), x, best)));
}

static void join_position(Emitter& out, const Accumulator& a, ScalarValue v, ExprP first, ExprP k, bool anywhere) {
  ExprP x = out.keep(convert(out, v, a.elem, false).re), best = out.get(a.re);
  auto beats = [&](ExprP p, ExprP q) {
    const ExprP better = a.least() ? out.x.lt(p, q) : out.x.gt(p, q);
    if (!ir::is_float(a.elem)) return better;
    // Propagate: the first NaN is kept. Omit: any number replaces a NaN.
    return out.x.either(better, out.conv.nan == ir::NanMode::Propagate ? out.x.both(out.x.ne(p, p), out.x.eq(q, q))
                                                                       : out.x.both(out.x.ne(q, q), out.x.eq(p, p)));
  };
  ExprP take = beats(x, best);
  if (anywhere) take = out.x.either(take, out.x.both(out.x.lt(k, out.get(a.position)), out.x.not_(beats(best, x))));
  take = out.keep(out.x.either(first, take), "take");
  out.set(a.re, out.x.select(take, x, out.get(a.re)));
  out.set(a.position, out.x.select(take, k, out.get(a.position)));
  if (a.some != none) out.set(a.some, out.x.bool_const(true));
}

static void join_arithmetic(Emitter& out, const Accumulator& a, ir::Kind op, ScalarValue v, ExprP first) {
  v = out.keep(convert(out, v, a.elem, a.complex));
  ScalarValue acc{out.get(a.re), a.complex ? out.get(a.im) : nullptr, a.elem};
  ScalarValue next = binary(out, op, acc, v, ir::Type::scalar(a.elem, a.complex));
  if (a.complex && op == ir::Kind::Mult) {
    // The first element is copied: 1 * (inf + i) would be NaN.
    next.re = out.x.select(first, v.re, next.re);
    next.im = out.x.select(first, v.im, next.im);
  }
  if (a.complex) {
    next = {out.temp(next.re), out.temp(next.im), next.elem};
    out.set(a.im, next.im);
  }
  if (a.some != none) out.set(a.some, out.x.bool_const(true));
  // A scan stores each partial result, so that its additions must not be reordered.
  ExprP sum = out.x.convert(next.re, scalar_of(a.elem));
  out.set(a.re, a.is_scan() || a.complex ? sum : out.x.any_order(sum));
}

// Joins one element; `k` numbers the elements from 0 (the first element initialises an argmin and a complex product).
// An accumulator gets its elements in ascending order of k; `anywhere`: this one may be out of order.
void join(Emitter& out, const Accumulator& a, ScalarValue v, ExprP k, bool anywhere) {
  const ExprP first = a.some == none ? out.x.eq(k, out.x.int_const(0)) : out.x.not_(out.get(a.some));
  if (a.minmax() && v.complex()) out.unsupported(std::string(a.fn->name) + " of complex numbers");
  switch (a.fold()) {
    case LibFold::Any:
      return out.set(a.re, out.x.binary(Op::Or, out.get(a.re), truth(out, v)));
    case LibFold::All:
      return out.set(a.re, out.x.binary(Op::And, out.get(a.re), truth(out, v)));
    case LibFold::Least:
    case LibFold::Greatest:
      return join_extreme(out, a, v);
    case LibFold::FirstLeast:
    case LibFold::FirstGreatest:
      return join_position(out, a, v, first, k, anywhere);
    case LibFold::Sum:
    case LibFold::Mean:
      return join_arithmetic(out, a, ir::Kind::Plus, v, first);
    case LibFold::Product:
      return join_arithmetic(out, a, ir::Kind::Mult, v, first);
    case LibFold::None:
      break;
  }
  out.unsupported("a reduction by '" + std::string(a.fn->name) + "'");
}

// Joins the result of another accumulator to this one.
void join(Emitter& out, const Accumulator& a, const Accumulator& other) {
  auto joined = [&] {
    const ExprP noted =
        a.noted == none ? nullptr : out.keep(out.x.either(out.get(a.noted), out.get(other.noted)), "noted");
    join(out, a, {out.get(other.re), other.complex ? out.get(other.im) : nullptr, other.elem},
         other.arg() ? out.get(other.position) : out.x.int_const(1), true);
    if (noted) out.set(a.noted, noted);
  };
  if (other.some == none) return joined();
  out.emit(If{out.get(other.some), out.collect(joined), {}});
}

ScalarValue finish(Emitter& out, const Accumulator& a, ExprP n) {
  if (a.arg())
    return convert(out, {out.x.add(out.get(a.position), out.x.int_const(out.conv.indexing)), nullptr, Elem::Int64},
                   a.result);
  ScalarValue v{out.get(a.re), a.complex ? out.get(a.im) : nullptr, a.elem};
  if (a.noted != none) {
    ExprP nan = out.x.float_const(std::numeric_limits<double>::quiet_NaN(), v.re->type);
    const bool propagate = out.conv.nan == ir::NanMode::Propagate;
    v.re = propagate ? out.x.select(out.get(a.noted), nan, v.re) : out.x.select(out.get(a.noted), v.re, nan);
  }
  if (a.fold() == LibFold::Mean) {
    ExprP d = out.x.convert(n, scalar_of(a.elem));
    v.re = out.x.binary(Op::Div, v.re, d);
    if (v.im) v.im = out.x.binary(Op::Div, v.im, d);
  }
  return convert(out, convert(out, v, a.natural), a.result);
}

// Marks what the loops compute, for transformations that divide the elements into parts (split_reductions,
// offload.cpp).
static std::shared_ptr<const Reduction> reduction(Lowering& f, const Accumulator& a) {
  Accumulator own = a, other = another(f.out, a);
  Reduction r;
  for (VarId* v : own.states()) r.vars.push_back(*v);
  for (VarId* v : other.states()) r.others.push_back(*v);
  r.start.resize(r.vars.size());
  for (const Stmt& s : f.out.collect([&] { start(f.out, a); })) {
    const auto& set = std::get<SetVar>(s.node);
    r.start[static_cast<size_t>(std::find(r.vars.begin(), r.vars.end(), set.var) - r.vars.begin())] = set.value;
  }
  r.join = f.out.collect([&] { join(f.out, a, other); });
  return std::make_shared<Reduction>(std::move(r));
}

// Reduces all elements `at` of an array of these extents.
static void reduce(Lowering& f, const Accumulator& a, const std::vector<ExprP>& extent, Layout order, const Elements& at) {
  Block loops = f.out.collect([&] {
    start(f.out, a);
    loop_nest(f, extent, order, false, [&](const std::vector<ExprP>& i) {
      const size_t rank = i.size();
      ExprP k = f.x.int_const(0);
      for (size_t d = 0; a.starts_with_first() && d < rank; ++d) {
        const size_t next = order == Layout::ColMajor ? rank - 1 - d : d;
        k = f.x.add(f.x.mul(k, extent[next]), i[next]);
      }
      join(f.out, a, at(i), k);
    });
  });
  // A state that begins with the first element is divided only on devices, where elements are numbered.
  const bool threads = f.m.options.parallel && f.out.fn.kind == Function::Kind::Entry && !a.starts_with_first();
  if (f.section.inside || threads)
    if (auto* loop = std::get_if<CountedLoop>(&loops.back().node)) loop->reduction = reduction(f, a);
  f.out.append(std::move(loops));
}

// A number counts as an array of one element.
ScalarValue reduce_one(Emitter& out, const ir::LibFunction& fn, ScalarValue v) {
  switch (fn.fold) {
    case LibFold::FirstLeast:
    case LibFold::FirstGreatest:
      return {out.x.int_const(out.conv.indexing), nullptr, Elem::Int64};
    case LibFold::Any:
    case LibFold::All:
      return {truth(out, v), nullptr, Elem::Bool};
    case LibFold::Sum:
    case LibFold::Product:
    case LibFold::Mean:
    case LibFold::Least:
    case LibFold::Greatest:
    case LibFold::None:
      break;
  }
  return v;
}

ScalarValue reduce_all(Lowering& f, const ir::LibFunction& fn, const ArrayGen& given, const ir::Type& stated) {
  ArrayGen g = given;
  Accumulator a = accumulator(f, fn, g, stated);
  ExprP n = f.out.keep(total(f.out, g.extent), "n");
  if (a.minmax())
    f.out.fail_if(f.x.eq(n, f.x.int_const(0)), Code::Size, std::string(fn.name) + " of an array without elements");
  // Positions and the order of summation follow the language: row-major for NumPy, column-major for MATLAB.
  const Layout order = f.conv.mindims == 2 ? Layout::ColMajor : Layout::RowMajor;
  auto flat = [&] { reduce(f, a, {n}, order, [&](const std::vector<ExprP>& p) { return g.flat(p[0]); }); };
  auto general = [&] {
    auto loops = [&](const Elements& at) { reduce(f, a, g.extent, order, at); };
    g.flat ? loops(g.at) : with_elements(f.out, g, loops);
  };
  const bool can_flat = g.flat && (g.rank() == 1 || g.layout == order || !a.arg());
  if (can_flat && is_true(g.flat_if)) {
    flat();
  } else if (can_flat) {
    Block fast = f.out.collect(flat), slow = f.out.collect(general);
    f.out.emit(If{g.flat_if, std::move(fast), std::move(slow)});
  } else {
    general();
  }
  return finish(f.out, a, n);
}

}  // namespace vr::lower
