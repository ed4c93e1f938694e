// Which variables a block changes, and which expressions are invariant in it.
#pragma once
#include "loop/form.hpp"

#include <map>
#include <set>

namespace vr::lower {

/// How often each variable is assigned in the text of the block (each_assigned), without the statements in `without`.
std::map<VarId, int> changes(const Function& f, const Block& b, const std::set<const If*>& without = {});

/// Whether the expression can be hoisted in front of code that changes those variables, with the same value and without a
/// fault: it has no loads and no division of integers.
bool steady(ExprP e, const std::map<VarId, int>& changed);

/// Every path through the block ends in a fault.
bool always_fails(const Block& b);

}  // namespace vr::lower
