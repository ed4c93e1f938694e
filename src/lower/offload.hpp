// Makes kernels of loops over elements in accelerated sections (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

/// The lowered statement `b` of an accelerated section, with its loops over elements replaced by kernels; nullopt if
/// none of them can be a kernel (offload.cpp).
std::optional<Block> offload(Lowering& f, const Block& b);

}  // namespace vr::lower
