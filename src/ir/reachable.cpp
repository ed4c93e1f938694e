#include "ir/reachable.hpp"

#include "ir/sharing.hpp"

#include <velociraptor/ir/visit.hpp>

#include <algorithm>

namespace vr::ir {

ModulePtr reachable(const Module& m, std::vector<const Function*> found) {
  auto part = std::make_shared<Module>(m);
  part->functions.clear();
  for (size_t k = 0; k < found.size(); ++k)
    walk_exprs(found[k]->body, [&](const Expr& e) {
      const std::string* name = called_name(e);
      const Function* f = name ? m.find(*name) : nullptr;
      if (f && std::find(found.begin(), found.end(), f) == found.end()) found.push_back(f);
    });
  // In the module's order, so that the text, and with it the cache key, depends on nothing else.
  for (const FunctionPtr& f : m.functions)
    if (std::find(found.begin(), found.end(), f.get()) != found.end()) part->functions.push_back(f);
  return part;
}

}  // namespace vr::ir
