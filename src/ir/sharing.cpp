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
      case Kind::Name:
        f(static_cast<const Name&>(x).id);
        break;
      case Kind::Index:
        f(static_cast<const Index&>(x).array);
        break;
      case Kind::Dim:
        f(static_cast<const Dim&>(x).array);
        break;
      case Kind::DimVec:
        f(static_cast<const DimVec&>(x).array);
        break;
      case Kind::TupleIndex:
        f(static_cast<const TupleIndex&>(x).tuple);
        break;
      case Kind::RealExpr:
        f(static_cast<const RealExpr&>(x).id);
        break;
      case Kind::ImagExpr:
        f(static_cast<const ImagExpr&>(x).id);
        break;
      case Kind::Xchange:
        f(static_cast<const Xchange&>(x).array);
        break;
      case Kind::FnCall:
      case Kind::FnHandle: {
        const std::string& name =
            x.kind == Kind::FnCall ? static_cast<const FnCall&>(x).callee : static_cast<const FnHandle&>(x).callee;
        for (const Symbol& s : function.symbols.all())
          if (s.type.is_function() && s.name == name) f(s.id);
        break;
      }
      default:
        break;
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

bool reads(const Expr& e, SymbolId id, const Function& function) {
  bool found = false;
  use(e, [&](SymbolId x) { found = found || x == id; }, function);
  return found;
}

// What a target reads: subscripts, and the array that a store keeps the other elements of.
bool target_reads(const ExprPtr& target, SymbolId id, const Function& function) {
  if (target->kind == Kind::Name) return false;
  if (const auto* t = as<TupleExpr>(target)) {
    for (const ExprPtr& e : t->elems)
      if (target_reads(e, id, function)) return true;
    return false;
  }
  return reads(*target, id, function);
}

// Follows control flow; `assigned`: on every way here. True when a read may come first.
bool early_read(const Body& body, SymbolId id, const Function& function, bool& assigned) {
  for (const StmtPtr& s : body) {
    if (assigned) return false;
    auto read = [&](const ExprPtr& e) { return e && reads(*e, id, function); };
    switch (s->kind) {
      case Kind::Assign: {
        const auto& a = static_cast<const Assign&>(*s);
        if (read(a.value)) return true;
        Ids targets;
        for (const ExprPtr& t : a.targets) {
          if (target_reads(t, id, function)) return true;
          assigned_by(t, targets);
        }
        assigned = targets.count(id) != 0;
        break;
      }
      case Kind::StmtList:
        if (early_read(static_cast<const StmtList&>(*s).stmts, id, function, assigned)) return true;
        break;
      case Kind::If: {
        const auto& i = static_cast<const If&>(*s);
        bool then_assigned = false, else_assigned = false;
        if (read(i.test) || early_read(i.then_body, id, function, then_assigned) ||
            early_read(i.else_body, id, function, else_assigned))
          return true;
        assigned = then_assigned && else_assigned;
        break;
      }
      case Kind::For:
      case Kind::PFor: {
        const bool serial = s->kind == Kind::For;
        const auto& vars = serial ? static_cast<const For&>(*s).itervars : static_cast<const PFor&>(*s).itervars;
        const auto& inner = serial ? static_cast<const For&>(*s).body : static_cast<const PFor&>(*s).body;
        if (read(serial ? static_cast<const For&>(*s).domain : static_cast<const PFor&>(*s).domain)) return true;
        bool inside = std::find(vars.begin(), vars.end(), id) != vars.end();
        if (early_read(inner, id, function, inside)) return true;
        break;
      }
      case Kind::While: {
        const auto& w = static_cast<const While&>(*s);
        bool inside = false;
        if (read(w.test) || early_read(w.body, id, function, inside)) return true;
        break;
      }
      case Kind::Return:
        for (const ExprPtr& e : static_cast<const Return&>(*s).exprs)
          if (read(e)) return true;
        break;
      case Kind::ExprStmt:
        if (read(static_cast<const ExprStmt&>(*s).expr)) return true;
        break;
      default:
        break;
    }
  }
  return false;
}

}  // namespace

std::vector<SymbolId> assigned_variables(const Body& body) {
  Ids ids = assigned_in(body);
  return {ids.begin(), ids.end()};
}

bool read_before_assigned(const Body& body, SymbolId id, const Function& function) {
  bool assigned = false;
  return early_read(body, id, function, assigned);
}

bool used_serially(const Body& body, SymbolId id, const Function& function) {
  for (const StmtPtr& s : body) {
    bool found = false;
    auto on_expr = [&](const ExprPtr& e) { found = found || reads(*e, id, function); };
    if (const auto* p = as<PFor>(s)) {
      on_expr(p->domain);
    } else {
      for_each_child(*s, {on_expr, [&](const StmtPtr& c) { found = found || used_serially({c}, id, function); }});
    }
    if (found) return true;
  }
  return false;
}

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
      shared = !assigned.count(id) || is_arg || read_before_assigned(loop.body, id, function) ||
               used_serially(function.body, id, function);
    } else {
      shared = !assigned.count(id);
    }
    (shared ? result.shared : result.privates).push_back(id);
  }
  return result;
}

}  // namespace vr::ir
