// load_in_front: loads beside those in front of a condition move there (private to src/loop).
#pragma once
#include "loop/writer.hpp"
#include "support/function_view.hpp"

namespace vr::lower {

/// Loads of the branches of `n` that are next to one in the statements in front of it (the charge of a particle, behind
/// its place) move there, to the end of `out`, so that they become one vector. in_range: whether a load is of an
/// element also where the condition does not hold. The arrays are those of the kernel `out.fn`.
void load_in_front(Writer& out, If& n, FunctionView<bool(const Expr&)> in_range);

}  // namespace vr::lower
