// Reductions and scans (thesis 4.5.3): sum prod min max mean any all argmin argmax, cumsum cumprod.
#include "lower/accumulator.hpp"
#include "lower/parallelise.hpp"
#include "runtime/abi.h"

#include <algorithm>
#include <limits>

namespace vr::lower {

using ir::Elem;
using ir::Layout;

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
  if (in_section_ && a.starts_with_first()) a.some = new_var(name + ".some", Scalar::Bool);
  return a;
}

FunctionLowering::Accumulator FunctionLowering::another(Accumulator a) {
  for (VarId* v : a.states()) {
    const Var like = fn_.vars[static_cast<size_t>(*v)];
    *v = new_var(like.name, like.type);
  }
  return a;
}

void FunctionLowering::start(const Accumulator& a) {
  if (a.minmax() && !a.arg()) {
    // The value that any other beats. Whether NaN has the last word is noted apart from it, so that the comparison is
    // one that vectorises.
    set(a.re, x_.limit(scalar_of(a.elem), a.name == "min"));
    if (a.noted != none) set(a.noted, x_.bool_const(false));
    return;
  }
  ScalarValue v = number(a.name == "prod" || a.name == "all" || a.name == "cumprod" ? 1 : 0, a.elem, a.complex);
  set(a.re, v.re);
  if (a.complex) set(a.im, v.im);
  if (a.arg()) set(a.position, x_.int_const(0));
  if (a.some != none) set(a.some, x_.bool_const(false));
}

// One element joins; `k` counts them from 0 (the first one starts an argmin and a complex product). Those of one state
// come in their order; `anywhere`: but for this one.
void FunctionLowering::join(const Accumulator& a, ScalarValue v, ExprP k, bool anywhere) {
  const ExprP first = a.some == none ? x_.eq(k, x_.int_const(0)) : x_.not_(get(a.some));
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
        x = keep(x_.select(number, x, x_.limit(x->type, smaller)));
      }
      set(a.re, x_.any_order(x_.select(smaller ? x_.lt(x, best) : x_.gt(x, best), x, best)));
      return;
    }
    auto beats = [&](ExprP p, ExprP q) {
      const ExprP better = smaller ? x_.lt(p, q) : x_.gt(p, q);
      if (!ir::is_float(a.elem)) return better;
      // Propagate: the first NaN wins and stays. Omit: anything beats a NaN.
      return x_.either(better, conv_.nan == ir::NanMode::Propagate ? x_.both(x_.ne(p, p), x_.eq(q, q))
                                                                   : x_.both(x_.ne(q, q), x_.eq(p, p)));
    };
    ExprP take = beats(x, best);
    if (anywhere) take = x_.either(take, x_.both(x_.lt(k, get(a.position)), x_.not_(beats(best, x))));
    take = keep(x_.either(first, take), "take");
    set(a.re, x_.select(take, x, get(a.re)));
    set(a.position, x_.select(take, k, get(a.position)));
    if (a.some != none) set(a.some, x_.bool_const(true));
    return;
  }
  v = keep(convert(v, a.elem, a.complex));
  ScalarValue acc{get(a.re), a.complex ? get(a.im) : nullptr, a.elem};
  const bool product = a.name == "prod" || a.name == "cumprod";
  ScalarValue next = binary(product ? ir::Kind::Mult : ir::Kind::Plus, acc, v, ir::Type::scalar(a.elem, a.complex));
  if (a.complex && product) {
    // The first one as it is: 1 * (inf + i) would be no number.
    next.re = x_.select(first, v.re, next.re);
    next.im = x_.select(first, v.im, next.im);
  }
  if (a.complex) {
    next = {temp(next.re), temp(next.im), next.elem};
    set(a.im, next.im);
  }
  if (a.some != none) set(a.some, x_.bool_const(true));
  // A scan shows each partial result, so its order is the one written.
  const bool scan = a.name == "cumsum" || a.name == "cumprod";
  ExprP sum = x_.convert(next.re, scalar_of(a.elem));
  set(a.re, scan || a.complex ? sum : x_.any_order(sum));
}

// What another state has come to joins.
void FunctionLowering::join(const Accumulator& a, const Accumulator& other) {
  auto joined = [&] {
    const ExprP noted = a.noted == none ? nullptr : keep(x_.either(get(a.noted), get(other.noted)), "noted");
    join(a, {get(other.re), other.complex ? get(other.im) : nullptr, other.elem},
         other.arg() ? get(other.position) : x_.int_const(1), true);
    if (noted) set(a.noted, noted);
  };
  if (other.some == none) return joined();
  emit(If{get(other.some), collect(joined), {}});
}

ScalarValue FunctionLowering::finish(const Accumulator& a, ExprP n) {
  if (a.arg()) return convert({x_.add(get(a.position), x_.int_const(conv_.indexing)), nullptr, Elem::Int64}, a.result);
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

// More than most machines have threads. As many whatever the number of threads, so that the order of a sum does not
// depend on it.
constexpr int64_t chunk_count = 64;
// Of a chunk's result: an element and a flag, or a complex element.
constexpr int64_t chunk_bytes = 16;

// All elements `at` of these extents, n together.
void FunctionLowering::reduce(const Accumulator& a, const std::vector<ExprP>& extent, Layout order, ExprP n,
                              const Elements& at) {
  Block serial = collect([&] {
    start(a);
    loop_nest(extent, order, false, [&](const std::vector<ExprP>& i) {
      const size_t rank = i.size();
      ExprP k = x_.int_const(0);
      for (size_t d = 0; a.starts_with_first() && d < rank; ++d) {
        const size_t next = order == Layout::ColMajor ? rank - 1 - d : d;
        k = x_.add(x_.mul(k, extent[next]), i[next]);
      }
      join(a, at(i), k);
    });
  });
  if (in_section_) return fold_on_device(a, std::move(serial));
  const bool threads = fn_.kind == Function::Kind::Entry && m_.options.parallel && m_.options.version_loops;
  const ExprP enough = x_.ge(n, x_.int_const(m_.options.parallel_threshold / std::max<int64_t>(operations(serial), 1)));
  if (a.starts_with_first() || !threads || is_false(enough)) {
    append(std::move(serial));
    return;
  }
  Block chunked = collect([&] { reduce_chunks(a, extent, order, at); });
  emit(If{enough, std::move(chunked), std::move(serial)});
}

// What offload.cpp has to know about the loop to take it out.
void FunctionLowering::fold_on_device(const Accumulator& a, Block&& loops) {
  if (auto* loop = std::get_if<CountedLoop>(&loops.back().node)) {
    Accumulator own = a, other = another(a);
    Reduction& r = reductions_[loop->var];
    for (VarId* v : own.states()) r.vars.push_back(*v);
    for (VarId* v : other.states()) r.others.push_back(*v);
    for (const Stmt& s : collect([&] { start(a); }))
      r.start[std::get<SetVar>(s.node).var] = std::get<SetVar>(s.node).value;
    r.join = collect([&] { join(a, other); });
  }
  append(std::move(loops));
}

void FunctionLowering::reduce_chunks(const Accumulator& a, const std::vector<ExprP>& extent, Layout order,
                                     const Elements& at) {
  const VarId memory = new_var("chunks", Scalar::Ptr);
  emit(Scratch{memory, chunk_count * chunk_bytes});
  auto place = [&](ExprP k, int64_t byte) { return x_.add(x_.mul(k, x_.int_const(chunk_bytes)), x_.int_const(byte)); };
  const size_t outer = order == Layout::ColMajor ? extent.size() - 1 : 0;
  const VarId chunk = new_var("chunk", Scalar::Int64), next = new_var("chunk", Scalar::Int64);
  Block work = collect([&] {
    auto bound = [&](ExprP k) { return x_.binary(Op::Div, x_.mul(extent[outer], k), x_.int_const(chunk_count)); };
    const ExprP first = keep(bound(get(chunk)), "lo"), last = bound(x_.add(get(chunk), x_.int_const(1)));
    std::vector<ExprP> part = extent;
    part[outer] = keep(x_.sub(last, first), "n");
    const Accumulator own = another(a);
    start(own);
    loop_nest(part, order, false, [&](std::vector<ExprP> i) {
      i[outer] = x_.add(i[outer], first);
      join(own, at(i), x_.int_const(0));
    });
    store(get(memory), place(get(chunk), 0), {get(own.re), own.complex ? get(own.im) : nullptr, own.elem});
    if (own.noted != none) emit(Store{get(memory), place(get(chunk), 8), get(own.noted)});
  });
  CountedLoop all{chunk, x_.int_const(0), x_.int_const(chunk_count), std::move(work), true};
  all.element = all.chunks = true;
  emit(std::move(all));
  start(a);
  Block joined = collect([&] {
    const Accumulator chunk_has = another(a);
    const ScalarValue v = load(get(memory), place(get(next), 0), a.elem, a.complex);
    set(chunk_has.re, v.re);
    if (a.complex) set(chunk_has.im, v.im);
    if (a.noted != none) set(chunk_has.noted, x_.load(Scalar::Bool, get(memory), place(get(next), 8)));
    join(a, chunk_has);
  });
  emit(CountedLoop{next, x_.int_const(0), x_.int_const(chunk_count), std::move(joined), false, true});
}

ScalarValue FunctionLowering::reduce_all(const std::string& name, const ArrayGen& given, const ir::Type& stated) {
  ArrayGen g = given;
  Accumulator a = accumulator(name, g, stated);
  ExprP n = keep(total(g.extent), "n");
  if (a.minmax()) fail_if(x_.eq(n, x_.int_const(0)), Code::Size, name + " of an array without elements");
  // Positions and the order of summation follow the language: row-major for NumPy, column-major for MATLAB.
  const Layout order = conv_.mindims == 2 ? Layout::ColMajor : Layout::RowMajor;
  auto flat = [&] { reduce(a, {n}, order, n, [&](const std::vector<ExprP>& p) { return g.flat(p[0]); }); };
  auto general = [&] {
    auto loops = [&](const Elements& at) { reduce(a, g.extent, order, n, at); };
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

}  // namespace vr::lower
