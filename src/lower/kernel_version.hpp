// Launches of kernels, with fewer checks where the host finds that it may (private to src/lower).
#pragma once
#include "lower/emitter.hpp"
#include "lower/module_lowering.hpp"

namespace vr::lower {

/// Launches the kernel from the function that `out` writes, or (versions) one with fewer checks where the host finds
/// that it may (kernel_version.cpp).
void launch(ModuleLowering& m, Emitter& out, int32_t kernel, const std::vector<ExprP>& counts,
            const std::vector<Operand>& args, bool versions = true);

}  // namespace vr::lower
