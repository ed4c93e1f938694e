// Where control reaches the end of a body.
#pragma once

#include <velociraptor/ir/nodes.hpp>

namespace vr::ir {

/// Whether control can continue after a statement: false for a return, a raise, or a loop whose condition is always true and
/// that has no break. (True for break and continue, although control continues elsewhere.)
bool falls_through(const Stmt& s);
/// Whether control can reach the end of the body.
bool falls_through(const Body& body);

}  // namespace vr::ir
