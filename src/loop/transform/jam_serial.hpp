// jam_serial: iterations of a serial loop in a kernel run their inner loops together.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// In kernels without checks, for devices that get register tiles (PassOptions::tiles): a serial loop whose iterations each
/// run one inner loop for themselves, in which all of them load the same elements, runs up to eight of these inner loops as
/// one (unroll and jam of a loop that is distributed around its last statements: Allen and Kennedy, Optimizing Compilers
/// for Modern Architectures, 8.4). What an iteration does after its inner loop follows in the order of the iterations.
/// Each value is computed by the same operations in the same order: results are equal to the bit.
/// Not changed: loops that a jump or a fault leaves, loops whose inner loop stores, loads what the kernel stores, has bounds
/// that change, or uses what the statements after it assign.
void jam_serial(Module& m, const PassOptions& options);

}  // namespace vr::lower
