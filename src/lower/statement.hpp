// Statements (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

void body(Lowering& f, const ir::Body& b);
void section(Lowering& f, const ir::StmtList& s);
void on_device(Lowering& f, const std::function<void()>& lower);
void look_for_sections(Lowering& f);
bool goes_to_device(Lowering& f, const ir::Body& b, bool calls);

/// Ends the function and returns these values; references of arrays move to the results.
void hand_over(Lowering& f, const std::vector<Slot>& values);

}  // namespace vr::lower
