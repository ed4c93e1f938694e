#include "lower/mask.hpp"

#include "lower/index.hpp"
#include "loop/runtime_fn.hpp"
#include "lower/storage.hpp"
#include "lower/variables.hpp"
#include "lower/view.hpp"
#include "runtime/abi.h"

namespace vr::lower {

using ir::Layout;

Slot index_list(Lowering& f, const Slot& list, ExprP extent, const std::string& array_name, int axis) {
  if (list.type.elem != ir::Elem::Bool) return list;
  const bool matlab = f.conv.mindims == 2;
  if (!matlab) {
    std::vector<ExprP> extents;
    for (VarId v : f.out.array(list.array).extent) extents.push_back(f.out.get(v));
    ExprP n = f.out.keep(rest_product(f.out, extents), "n");
    f.out.fail_if(f.x.ne(n, extent), Code::ShapeMismatch, "the mask and the dimension differ in extent", array_name,
                  axis, n, extent);
  }
  return find(f, list, matlab ? 2 : 1);
}

Slot find(Lowering& f, const Slot& in, int rank) {
  return find(f, in, rank, f.conv.mindims == 2 ? Layout::ColMajor : Layout::RowMajor);
}

Slot find(Lowering& f, const Slot& in, int rank, Layout order) {
  Slot r = new_slot(f.out, "found", ir::Type::array(ir::Elem::Int64, rank, order));
  f.out.call(rt::Find,
             {f.out.site_arg(), f.out.in_array(in.array), f.out.out_array(r.array),
              f.out.scalar_arg(f.x.int_const(f.conv.indexing)), f.out.int_arg(rank), f.out.layout_arg(order),
              f.out.layout_arg(order), f.out.int_arg(VR_IN_ENGINE)},
             true);
  f.own.temps.push_back(r.array);
  return r;
}

bool masks_all(const Lowering& f, const ir::Index& i) {
  if (f.conv.mindims == 2 || i.subscripts.size() != 1) return false;
  const ir::Type& t = i.subscripts[0].value->type;
  return t.is_array() && t.elem == ir::Elem::Bool && t.rank > 1 && t.rank == f.source.symbols.at(i.array).type.rank;
}

View mask_view(Lowering& f, const ir::Index& i) {
  View v;
  v.base = slot(f, i.array);
  const Slot s = v.base;
  const std::string& name = name_of(f, i.array);
  Slot mask = slot_of_array(f, i.subscripts[0].value, VR_IN_ENGINE);
  std::vector<ExprP> extents;
  for (size_t k = 0; k < f.out.array(s.array).extent.size(); ++k) {
    extents.push_back(f.out.get(f.out.array(s.array).extent[k]));
    f.out.fail_if(f.x.ne(f.out.get(f.out.array(mask.array).extent[k]), extents[k]), Code::ShapeMismatch,
                  "the mask and the array differ in shape", name, static_cast<int>(k),
                  f.out.get(f.out.array(mask.array).extent[k]), extents[k]);
  }
  Slot list = find(f, mask, 1, Layout::RowMajor);
  v.affine = false;
  v.data = f.out.get(f.out.array(s.array).data);
  v.extent = {f.out.get(f.out.array(list.array).extent[0])};
  v.stride = {f.x.int_const(0)};
  v.offset = [=, &f](const std::vector<ExprP>& index) {
    ScalarValue at = load(f.out, f.out.get(f.out.array(list.array).data), f.x.at(index[0], 8), ir::Elem::Int64, false);
    return apart(f.out, s, 0, Layout::RowMajor, f.x.sub(at.re, f.x.int_const(f.conv.indexing)));
  };
  return v;
}

}  // namespace vr::lower
