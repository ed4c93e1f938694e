// Array expressions: elementwise trees as one loop nest, broadcasting, temporaries.
//
// An expression becomes an ArrayGen (extents and "how to compute element i"); only what asks for storage — an
// assignment, a call, a reduction — runs the loop. `C = 2*(A+B) - sqrt(A)` reads A and B once and allocates only C.
#include "lower/function_lowering.hpp"

#include "ir/library.hpp"
#include "lower/evaluation_order.hpp"
#include "lower/runtime_fn.hpp"
#include "runtime/abi.h"
#include "support/overloaded.hpp"

#include <algorithm>

namespace vr::lower {

using ir::Layout;

int FunctionLowering::where_of(ir::SymbolId id) const {
  return returned_.count(id) && !collected() ? VR_IN_HOST : VR_IN_ENGINE;
}

// ---------------------------------------------------------------- leaves
ArrayGen FunctionLowering::leaf(const Slot& s, std::vector<ir::SymbolId> reads) {
  ArrayGen g;
  g.elem = s.type.elem;
  g.complex = s.type.complex;
  for (VarId e : array(s.array).extent) g.extent.push_back(get(e));
  g.layout = s.type.layout == Layout::ColMajor ? Layout::ColMajor : Layout::RowMajor;
  g.reads = std::move(reads);
  ExprP data = get(array(s.array).data);
  std::vector<ExprP> strides;
  for (int k = 0; k < s.type.rank; ++k) strides.push_back(stride(s, k));
  auto elem = s.type.elem;
  auto complex = s.type.complex;
  g.at = [=, this](const std::vector<ExprP>& index) {
    ExprP o = x_.int_const(0);
    for (size_t k = 0; k < index.size(); ++k) o = x_.add(o, x_.mul(index[k], strides[k]));
    return load(data, o, elem, complex);
  };
  g.leaves = {{data, g.extent, strides, element_bytes(s)->ival}};
  g.leaves_known = true;
  if (s.type.layout != Layout::Strided) {
    ExprP bytes = element_bytes(s);
    g.flat = [=, this](ExprP p) { return load(data, x_.mul(p, bytes), elem, complex); };
    g.flat_if = x_.bool_const(true);
  }
  return g;
}

// A temporary that was made for this value.
ArrayGen FunctionLowering::made(const Slot& s) {
  ArrayGen g = leaf(s, {});
  g.made = s;
  return g;
}

ArrayGen FunctionLowering::one_element(ScalarValue v, int rank) {
  v = keep(v);
  ArrayGen g;
  g.elem = v.elem;
  g.complex = v.complex();
  g.extent.assign(static_cast<size_t>(rank), x_.int_const(1));
  g.at = [v](const std::vector<ExprP>&) { return v; };
  g.leaves_known = true;
  g.flat = [v](ExprP) { return v; };
  g.flat_if = x_.bool_const(true);
  return g;
}

ArrayGen FunctionLowering::convert(ArrayGen g, ir::Elem elem, bool complex) {
  if (g.elem == elem && g.complex == complex) return g;
  auto at = g.at;
  g.at = [=, this](const std::vector<ExprP>& index) { return convert(at(index), elem, complex); };
  if (g.flat) {
    auto flat = g.flat;
    g.flat = [=, this](ExprP p) { return convert(flat(p), elem, complex); };
  }
  if (g.exact) {
    auto exact = g.exact;
    g.exact = [=, this](const std::vector<ExprP>& index) { return convert(exact(index), elem, complex); };
  }
  g.elem = elem;
  g.complex = complex;
  g.made = {};
  return g;
}

// ---------------------------------------------------------------- elementwise
// One operand of several: an array, or a scalar that goes with any array.
ArrayGen FunctionLowering::elementwise(const std::vector<ir::ExprPtr>& args, const ir::Type& result,
                                       std::function<ScalarValue(const std::vector<ScalarValue>&)> f) {
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
      o.gen = gen_in_order(*this, args, k);
      if (o.gen.costly) o.gen = leaf(materialise(o.gen, o.gen.layout, VR_IN_ENGINE), {});
      rank = std::max(rank, o.gen.rank());
    } else {
      o.value = keep(scalar(a));
    }
    operands->push_back(std::move(o));
  }
  ArrayGen g;
  g.elem = result.elem;
  g.complex = result.complex;
  // Extents: equal, or 1 spreads out. Aligned from the last dimension (NumPy) or the first (MATLAB).
  const bool trailing = conv_.broadcast == ir::BroadcastMode::Trailing;
  const bool spreads = conv_.broadcast != ir::BroadcastMode::None;
  ExprP one = x_.int_const(1);
  g.extent.assign(static_cast<size_t>(rank), nullptr);
  ExprP agree = x_.bool_const(true), plain = x_.bool_const(true);
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
      ExprP equal = x_.eq(e, n);
      agree = x_.both(agree, spreads ? x_.either(equal, x_.either(x_.eq(e, one), x_.eq(n, one))) : equal);
      if (spreads) e = keep(x_.select(x_.eq(e, one), n, e), "extent");
    }
    g.reads.insert(g.reads.end(), o.gen.reads.begin(), o.gen.reads.end());
  }
  for (ExprP& e : g.extent)
    if (!e) e = one;
  std::vector<const ArrayGen*> values;
  for (const Operand& o : *operands)
    if (o.is_array) values.push_back(&o.gen);
  need_shapes(agree, values, "the shapes of the operands do not agree", {});
  for (const ArrayGen* v : values) {
    g.faults = g.faults || v->faults;
    need_elements(*v, g.extent);
  }
  // Flat when every array has exactly the result's shape, in one memory order.
  bool flat = true, first = true;
  for (const Operand& o : *operands) {
    if (!o.is_array) continue;
    if (first) g.layout = o.gen.layout;
    first = false;
    flat = flat && o.gen.flat && o.gen.rank() == rank && (o.gen.layout == g.layout || rank == 1);
    if (!flat) break;
    plain = x_.both(plain, o.gen.flat_if);
    for (int k = 0; k < rank; ++k)
      plain = x_.both(plain, x_.eq(o.gen.extent[static_cast<size_t>(k)], g.extent[static_cast<size_t>(k)]));
  }
  // How far a step in the result goes in each operand: not at all where its extent of 1 spreads out. A factor, not a
  // choice, so that addresses stay affine in the loops' variables.
  std::vector<std::vector<ExprP>> factors(operands->size());
  ExprP exact = x_.bool_const(true);
  g.leaves_known = true;
  for (size_t q = 0; q < operands->size(); ++q) {
    const Operand& o = (*operands)[q];
    if (!o.is_array) continue;
    const int shift = trailing ? rank - o.gen.rank() : 0;
    for (int k = 0; k < o.gen.rank(); ++k) {
      ExprP n = o.gen.extent[static_cast<size_t>(k)], whole = g.extent[static_cast<size_t>(k + shift)];
      ExprP factor = one;
      if (is_int(n, 1)) {
        factor = x_.int_const(0);
      } else if (!same(n, whole)) {
        factor = keep(x_.select(x_.eq(n, one), x_.int_const(0), one), "factor");
        exact = x_.both(exact, x_.eq(n, whole));
      }
      factors[q].push_back(factor);
    }
    if (o.gen.exact_if) exact = x_.both(exact, o.gen.exact_if);
    g.leaves_known = g.leaves_known && o.gen.leaves_known;
    for (ArrayGen::Leaf leaf : o.gen.leaves) {
      leaf.aligned = leaf.aligned && o.gen.rank() == rank;
      g.leaves.push_back(std::move(leaf));
    }
  }
  auto element = [=, this](bool exactly) {
    return [=, this](const std::vector<ExprP>& index) {
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
          at.push_back(exactly && !is_int(factor, 0) ? i : x_.mul(i, factor));
        }
        values.push_back(exactly && o.gen.exact ? o.gen.exact(at) : o.gen.at(at));
      }
      return convert(f(values), result.elem, result.complex);
    };
  };
  g.at = element(false);
  if (!is_true(exact)) {
    g.exact = element(true);
    g.exact_if = keep(exact, "no_spreading");
  }
  if (flat) {
    g.flat_if = keep(plain, "same_shapes");
    g.flat = [=, this](ExprP p) {
      std::vector<ScalarValue> values;
      for (const Operand& o : *operands) values.push_back(o.is_array ? o.gen.flat(p) : o.value);
      return convert(f(values), result.elem, result.complex);
    };
  }
  return g;
}

ArrayGen FunctionLowering::gen(const ir::ExprPtr& e, int where) {
  ArrayGen g = gen_raw(e, where);
  return convert(std::move(g), e->type.elem, e->type.complex);
}

ArrayGen FunctionLowering::gen_raw(const ir::ExprPtr& e, int where) {
  if (!e->type.is_array()) unsupported(std::string(ir::kind_word(e->kind)) + " where an array is needed", e->pos);
  return ir::visit(
      *e, Overloaded{
              [&]<ir::Kind K>(const ir::Binary<K>& n) {
                ArrayGen g = elementwise({n.lhs, n.rhs}, n.type,
                                         [this, &n](const auto& v) { return binary(K, v[0], v[1], n.type.element()); });
                g.faults = g.faults || (K == ir::Kind::Div && !ir::is_float(n.type.elem));
                return g;
              },
              [&](const ir::Not& n) {
                return elementwise({n.operand}, n.type, [this](const auto& v) {
                  return ScalarValue{x_.not_(truth(v[0])), nullptr, ir::Elem::Bool};
                });
              },
              [&](const ir::Negate& n) {
                return elementwise({n.operand}, n.type, [this](const auto& v) { return negate(v[0]); });
              },
              [&](const ir::Cast& n) {
                if (n.operand->type.is_scalar()) return one_element(convert(scalar(n.operand), n.type), n.type.rank);
                return elementwise({n.operand}, n.type, [](const auto& v) { return v[0]; });
              },
              [&](const ir::ComplexExpr& n) {
                return elementwise({n.re, n.im}, n.type, [this, &n](const auto& v) {
                  return ScalarValue{convert(v[0], n.type.elem, false).re, convert(v[1], n.type.elem, false).re,
                                     n.type.elem};
                });
              },
              [&](const ir::Name& n) {
                auto later = deferred_.find(n.id);
                return later == deferred_.end() ? leaf(slot(n.id), {n.id}) : later->second.value;
              },
              [&](const ir::RealExpr& n) {
                ArrayGen g = leaf(slot(n.id), {n.id});
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
                ArrayGen g = leaf(slot(n.id), {n.id});
                auto imag = [this](ScalarValue v) {
                  return v.im ? ScalarValue{v.im, nullptr, v.elem} : zero(v.elem, false);
                };
                auto at = g.at;
                g.at = [=](const std::vector<ExprP>& i) { return imag(at(i)); };
                auto flat = g.flat;
                if (flat) g.flat = [=](ExprP p) { return imag(flat(p)); };
                g.complex = false;
                return g;
              },
              [&](const ir::Index& n) {
                if (all_scalar(n)) return one_element(read_element(n), n.type.rank);
                return view_gen(view(n, false), n);
              },
              [&](const ir::FnCall& n) {
                if (const ir::LibCall* lib = library_call(n)) return library_array(*lib, where);
                std::vector<Slot> r = call_results(e);
                if (r.size() != 1 || r[0].array == none)
                  unsupported("the result of '" + n.callee + "' as an array", n.pos);
                return leaf(r[0], {});
              },
              [&](const ir::LibCall& n) { return library_array(n, where); },
              [&](const ir::Alloc& n) {
                int fill = n.func == ir::AllocFunc::Ones    ? VR_FILL_ONE
                           : n.func == ir::AllocFunc::Zeros ? VR_FILL_ZERO
                                                            : VR_FILL_NONE;
                if (fill == VR_FILL_NONE) return leaf(slot_of_array(e, VR_IN_ENGINE), {});
                // Known elements need no storage until somebody asks for it.
                ArrayGen g;
                g.elem = n.type.elem;
                g.complex = n.type.complex;
                g.extent = extents_from(n.args, n.type.rank);
                for (ExprP& x : g.extent) fail_if(x_.lt(x, x_.int_const(0)), Code::Size, "an extent is negative");
                g.layout = n.type.layout == Layout::ColMajor ? Layout::ColMajor : Layout::RowMajor;
                ScalarValue v = number(fill == VR_FILL_ONE ? 1 : 0, g.elem, g.complex);
                g.at = [v](const auto&) { return v; };
                g.flat = [v](ExprP) { return v; };
                g.flat_if = x_.bool_const(true);
                return g;
              },
              [&](const ir::DimVec& n) {
                library_calls_.push_back(std::make_shared<ir::LibCall>(
                    n.type, "dimvec",
                    std::vector<ir::ExprPtr>{std::make_shared<ir::Name>(source_.symbols.at(n.array).type, n.array)}));
                return library_array(*library_calls_.back());
              },
              [&](const ir::TupleIndex& n) {
                size_t k = static_cast<size_t>(n.index - conv_.indexing);
                Slot& s = slot(n.tuple);
                if (k >= s.parts.size() || s.parts[k].array == none) unsupported("tuple element as an array", n.pos);
                return leaf(s.parts[k], {n.tuple});
              },
              [&](const auto& n) {
                return unsupported(std::string(ir::kind_word(n.kind)) + " as an array", n.pos), ArrayGen{};
              },
          });
}

// ---------------------------------------------------------------- storage
std::vector<ExprP> FunctionLowering::extents_from(const std::vector<ir::ExprPtr>& args, int rank) {
  std::vector<ExprP> extents;
  if (args.size() == 1 && args[0]->type.is_array()) {
    // zeros([m n]): the extents are the elements of a vector
    ArrayGen g = gen(args[0]);
    if (g.costly || !g.flat) g = leaf(materialise(g, g.layout, VR_IN_ENGINE), {});
    // MATLAB: one number, also as a matrix, makes a square.
    ExprP count = keep(total(g.extent), "count"), single = x_.bool_const(false);
    if (conv_.mindims == 2 && rank == 2) single = keep(x_.eq(count, x_.int_const(1)), "single");
    fail_if(x_.not_(x_.either(single, x_.eq(count, x_.int_const(rank)))), Code::ShapeMismatch,
            "the vector of extents must have one element a dimension");
    for (int k = 0; k < rank; ++k) {
      ExprP at = x_.select(single, x_.int_const(0), x_.int_const(k));
      extents.push_back(keep(to_int64(g.flat(at), "an extent"), "extent"));
    }
  }
  if (extents.empty()) {
    // All of them are computed before the first is looked at.
    std::vector<std::pair<ExprP, ScalarValue>> values;
    for (const ir::ExprPtr& a : args) {
      ExprP known = int_form(*a);
      values.emplace_back(known, known ? ScalarValue{} : keep(scalar(a)));
    }
    for (const auto& [known, v] : values) extents.push_back(keep(known ? known : to_int64(v, "an extent"), "extent"));
  }
  // MATLAB: zeros(n) is n x n.
  if (extents.size() == 1 && rank == 2) extents.push_back(extents[0]);
  if (static_cast<int>(extents.size()) != rank) unsupported("an allocation whose extents do not match its rank");
  // Negative extents are empty under MATLAB's conventions, an error elsewhere (vr_rt_alloc reports it).
  if (conv_.mindims == 2)
    for (ExprP& e : extents)
      if (!is_const(e) || e->ival < 0) e = temp(x_.max(e, x_.int_const(0)), "extent");
  return extents;
}

Slot FunctionLowering::alloc(const ir::Type& type, std::vector<ExprP> extents, int fill, int where,
                             const std::string& name) {
  ir::Type t = type;
  if (t.layout == Layout::Strided) t.layout = Layout::RowMajor;
  Slot s = new_slot(name, t);
  if (fn_.kind == Function::Kind::Kernel) {
    if (fill != VR_FILL_NONE) unsupported("a new array that is only read, inside a kernel,");
    return private_array(s, extents);
  }
  call(rt::Alloc,
       {site_arg(), out_array(s.array), int_arg(int(t.elem) | (t.complex ? VR_COMPLEX : 0)), int_arg(t.rank),
        int64s_arg(extents), layout_arg(t.layout), int_arg(fill), int_arg(where)},
       true);
  // What was asked for is what is there; said again for an optimiser, to which the descriptor is memory.
  ExprP bytes = element_bytes(s);
  for (size_t d = 0; d < extents.size(); ++d) {
    const size_t k = t.layout == Layout::ColMajor ? d : extents.size() - 1 - d;
    set(array(s.array).extent[k], extents[k]);
    set(array(s.array).stride[k], bytes);
    bytes = x_.mul(get(array(s.array).stride[k]), get(array(s.array).extent[k]));
  }
  temps_.push_back(s.array);
  return s;
}

// In a kernel: memory of the work-item's own. Its size must be known when the kernel is made.
Slot FunctionLowering::private_array(const Slot& s, const std::vector<ExprP>& extents) {
  constexpr int64_t most_bytes = 4096;  // of all of a kernel's
  int64_t bytes = element_bytes(s)->ival;
  for (size_t d = 0; d < extents.size(); ++d) {
    const size_t k = s.type.layout == Layout::ColMajor ? d : extents.size() - 1 - d;
    if (!is_const(extents[k])) unsupported("an array private to an iteration, of a size not known before it runs,");
    const int64_t n = extents[k]->ival;
    for (const auto& [field, value] :
         {std::pair{array(s.array).extent[k], n}, std::pair{array(s.array).stride[k], bytes}}) {
      set(field, x_.int_const(value));
      known_[field] = value;
    }
    if (n < 0 || n > most_bytes || (bytes *= std::max<int64_t>(n, 1)) > most_bytes - private_bytes_)
      unsupported("arrays private to an iteration, of more than 4096 bytes,");
  }
  private_bytes_ += bytes;
  emit(Scratch{array(s.array).data, bytes});
  return s;
}

void FunctionLowering::loop_nest(const std::vector<ExprP>& counts, Layout order, bool independent,
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
      index[k] = x_.int_const(0);
      level(depth + 1);
      return;
    }
    VarId v = new_var("i" + std::to_string(k), Scalar::Int64);
    index[k] = get(v);
    Block inside = collect([&] { level(depth + 1); });
    emit(CountedLoop{v, x_.int_const(0), counts[k], std::move(inside), independent, plain_loops_, false, true});
  };
  level(0);
}

// For the faults that its elements may be.
void FunctionLowering::probe(const ArrayGen& g) {
  loop_nest(g.extent, g.layout, false, [&](const std::vector<ExprP>& index) {
    ScalarValue v = g.at(index);
    if (!is_simple(v.re)) temp(v.re);
  });
}

// Where the shapes of values do not agree, what is wrong with their elements comes first: they are computed first.
void FunctionLowering::need_shapes(ExprP agree, const std::vector<const ArrayGen*>& values, const std::string& message,
                                   const std::string& array) {
  if (is_true(agree)) return;
  Block disagree = collect([&] {
    for (const ArrayGen* g : values)
      if (g->faults) probe(*g);
    emit(Fail{site(array, -1, message), static_cast<int32_t>(Code::ShapeMismatch)});
  });
  emit(If{x_.not_(agree), std::move(disagree), {}, true});
}

// Elements that spread out over nothing are values that nobody uses; their faults are faults all the same.
void FunctionLowering::need_elements(const ArrayGen& g, const std::vector<ExprP>& over) {
  if (!g.faults) return;
  bool all = g.extent.size() == over.size();
  for (size_t k = 0; all && k < over.size(); ++k) all = same(g.extent[k], over[k]);
  if (all) return;
  ExprP zero = x_.int_const(0);
  ExprP unused = x_.both(x_.eq(total(over), zero), x_.ne(total(g.extent), zero));
  emit(If{unused, collect([&] { probe(g); }), {}, true});
}

void FunctionLowering::with_elements(const ArrayGen& g, const std::function<void(const Elements&)>& loops) {
  if (!g.exact) return loops(g.at);
  Block exact = collect([&] { loops(g.exact); });
  Block spread = collect([&] { loops(g.at); });
  emit(If{g.exact_if, std::move(exact), std::move(spread)});
}

void FunctionLowering::fill(const Slot& to, const ArrayGen& g) {
  ExprP data = get(array(to.array).data);
  ExprP bytes = element_bytes(to);
  auto loops = [&](const Elements& at) {
    loop_nest(g.extent, to.type.layout, true, [&](const std::vector<ExprP>& index) {
      ScalarValue v = convert(at(index), to.type.elem, to.type.complex);
      ExprP o = x_.int_const(0);
      for (size_t k = 0; k < index.size(); ++k) o = x_.add(o, x_.mul(index[k], stride(to, static_cast<int>(k))));
      store(data, o, v);
    });
  };
  // Where elements can be counted through when the shapes are the same, what is left is the spreading.
  auto general = [&] { g.flat ? loops(g.at) : with_elements(g, loops); };
  const bool one_dimension = g.extent.size() < 2;
  if (!g.flat || (one_dimension && is_true(g.flat_if)) || (!one_dimension && g.layout != to.type.layout)) {
    general();
    return;
  }
  Block fast = collect([&] {
    ExprP n = keep(total(g.extent), "n");
    loop_nest({n}, to.type.layout, true, [&](const std::vector<ExprP>& p) {
      store(data, x_.mul(p[0], bytes), convert(g.flat(p[0]), to.type.elem, to.type.complex));
    });
  });
  if (is_true(g.flat_if)) {
    append(std::move(fast));
    return;
  }
  Block slow = collect(general);
  emit(If{g.flat_if, std::move(fast), std::move(slow)});
}

Slot FunctionLowering::materialise(const ArrayGen& g, Layout layout, int where) {
  ir::Type t = ir::Type::array(g.elem, g.rank(), layout == Layout::Strided ? Layout::RowMajor : layout, g.complex);
  Slot s = alloc(t, g.extent, VR_FILL_NONE, where);
  fill(s, g);
  return s;
}

Slot FunctionLowering::materialise(const ir::ExprPtr& e, int where) {
  const ArrayGen g = gen(e, where);
  if (g.made.array != none && holds(e->type, g.made.type)) return g.made;
  return materialise(g, e->type.layout, where);
}

// The array in storage: a variable as it is, anything else computed into a temporary.
Slot FunctionLowering::slot_of_array(const ir::ExprPtr& e, int where) {
  if (auto* n = ir::as<ir::Name>(e)) return slot(n->id);
  if (auto* a = ir::as<ir::Alloc>(e)) {
    int fill = a->func == ir::AllocFunc::Ones    ? VR_FILL_ONE
               : a->func == ir::AllocFunc::Zeros ? VR_FILL_ZERO
                                                 : VR_FILL_NONE;
    return alloc(a->type, extents_from(a->args, a->type.rank), fill, where);
  }
  if (auto* c = ir::as<ir::FnCall>(e); c && (m_.ir.find(c->callee) || !ir::find_library(c->callee))) {
    std::vector<Slot> r = call_results(e);
    if (r.size() != 1 || r[0].array == none) unsupported("the result of '" + c->callee + "' as an array", c->pos);
    return as_stated(r[0], e->type);
  }
  return materialise(e, where);
}

// For a function of the runtime that takes any strides: transposes and slices as they lie in their arrays.
Slot FunctionLowering::slot_to_read(const ir::ExprPtr& e) {
  if (auto* i = ir::as<ir::Index>(e); i && !all_scalar(*i) && !masks_all(*i)) {
    View v = view(*i, false);
    if (v.affine && v.base.type.elem == e->type.elem && v.base.type.complex == e->type.complex)
      return view_slot(v, false);
    return materialise(convert(view_gen(v, *i), e->type.elem, e->type.complex), e->type.layout, VR_IN_ENGINE);
  }
  auto* c = ir::as<ir::LibCall>(e);
  if (!c || c->func != "trans" || e->type.rank != 2 || c->args[0]->type.rank != 2 ||
      !(c->args[0]->type.element() == e->type.element()))
    return slot_of_array(e, VR_IN_ENGINE);
  const Slot from = slot_to_read(c->args[0]);
  Slot to = new_slot("transposed", ir::Type::array(e->type.elem, 2, Layout::Strided, e->type.complex), false);
  set(array(to.array).data, get(array(from.array).data));
  for (size_t k = 0; k < 2; ++k) {
    set(array(to.array).extent[k], get(array(from.array).extent[1 - k]));
    set(array(to.array).stride[k], get(array(from.array).stride[1 - k]));
  }
  return to;
}

}  // namespace vr::lower
