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

namespace {

using Edges = std::map<std::string, std::set<std::string>>;

/// The functions that can reach themselves.
std::set<std::string> on_cycles(const Edges& edges) {
  std::set<std::string> found;
  for (const auto& [from, to] : edges) {
    std::set<std::string> reached;
    std::vector<std::string> work(to.begin(), to.end());
    while (!work.empty()) {
      const std::string name = work.back();
      work.pop_back();
      if (!reached.insert(name).second) continue;
      if (auto next = edges.find(name); next != edges.end())
        work.insert(work.end(), next->second.begin(), next->second.end());
    }
    if (reached.count(from)) found.insert(from);
  }
  return found;
}

bool calls_a_variable(const Function& f) {
  bool found = false;
  walk_exprs(f.body, [&](const Expr& e) {
    if (auto* c = as<FnCall>(&e))
      for (const Symbol& s : f.symbols.all()) found = found || (s.name == c->callee && s.type.is_function());
  });
  return found;
}

}  // namespace

CallGraph call_graph(const Module& m) {
  CallGraph g;
  Edges by_name, by_variables;
  std::set<std::string> all;
  for (const FunctionPtr& f : m.functions) all.insert(f->name);
  for (const FunctionPtr& f : m.functions) {
    for (const std::string& name : called_names(f->body))
      if (all.count(name)) by_name[f->name].insert(name);
    by_variables[f->name] = calls_a_variable(*f) ? all : by_name[f->name];
  }
  g.recursive = on_cycles(by_name);
  g.may_recurse = on_cycles(by_variables);

  std::set<std::string> visited;
  std::function<void(const FunctionPtr&)> visit_function = [&](const FunctionPtr& f) {
    if (!visited.insert(f->name).second) return;
    for (const std::string& callee : by_name[f->name])
      visit_function(*std::find_if(m.functions.begin(), m.functions.end(),
                                   [&](const FunctionPtr& g) { return g->name == callee; }));
    g.bottom_up.push_back(f);
  };
  for (const FunctionPtr& f : m.functions) visit_function(f);
  return g;
}

}  // namespace vr::analysis
