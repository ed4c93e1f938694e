// inline_calls: calls of the module's functions become the functions' statements (thesis 5.3).
#pragma once
#include <velociraptor/ir/nodes.hpp>

namespace vr::transform {

struct InlineLimits {
  int caller_statements = 300;  ///< a function does not grow beyond this (thesis 5.3)
  int callee_statements = 100;  ///< larger functions are not inlined
};

/// Inlines calls inside loops and accelerated sections first, then others while the limit allows. Callees are processed
/// before their callers. A call is not inlined when
/// - the callee is part of a recursion or a region (Function::region), has variables of function, tuple or domain type,
///   or returns from inside a loop;
/// - what the expression evaluates before the call cannot be computed first without a change of meaning (an array
///   operand, the right side of `and` / `or`, a target's subscripts);
/// - it is in a parallel loop of an accelerated section and the callee makes arrays.
/// Parameters that the callee does not change become the caller's variables; others are assigned. Errors keep the
/// callee's name, source locations and variable names (Stmt::inlined).
ir::ModulePtr inline_calls(const ir::ModulePtr& module, const ir::Conventions& conventions,
                           const InlineLimits& limits = {});

}  // namespace vr::transform
