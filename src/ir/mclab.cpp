// from_mclab: the modules of McLab's VRIR backend into strict VRIR (docs/vrir.md "The mclab dialect").
#include "ir/mclab_function.hpp"
#include "ir/sharing.hpp"
#include "ir/verifier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace vr::ir {

namespace {

using mclab::Refused;
using mclab::Signatures;

// A function without results may state (outtypes (void)).
Type without_void(const Type& t) {
  if (!t.is_function()) return t;
  std::vector<Type> outs;
  for (const Type& o : t.outputs())
    if (!o.is_void()) outs.push_back(o);
  return Type::function(t.components(), std::move(outs));
}

ConventionAttrs matlab_attrs(const ConventionAttrs& given) {
  const Conventions c = given.resolve(Conventions::matlab());
  ConventionAttrs a;
  a.indexing = c.indexing;
  a.exclude = c.exclude;
  a.flatten = c.flatten;
  a.grow = c.grow;
  a.assign = c.assign;
  a.slices = c.slices;
  a.nan = c.nan;
  a.memory = given.memory;  // the host's
  a.mindims = c.mindims;
  a.fast_math = c.fast_math;
  a.broadcast = c.broadcast;
  a.promote = c.promote;
  a.overflow = c.overflow;
  return a;
}

struct Item {
  std::shared_ptr<const Function> source;
  FunctionPtr done;
  std::vector<Diagnostic> remarks;
  std::optional<Diagnostic> refused;
};

// Which functions refer to each function. Functions that are too deep to traverse are rejected before this matters.
std::unordered_map<std::string, std::vector<size_t>> callers_of(const std::vector<Item>& items) {
  std::unordered_map<std::string, std::vector<size_t>> callers;
  for (size_t k = 0; k < items.size(); ++k) {
    if (deeper_than(items[k].source->body, max_tree_depth)) continue;
    walk_exprs(items[k].source->body, [&](const Expr& e) {
      const std::string* name = called_name(e);
      if (!name) return;
      std::vector<size_t>& list = callers[*name];
      if (list.empty() || list.back() != k) list.push_back(k);
    });
  }
  return callers;
}

}  // namespace

Result<ModulePtr> from_mclab(const Module& m, std::vector<Diagnostic>* remarks) {
  std::vector<Item> items;
  Signatures signatures;
  std::vector<Diagnostic> notes;
  for (const FunctionPtr& f : m.functions) {
    if (!f) continue;
    auto copy = std::make_shared<Function>(*f);
    copy->type = without_void(f->type);
    if (signatures.find(f->name)) {
      // The client writes a function again for each call of it; equal copies are needed only once.
      auto same = std::find_if(items.begin(), items.end(), [&](const Item& i) { return i.source->name == f->name; });
      Diagnostic d;
      d.place = {m.file, f->pos.line, f->pos.column};
      d.path = "function " + f->name;
      d.rule = "duplicate-function";
      if (equal(*same->source, *copy)) {
        d.severity = Severity::Remark;
        d.message = fmt::format("function '{}' is defined twice; one definition is used", f->name);
        notes.push_back(std::move(d));
        continue;
      }
      d.message = fmt::format("there are two different functions '{}'", f->name);
      return Error{Code::Verify, "", {std::move(d)}, {}};
    }
    signatures.set(f->name, copy->type);
    items.push_back({std::move(copy), nullptr, {}, {}});
  }

  // A function's result types may be widened, and if a function cannot be translated, its callers cannot either: repeat
  // until nothing changes.
  const std::unordered_map<std::string, std::vector<size_t>> callers = callers_of(items);
  std::vector<bool> dirty(items.size(), true);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t k = 0; k < items.size(); ++k) {
      Item& item = items[k];
      if (!dirty[k] || item.refused) continue;
      dirty[k] = false;
      const std::string& name = item.source->name;
      if (item.source->external) {
        item.done = item.source;
        continue;
      }
      try {
        mclab::Translated t = mclab::translate(m, *item.source, signatures);
        item.done = std::move(t.function);
        item.remarks = std::move(t.remarks);
        if (*signatures.find(name) == item.done->type) continue;
        signatures.set(name, item.done->type);
      } catch (const Refused& r) {
        item.refused = r.why;
        signatures.remove(name);
      }
      changed = true;
      if (auto it = callers.find(name); it != callers.end())
        for (size_t c : it->second) dirty[c] = true;
    }
  }

  auto result = std::make_shared<Module>();
  result->name = m.name;
  result->attrs = matlab_attrs(m.attrs);
  result->version = m.version;
  result->file = m.file;
  std::vector<Diagnostic> refused;
  for (Item& item : items) {
    if (!item.refused) {
      result->functions.push_back(item.done);
      notes.insert(notes.end(), item.remarks.begin(), item.remarks.end());
      continue;
    }
    refused.push_back(*item.refused);
    Diagnostic d = *item.refused;
    d.severity = Severity::Remark;
    d.message = fmt::format("function '{}' is not translated: {}", item.source->name, d.message);
    notes.push_back(std::move(d));
  }
  if (remarks) remarks->insert(remarks->end(), notes.begin(), notes.end());
  if (result->functions.empty() && !refused.empty())
    return Error{Code::Unsupported, "no function of the module can be translated", std::move(refused), {}};
  if (std::vector<Diagnostic> faults = verify(*result, Conventions::matlab()); !faults.empty())
    return Error{Code::Verify, "", std::move(faults), {}};
  return ModulePtr(std::move(result));
}

}  // namespace vr::ir
