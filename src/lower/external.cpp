#include "lower/external.hpp"

#include "ir/typing.hpp"
#include "loop/runtime_fn.hpp"
#include "lower/index.hpp"
#include "lower/statement.hpp"
#include "lower/storage.hpp"
#include "lower/variables.hpp"
#include "runtime/abi.h"

#include <utility>

namespace vr::lower {

void external(Lowering& f) {
  const bool copies = f.conv.assign == ir::AssignMode::Copy;
  std::vector<Arg> arrays;
  for (const ir::SymbolId id : f.source.args) {
    const Slot& s = slot(f, id);
    if (s.array == none) {
      arrays.push_back(
          f.out.in_array(boxed(f, s.type, {f.out.get(s.var), s.im == none ? nullptr : f.out.get(s.im), s.type.elem})));
      continue;
    }
    // The host function accesses the elements in host memory, and may store to them under reference semantics.
    if (f.m.options.device) f.out.call(rt::GpuNeedHost, {f.out.in_array(s.array), f.out.int_arg(copies ? 0 : 1)}, true);
    arrays.push_back(f.out.in_array(s.array));
  }
  int32_t flags = copies ? VR_EXTERNAL_READ_ONLY : 0;
  std::vector<Slot> results;
  for (const ir::Type& t : f.source.type.outputs()) {
    if (t.is_void()) continue;
    Slot s;
    s.type = t;
    if (t.layout == ir::Layout::Strided) s.type.layout = ir::fresh_layout(f.conv);
    if (t.is_array() && s.type.layout == ir::Layout::ColMajor) flags |= VR_EXTERNAL_COLMAJOR;
    s.array = f.out.new_array("result", t.elem, t.complex, t.is_array() ? t.rank : 0, true);
    f.own.temps.push_back(s.array);
    arrays.push_back(f.out.out_array(s.array));
    results.push_back(std::move(s));
  }
  Arg name{Arg::Kind::Text};
  name.text = f.source.name;
  std::vector<Arg> args = {f.out.site_arg(), name, f.out.int_arg(flags),
                           f.out.int_arg(static_cast<int>(f.source.args.size())),
                           f.out.int_arg(static_cast<int>(results.size()))};
  args.insert(args.end(), arrays.begin(), arrays.end());
  f.out.call(rt::External, std::move(args), true);
  unbox(f, results);
  hand_over(f, results);
}

}  // namespace vr::lower
