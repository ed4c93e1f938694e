// The part of a module that a set of its functions needs.
#pragma once
#include <velociraptor/ir/nodes.hpp>

#include <vector>

namespace vr::ir {

/// The module with only the functions that `roots` reach by calls and handles, including themselves, in the module's
/// order.
ModulePtr reachable(const Module& m, std::vector<const Function*> roots);
inline ModulePtr reachable(const Module& m, const Function& root) { return reachable(m, std::vector{&root}); }

}  // namespace vr::ir
