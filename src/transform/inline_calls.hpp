// inline_calls: calls of the module's functions become the functions' statements (thesis 5.3).
#pragma once
#include <velociraptor/ir/nodes.hpp>

namespace vr::transform {

struct InlineLimits {
  int caller_statements = 300;  ///< a function does not grow past this (thesis 5.3)
  int callee_statements = 100;  ///< larger functions stay calls
};

/// Calls inside loops and accelerated sections first, then the others while the limit allows. Callees are done before
/// their callers. A call stays when
/// - the callee is part of a recursion or a region (Function::region), has variables of function, tuple or domain type,
/// or returns from inside a loop;
/// - what the expression evaluates before it cannot be computed first without a change of meaning (an array operand,
/// the
///   right side of `and` / `or`, a target's subscripts);
/// - it stands in a parallel loop of an accelerated section and the callee makes arrays.
/// Parameters that the callee leaves alone become the caller's variables; others are assigned. Errors keep the callee's
/// name, places and variable names (Stmt::inlined).
ir::ModulePtr inline_calls(const ir::ModulePtr& module, const ir::Conventions& conventions,
                           const InlineLimits& limits = {});

}  // namespace vr::transform
