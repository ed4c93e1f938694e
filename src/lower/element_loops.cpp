#include "lower/element_loops.hpp"

#include "lower/array.hpp"
#include "lower/elementwise.hpp"
#include "lower/index.hpp"
#include "lower/variables.hpp"

namespace vr::lower {

using ir::Layout;

void loop_nest(Lowering& f, const std::vector<ExprP>& counts, Layout order, bool independent,
               const std::function<void(const std::vector<ExprP>&)>& body) {
  const size_t rank = counts.size();
  std::vector<ExprP> index(rank, nullptr);
  std::function<void(size_t)> level = [&](size_t depth) {
    if (depth == rank) {
      body(index);
      return;
    }
    // The fastest dimension of the layout runs innermost.
    size_t k = order == Layout::ColMajor ? rank - 1 - depth : depth;
    if (is_int(counts[k], 1)) {
      index[k] = f.x.int_const(0);
      level(depth + 1);
      return;
    }
    VarId v = f.out.new_var("i" + std::to_string(k), Scalar::Int64);
    index[k] = f.out.get(v);
    Block inside = f.out.collect([&] { level(depth + 1); });
    f.out.emit(CountedLoop{v, f.x.int_const(0), counts[k], std::move(inside), independent, f.loops.plain, false, true});
  };
  level(0);
}

// Computes all elements, only because they may fault.
static void probe(Lowering& f, const ArrayGen& g) {
  loop_nest(f, g.extent, g.layout, false, [&](const std::vector<ExprP>& index) {
    ScalarValue v = g.at(index);
    if (!is_simple(v.re)) f.out.temp(v.re);
  });
}

void need_shapes(Lowering& f, ExprP agree, const std::vector<const ArrayGen*>& values, const std::string& message,
                 const std::string& array) {
  if (is_true(agree)) return;
  Block disagree = f.out.collect([&] {
    for (const ArrayGen* g : values)
      if (g->faults) probe(f, *g);
    f.out.emit(Fail{f.out.site(array, -1, message), static_cast<int32_t>(Code::ShapeMismatch)});
  });
  f.out.emit(If{f.x.not_(agree), std::move(disagree), {}, true});
}

void need_elements(Lowering& f, const ArrayGen& g, const std::vector<ExprP>& over) {
  if (!g.faults) return;
  bool all = g.extent.size() == over.size();
  for (size_t k = 0; all && k < over.size(); ++k) all = same(g.extent[k], over[k]);
  if (all) return;
  ExprP zero = f.x.int_const(0);
  ExprP unused = f.x.both(f.x.eq(total(f.out, over), zero), f.x.ne(total(f.out, g.extent), zero));
  f.out.emit(If{unused, f.out.collect([&] { probe(f, g); }), {}, true});
}

void with_elements(Emitter& out, const ArrayGen& g, const std::function<void(const Elements&)>& loops) {
  if (!g.exact) return loops(g.at);
  Block exact = out.collect([&] { loops(g.exact); });
  Block general = out.collect([&] { loops(g.at); });
  out.emit(If{g.exact_if, std::move(exact), std::move(general)});
}

void fill(Lowering& f, const Slot& to, const ArrayGen& g) {
  ExprP data = f.out.get(f.out.array(to.array).data);
  ExprP bytes = element_bytes(f.out, to);
  auto loops = [&](const Elements& at) {
    loop_nest(f, g.extent, to.type.layout, true, [&](const std::vector<ExprP>& index) {
      ScalarValue v = convert(f.out, at(index), to.type.elem, to.type.complex);
      store(f.out, data, f.x.at(index, strides(f.out, to)), v);
    });
  };
  // If `flat` handles operands of equal shape, this version is left with broadcasting, where `exact` would not help.
  auto general = [&] { g.flat ? loops(g.at) : with_elements(f.out, g, loops); };
  const bool one_dimension = g.extent.size() < 2;
  if (!g.flat || (one_dimension && is_true(g.flat_if)) || (!one_dimension && g.layout != to.type.layout)) {
    general();
    return;
  }
  Block fast = f.out.collect([&] {
    ExprP n = f.out.keep(total(f.out, g.extent), "n");
    loop_nest(f, {n}, to.type.layout, true, [&](const std::vector<ExprP>& p) {
      store(f.out, data, f.x.at(p, {bytes}), convert(f.out, g.flat(p[0]), to.type.elem, to.type.complex));
    });
  });
  if (is_true(g.flat_if)) {
    f.out.append(std::move(fast));
    return;
  }
  Block slow = f.out.collect(general);
  f.out.emit(If{g.flat_if, std::move(fast), std::move(slow)});
}

}  // namespace vr::lower
