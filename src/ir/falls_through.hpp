// Where the function ends.
#pragma once

#include <velociraptor/ir/nodes.hpp>

namespace vr::ir {

/// Whether control can go on behind a statement: not behind a return, a raise, or a loop without a condition and without a break. (A break
/// or continue goes on, elsewhere.)
bool falls_through(const Stmt& s);
/// Whether control can reach the end of the body.
bool falls_through(const Body& body);

}  // namespace vr::ir
