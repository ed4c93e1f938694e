// Evaluates operands from left to right although elements of arrays are computed only where they are used (private to
// src/lower).
#pragma once
#include "lower/array.hpp"
#include "lower/assign_array.hpp"
#include "lower/index.hpp"
#include "lower/library.hpp"
#include "lower/scalar.hpp"
#include "lower/storage.hpp"

#include "runtime/abi.h"

#include <velociraptor/ir/visit.hpp>

namespace vr::lower {

/// Whether evaluating the operands after operand k may change the variables that operand k reads.
inline bool effects_behind(const Lowering& f, const std::vector<ir::ExprPtr>& operands, size_t k) {
  for (size_t later = k + 1; later < operands.size(); ++later)
    if (has_effects(f, operands[later])) return true;
  return false;
}

/// Whether the value is a reference to an existing array, through which later stores are seen.
inline bool is_reference(Lowering& f, const ir::ExprPtr& e) {
  switch (e->kind) {
    case ir::Kind::Name:
    case ir::Kind::TupleIndex:
      return true;
    case ir::Kind::Index:
      return is_view(f, static_cast<const ir::Index&>(*e));
    case ir::Kind::FnCall:
      return !library_call(f, static_cast<const ir::FnCall&>(*e));
    default:
      return false;
  }
}

/// The operand's elements; they are computed into a temporary at once if a later operand has effects.
inline ArrayGen gen_in_order(Lowering& f, const std::vector<ir::ExprPtr>& operands, size_t k) {
  ArrayGen g = gen(f, operands[k]);
  if (!effects_behind(f, operands, k) || is_reference(f, operands[k])) return g;
  return leaf(f.out, materialise(f, g, g.layout, VR_IN_ENGINE), {});
}

}  // namespace vr::lower
