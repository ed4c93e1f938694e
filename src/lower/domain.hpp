// Domains: what a loop runs over, as written or in a variable (thesis 4.1.3) (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

/// Trip count of start : step : stop; of floats as MATLAB defines it. All of one type, Int64 or floating, and simple.
ExprP range_count(Emitter& out, ExprP start, ExprP step, ExprP stop, bool exclude);
ExprP has_range_bit(Emitter& out, const Slot* parts, int32_t bit);
void assign_domain(Lowering& f, Slot& to, const ir::ExprPtr& value);
/// The slot of a domain: a variable's own, or a new one for any other expression.
Slot domain_slot(Lowering& f, const ir::ExprPtr& e);
std::vector<LoopDim> loop_dims(Lowering& f, const std::vector<ir::SymbolId>& ids, const ir::ExprPtr& domain);

}  // namespace vr::lower
