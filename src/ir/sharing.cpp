#include "ir/sharing.hpp"

#include <velociraptor/ir/visit.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <string_view>
#include <unordered_map>

namespace vr::ir {

std::optional<SymbolId> named_variable(const Expr& e) {
  switch (e.kind) {
    case Kind::Name:
      return static_cast<const Name&>(e).id;
    case Kind::Index:
      return static_cast<const Index&>(e).array;
    case Kind::Dim:
      return static_cast<const Dim&>(e).array;
    case Kind::DimVec:
      return static_cast<const DimVec&>(e).array;
    case Kind::TupleIndex:
      return static_cast<const TupleIndex&>(e).tuple;
    case Kind::RealExpr:
      return static_cast<const RealExpr&>(e).id;
    case Kind::ImagExpr:
      return static_cast<const ImagExpr&>(e).id;
    case Kind::Xchange:
      return static_cast<const Xchange&>(e).array;
    default:
      return std::nullopt;
  }
}

const std::string* called_name(const Expr& e) {
  if (const auto* c = as<FnCall>(&e)) return &c->callee;
  if (const auto* h = as<FnHandle>(&e)) return &h->callee;
  return nullptr;
}

VariableUses::VariableUses(const Function& function) {
  for (const Symbol& s : function.symbols.all())
    if (s.type.is_function()) handles_.emplace(s.name, s.id);
}

void VariableUses::in(const ExprPtr& e, const std::function<void(SymbolId)>& f) const {
  walk_exprs(e, [&](const Expr& x) {
    if (auto id = named_variable(x)) return f(*id);
    const std::string* name = called_name(x);
    if (!name) return;
    if (auto it = handles_.find(*name); it != handles_.end()) f(it->second);
  });
}

namespace {

using Ids = std::set<SymbolId>;
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

// Follows control flow: which variables are assigned on every path to this point, and which are read before they are
// assigned.
struct EarlyReads {
  const VariableUses& uses;
  Ids early;

  void read(const ExprPtr& e, const Ids& assigned) {
    uses.in(e, [&](SymbolId id) {
      if (!assigned.count(id)) early.insert(id);
    });
  }
  // A target reads its subscripts. A store also reads its array, because the other elements keep their values.
  void target(const ExprPtr& t, const Ids& assigned) {
    if (!t || t->kind == Kind::Name) return;
    if (const auto* tuple = as<TupleExpr>(t)) {
      for (const ExprPtr& e : tuple->elems) target(e, assigned);
      return;
    }
    read(t, assigned);
  }
  void loop(const std::vector<SymbolId>& vars, const ExprPtr& domain, const Body& body, const Ids& assigned) {
    read(domain, assigned);
    Ids inside = assigned;
    inside.insert(vars.begin(), vars.end());
    run(body, inside);  // the body may not run at all, so nothing is assigned for the statements that follow
  }
  void run(const Body& body, Ids& assigned) {
    for (const StmtPtr& s : body) {
      if (!s) continue;
      switch (s->kind) {
        case Kind::Assign: {
          const auto& a = static_cast<const Assign&>(*s);
          read(a.value, assigned);
          for (const ExprPtr& t : a.targets) target(t, assigned);
          for (const ExprPtr& t : a.targets) assigned_by(t, assigned);
          break;
        }
        case Kind::StmtList:
          run(static_cast<const StmtList&>(*s).stmts, assigned);
          break;
        case Kind::If: {
          const auto& i = static_cast<const If&>(*s);
          read(i.test, assigned);
          Ids a = assigned, b = assigned;
          run(i.then_body, a);
          run(i.else_body, b);
          std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(assigned, assigned.end()));
          break;
        }
        case Kind::For: {
          const auto& f = static_cast<const For&>(*s);
          loop(f.itervars, f.domain, f.body, assigned);
          break;
        }
        case Kind::PFor: {
          const auto& f = static_cast<const PFor&>(*s);
          loop(f.itervars, f.domain, f.body, assigned);
          break;
        }
        case Kind::While: {
          const auto& w = static_cast<const While&>(*s);
          loop({}, w.test, w.body, assigned);
          break;
        }
        case Kind::Return:
          for (const ExprPtr& e : static_cast<const Return&>(*s).exprs) read(e, assigned);
          break;
        case Kind::Raise:
          for (const ExprPtr& e : static_cast<const Raise&>(*s).args) read(e, assigned);
          break;
        case Kind::ExprStmt:
          read(static_cast<const ExprStmt&>(*s).expr, assigned);
          break;
        default:
          break;
      }
    }
  }
};

// Variables that occur outside of parallel loops.
void serial_uses(const Body& body, const VariableUses& uses, Ids& out) {
  auto on_expr = [&](const ExprPtr& e) { uses.in(e, [&](SymbolId id) { out.insert(id); }); };
  for (const StmtPtr& s : body) {
    if (!s) continue;
    if (const auto* p = as<PFor>(s)) {
      on_expr(p->domain);
    } else {
      for_each_child(*s, {on_expr, [&](const StmtPtr& c) { serial_uses({c}, uses, out); }});
    }
  }
}

std::vector<SymbolId> sorted(const Ids& ids) { return {ids.begin(), ids.end()}; }
bool contains(const std::vector<SymbolId>& list, SymbolId id) {
  return std::find(list.begin(), list.end(), id) != list.end();
}

}  // namespace

std::vector<SymbolId> assigned_variables(const Body& body) { return sorted(assigned_in(body)); }

std::vector<SymbolId> read_before_assigned(const Body& body, const Function& function) {
  VariableUses uses(function);
  EarlyReads reads{uses, {}};
  Ids assigned;
  reads.run(body, assigned);
  return sorted(reads.early);
}

bool Sharing::is_shared(SymbolId id) const { return std::binary_search(shared.begin(), shared.end(), id); }

SharingAnalysis::SharingAnalysis(const Function& function) : function_(function) {
  Ids serial;
  serial_uses(function.body, VariableUses(function), serial);
  serial.insert(function.args.begin(), function.args.end());
  serial_ = sorted(serial);
}

Sharing SharingAnalysis::of(const PFor& loop) const {
  Sharing result;
  const VariableUses uses(function_);
  const Ids assigned = assigned_in(loop.body);
  Ids all = assigned;
  walk_stmts(loop.body, [&](const Stmt& s) {
    for_each_child(s, {[&](const ExprPtr& e) { uses.in(e, [&](SymbolId id) { all.insert(id); }); }, {}});
  });
  all.insert(loop.itervars.begin(), loop.itervars.end());
  const Ids listed = loop.shared ? Ids(loop.shared->begin(), loop.shared->end()) : Ids{};
  std::vector<SymbolId> early;
  if (!loop.shared) early = read_before_assigned(loop.body, function_);
  for (SymbolId id : all) {
    const Symbol* s = function_.symbols.find(id);
    if (!s) continue;
    bool shared;
    if (contains(loop.itervars, id)) {
      shared = false;
    } else if (loop.shared) {
      shared = listed.count(id) != 0;
    } else if (s->type.is_array()) {
      shared = !assigned.count(id) || std::binary_search(early.begin(), early.end(), id) ||
               std::binary_search(serial_.begin(), serial_.end(), id);
    } else {
      shared = !assigned.count(id);
    }
    (shared ? result.shared : result.privates).push_back(id);
  }
  return result;
}

Sharing pfor_sharing(const PFor& loop, const Function& function) { return SharingAnalysis(function).of(loop); }

}  // namespace vr::ir
