// simplify: what needs no running is done, and what never runs is gone (thesis 5.2, as far as it pays here).
#pragma once
#include <velociraptor/ir/nodes.hpp>

namespace vr::transform {

/// To a fixed point, in each function:
/// - operators of constants become constants, and so do variables whose assignments that reach all give the same one;
/// - calls of library functions by name become `libcall`; copies of numbers and of arrays that are new anyway go away;
/// - `if` and `while` with a constant test and loops over empty constant domains go away, blocks are opened, statements
///   behind a jump and empty branches dropped;
/// - assignments of numbers that nobody reads go away when computing them cannot fault.
/// Meaning stays, also which fault comes first and what its record says. Why expressions are not taken apart into
/// temporaries: docs/architecture.md.
ir::ModulePtr simplify(const ir::ModulePtr& module, const ir::Conventions& conventions);

/// The control flow part of it, once. `pure`: computing this number cannot fault and changes nothing.
ir::Body simplify_flow(const ir::Body& body, const ir::Conventions& conventions);
bool pure(const ir::ExprPtr& e);

}  // namespace vr::transform
