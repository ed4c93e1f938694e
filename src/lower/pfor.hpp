// Parallel loops: in order, as tasks, as kernels (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

/// A loop without variables (element_stores.hpp) has one iteration: a kernel, or on the host what its body is.
void pfor(Lowering& f, const ir::PFor& s);

}  // namespace vr::lower
