#include "lower/storage.hpp"

#include "ir/library.hpp"
#include "ir/private_bytes.hpp"
#include "loop/runtime_fn.hpp"
#include "lower/array.hpp"
#include "lower/assign.hpp"
#include "lower/call.hpp"
#include "lower/element_loops.hpp"
#include "lower/elementwise.hpp"
#include "lower/index.hpp"
#include "lower/mask.hpp"
#include "lower/scalar.hpp"
#include "lower/slice.hpp"
#include "lower/variables.hpp"
#include "lower/view.hpp"
#include "runtime/abi.h"

#include <fmt/format.h>

#include <algorithm>

namespace vr::lower {

using ir::Layout;

int where_of(const Lowering& f, ir::SymbolId id) {
  return f.own.returned.count(id) && !f.out.collected() ? VR_IN_HOST : VR_IN_ENGINE;
}

int fill_of(ir::AllocFunc f) {
  return f == ir::AllocFunc::Ones ? VR_FILL_ONE : f == ir::AllocFunc::Zeros ? VR_FILL_ZERO : VR_FILL_NONE;
}

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
    // All of the extents are computed before the first one is checked.
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

// In a kernel an array is in private memory, whose size must be known when the kernel is made.
static Slot private_array(Lowering& f, const Slot& s, const std::vector<ExprP>& extents) {
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
    if (n < 0 || n > most_private_bytes ||
        (bytes *= std::max<int64_t>(n, 1)) > most_private_bytes - f.own.private_bytes)
      f.out.unsupported(fmt::format("arrays private to an iteration, of more than {} bytes,", most_private_bytes));
  }
  f.own.private_bytes += bytes;
  f.out.emit(Scratch{f.out.array(s.array).data, bytes});
  return s;
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
  // The call has stored the extents and strides in the descriptor. They are assigned here too because LLVM does not
  // know what a call stores to memory.
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

bool holds(const ir::Type& to, const ir::Type& from) {
  return to.elem == from.elem && to.complex == from.complex && to.rank == from.rank &&
         (to.layout == Layout::Strided || to.layout == from.layout);
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

Slot slot_of_array(Lowering& f, const ir::ExprPtr& e, int where) {
  if (auto* n = ir::as<ir::Name>(e)) return slot(f, n->id);
  if (auto* a = ir::as<ir::Alloc>(e))
    return alloc(f, a->type, extents_from(f, a->args, a->type.rank), fill_of(a->func), where);
  if (auto* c = ir::as<ir::FnCall>(e); c && (f.m.ir.find(c->callee) || !ir::find_library(c->callee))) {
    std::vector<Slot> r = call_results(f, e);
    if (r.size() != 1 || r[0].array == none) f.out.unsupported("the result of '" + c->callee + "' as an array", c->pos);
    return as_stated(f, r[0], e->type);
  }
  return materialise(f, e, where);
}

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
