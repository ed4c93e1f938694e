// Library functions that the runtime computes: one call, whose arguments and results are descriptors.
#include "lower/library_forms.hpp"

#include "ir/library.hpp"
#include "ir/typing.hpp"
#include "lower/array.hpp"
#include "lower/elementwise.hpp"
#include "lower/index.hpp"
#include "loop/runtime_fn.hpp"
#include "lower/scalar.hpp"
#include "lower/storage.hpp"
#include "lower/variables.hpp"
#include "runtime/abi.h"

#include <utility>

namespace vr::lower {

using ir::Layout;

ArrayId boxed(Lowering& f, const ir::Type& t, const ScalarValue& v) {
  const ArrayId a = f.out.new_array("number", t.elem, t.complex, 0, false);
  const VarId data = f.out.array(a).data;
  f.out.emit(Scratch{data, element_bytes(t)});
  store(f.out, f.out.get(data), f.x.int_const(0), v);
  return a;
}

void unbox(Lowering& f, std::vector<Slot>& results) {
  for (Slot& s : results) {
    if (s.type.is_array()) continue;
    // A number is returned in a scalar array, which is released with the statement's other temporaries.
    const ArrayId box = std::exchange(s.array, none);
    const ScalarValue v =
        f.out.keep(load(f.out, f.out.get(f.out.array(box).data), f.x.int_const(0), s.type.elem, s.type.complex));
    s.var = f.out.temp(v.re)->var;
    if (v.im) s.im = f.out.temp(v.im)->var;
  }
}

std::vector<Slot> called(Lowering& f, const ir::LibCall& c, const std::vector<ir::Type>& results, int where) {
  const ir::LibFunction& fn = *ir::find_library(c.func);
  std::vector<Arg> arrays;
  for (const ir::ExprPtr& a : c.args)
    arrays.push_back(
        f.out.in_array(a->type.is_array() ? slot_of_array(f, a, VR_IN_ENGINE).array : boxed(f, a->type, scalar(f, a))));
  int conventions = where == VR_IN_HOST ? VR_LIBRARY_IN_HOST : 0;
  if (f.conv.mindims == 2) conventions |= VR_LIBRARY_MATLAB;
  if (f.conv.indexing == 1) conventions |= VR_LIBRARY_BASE_ONE;
  std::vector<Slot> slots;
  for (const ir::Type& t : results) {
    Slot s;
    s.type = t;
    if (t.layout == Layout::Strided) s.type.layout = ir::fresh_layout(f.conv);
    if (t.is_array() && s.type.layout == Layout::ColMajor) conventions |= VR_LIBRARY_COLMAJOR;
    s.array = f.out.new_array(std::string(fn.name), t.elem, t.complex, t.is_array() ? t.rank : 0, true);
    f.own.temps.push_back(s.array);
    arrays.push_back(f.out.out_array(s.array));
    slots.push_back(std::move(s));
  }
  std::vector<Arg> args = {f.out.site_arg(), f.out.int_arg(static_cast<int>(fn.id)), f.out.int_arg(conventions),
                           f.out.int_arg(static_cast<int>(c.args.size())), f.out.int_arg(static_cast<int>(results.size()))};
  args.insert(args.end(), arrays.begin(), arrays.end());
  f.out.call(rt::Library, std::move(args), true);
  unbox(f, slots);
  return slots;
}

}  // namespace vr::lower
