#include "ir/sharing.hpp"

#include <velociraptor/ir/visit.hpp>

#include <algorithm>
#include <functional>
#include <set>

namespace vr::ir {

namespace {

using Ids = std::set<SymbolId>;

void use(const Expr& e, const std::function<void(SymbolId)>& f, const Function& function) {
  walk_exprs(ExprPtr(ExprPtr{}, &e), [&](const Expr& x) {
    switch (x.kind) {
      case Kind::Name: f(static_cast<const Name&>(x).id); break;
      case Kind::Index: f(static_cast<const Index&>(x).array); break;
      case Kind::Dim: f(static_cast<const Dim&>(x).array); break;
      case Kind::DimVec: f(static_cast<const DimVec&>(x).array); break;
      case Kind::TupleIndex: f(static_cast<const TupleIndex&>(x).tuple); break;
      case Kind::RealExpr: f(static_cast<const RealExpr&>(x).id); break;
      case Kind::ImagExpr: f(static_cast<const ImagExpr&>(x).id); break;
      case Kind::Xchange: f(static_cast<const Xchange&>(x).array); break;
      case Kind::FnCall:
      case Kind::FnHandle: {
        const std::string& name = x.kind == Kind::FnCall ? static_cast<const FnCall&>(x).callee
                                                         : static_cast<const FnHandle&>(x).callee;
        for (const Symbol& s : function.symbols.all())
          if (s.type.is_function() && s.name == name) f(s.id);
        break;
      }
      default: break;
    }
  });
}

// Variables that a target gives a new value as a whole.
void assigned_by(const ExprPtr& target, Ids& out) {
  if (const auto* n = as<Name>(target)) out.insert(n->id);
  if (const auto* t = as<TupleIndex>(target)) out.insert(t->tuple);
  if (const auto* t = as<TupleExpr>(target))
    for (const ExprPtr& e : t->elems) assigned_by(e, out);
}

Ids assigned_in(const Body& body) {
  Ids out;
  walk_stmts(body, [&](const Stmt& s) {
    if (s.kind == Kind::Assign)
      for (const ExprPtr& t : static_cast<const Assign&>(s).targets) assigned_by(t, out);
    if (s.kind == Kind::For)
      for (SymbolId id : static_cast<const For&>(s).itervars) out.insert(id);
    if (s.kind == Kind::PFor)
      for (SymbolId id : static_cast<const PFor&>(s).itervars) out.insert(id);
  });
  return out;
}

Ids used_in(const Body& body, const Function& function) {
  Ids out = assigned_in(body);
  walk_stmts(body, [&](const Stmt& s) {
    for_each_child(s, {[&](const ExprPtr& e) { use(*e, [&](SymbolId id) { out.insert(id); }, function); }, {}});
  });
  return out;
}

bool mentions(const Stmt& s, SymbolId id, const Function& function) {
  return used_in({StmtPtr(StmtPtr{}, &s)}, function).count(id) != 0;
}

// The first statement that mentions the variable assigns it as a whole, from a value without it.
bool assigned_first(const Body& body, SymbolId id, const Function& function) {
  for (const StmtPtr& s : body) {
    if (!mentions(*s, id, function)) continue;
    if (const auto* list = as<StmtList>(s)) return assigned_first(list->stmts, id, function);
    const auto* a = as<Assign>(s);
    if (!a) return false;
    Ids targets;
    for (const ExprPtr& t : a->targets) assigned_by(t, targets);
    bool read = false;
    use(*a->value, [&](SymbolId x) { read = read || x == id; }, function);
    return targets.count(id) && !read;
  }
  return false;
}

// Whether the variable occurs outside of parallel loops.
bool used_serially(const Body& body, SymbolId id, const Function& function) {
  for (const StmtPtr& s : body) {
    bool found = false;
    auto on_expr = [&](const ExprPtr& e) { use(*e, [&](SymbolId x) { found = found || x == id; }, function); };
    if (const auto* p = as<PFor>(s)) {
      on_expr(p->domain);
    } else {
      for_each_child(*s, {on_expr, [&](const StmtPtr& c) { found = found || used_serially({c}, id, function); }});
    }
    if (found) return true;
  }
  return false;
}

}  // namespace

bool Sharing::is_shared(SymbolId id) const { return std::binary_search(shared.begin(), shared.end(), id); }

Sharing pfor_sharing(const PFor& loop, const Function& function) {
  Sharing result;
  const Ids assigned = assigned_in(loop.body);
  const Ids itervars(loop.itervars.begin(), loop.itervars.end());
  Ids all = used_in(loop.body, function);
  all.insert(itervars.begin(), itervars.end());
  for (SymbolId id : all) {
    const Symbol* s = function.symbols.find(id);
    if (!s) continue;
    bool shared;
    if (itervars.count(id)) {
      shared = false;
    } else if (loop.shared) {
      shared = std::find(loop.shared->begin(), loop.shared->end(), id) != loop.shared->end();
    } else if (s->type.is_array()) {
      bool is_arg = std::find(function.args.begin(), function.args.end(), id) != function.args.end();
      shared = !assigned.count(id) || is_arg || !assigned_first(loop.body, id, function) ||
               used_serially(function.body, id, function);
    } else {
      shared = !assigned.count(id);
    }
    (shared ? result.shared : result.privates).push_back(id);
  }
  return result;
}

}  // namespace vr::ir
