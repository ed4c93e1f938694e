// sort and find, with one result or several.
#include "lower/library_forms.hpp"

#include "ir/library.hpp"
#include "ir/typing.hpp"
#include "loop/runtime_fn.hpp"
#include "lower/array.hpp"
#include "lower/axis.hpp"
#include "lower/elementwise.hpp"
#include "lower/evaluation_order.hpp"
#include "lower/index.hpp"
#include "lower/library.hpp"
#include "lower/mask.hpp"
#include "lower/scalar.hpp"
#include "lower/storage.hpp"
#include "lower/variables.hpp"
#include "runtime/abi.h"

#include <algorithm>
#include <limits>

namespace vr::lower {

using ir::Elem;
using ir::Layout;

namespace {
/// The order in which elements are counted.
Layout linear_order(const ir::Conventions& c) { return c.mindims == 2 ? Layout::ColMajor : Layout::RowMajor; }
}  // namespace

ArrayGen positions(Lowering& f, const ir::LibCall& c) {
  const Layout order = linear_order(f.conv);
  Slot in =
      c.args[0]->type.is_array()
          ? slot_of_array(f, c.args[0], VR_IN_ENGINE)
          : materialise(f, one_element(f.out, f.out.keep(scalar(f, c.args[0])), f.conv.mindims), order, VR_IN_ENGINE);
  return leaf(f.out, find(f, in, c.type.rank, order), {});
}

std::vector<Slot> sorted(Lowering& f, const ir::LibCall& c, bool positions, int where) {
  Slot in = slot_of_array(f, c.args[0], VR_IN_ENGINE);
  const int rank = in.type.rank;
  const ExprP axis = c.args.size() == 2 ? checked_axis(f, f.x, f.conv, c.args[1], rank) : default_axis(f, in);
  // All axes past the last one are equivalent (MATLAB).
  Arg axis_arg = f.out.scalar_arg(f.x.convert(f.x.min(axis, f.x.int_const(rank)), Scalar::Int32));
  const Layout layout = in.type.layout == Layout::Strided ? ir::fresh_layout(f.conv) : in.type.layout;
  Slot values = new_slot(f.out, "sorted", ir::Type::array(in.type.elem, rank, layout, in.type.complex));
  f.own.temps.push_back(values.array);
  const bool device = on_device(f);
  if (!positions) {
    f.out.call(device ? rt::GpuSort : rt::Sort,
               {f.out.site_arg(), f.out.in_array(in.array), f.out.out_array(values.array), axis_arg,
                f.out.layout_arg(layout), f.out.int_arg(where)},
               true);
    return {values};
  }
  Slot places = new_slot(f.out, "positions", ir::Type::array(Elem::Int64, rank, layout));
  f.own.temps.push_back(places.array);
  f.out.call(
      device ? rt::GpuSortIndex : rt::SortIndex,
      {f.out.site_arg(), f.out.in_array(in.array), f.out.out_array(values.array), f.out.out_array(places.array),
       axis_arg, f.out.scalar_arg(f.x.int_const(f.conv.indexing)), f.out.layout_arg(layout), f.out.int_arg(where)},
      true);
  return {values, places};
}

std::vector<Slot> library_results(Lowering& f, const ir::LibCall& c) {
  const size_t results = c.type.components().size();
  if (const ir::LibFunction* fn = ir::find_library(c.func); fn && fn->rule == ir::LibRule::Called) {
    // In its own types, as a single result is (ir/conversions.hpp); tuple_values() converts them to the stated ones.
    const ir::Typing natural = ir::library_type(c.func, c.args, c.type, f.conv);
    return called(f, c, natural.ok() ? natural.type.components() : c.type.components(), VR_IN_ENGINE);
  }
  if (ir::calls(&c, ir::Lib::Sort) && results == 2 && c.args[0]->type.is_array()) return sorted(f, c, true);
  if (ir::calls(&c, ir::Lib::Sort) && results == 2) {
    ScalarValue v = scalar(f, c.args[0]);
    Slot sorted, where;
    sorted.type = c.args[0]->type;
    sorted.var = f.out.temp(v.re)->var;
    if (c.args.size() == 2) checked_axis(f, f.x, f.conv, c.args[1], f.conv.mindims);
    where.type = ir::Type::scalar(Elem::Int64);
    where.var = f.out.temp(f.x.int_const(f.conv.indexing))->var;
    return {sorted, where};
  }
  if (ir::calls(&c, ir::Lib::Find) && (results == 2 || results == 3)) {
    // Linear positions, split into rows and columns; dimensions after the second count as further columns.
    const Layout order = linear_order(f.conv);
    Slot in =
        c.args[0]->type.is_array()
            ? slot_of_array(f, c.args[0], VR_IN_ENGINE)
            : materialise(f, one_element(f.out, f.out.keep(scalar(f, c.args[0])), f.conv.mindims), order, VR_IN_ENGINE);
    if (in.type.layout == Layout::Strided) in = materialise(f, leaf(f.out, in, {}), order, VR_IN_ENGINE);
    Slot linear = find(f, in, f.conv.mindims == 2 ? 2 : 1, order);
    const ArrayGen g = leaf(f.out, linear, {}), source = leaf(f.out, in, {});
    std::vector<ExprP> extent;  // divisors, at least 1: no element exists where an extent is 0
    for (ExprP e : source.extent) extent.push_back(f.out.keep(f.x.max(e, f.x.int_const(1)), "divisor"));
    auto subscripts = [=, &f](ScalarValue v) {
      ExprP rest = f.out.keep(f.x.sub(v.re, f.x.int_const(f.conv.indexing)), "k");
      std::vector<ExprP> i(extent.size(), nullptr);
      for (size_t step = 0; step < i.size(); ++step) {
        const size_t k = order == Layout::ColMajor ? step : i.size() - 1 - step;
        const bool last = step + 1 == i.size();
        i[k] = last ? rest : f.out.keep(f.x.binary(Op::Rem, rest, extent[k]), "i");
        if (!last) rest = f.out.keep(f.x.binary(Op::Div, rest, extent[k]), "k");
      }
      return i;
    };
    auto part = [&](auto of, Elem elem, bool complex) {
      ArrayGen p = g.derived();
      p.elem = elem;
      p.complex = complex;
      p.at = [=](const std::vector<ExprP>& i) { return of(subscripts(g.at(i))); };
      p.flat = [=](ExprP i) { return of(subscripts(g.flat(i))); };
      return materialise(f, p, linear.type.layout, VR_IN_ENGINE);
    };
    auto position = [&f](ExprP e) {
      return ScalarValue{f.x.add(e, f.x.int_const(f.conv.indexing)), nullptr, Elem::Int64};
    };
    auto row = [=](const std::vector<ExprP>& i) { return position(i[0]); };
    auto column = [=, &f](const std::vector<ExprP>& i) {
      ExprP e = f.x.int_const(0);
      for (size_t k = i.size(); k-- > 1;) e = f.x.add(f.x.mul(e, extent[k]), i[k]);
      return position(e);
    };
    std::vector<Slot> r = {part(row, Elem::Int64, false), part(column, Elem::Int64, false)};
    if (results == 3)
      r.push_back(part([=](const std::vector<ExprP>& i) { return source.at(i); }, source.elem, source.complex));
    return r;
  }
  f.out.unsupported("several results of library function '" + c.func + "' with these arguments", c.pos);
}

}  // namespace vr::lower
