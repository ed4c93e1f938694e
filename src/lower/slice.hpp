// Stores to slices (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

ArrayGen view_gen(Emitter& out, const View& v, const ir::Index& i);
Slot view_slot(Emitter& out, const View& v, bool owned);
void write_slice(Lowering& f, const ir::Index& i, const ir::ExprPtr& value);
void write_slice(Lowering& f, const ir::Index& i, const ArrayGen& value);

}  // namespace vr::lower
