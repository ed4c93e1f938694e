#include "analysis/alias.hpp"

#include "ir/typing.hpp"

#include <velociraptor/ir/visit.hpp>

#include <algorithm>
#include <map>
#include <numeric>

namespace vr::analysis {

using namespace ir;

namespace {

bool holds_arrays(const Type& t) { return t.is_array() || t.is_tuple(); }

class Graph {
 public:
  Graph(const Function& f, const Module& m, const Conventions& c, const RegionFacts& facts)
      : function_(f), conventions_(c) {
    names_.set_module(m);
    names_.set_function(f);
    scope_ = {&m, &f, c, &names_};
    for (const Symbol& s : f.symbols.all())
      if (holds_arrays(s.type)) nodes_[s.id] = add(-1);
    // Arrays that come from outside the function: a node for each alias group, or one for all arguments if their group
    // is not known.
    std::map<int, int> places;
    bool known = true;
    for (size_t k = 0; k < f.args.size(); ++k)
      known = known && (!nodes_.count(f.args[k]) || facts.of(k).alias_group >= 0);
    for (size_t k = 0; k < f.args.size(); ++k) {
      auto it = nodes_.find(f.args[k]);
      if (it == nodes_.end()) continue;
      auto [place, fresh] = places.emplace(known ? facts.of(k).alias_group : 0, 0);
      if (fresh) outside_.push_back(place->second = add(-1));
      join(it->second, place->second);
    }
  }

  void statement(int number, const Stmt& s) {
    auto* a = as<Assign>(&s);
    if (!a) return;
    number_ = number;
    std::vector<ExprPtr> targets = a->targets;
    if (targets.size() == 1)
      if (auto* t = as<TupleExpr>(targets[0])) targets = t->elems;
    auto* values = as<TupleExpr>(a->value);
    const bool pairs = values && values->elems.size() == targets.size() && !as<Name>(a->targets[0]);
    for (size_t k = 0; k < targets.size(); ++k) target(targets[k], pairs ? values->elems[k] : a->value);
  }

  Alias answer() {
    Alias r;
    r.values = conventions_.assign == AssignMode::Copy;
    std::map<int, size_t> at;  // of a component's root
    for (const auto& [id, node] : nodes_) {
      auto [it, fresh] = at.emplace(root(node), r.groups.size());
      if (fresh) r.groups.emplace_back();
      r.groups[it->second].variables.push_back(id);
      r.group[id] = it->second;
    }
    for (size_t n = 0; n < made_by_.size(); ++n) {
      auto it = at.find(root(static_cast<int>(n)));
      if (it == at.end()) continue;
      if (made_by_[n] >= 0) r.groups[it->second].made.push_back(made_by_[n]);
      if (std::find(outside_.begin(), outside_.end(), static_cast<int>(n)) != outside_.end())
        r.groups[it->second].outside = true;
    }
    for (Alias::Group& g : r.groups) g.made.erase(std::unique(g.made.begin(), g.made.end()), g.made.end());
    return r;
  }

 private:
  int add(int made_by) {
    parents_.push_back(static_cast<int>(parents_.size()));
    made_by_.push_back(made_by);
    return parents_.back();
  }
  int root(int n) {
    while (parents_[static_cast<size_t>(n)] != n) {
      int& up = parents_[static_cast<size_t>(n)];
      n = up = parents_[static_cast<size_t>(up)];
    }
    return n;
  }
  void join(int a, int b) { parents_[static_cast<size_t>(root(a))] = root(b); }
  void join_variable(int node, SymbolId id) {
    if (auto it = nodes_.find(id); it != nodes_.end()) join(node, it->second);
  }
  void makes(int node) { join(node, add(number_)); }

  void target(const ExprPtr& t, const ExprPtr& value) {
    if (auto* n = as<Name>(t)) hold(n->id, n->type, value);
    if (auto* n = as<TupleIndex>(t)) hold(n->tuple, n->type, value);
    // A store copies elements and creates no alias; growth gives the variable a new array.
    if (auto* n = as<Index>(t)) {
      const bool grows = std::any_of(n->subscripts.begin(), n->subscripts.end(),
                                     [&](const Subscript& s) { return s.grow.value_or(conventions_.grow); });
      if (auto it = nodes_.find(n->array); grows && it != nodes_.end()) makes(it->second);
    }
  }
  void hold(SymbolId id, const Type& type, const ExprPtr& value) {
    auto it = nodes_.find(id);
    if (it == nodes_.end() || !holds_arrays(type)) return;
    holds(it->second, type, value);
  }

  // `node` may hold the value of the expression, as it is or converted to `type`.
  void holds(int node, const Type& type, const ExprPtr& value) {
    const Type& from = value->type;
    // Conversions make new arrays; the types tell whether an expression converts.
    if (type.is_array() && from.is_array() &&
        (type.elem != from.elem || type.complex != from.complex ||
         (type.layout != Layout::Strided && type.layout != from.layout)))
      return makes(node);
    if (auto* n = as<Name>(value)) {
      join_variable(node, n->id);
    } else if (auto* n = as<TupleIndex>(value)) {
      join_variable(node, n->tuple);
    } else if (auto* n = as<TupleExpr>(value)) {
      for (const ExprPtr& e : n->elems)
        if (holds_arrays(e->type)) holds(node, e->type, e);
      return;
    } else if (auto* n = as<Index>(value)) {
      const bool copies =
          from.layout != Layout::Strided || n->copyslice.value_or(conventions_.slices == SliceMode::Copy);
      const bool selects = std::any_of(n->subscripts.begin(), n->subscripts.end(),
                                       [](const Subscript& s) { return s.value->type.is_array(); });
      if (copies || selects) return makes(node);
      join_variable(node, n->array);
    } else if (auto* n = as<FnCall>(value); n && !find_callee(n->callee, scope_).library) {
      // A result is an array that the callee made, or one of its arguments.
      makes(node);
      for (const ExprPtr& a : n->args)
        if (holds_arrays(a->type)) holds(node, a->type, a);
      return;
    } else {
      return makes(node);
    }
  }

  const Function& function_;
  const Conventions& conventions_;
  NameIndex names_;
  TypingScope scope_;
  std::map<SymbolId, int> nodes_;
  std::vector<int> parents_, made_by_;  ///< made_by: the statement of an allocation site, else -1
  std::vector<int> outside_;
  int number_ = 0;
};

}  // namespace

Alias alias(const Function& f, const Module& module, const Conventions& conventions, const RegionFacts& facts) {
  Graph g(f, module, conventions, facts);
  const Statements s(f.body);
  for (int k = 0; k < s.count(); ++k) g.statement(k, *s.at(k).stmt);
  return g.answer();
}

bool Alias::may_share(SymbolId a, SymbolId b) const {
  auto i = group.find(a), j = group.find(b);
  return i != group.end() && j != group.end() && i->second == j->second;
}

std::string Alias::text(const Function& f) const {
  std::string out = values ? "value semantics: no variable overlaps another\n" : "";
  for (const Group& g : groups) {
    out += g.variables.size() == 1 ? "alone:" : values ? "may share storage:" : "may overlap:";
    for (SymbolId id : g.variables) out += " " + variable_text(f, id);
    if (g.outside) out += "; from outside";
    if (!g.made.empty()) out += "; made at";
    for (int k : g.made) out += " " + std::to_string(k);
    out += "\n";
  }
  return out;
}

}  // namespace vr::analysis
