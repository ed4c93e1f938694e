#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Nests of three loops that compute a matrix product become a call of the library's product (gemm), in functions that
/// grant another order of additions (:fastmath reassoc contract). Runs after hoist_guards: it applies to nests without
/// checks.
void contract(Module& m, const PassOptions& options);

}  // namespace vr::lower
