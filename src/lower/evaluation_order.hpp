// Operands are evaluated from left to right, although elements of arrays are computed when somebody asks for them
// (private to src/lower).
#pragma once
#include "lower/function_lowering.hpp"

#include "runtime/abi.h"

#include <velociraptor/ir/visit.hpp>

namespace vr::lower {

/// Whether evaluating what stands behind operand k may change what it reads.
inline bool effects_behind(const FunctionLowering& f, const std::vector<ir::ExprPtr>& operands, size_t k) {
  for (size_t later = k + 1; later < operands.size(); ++later)
    if (f.has_effects(operands[later])) return true;
  return false;
}

/// An array that exists: its value is a reference, through which later stores are seen.
inline bool is_reference(FunctionLowering& f, const ir::ExprPtr& e) {
  switch (e->kind) {
    case ir::Kind::Name:
    case ir::Kind::TupleIndex:
      return true;
    case ir::Kind::Index:
      return f.is_view(static_cast<const ir::Index&>(*e));
    case ir::Kind::FnCall:
      return !f.library_call(static_cast<const ir::FnCall&>(*e));
    default:
      return false;
  }
}

/// The operand's elements, computed now where something behind it has effects.
inline ArrayGen gen_in_order(FunctionLowering& f, const std::vector<ir::ExprPtr>& operands, size_t k) {
  ArrayGen g = f.gen(operands[k]);
  if (!effects_behind(f, operands, k) || is_reference(f, operands[k])) return g;
  return f.leaf(f.materialise(g, g.layout, VR_IN_ENGINE), {});
}

}  // namespace vr::lower
