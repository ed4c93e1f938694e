// Array expressions: elementwise trees as one loop nest, broadcasting, temporaries.
//
// An expression becomes an ArrayGen (extents and "how to compute element i"); only what asks for storage — an
// assignment, a call, a reduction — runs the loop. `C = 2*(A+B) - sqrt(A)` reads A and B once and allocates only C.
#include "lower/array.hpp"

#include "ir/library.hpp"
#include "lower/assign.hpp"
#include "lower/call.hpp"
#include "lower/elementwise.hpp"
#include "lower/evaluation_order.hpp"
#include "lower/index.hpp"
#include "lower/library.hpp"
#include "lower/runtime_fn.hpp"
#include "lower/scalar.hpp"
#include "lower/slice.hpp"
#include "lower/variables.hpp"
#include "lower/view.hpp"
#include "runtime/abi.h"
#include "support/overloaded.hpp"

#include <algorithm>

namespace vr::lower {

using ir::Layout;

static ArrayGen gen_raw(Lowering& f, const ir::ExprPtr& e, int where);
static Slot private_array(Lowering& f, const Slot& s, const std::vector<ExprP>& extents);

int where_of(const Lowering& f, ir::SymbolId id) {
  return f.own.returned.count(id) && !f.out.collected() ? VR_IN_HOST : VR_IN_ENGINE;
}

// ---------------------------------------------------------------- leaves
ArrayGen leaf(Emitter& out, const Slot& s, std::vector<ir::SymbolId> reads) {
  ArrayGen g;
  g.elem = s.type.elem;
  g.complex = s.type.complex;
  for (VarId e : out.array(s.array).extent) g.extent.push_back(out.get(e));
  g.layout = s.type.layout == Layout::ColMajor ? Layout::ColMajor : Layout::RowMajor;
  g.reads = std::move(reads);
  ExprP data = out.get(out.array(s.array).data);
  const std::vector<ExprP> strides = lower::strides(out, s);
  auto elem = s.type.elem;
  auto complex = s.type.complex;
  g.at = [=, &out](const std::vector<ExprP>& index) {
    return load(out, data, out.x.at(index, strides), elem, complex);
  };
  g.leaves = {{data, g.extent, strides, element_bytes(out, s)->ival}};
  g.leaves_known = true;
  if (s.type.layout != Layout::Strided) {
    ExprP bytes = element_bytes(out, s);
    g.flat = [=, &out](ExprP p) { return load(out, data, out.x.at({p}, {bytes}), elem, complex); };
    g.flat_if = out.x.bool_const(true);
  }
  return g;
}

// A temporary that was made for this value.
ArrayGen made(Emitter& out, const Slot& s) {
  ArrayGen g = leaf(out, s, {});
  g.made = s;
  return g;
}

ArrayGen one_element(Emitter& out, ScalarValue v, int rank) {
  v = out.keep(v);
  ArrayGen g;
  g.elem = v.elem;
  g.complex = v.complex();
  g.extent.assign(static_cast<size_t>(rank), out.x.int_const(1));
  g.at = [v](const std::vector<ExprP>&) { return v; };
  g.leaves_known = true;
  g.flat = [v](ExprP) { return v; };
  g.flat_if = out.x.bool_const(true);
  return g;
}

ArrayGen convert(Emitter& out, ArrayGen g, ir::Elem elem, bool complex) {
  if (g.elem == elem && g.complex == complex) return g;
  auto at = g.at;
  g.at = [=, &out](const std::vector<ExprP>& index) { return convert(out, at(index), elem, complex); };
  if (g.flat) {
    auto flat = g.flat;
    g.flat = [=, &out](ExprP p) { return convert(out, flat(p), elem, complex); };
  }
  if (g.exact) {
    auto exact = g.exact;
    g.exact = [=, &out](const std::vector<ExprP>& index) { return convert(out, exact(index), elem, complex); };
  }
  g.elem = elem;
  g.complex = complex;
  g.made = {};
  return g;
}

// ---------------------------------------------------------------- elementwise
// One operand of several: an array, or a scalar that goes with any array.
ArrayGen elementwise(Lowering& f, const std::vector<ir::ExprPtr>& args, const ir::Type& result,
                     std::function<ScalarValue(const std::vector<ScalarValue>&)> combine) {
  struct Operand {
    bool is_array;
    ArrayGen gen;
    ScalarValue value;
  };
  auto operands = std::make_shared<std::vector<Operand>>();
  int rank = 0;
  for (size_t k = 0; k < args.size(); ++k) {
    const ir::ExprPtr& a = args[k];
    Operand o{a->type.is_array(), {}, {}};
    if (o.is_array) {
      o.gen = gen_in_order(f, args, k);
      if (o.gen.costly) o.gen = leaf(f.out, materialise(f, o.gen, o.gen.layout, VR_IN_ENGINE), {});
      rank = std::max(rank, o.gen.rank());
    } else {
      o.value = f.out.keep(scalar(f, a));
    }
    operands->push_back(std::move(o));
  }
  ArrayGen g;
  g.elem = result.elem;
  g.complex = result.complex;
  // Extents: equal, or an extent of 1 is broadcast. Aligned from the last dimension (NumPy) or the first (MATLAB).
  const bool trailing = f.conv.broadcast == ir::BroadcastMode::Trailing;
  const bool broadcasts = f.conv.broadcast != ir::BroadcastMode::None;
  ExprP one = f.x.int_const(1);
  g.extent.assign(static_cast<size_t>(rank), nullptr);
  ExprP agree = f.x.bool_const(true), plain = f.x.bool_const(true);
  for (Operand& o : *operands) {
    if (!o.is_array) continue;
    const int shift = trailing ? rank - o.gen.rank() : 0;
    for (int k = 0; k < o.gen.rank(); ++k) {
      ExprP& e = g.extent[static_cast<size_t>(k + shift)];
      ExprP n = o.gen.extent[static_cast<size_t>(k)];
      if (!e) {
        e = n;
        continue;
      }
      if (same(e, n)) continue;
      ExprP equal = f.x.eq(e, n);
      agree = f.x.both(agree, broadcasts ? f.x.either(equal, f.x.either(f.x.eq(e, one), f.x.eq(n, one))) : equal);
      if (broadcasts) e = f.out.keep(f.x.select(f.x.eq(e, one), n, e), "extent");
    }
    g.reads.insert(g.reads.end(), o.gen.reads.begin(), o.gen.reads.end());
  }
  for (ExprP& e : g.extent)
    if (!e) e = one;
  std::vector<const ArrayGen*> values;
  for (const Operand& o : *operands)
    if (o.is_array) values.push_back(&o.gen);
  need_shapes(f, agree, values, "the shapes of the operands do not agree", {});
  for (const ArrayGen* v : values) {
    g.faults = g.faults || v->faults;
    need_elements(f, *v, g.extent);
  }
  // Flat when every array has exactly the result's shape, in one memory order.
  bool flat = true, first = true;
  for (const Operand& o : *operands) {
    if (!o.is_array) continue;
    if (first) g.layout = o.gen.layout;
    first = false;
    flat = flat && o.gen.flat && o.gen.rank() == rank && (o.gen.layout == g.layout || rank == 1);
    if (!flat) break;
    plain = f.x.both(plain, o.gen.flat_if);
    for (int k = 0; k < rank; ++k)
      plain = f.x.both(plain, f.x.eq(o.gen.extent[static_cast<size_t>(k)], g.extent[static_cast<size_t>(k)]));
  }
  // How far a step in the result goes in each operand: not at all where its extent of 1 is broadcast. A factor, not a
  // choice, so that addresses stay affine in the loops' variables.
  std::vector<std::vector<ExprP>> factors(operands->size());
  ExprP exact = f.x.bool_const(true);
  g.leaves_known = true;
  for (size_t q = 0; q < operands->size(); ++q) {
    const Operand& o = (*operands)[q];
    if (!o.is_array) continue;
    const int shift = trailing ? rank - o.gen.rank() : 0;
    for (int k = 0; k < o.gen.rank(); ++k) {
      ExprP n = o.gen.extent[static_cast<size_t>(k)], whole = g.extent[static_cast<size_t>(k + shift)];
      ExprP factor = one;
      if (is_int(n, 1)) {
        factor = f.x.int_const(0);
      } else if (!same(n, whole)) {
        factor = f.out.keep(f.x.select(f.x.eq(n, one), f.x.int_const(0), one), "factor");
        exact = f.x.both(exact, f.x.eq(n, whole));
      }
      factors[q].push_back(factor);
    }
    if (o.gen.exact_if) exact = f.x.both(exact, o.gen.exact_if);
    g.leaves_known = g.leaves_known && o.gen.leaves_known;
    for (ArrayGen::Leaf leaf : o.gen.leaves) {
      leaf.aligned = leaf.aligned && o.gen.rank() == rank;
      g.leaves.push_back(std::move(leaf));
    }
  }
  auto element = [=, &f](bool exactly) {
    return [=, &f](const std::vector<ExprP>& index) {
      std::vector<ScalarValue> values;
      for (size_t q = 0; q < operands->size(); ++q) {
        const Operand& o = (*operands)[q];
        if (!o.is_array) {
          values.push_back(o.value);
          continue;
        }
        const int shift = trailing ? rank - o.gen.rank() : 0;
        std::vector<ExprP> at;
        for (int k = 0; k < o.gen.rank(); ++k) {
          ExprP i = index[static_cast<size_t>(k + shift)], factor = factors[q][static_cast<size_t>(k)];
          at.push_back(exactly && !is_int(factor, 0) ? i : f.x.mul(i, factor));
        }
        values.push_back(exactly && o.gen.exact ? o.gen.exact(at) : o.gen.at(at));
      }
      return convert(f.out, combine(values), result.elem, result.complex);
    };
  };
  g.at = element(false);
  if (!is_true(exact)) {
    g.exact = element(true);
    g.exact_if = f.out.keep(exact, "no_broadcast");
  }
  if (flat) {
    g.flat_if = f.out.keep(plain, "same_shapes");
    g.flat = [=, &f](ExprP p) {
      std::vector<ScalarValue> values;
      for (const Operand& o : *operands) values.push_back(o.is_array ? o.gen.flat(p) : o.value);
      return convert(f.out, combine(values), result.elem, result.complex);
    };
  }
  return g;
}

ArrayGen gen(Lowering& f, const ir::ExprPtr& e, int where) {
  ArrayGen g = gen_raw(f, e, where);
  return convert(f.out, std::move(g), e->type.elem, e->type.complex);
}

static ArrayGen gen_raw(Lowering& f, const ir::ExprPtr& e, int where) {
  if (!e->type.is_array()) f.out.unsupported(std::string(ir::kind_word(e->kind)) + " where an array is needed", e->pos);
  return ir::visit(
      *e, Overloaded{
              [&]<ir::Kind K>(const ir::Binary<K>& n) {
                ArrayGen g = elementwise(f, {n.lhs, n.rhs}, n.type, [&f, &n](const auto& v) {
                  return binary(f.out, K, v[0], v[1], n.type.element());
                });
                g.faults = g.faults || (K == ir::Kind::Div && !ir::is_float(n.type.elem));
                return g;
              },
              [&](const ir::Not& n) {
                return elementwise(f, {n.operand}, n.type, [&f](const auto& v) {
                  return ScalarValue{f.x.not_(truth(f.out, v[0])), nullptr, ir::Elem::Bool};
                });
              },
              [&](const ir::Negate& n) {
                return elementwise(f, {n.operand}, n.type, [&f](const auto& v) { return negate(f.out, v[0]); });
              },
              [&](const ir::Cast& n) {
                if (n.operand->type.is_scalar())
                  return one_element(f.out, convert(f.out, scalar(f, n.operand), n.type), n.type.rank);
                return elementwise(f, {n.operand}, n.type, [](const auto& v) { return v[0]; });
              },
              [&](const ir::ComplexExpr& n) {
                return elementwise(f, {n.re, n.im}, n.type, [&f, &n](const auto& v) {
                  return ScalarValue{convert(f.out, v[0], n.type.elem, false).re,
                                     convert(f.out, v[1], n.type.elem, false).re, n.type.elem};
                });
              },
              [&](const ir::Name& n) {
                auto later = f.deferred.arrays.find(n.id);
                return later == f.deferred.arrays.end() ? leaf(f.out, slot(f, n.id), {n.id}) : later->second.value;
              },
              [&](const ir::RealExpr& n) {
                ArrayGen g = leaf(f.out, slot(f, n.id), {n.id});
                auto at = g.at;
                g.at = [at](const std::vector<ExprP>& i) {
                  ScalarValue v = at(i);
                  v.im = nullptr;
                  return v;
                };
                auto flat = g.flat;
                if (flat)
                  g.flat = [flat](ExprP p) {
                    ScalarValue v = flat(p);
                    v.im = nullptr;
                    return v;
                  };
                g.complex = false;
                return g;
              },
              [&](const ir::ImagExpr& n) {
                ArrayGen g = leaf(f.out, slot(f, n.id), {n.id});
                auto imag = [&f](ScalarValue v) {
                  return v.im ? ScalarValue{v.im, nullptr, v.elem} : zero(f.out, v.elem, false);
                };
                auto at = g.at;
                g.at = [=](const std::vector<ExprP>& i) { return imag(at(i)); };
                auto flat = g.flat;
                if (flat) g.flat = [=](ExprP p) { return imag(flat(p)); };
                g.complex = false;
                return g;
              },
              [&](const ir::Index& n) {
                if (all_scalar(f, n)) return one_element(f.out, read_element(f, n), n.type.rank);
                return view_gen(f.out, view(f, n, false), n);
              },
              [&](const ir::FnCall& n) {
                if (const ir::LibCall* lib = library_call(f, n)) return library_array(f, *lib, where);
                std::vector<Slot> r = call_results(f, e);
                if (r.size() != 1 || r[0].array == none)
                  f.out.unsupported("the result of '" + n.callee + "' as an array", n.pos);
                return leaf(f.out, r[0], {});
              },
              [&](const ir::LibCall& n) { return library_array(f, n, where); },
              [&](const ir::Alloc& n) {
                int fill = n.func == ir::AllocFunc::Ones    ? VR_FILL_ONE
                           : n.func == ir::AllocFunc::Zeros ? VR_FILL_ZERO
                                                            : VR_FILL_NONE;
                if (fill == VR_FILL_NONE) return leaf(f.out, slot_of_array(f, e, VR_IN_ENGINE), {});
                // Known elements need no storage until somebody asks for it.
                ArrayGen g;
                g.elem = n.type.elem;
                g.complex = n.type.complex;
                g.extent = extents_from(f, n.args, n.type.rank);
                for (ExprP& x : g.extent)
                  f.out.fail_if(f.x.lt(x, f.x.int_const(0)), Code::Size, "an extent is negative");
                g.layout = n.type.layout == Layout::ColMajor ? Layout::ColMajor : Layout::RowMajor;
                ScalarValue v = number(f.out, fill == VR_FILL_ONE ? 1 : 0, g.elem, g.complex);
                g.at = [v](const auto&) { return v; };
                g.flat = [v](ExprP) { return v; };
                g.flat_if = f.x.bool_const(true);
                return g;
              },
              [&](const ir::DimVec& n) {
                f.library_calls.push_back(ir::make_call(
                    n.type, ir::Lib::DimVec, {std::make_shared<ir::Name>(f.source.symbols.at(n.array).type, n.array)}));
                return library_array(f, *f.library_calls.back());
              },
              [&](const ir::TupleIndex& n) {
                size_t k = static_cast<size_t>(n.index - f.conv.indexing);
                Slot& s = slot(f, n.tuple);
                if (k >= s.parts.size() || s.parts[k].array == none)
                  f.out.unsupported("tuple element as an array", n.pos);
                return leaf(f.out, s.parts[k], {n.tuple});
              },
              [&](const auto& n) {
                return f.out.unsupported(std::string(ir::kind_word(n.kind)) + " as an array", n.pos), ArrayGen{};
              },
          });
}

// ---------------------------------------------------------------- storage
std::vector<ExprP> extents_from(Lowering& f, const std::vector<ir::ExprPtr>& args, int rank) {
  std::vector<ExprP> extents;
  if (args.size() == 1 && args[0]->type.is_array()) {
    // zeros([m n]): the extents are the elements of a vector
    ArrayGen g = gen(f, args[0]);
    if (g.costly || !g.flat) g = leaf(f.out, materialise(f, g, g.layout, VR_IN_ENGINE), {});
    // MATLAB: one number, also as a matrix, makes a square.
    ExprP count = f.out.keep(total(f.out, g.extent), "count"), single = f.x.bool_const(false);
    if (f.conv.mindims == 2 && rank == 2) single = f.out.keep(f.x.eq(count, f.x.int_const(1)), "single");
    f.out.fail_if(f.x.not_(f.x.either(single, f.x.eq(count, f.x.int_const(rank)))), Code::ShapeMismatch,
                  "the vector of extents must have one element a dimension");
    for (int k = 0; k < rank; ++k) {
      ExprP at = f.x.select(single, f.x.int_const(0), f.x.int_const(k));
      extents.push_back(f.out.keep(to_int64(f.out, g.flat(at), "an extent"), "extent"));
    }
  }
  if (extents.empty()) {
    // All of them are computed before the first is looked at.
    std::vector<std::pair<ExprP, ScalarValue>> values;
    for (const ir::ExprPtr& a : args) {
      ExprP known = int_form(f, *a);
      values.emplace_back(known, known ? ScalarValue{} : f.out.keep(scalar(f, a)));
    }
    for (const auto& [known, v] : values)
      extents.push_back(f.out.keep(known ? known : to_int64(f.out, v, "an extent"), "extent"));
  }
  // MATLAB: zeros(n) is n x n.
  if (extents.size() == 1 && rank == 2) extents.push_back(extents[0]);
  if (static_cast<int>(extents.size()) != rank) f.out.unsupported("an allocation whose extents do not match its rank");
  // Negative extents are empty under MATLAB's conventions, an error elsewhere (vr_rt_alloc reports it).
  if (f.conv.mindims == 2)
    for (ExprP& e : extents)
      if (!is_const(e) || e->ival < 0) e = f.out.temp(f.x.max(e, f.x.int_const(0)), "extent");
  return extents;
}

Slot alloc(Lowering& f, const ir::Type& type, std::vector<ExprP> extents, int fill, int where,
           const std::string& name) {
  ir::Type t = type;
  if (t.layout == Layout::Strided) t.layout = Layout::RowMajor;
  Slot s = new_slot(f.out, name, t);
  if (f.out.fn.kind == Function::Kind::Kernel) {
    if (fill != VR_FILL_NONE) f.out.unsupported("a new array that is only read, inside a kernel,");
    return private_array(f, s, extents);
  }
  f.out.call(rt::Alloc,
             {f.out.site_arg(), f.out.out_array(s.array), f.out.int_arg(int(t.elem) | (t.complex ? VR_COMPLEX : 0)),
              f.out.int_arg(t.rank), f.out.int64s_arg(extents), f.out.layout_arg(t.layout), f.out.int_arg(fill),
              f.out.int_arg(where)},
             true);
  // What was asked for is what is there; said again for an optimiser, to which the descriptor is memory.
  ExprP bytes = element_bytes(f.out, s);
  for (size_t d = 0; d < extents.size(); ++d) {
    const size_t k = t.layout == Layout::ColMajor ? d : extents.size() - 1 - d;
    f.out.set(f.out.array(s.array).extent[k], extents[k]);
    f.out.set(f.out.array(s.array).stride[k], bytes);
    bytes = f.x.mul(f.out.get(f.out.array(s.array).stride[k]), f.out.get(f.out.array(s.array).extent[k]));
  }
  f.own.temps.push_back(s.array);
  return s;
}

// In a kernel: memory of the work-item's own. Its size must be known when the kernel is made.
static Slot private_array(Lowering& f, const Slot& s, const std::vector<ExprP>& extents) {
  constexpr int64_t most_bytes = 4096;  // of all of a kernel's
  int64_t bytes = element_bytes(f.out, s)->ival;
  for (size_t d = 0; d < extents.size(); ++d) {
    const size_t k = s.type.layout == Layout::ColMajor ? d : extents.size() - 1 - d;
    if (!is_const(extents[k]))
      f.out.unsupported("an array private to an iteration, of a size not known before it runs,");
    const int64_t n = extents[k]->ival;
    for (const auto& [field, value] :
         {std::pair{f.out.array(s.array).extent[k], n}, std::pair{f.out.array(s.array).stride[k], bytes}}) {
      f.out.set(field, f.x.int_const(value));
      f.out.known[field] = value;
    }
    if (n < 0 || n > most_bytes || (bytes *= std::max<int64_t>(n, 1)) > most_bytes - f.own.private_bytes)
      f.out.unsupported("arrays private to an iteration, of more than 4096 bytes,");
  }
  f.own.private_bytes += bytes;
  f.out.emit(Scratch{f.out.array(s.array).data, bytes});
  return s;
}

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

// For the faults that its elements may be.
static void probe(Lowering& f, const ArrayGen& g) {
  loop_nest(f, g.extent, g.layout, false, [&](const std::vector<ExprP>& index) {
    ScalarValue v = g.at(index);
    if (!is_simple(v.re)) f.out.temp(v.re);
  });
}

// Where the shapes of values do not agree, what is wrong with their elements comes first: they are computed first.
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

// Elements that are broadcast over nothing are dead; their faults are faults all the same.
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
  // Where elements can be counted through when the shapes are the same, what is left is broadcasting.
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

Slot materialise(Lowering& f, const ArrayGen& g, Layout layout, int where) {
  ir::Type t = ir::Type::array(g.elem, g.rank(), layout == Layout::Strided ? Layout::RowMajor : layout, g.complex);
  Slot s = alloc(f, t, g.extent, VR_FILL_NONE, where);
  fill(f, s, g);
  return s;
}

Slot materialise(Lowering& f, const ir::ExprPtr& e, int where) {
  const ArrayGen g = gen(f, e, where);
  if (g.made.array != none && holds(e->type, g.made.type)) return g.made;
  return materialise(f, g, e->type.layout, where);
}

// The array in storage: a variable as it is, anything else computed into a temporary.
Slot slot_of_array(Lowering& f, const ir::ExprPtr& e, int where) {
  if (auto* n = ir::as<ir::Name>(e)) return slot(f, n->id);
  if (auto* a = ir::as<ir::Alloc>(e)) {
    int fill = a->func == ir::AllocFunc::Ones    ? VR_FILL_ONE
               : a->func == ir::AllocFunc::Zeros ? VR_FILL_ZERO
                                                 : VR_FILL_NONE;
    return alloc(f, a->type, extents_from(f, a->args, a->type.rank), fill, where);
  }
  if (auto* c = ir::as<ir::FnCall>(e); c && (f.m.ir.find(c->callee) || !ir::find_library(c->callee))) {
    std::vector<Slot> r = call_results(f, e);
    if (r.size() != 1 || r[0].array == none) f.out.unsupported("the result of '" + c->callee + "' as an array", c->pos);
    return as_stated(f, r[0], e->type);
  }
  return materialise(f, e, where);
}

// For a function of the runtime that takes any strides: transposes and slices as they lie in their arrays.
Slot slot_to_read(Lowering& f, const ir::ExprPtr& e) {
  if (auto* i = ir::as<ir::Index>(e); i && !all_scalar(f, *i) && !masks_all(f, *i)) {
    View v = view(f, *i, false);
    if (v.affine && v.base.type.elem == e->type.elem && v.base.type.complex == e->type.complex)
      return view_slot(f.out, v, false);
    return materialise(f, convert(f.out, view_gen(f.out, v, *i), e->type.elem, e->type.complex), e->type.layout,
                       VR_IN_ENGINE);
  }
  auto* c = ir::as<ir::LibCall>(e);
  if (!c || !ir::calls(c, ir::Lib::Trans) || e->type.rank != 2 || c->args[0]->type.rank != 2 ||
      !(c->args[0]->type.element() == e->type.element()))
    return slot_of_array(f, e, VR_IN_ENGINE);
  const Slot from = slot_to_read(f, c->args[0]);
  Slot to = new_slot(f.out, "transposed", ir::Type::array(e->type.elem, 2, Layout::Strided, e->type.complex), false);
  f.out.set(f.out.array(to.array).data, f.out.get(f.out.array(from.array).data));
  for (size_t k = 0; k < 2; ++k) {
    f.out.set(f.out.array(to.array).extent[k], f.out.get(f.out.array(from.array).extent[1 - k]));
    f.out.set(f.out.array(to.array).stride[k], f.out.get(f.out.array(from.array).stride[1 - k]));
  }
  return to;
}

}  // namespace vr::lower
