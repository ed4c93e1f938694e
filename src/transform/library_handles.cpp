#include "transform/library_handles.hpp"

#include "ir/library.hpp"

#include <velociraptor/ir/visit.hpp>

#include <set>

namespace vr::transform {

using namespace ir;

namespace {

FunctionPtr wrapper(const std::string& name, const FnHandle& handle) {
  auto f = std::make_shared<Function>();
  f->name = name;
  f->type = handle.type;
  f->pos = handle.pos;
  std::vector<ExprPtr> args;
  SymbolId id = 0;
  for (const Type& t : handle.type.components()) {
    f->args.push_back(id);
    f->symbols.add({id, "x" + std::to_string(id), t});
    args.push_back(std::make_shared<Name>(t, id));
    ++id;
  }
  const auto& outs = handle.type.outputs();
  const bool nothing = outs.empty() || outs[0].is_void();
  const Type result = nothing ? Type::void_() : outs.size() == 1 ? outs[0] : Type::tuple(outs);
  ExprPtr call = std::make_shared<LibCall>(result, handle.callee, std::move(args));
  if (nothing)
    f->body.push_back(std::make_shared<ExprStmt>(call));
  else
    f->body.push_back(std::make_shared<Return>(std::vector<ExprPtr>{call}));
  return f;
}

}  // namespace

ModulePtr library_handles(const ModulePtr& module, const Conventions&) {
  auto out = std::make_shared<Module>(*module);
  std::set<std::string> taken;
  for (const FunctionPtr& f : module->functions) taken.insert(f->name);
  std::vector<std::pair<const FnHandle*, std::string>> made;
  std::vector<FunctionPtr> added;
  bool changed = false;
  for (FunctionPtr& f : out->functions) {
    std::set<std::string> variables;
    for (const Symbol& s : f->symbols.all())
      if (s.type.is_function()) variables.insert(s.name);
    Rewriter r;
    r.expr = [&](const ExprPtr& e) -> ExprPtr {
      auto* h = as<FnHandle>(e);
      if (!h || variables.count(h->callee) || module->find(h->callee) || !find_library(h->callee)) return e;
      const std::string* name = nullptr;
      for (const auto& [other, its_name] : made)
        if (other->callee == h->callee && other->type == h->type) name = &its_name;
      if (!name) {
        std::string fresh = "library_" + h->callee;
        while (!taken.insert(fresh).second) fresh += "_";
        added.push_back(wrapper(fresh, *h));
        name = &made.emplace_back(h, fresh).second;
      }
      return std::make_shared<FnHandle>(h->type, *name);
    };
    Body b = rewrite(f->body, r);
    if (b == f->body) continue;
    auto copy = std::make_shared<Function>(*f);
    copy->body = std::move(b);
    f = std::move(copy);
    changed = true;
  }
  if (!changed) return module;
  out->functions.insert(out->functions.end(), added.begin(), added.end());
  return out;
}

}  // namespace vr::transform
