// Arrays whose computation is deferred to the statement that reads them (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

std::optional<Deferral> deferral(Lowering& f, const ir::Body& b, size_t k);
void defer(Lowering& f, const ir::Assign& a, Deferral until);

}  // namespace vr::lower
