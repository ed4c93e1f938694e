// cumsum, cumprod, cummax and cummin of accelerated sections, as tasks of the device. Elsewhere the first two become
// loops (reduce_axis.cpp) and the others calls of the runtime library (library_called.cpp).
#include "lower/library_forms.hpp"

#include "ir/library.hpp"
#include "ir/typing.hpp"
#include "loop/runtime_fn.hpp"
#include "lower/array.hpp"
#include "lower/axis.hpp"
#include "lower/index.hpp"
#include "lower/storage.hpp"
#include "lower/variables.hpp"
#include "runtime/abi.h"

namespace vr::lower {

using ir::Elem;
using ir::Layout;

bool on_device(const Lowering& f) { return f.section.inside && f.out.fn.kind == Function::Kind::Entry; }

ExprP default_axis(Lowering& f, const Slot& in) {
  const int rank = in.type.rank;
  if (f.conv.mindims != 2) return f.x.int_const(rank - 1);
  ExprP axis = f.x.int_const(0);
  for (int k = rank - 1; k >= 0; --k)
    axis = f.x.select(f.x.ne(f.out.get(f.out.array(in.array).extent[static_cast<size_t>(k)]), f.x.int_const(1)),
                      f.x.int_const(k), axis);
  return axis;
}

/// The scan of an array along `axis`, or of all elements where that is -1.
static ArrayGen scanned(Lowering& f, const Slot& in, ExprP axis, int fold, const ir::Type& result, int where) {
  const Slot out = new_slot(f.out, "scan", result);
  f.own.temps.push_back(out.array);
  const Arg axis_arg = f.out.scalar_arg(f.x.convert(f.x.min(axis, f.x.int_const(in.type.rank)), Scalar::Int32));
  f.out.call(rt::GpuScan,
             {f.out.site_arg(), f.out.in_array(in.array), f.out.out_array(out.array), axis_arg, f.out.int_arg(fold),
              f.out.int_arg(static_cast<int>(result.elem)), f.out.layout_arg(result.layout), f.out.int_arg(where)},
             true);
  return made(f.out, out);
}

std::optional<ArrayGen> running_extremum(Lowering& f, const ir::LibCall& c, ir::Type result, int where) {
  const bool most = ir::calls(&c, ir::Lib::CumMax);
  if ((!most && !ir::calls(&c, ir::Lib::CumMin)) || !on_device(f)) return {};
  const ir::Type& of = c.args[0]->type;
  if (!of.is_array() || of.complex || of.elem != result.elem) return {};
  // The runtime function reports an axis that is not constant and does not exist with its own error message.
  if (c.args.size() == 2 && !ir::as<ir::IntConst>(c.args[1])) return {};
  const Slot in = slot_to_read(f, c.args[0]);
  if (result.layout == Layout::Strided) result.layout = ir::fresh_layout(f.conv);
  const ExprP axis = c.args.size() == 2 ? checked_axis(f, f.x, f.conv, c.args[1], in.type.rank) : default_axis(f, in);
  const int omit = f.conv.mindims == 2 ? VR_SCAN_OMIT_NAN : 0;
  return scanned(f, in, axis, (most ? VR_SCAN_LARGEST : VR_SCAN_SMALLEST) | omit, result, where);
}

std::optional<ArrayGen> running_total(Lowering& f, const ir::LibCall& c, int where) {
  const ir::Type& of = c.args[0]->type;
  const ir::LibFunction& fn = *ir::find_library(c.func);
  if (!on_device(f) || !of.is_array() || of.complex || c.type.complex) return {};
  const Elem natural = f.conv.mindims == 1 ? ir::sum_elem(of.elem) : of.elem == Elem::Bool ? Elem::Float64 : of.elem;
  // Integers wrap: sums in 64 bits have the bits of those in any type of as many or fewer.
  const bool wraps =
      ir::is_integer(natural) && ir::is_integer(c.type.elem) && ir::elem_bytes(c.type.elem) <= ir::elem_bytes(natural);
  if (c.type.elem != natural && !wraps) return {};
  ir::Type t = c.type;
  if (t.layout == Layout::Strided) t.layout = Layout::RowMajor;
  const int fold = fn.fold == ir::LibFold::Sum ? VR_SCAN_SUM : VR_SCAN_PRODUCT;
  // NumPy: without an axis, the scan runs over all elements in row-major order.
  if (c.args.size() == 1 && f.conv.mindims == 1) {
    Slot in = slot_to_read(f, c.args[0]);
    if (in.type.rank > 1 && in.type.layout != Layout::RowMajor)
      in = materialise(f, leaf(f.out, in, {}), Layout::RowMajor, VR_IN_ENGINE);
    return scanned(f, in, f.x.int_const(in.type.rank == 1 ? 0 : -1), fold, t, where);
  }
  const Slot in = slot_to_read(f, c.args[0]);
  const ExprP axis = c.args.size() == 2 ? checked_axis(f, f.x, f.conv, c.args[1], in.type.rank) : default_axis(f, in);
  return scanned(f, in, axis, fold, t, where);
}

}  // namespace vr::lower
