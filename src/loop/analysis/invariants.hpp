// What a piece of code changes, and what therefore stays the same while it runs.
#pragma once
#include "loop/form.hpp"

#include <map>
#include <set>

namespace vr::lower {

/// How often the text of the block assigns each variable (each_assigned). Statements in `without` (and what is in them) do not count.
std::map<VarId, int> changes(const Function& f, const Block& b, const std::set<const If*>& without = {});

/// Whether the expression can be computed before code that changes those variables, with the same value and without a
/// fault: no loads, no division of integers.
bool steady(ExprP e, const std::map<VarId, int>& changed);

/// Every way through the block ends in a fault.
bool always_fails(const Block& b);

}  // namespace vr::lower
