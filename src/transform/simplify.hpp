// simplify: evaluates what is constant and removes what never runs (thesis 5.2, as far as it pays here).
#pragma once
#include <velociraptor/ir/nodes.hpp>

namespace vr::transform {

/// To a fixed point, in each function:
/// - operators of constants become constants, and so do variables all of whose reaching assignments give the same one;
/// - calls of library functions by name become `libcall`; copies of numbers and of new arrays are removed;
/// - `if` and `while` with a constant test and loops over empty constant domains are removed, blocks are dissolved,
///   statements after a jump and empty branches are dropped;
/// - assignments of dead numbers are removed if computing them cannot fault.
/// Results do not change, nor which fault comes first and its error record. Why expressions are not split into
/// temporaries: docs/architecture.md.
ir::ModulePtr simplify(const ir::ModulePtr& module, const ir::Conventions& conventions);

/// The control flow part of it, once. `pure`: computing this number can neither fault nor change anything.
ir::Body simplify_flow(const ir::Body& body, const ir::Conventions& conventions);
bool pure(const ir::ExprPtr& e);

}  // namespace vr::transform
