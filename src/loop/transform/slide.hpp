// slide: serial loops of kernels keep elements that the next iterations load again in variables (predictive commoning).
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Innermost loops of kernels of which an iteration loads elements that the ones before it have loaded (windows of
/// convolutions and filters, in tiles of neighbouring iterations of the kernel's domain) load each element once.
/// Iterations, and the operations of each, keep their order. Only kernels without faults whose arrays are disjoint;
/// only for devices that benefit (PassOptions::lanes). Source: predictive commoning, O'Brien 1990.
void slide(Module& m, const PassOptions& options);

}  // namespace vr::lower
