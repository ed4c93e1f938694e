// The type of a Range, which its text omits if it follows from the context: Null as a subscript, the domaintype's part
// in a domain, and elsewhere the widest of its operands' types.
#pragma once
#include <velociraptor/ir/nodes.hpp>

namespace vr::text {

inline ir::Type operand_range_type(const ir::Range& r) {
  bool any = false;
  ir::Elem elem = ir::Elem::Bool;
  for (const ir::ExprPtr& e : {r.start, r.step, r.stop}) {
    if (!e || !e->type.is_scalar() || e->type.complex) continue;
    elem = ir::common_elem(elem, e->type.elem);
    any = true;
  }
  return ir::Type::domain({ir::Type::scalar(!any                     ? ir::Elem::Int64
                                           : elem == ir::Elem::Bool ? ir::Elem::Int32
                                                                    : elem)});
}

}  // namespace vr::text
