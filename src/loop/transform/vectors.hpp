// vectors: accesses of kernels to consecutive elements become vector accesses.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Two or four loads, or stores, of consecutive elements that are executed together become one access of up to 16 bytes, where
/// every work-item's address is a multiple of its size (decided when the kernel starts). Only kernels without faults whose arrays
/// are disjoint; only for devices that benefit (PassOptions::lanes).
void vectors(Module& m, const PassOptions& options);

}  // namespace vr::lower
