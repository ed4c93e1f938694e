// Parallel loops: in order, as tasks, as kernels (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

void pfor(Lowering& f, const ir::PFor& s);

}  // namespace vr::lower
