#pragma once
#include "loop/pass.hpp"
#include "loop/writer.hpp"

namespace vr::lower {

/// Nests of three loops that compute a matrix product become a call of the library's product (gemm), in functions that
/// grant another order of additions (:fastmath reassoc contract). Runs after hoist_guards: it applies to nests without
/// checks.
void contract(Module& m, const PassOptions& options);

/// Whether the function permits another order of additions in its sums of products, and fused multiply-adds.
bool may_contract(const Function& f);
/// `nest` contains the iterations of a launch, in variables of the function that `out` writes. If they compute a matrix
/// product that the device's library supports, writes that product as a task of the accelerated section, and keeps the
/// launch for sizes and layouts that do not suit the library. False: they do not, and nothing is written.
bool contract_launch(Writer& out, const CountedLoop& nest, Block launch);

}  // namespace vr::lower
