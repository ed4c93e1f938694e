// Array expressions, by their kinds.
//
// An expression becomes an ArrayGen (extents and "how to compute element i"); a loop is emitted only where elements are
// needed in memory or one by one: by an assignment, a call, a reduction. `C = 2*(A+B) - sqrt(A)` reads A and B once and
// allocates only C.
#include "lower/array.hpp"

#include "ir/library.hpp"
#include "lower/broadcast.hpp"
#include "lower/call.hpp"
#include "lower/elementwise.hpp"
#include "lower/index.hpp"
#include "lower/library.hpp"
#include "lower/scalar.hpp"
#include "lower/slice.hpp"
#include "lower/storage.hpp"
#include "lower/variables.hpp"
#include "lower/view.hpp"
#include "runtime/abi.h"
#include "support/overloaded.hpp"

namespace vr::lower {

using ir::Layout;

static ArrayGen gen_raw(Lowering& f, const ir::ExprPtr& e, int where);

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

// A temporary that was allocated for this value.
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

// Applies `with` to each element of g.
static ArrayGen mapped(ArrayGen g, const std::function<ScalarValue(ScalarValue)>& with) {
  auto behind = [&](const Elements& of) {
    return [with, of](const std::vector<ExprP>& index) { return with(of(index)); };
  };
  g.at = behind(g.at);
  if (g.exact) g.exact = behind(g.exact);
  if (auto flat = g.flat) g.flat = [with, flat](ExprP p) { return with(flat(p)); };
  g.made = {};
  return g;
}

ArrayGen convert(Emitter& out, ArrayGen g, ir::Elem elem, bool complex) {
  if (g.elem == elem && g.complex == complex) return g;
  g = mapped(std::move(g), [=, &out](ScalarValue v) { return convert(out, v, elem, complex); });
  g.elem = elem;
  g.complex = complex;
  return g;
}

void fail_if_too_large(Emitter& out, const std::vector<ExprP>& extents, int64_t bytes) {
  Exprs& x = out.x;
  ExprP some = x.bool_const(true), count = extents.back();
  for (ExprP e : extents) some = x.both(some, x.ne(e, x.int_const(0)));
  for (size_t k = extents.size() - 1; k-- > 0;) {
    ExprP room = x.binary(Op::Div, x.int_const(INT64_MAX), x.max(extents[k], x.int_const(1)));
    out.fail_if(x.both(some, x.gt(count, room)), Code::Size, "the array is too large");
    count = out.keep(x.mul(count, extents[k]), "elements");
  }
  if (bytes > 1) out.fail_if(x.gt(count, x.int_const(INT64_MAX / bytes)), Code::Size, "the array is too large");
}

// zeros, ones: the elements are constants; storage is allocated only where the array is needed in memory (materialise).
static ArrayGen filled(Lowering& f, const ir::Alloc& n) {
  ArrayGen g;
  g.elem = n.type.elem;
  g.complex = n.type.complex;
  g.extent = extents_from(f, n.args, n.type.rank);
  for (ExprP& x : g.extent) f.out.fail_if(f.x.lt(x, f.x.int_const(0)), Code::Size, "an extent is negative");
  fail_if_too_large(f.out, g.extent, element_bytes(n.type));
  g.layout = n.type.layout == Layout::ColMajor ? Layout::ColMajor : Layout::RowMajor;
  ScalarValue v = number(f.out, n.func == ir::AllocFunc::Ones ? 1 : 0, g.elem, g.complex);
  g.at = [v](const auto&) { return v; };
  g.flat = [v](ExprP) { return v; };
  g.flat_if = f.x.bool_const(true);
  return g;
}

// ---------------------------------------------------------------- expressions
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
                ArrayGen g = mapped(leaf(f.out, slot(f, n.id), {n.id}), [](ScalarValue v) {
                  return ScalarValue{v.re, nullptr, v.elem};
                });
                g.complex = false;
                return g;
              },
              [&](const ir::ImagExpr& n) {
                ArrayGen g = mapped(leaf(f.out, slot(f, n.id), {n.id}), [&f](ScalarValue v) {
                  return v.im ? ScalarValue{v.im, nullptr, v.elem} : zero(f.out, v.elem, false);
                });
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
                return n.func == ir::AllocFunc::Empty ? leaf(f.out, slot_of_array(f, e, VR_IN_ENGINE), {})
                                                      : filled(f, n);
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

}  // namespace vr::lower
