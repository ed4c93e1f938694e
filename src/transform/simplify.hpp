// simplify: evaluates constant expressions and removes code that never runs (thesis 5.2, as far as it is useful here).
#pragma once
#include <velociraptor/ir/nodes.hpp>

namespace vr::transform {

/// To a fixed point, in each function:
/// - operators of constants become constants, and so do variables all of whose reaching assignments give the same one;
/// - calls of library functions by name become `libcall`; copies of numbers and of new arrays are removed;
/// - `if` and `while` with a constant test and loops over empty constant domains are removed, blocks are dissolved,
///   statements after a jump and empty branches are dropped;
/// - assignments of dead numbers are removed if computing them cannot fault.
/// Results do not change, nor which fault comes first and its error record. docs/architecture.md explains why
/// expressions are not split into temporaries.
ir::ModulePtr simplify(const ir::ModulePtr& module, const ir::Conventions& conventions);

/// The part of simplify that deals with control flow, once. `pure`: whether computing this number can neither fault nor
/// have an effect.
ir::Body simplify_flow(const ir::Body& body, const ir::Conventions& conventions);
bool pure(const ir::ExprPtr& e);

}  // namespace vr::transform
