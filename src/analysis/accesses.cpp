#include "analysis/accesses.hpp"

#include <velociraptor/ir/visit.hpp>

#include <algorithm>

namespace vr::analysis {

using namespace ir;

Accesses::Accesses(const Function& f, const Statements& s)
    : function_(f),
      variables_(static_cast<int>(f.symbols.all().size())),
      whole_(static_cast<size_t>(s.count())),
      iterate_(static_cast<size_t>(s.count())) {
  const VariableUses uses(f);
  for (int k = 0; k < s.count(); ++k) {
    std::vector<Access>& out = whole_[static_cast<size_t>(k)];
    auto add = [&](Access::Kind kind, SymbolId id) {
      if (const int at = position(id); at >= 0) out.push_back({kind, at});
    };
    auto read = [&](const ExprPtr& e) {
      uses.in(e, [&](SymbolId id) { add(Access::Kind::Use, id); });
      walk_exprs(e, [&](const Expr& x) {
        if (auto* n = as<Xchange>(&x)) add(Access::Kind::Store, n->array);
      });
    };
    auto target = [&](auto& self, const ExprPtr& t) -> void {
      if (auto* n = as<Name>(t)) add(Access::Kind::Assign, n->id);
      if (auto* n = as<TupleIndex>(t)) add(Access::Kind::Store, n->tuple);
      if (auto* n = as<Index>(t)) {
        for (const Subscript& sub : n->subscripts) read(sub.value);
        add(Access::Kind::Store, n->array);
      }
      if (auto* n = as<TupleExpr>(t))
        for (const ExprPtr& e : n->elems) self(self, e);
    };
    auto loop = [&](const std::vector<SymbolId>& ids, const ExprPtr& domain) {
      read(domain);
      for (SymbolId id : ids)
        if (const int at = position(id); at >= 0)
          iterate_[static_cast<size_t>(k)].push_back({Access::Kind::Assign, at});
    };
    const Stmt* stmt = s.at(k).stmt;
    if (auto* n = as<Assign>(stmt)) {
      read(n->value);
      for (const ExprPtr& t : n->targets) target(target, t);
    }
    if (auto* n = as<For>(stmt)) loop(n->itervars, n->domain);
    if (auto* n = as<PFor>(stmt)) loop(n->itervars, n->domain);
    if (auto* n = as<While>(stmt)) read(n->test);
    if (auto* n = as<If>(stmt)) read(n->test);
    if (auto* n = as<ExprStmt>(stmt)) read(n->expr);
    if (auto* n = as<Raise>(stmt))
      for (const ExprPtr& e : n->args) read(e);
    if (auto* n = as<Return>(stmt))
      for (const ExprPtr& e : n->exprs) read(e);
  }
}

int Accesses::position(SymbolId id) const {
  const auto& all = function_.symbols.all();
  // Ids usually are consecutive numbers from 0.
  if (id >= 0 && static_cast<size_t>(id) < all.size() && all[static_cast<size_t>(id)].id == id) return id;
  auto it = std::lower_bound(all.begin(), all.end(), id, [](const Symbol& s, SymbolId i) { return s.id < i; });
  return it == all.end() || it->id != id ? -1 : static_cast<int>(it - all.begin());
}

Bits own_variables(const PFor& loop, const SharingAnalysis& sharing, const Accesses& a) {
  Bits own(static_cast<size_t>(a.variables()));
  const Sharing s = sharing.of(loop);
  std::vector<SymbolId> assigned = assigned_variables(loop.body);
  assigned.insert(assigned.end(), loop.itervars.begin(), loop.itervars.end());
  for (SymbolId id : assigned)
    if (const int at = a.position(id); at >= 0 && !s.is_shared(id)) own.set(static_cast<size_t>(at));
  return own;
}

}  // namespace vr::analysis
