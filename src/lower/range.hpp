// Ranges and domain variables as subscripts (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

struct RangeValue {
  ExprP start, step, count;
};  // Int64 and simple; start as written, count >= 0

bool is_whole(const ir::Subscript& s);
bool is_range(const ir::Subscript& s);
ExprP is_whole_domain(Lowering& f, const ir::ExprPtr& e);
/// The range of a subscript with a 0-based start, checked against the extent.
RangeValue subscript_range(Lowering& f, const ir::Index& i, size_t k, ExprP extent, bool write);
ExprP int_range_count(Emitter& out, ExprP start, ExprP step, ExprP stop, ExprP exclude);

}  // namespace vr::lower
