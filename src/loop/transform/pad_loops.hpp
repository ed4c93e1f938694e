// pad_loops: serial loops of kernels from or to the diagonal get bounds that blocks of rows have in common.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Kernels of two dimensions with a serial loop that begins (or ends) at another number for each iteration along one of
/// them (triangular matrices) get a form in which 64 iterations along that dimension have the same loop: those for
/// which it begins late, or ends early, keep their variables in the iterations that are not theirs. register_tile can
/// then make tiles of them. Every iteration has the operations of before in the same order.
void pad_loops(Module& m, const PassOptions& options);

}  // namespace vr::lower
