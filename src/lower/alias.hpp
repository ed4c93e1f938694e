// Whether the arrays of a loop nest are disjoint, tested once before the nest (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

void alias_before_loop(Lowering& f, const LoopInfo& facts, const ir::Body& body);
std::map<VarId, int32_t> alias_sets(Lowering& f);
int32_t alias_set_of(const Emitter& out, ExprP base);

}  // namespace vr::lower
