// call_graph: which functions of a module reach which others by calls and handles.
#pragma once
#include <velociraptor/ir/nodes.hpp>

#include <set>
#include <string>
#include <vector>

namespace vr::analysis {

/// The functions that a body calls or takes handles of, including library functions, and called function variables.
std::set<std::string> called_names(const ir::Body& body);

struct CallGraph {
  std::vector<ir::FunctionPtr> bottom_up;  ///< callees before callers, as far as there is no recursion
  std::set<std::string> recursive;         ///< functions that can reach themselves by calls and handles they take
  /// The same, including calls of function variables, which may hold any function of the module.
  std::set<std::string> may_recurse;
};
CallGraph call_graph(const ir::Module& m);

}  // namespace vr::analysis
