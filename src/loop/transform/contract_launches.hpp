#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Launches whose iterations compute a matrix product become a product of the device's library (RaijinCL), in functions
/// that grant another order of additions (:fastmath reassoc contract), where the product is large. Runs after
/// kernel_version: it applies to kernels without checks whose arrays are disjoint.
void contract_launches(Module& m, const PassOptions& options);

}  // namespace vr::lower
