// Makes the conversions that expressions state explicit, as `cast` nodes.
#pragma once
#include <velociraptor/ir/nodes.hpp>

namespace vr::ir {

/// Translates a verified module from its conventions of promotion and overflow to the default ones (Promote::Vrir,
/// OverflowMode::Wrap): operands whose common type differs from that of common_elem are cast to it; overflow:
/// ir/overflow.hpp. Operations on narrow floats are computed in float32 (ir/narrow_floats.hpp). Returns the same module
/// if nothing has to change.
ModulePtr promoted(const ModulePtr& module, const Conventions& conventions);

/// The verified module after promoted(), with a `cast` wherever a node's stated element type differs from its natural
/// one, where the node below the cast states its natural type; a module without such nodes is returned unchanged.
/// Passes and lowering work on this form, in which every conversion is a node of its own and cannot be overlooked when
/// a pass searches for a certain kind of node (a variable, an element, a call, a product). Not changed: operations
/// whose meaning depends on the stated type (a quotient of integers stated as a float), reductions and scans (the
/// interpreter and lowering use their stated type), layouts (which determine how an array is made or passed on), and
/// calls with several results (which are converted where the results are assigned).
ModulePtr explicit_conversions(const ModulePtr& module, const Conventions& conventions);

/// Whether a call's stated type is its natural one: false if its results must be converted where they are assigned.
bool states_its_own(const Type& stated, const Type& natural);

}  // namespace vr::ir
