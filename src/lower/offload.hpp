// Loops over elements of accelerated sections as kernels (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

/// The lowered statement of an accelerated section with its loops over elements as kernels; nothing when it has none
/// that can be (offload.cpp).
std::optional<Block> offload(Lowering& f, const Block& b);

}  // namespace vr::lower
