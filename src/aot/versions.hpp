// Versions of exported functions for given arguments (private to src/aot).
#pragma once
#include "loop/form.hpp"
#include "loop/plain_function.hpp"
#include "lower/lower.hpp"

#include <velociraptor/ir/nodes.hpp>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace vr::aot {

struct Versions {
  ir::ModulePtr module;                       ///< the given one, and a function for each version
  std::vector<lower::Specialisation> known;   ///< of their arguments
  std::set<std::string> used;                 ///< the facts for which some function has a version
  std::map<std::string, std::string> source;  ///< a version's name -> the name of the function that it stands for
  /// Error records name the function of the program.
  void restore_names(lower::Module& m) const;
};

/// Makes a version of each function of `plain` for each of `facts` whose arguments it has, and enters it in
/// PlainFunction::versions. `module` has passed the passes over trees. USAGE: facts that cannot be parsed, that do not
/// fit an argument, or that are neither extents nor numbers.
Result<Versions> add_versions(const ir::ModulePtr& module, const ir::Conventions& conventions,
                              const std::vector<std::string>& facts, std::vector<lower::PlainFunction>& plain);

}  // namespace vr::aot
