// Reductions and scans (thesis 4.5.3): sum prod min max mean any all argmin argmax, cumsum cumprod.
#include "lower/reduce.hpp"

#include "lower/accumulator.hpp"
#include "lower/array.hpp"
#include "lower/elementwise.hpp"
#include "lower/index.hpp"
#include "lower/parallelise.hpp"
#include "runtime/abi.h"

#include <algorithm>
#include <limits>

namespace vr::lower {

using ir::Elem;
using ir::Layout;

static void fold_on_device(Lowering& f, const Accumulator& a, Block&& loops);
static void reduce_chunks(Lowering& f, const Accumulator& a, const std::vector<ExprP>& extent, ir::Layout order,
                          const Elements& at);

Accumulator accumulator(Lowering& f, const std::string& name, const ArrayGen& g, const ir::Type& result) {
  // The elements' type as the typing rules widen it (ir/typing_library.cpp).
  Elem elem = g.elem;
  bool complex = g.complex;
  if (name == "sum" || name == "prod" || name == "cumsum" || name == "cumprod") {
    if (f.conv.mindims == 1)
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
      (f.out.fn.kind != Function::Kind::Kernel || f.m.options.fp64))
    a.elem = Elem::Float64;
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
  if (a.minmax() && !a.arg()) {
    // The value that any other beats. Whether NaN has the last word is noted apart from it, so that the comparison is
    // one that vectorises.
    out.set(a.re, out.x.limit(scalar_of(a.elem), a.name == "min"));
    if (a.noted != none) out.set(a.noted, out.x.bool_const(false));
    return;
  }
  // The first partial sum is the first element, -0.0 too.
  const double one = a.name == "prod" || a.name == "all" || a.name == "cumprod" ? 1 : a.name == "cumsum" ? -0.0 : 0.0;
  out.set(a.re, number(out, one, a.elem, false).re);
  if (a.complex) out.set(a.im, number(out, a.name == "cumsum" ? -0.0 : 0.0, a.elem, false).re);
  if (a.arg()) out.set(a.position, out.x.int_const(0));
  if (a.some != none) out.set(a.some, out.x.bool_const(false));
}

// One element joins; `k` counts them from 0 (the first one starts an argmin and a complex product). Those of one state
// come in their order; `anywhere`: but for this one.
void join(Emitter& out, const Accumulator& a, ScalarValue v, ExprP k, bool anywhere) {
  const ExprP first = a.some == none ? out.x.eq(k, out.x.int_const(0)) : out.x.not_(out.get(a.some));
  if (a.name == "any" || a.name == "all") {
    out.set(a.re, out.x.binary(a.name == "any" ? Op::Or : Op::And, out.get(a.re), truth(out, v)));
    return;
  }
  if (a.minmax()) {
    if (v.complex()) out.unsupported(a.name + " of complex numbers");
    ExprP x = out.keep(convert(out, v, a.elem, false).re), best = out.get(a.re);
    const bool smaller = a.name == "min" || a.name == "argmin";
    if (!a.arg()) {
      if (a.noted != none) {
        // Propagate notes a NaN, omit notes a number.
        ExprP number = out.x.eq(x, x);
        out.set(a.noted,
                out.x.either(out.get(a.noted), out.conv.nan == ir::NanMode::Propagate ? out.x.not_(number) : number));
        x = out.keep(out.x.select(number, x, out.x.limit(x->type, smaller)));
      }
      out.set(a.re, out.x.any_order(out.x.select(smaller ? out.x.lt(x, best) : out.x.gt(x, best), x, best)));
      return;
    }
    auto beats = [&](ExprP p, ExprP q) {
      const ExprP better = smaller ? out.x.lt(p, q) : out.x.gt(p, q);
      if (!ir::is_float(a.elem)) return better;
      // Propagate: the first NaN wins and stays. Omit: anything beats a NaN.
      return out.x.either(better, out.conv.nan == ir::NanMode::Propagate ? out.x.both(out.x.ne(p, p), out.x.eq(q, q))
                                                                         : out.x.both(out.x.ne(q, q), out.x.eq(p, p)));
    };
    ExprP take = beats(x, best);
    if (anywhere) take = out.x.either(take, out.x.both(out.x.lt(k, out.get(a.position)), out.x.not_(beats(best, x))));
    take = out.keep(out.x.either(first, take), "take");
    out.set(a.re, out.x.select(take, x, out.get(a.re)));
    out.set(a.position, out.x.select(take, k, out.get(a.position)));
    if (a.some != none) out.set(a.some, out.x.bool_const(true));
    return;
  }
  v = out.keep(convert(out, v, a.elem, a.complex));
  ScalarValue acc{out.get(a.re), a.complex ? out.get(a.im) : nullptr, a.elem};
  const bool product = a.name == "prod" || a.name == "cumprod";
  ScalarValue next =
      binary(out, product ? ir::Kind::Mult : ir::Kind::Plus, acc, v, ir::Type::scalar(a.elem, a.complex));
  if (a.complex && product) {
    // The first one as it is: 1 * (inf + i) would be no number.
    next.re = out.x.select(first, v.re, next.re);
    next.im = out.x.select(first, v.im, next.im);
  }
  if (a.complex) {
    next = {out.temp(next.re), out.temp(next.im), next.elem};
    out.set(a.im, next.im);
  }
  if (a.some != none) out.set(a.some, out.x.bool_const(true));
  // A scan shows each partial result, so its order is the one written.
  const bool scan = a.name == "cumsum" || a.name == "cumprod";
  ExprP sum = out.x.convert(next.re, scalar_of(a.elem));
  out.set(a.re, scan || a.complex ? sum : out.x.any_order(sum));
}

// What another state has come to joins.
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
  if (a.name == "mean") {
    ExprP d = out.x.convert(n, scalar_of(a.elem));
    v.re = out.x.binary(Op::Div, v.re, d);
    if (v.im) v.im = out.x.binary(Op::Div, v.im, d);
  }
  return convert(out, convert(out, v, a.natural), a.result);
}

// More than most machines have threads. As many whatever the number of threads, so that the order of a sum does not
// depend on it.
constexpr int64_t chunk_count = 64;
// Of a chunk's result: an element and a flag, or a complex element.
constexpr int64_t chunk_bytes = 16;

// All elements `at` of these extents, n together.
static void reduce(Lowering& f, const Accumulator& a, const std::vector<ExprP>& extent, Layout order, ExprP n,
                   const Elements& at) {
  Block serial = f.out.collect([&] {
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
  if (f.section.inside) return fold_on_device(f, a, std::move(serial));
  const bool threads = f.out.fn.kind == Function::Kind::Entry && f.m.options.parallel && f.m.options.version_loops;
  const ExprP enough =
      f.x.ge(n, f.x.int_const(f.m.options.parallel_threshold / std::max<int64_t>(operations(serial), 1)));
  if (a.starts_with_first() || !threads || is_false(enough)) {
    f.out.append(std::move(serial));
    return;
  }
  Block chunked = f.out.collect([&] { reduce_chunks(f, a, extent, order, at); });
  f.out.emit(If{enough, std::move(chunked), std::move(serial)});
}

// What offload.cpp has to know about the loop to take it out.
static void fold_on_device(Lowering& f, const Accumulator& a, Block&& loops) {
  if (auto* loop = std::get_if<CountedLoop>(&loops.back().node)) {
    Accumulator own = a, other = another(f.out, a);
    Reduction& r = f.section.reductions[loop->var];
    for (VarId* v : own.states()) r.vars.push_back(*v);
    for (VarId* v : other.states()) r.others.push_back(*v);
    for (const Stmt& s : f.out.collect([&] { start(f.out, a); }))
      r.start[std::get<SetVar>(s.node).var] = std::get<SetVar>(s.node).value;
    r.join = f.out.collect([&] { join(f.out, a, other); });
  }
  f.out.append(std::move(loops));
}

static void reduce_chunks(Lowering& f, const Accumulator& a, const std::vector<ExprP>& extent, Layout order,
                          const Elements& at) {
  const VarId memory = f.out.new_var("chunks", Scalar::Ptr);
  f.out.emit(Scratch{memory, chunk_count * chunk_bytes});
  auto place = [&](ExprP k, int64_t byte) { return f.x.part(f.x.at(k, chunk_bytes), byte); };
  const size_t outer = order == Layout::ColMajor ? extent.size() - 1 : 0;
  const VarId chunk = f.out.new_var("chunk", Scalar::Int64), next = f.out.new_var("chunk", Scalar::Int64);
  Block work = f.out.collect([&] {
    auto bound = [&](ExprP k) { return f.x.binary(Op::Div, f.x.mul(extent[outer], k), f.x.int_const(chunk_count)); };
    const ExprP first = f.out.keep(bound(f.out.get(chunk)), "lo"),
                last = bound(f.x.add(f.out.get(chunk), f.x.int_const(1)));
    std::vector<ExprP> part = extent;
    part[outer] = f.out.keep(f.x.sub(last, first), "n");
    const Accumulator own = another(f.out, a);
    start(f.out, own);
    loop_nest(f, part, order, false, [&](std::vector<ExprP> i) {
      i[outer] = f.x.add(i[outer], first);
      join(f.out, own, at(i), f.x.int_const(0));
    });
    store(f.out, f.out.get(memory), place(f.out.get(chunk), 0),
          {f.out.get(own.re), own.complex ? f.out.get(own.im) : nullptr, own.elem});
    if (own.noted != none) f.out.emit(Store{f.out.get(memory), place(f.out.get(chunk), 8), f.out.get(own.noted)});
  });
  CountedLoop all{chunk, f.x.int_const(0), f.x.int_const(chunk_count), std::move(work), true};
  all.element = all.chunks = true;
  f.out.emit(std::move(all));
  start(f.out, a);
  Block joined = f.out.collect([&] {
    const Accumulator chunk_has = another(f.out, a);
    const ScalarValue v = load(f.out, f.out.get(memory), place(f.out.get(next), 0), a.elem, a.complex);
    f.out.set(chunk_has.re, v.re);
    if (a.complex) f.out.set(chunk_has.im, v.im);
    if (a.noted != none)
      f.out.set(chunk_has.noted, f.x.load(Scalar::Bool, f.out.get(memory), place(f.out.get(next), 8)));
    join(f.out, a, chunk_has);
  });
  f.out.emit(CountedLoop{next, f.x.int_const(0), f.x.int_const(chunk_count), std::move(joined), false, true});
}

ScalarValue reduce_all(Lowering& f, const std::string& name, const ArrayGen& given, const ir::Type& stated) {
  ArrayGen g = given;
  Accumulator a = accumulator(f, name, g, stated);
  ExprP n = f.out.keep(total(f.out, g.extent), "n");
  if (a.minmax()) f.out.fail_if(f.x.eq(n, f.x.int_const(0)), Code::Size, name + " of an array without elements");
  // Positions and the order of summation follow the language: row-major for NumPy, column-major for MATLAB.
  const Layout order = f.conv.mindims == 2 ? Layout::ColMajor : Layout::RowMajor;
  auto flat = [&] { reduce(f, a, {n}, order, n, [&](const std::vector<ExprP>& p) { return g.flat(p[0]); }); };
  auto general = [&] {
    auto loops = [&](const Elements& at) { reduce(f, a, g.extent, order, n, at); };
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
