// Recognises loops that compute a matrix product (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

bool product_loop(Lowering& f, const LoopDim& d, const LoopInfo& facts, const ir::Body& body,
                  const std::function<void()>& as_written);

}  // namespace vr::lower
