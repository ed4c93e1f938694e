// Computations with float16 and bfloat16 (ir::is_narrow_float) become computations in float32.
#pragma once
#include <velociraptor/ir/nodes.hpp>

namespace vr::ir {

/// Makes the computations of a verified module on narrow floats explicit: each operation and library function gets its
/// narrow operands as float32, and its result is cast to the narrow type, which rounds it:
///   a + b  of float16     becomes     (cast float16 (plus (cast float32 a) (cast float32 b)))
/// Passes, interpreter and lowering therefore treat narrow floats only as values that are stored, moved and converted.
/// The rounded result of + - * / and sqrt is the exact one rounded once, because float32 has more than twice the digits
/// (and two more). Returns the same module if nothing has to change. `conventions`: those of the module, after
/// promoted() (ir/conversions.hpp).
ModulePtr computed_in_float32(const ModulePtr& module, const Conventions& conventions);

/// Whether a value in the module has a narrow floating type.
bool has_narrow_floats(const Module& module);

}  // namespace vr::ir
