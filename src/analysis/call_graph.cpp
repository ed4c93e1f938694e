#include "analysis/call_graph.hpp"

#include "ir/sharing.hpp"

#include <velociraptor/ir/visit.hpp>

#include <algorithm>
#include <functional>
#include <map>

namespace vr::analysis {

using namespace ir;

std::set<std::string> called_names(const Body& body) {
  std::set<std::string> names;
  walk_exprs(body, [&](const Expr& e) {
    if (const std::string* name = called_name(e)) names.insert(*name);
  });
  return names;
}

CallGraph call_graph(const Module& m) {
  CallGraph g;
  std::map<std::string, int> state;  // 1: being visited, 2: done
  std::vector<std::string> path;
  std::function<void(const FunctionPtr&)> visit_function = [&](const FunctionPtr& f) {
    state[f->name] = 1;
    path.push_back(f->name);
    for (const std::string& name : called_names(f->body)) {
      auto it =
          std::find_if(m.functions.begin(), m.functions.end(), [&](const FunctionPtr& g) { return g->name == name; });
      if (it == m.functions.end()) continue;
      if (state[name] == 0) visit_function(*it);
      // On the path: everything from there on calls itself.
      if (auto p = std::find(path.begin(), path.end(), name); p != path.end()) g.recursive.insert(p, path.end());
    }
    path.pop_back();
    state[f->name] = 2;
    g.bottom_up.push_back(f);
  };
  for (const FunctionPtr& f : m.functions)
    if (state[f->name] == 0) visit_function(f);
  return g;
}

}  // namespace vr::analysis
