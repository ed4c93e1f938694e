#include "analysis/loop_info.hpp"

#include "ir/library.hpp"
#include "ir/sharing.hpp"

#include <velociraptor/ir/visit.hpp>

namespace vr::analysis {

namespace {
void target_facts(const ir::ExprPtr& t, LoopInfo& f) {
  if (auto* n = ir::as<ir::Name>(t)) f.assigned.insert(n->id);
  if (auto* n = ir::as<ir::TupleIndex>(t)) f.assigned.insert(n->tuple);
  if (auto* n = ir::as<ir::Index>(t)) f.stored.insert(n->array);
  if (auto* n = ir::as<ir::TupleExpr>(t))
    for (const ir::ExprPtr& e : n->elems) target_facts(e, f);
}
}  // namespace

LoopInfo loop_info(const ir::Body& body) {
  LoopInfo f;
  ir::walk_stmts(body, [&](const ir::Stmt& s) {
    ++f.statements;
    if (auto* a = ir::as<ir::Assign>(&s)) {
      for (const ir::ExprPtr& t : a->targets) target_facts(t, f);
      // Storage becomes shared when a whole array is assigned on.
      if (a->value->type.is_array() || a->value->type.is_tuple())
        ir::walk_exprs(a->value, [&](const ir::Expr& e) {
          if (auto* n = ir::as<ir::Name>(&e)) f.shared.insert(n->id);
        });
    }
    if (auto* l = ir::as<ir::For>(&s)) {
      f.has_loop = true;
      f.assigned.insert(l->itervars.begin(), l->itervars.end());
      f.used.insert(l->itervars.begin(), l->itervars.end());
    }
    if (auto* l = ir::as<ir::PFor>(&s)) {
      f.has_loop = true;
      f.assigned.insert(l->itervars.begin(), l->itervars.end());
      f.used.insert(l->itervars.begin(), l->itervars.end());
    }
    if (s.kind == ir::Kind::While) f.has_loop = true;
    if (s.kind == ir::Kind::Return) f.has_return = true;
    if (s.kind == ir::Kind::Break) f.has_break = true;
    if (s.kind == ir::Kind::Continue) f.has_continue = true;
  });
  ir::walk_exprs(body, [&](const ir::Expr& e) {
    if (e.kind == ir::Kind::Alloc) f.has_alloc = true;
    if (auto id = ir::named_variable(e)) f.used.insert(*id);
    if (auto* n = ir::as<ir::Xchange>(&e)) {
      f.stored.insert(n->array);
      f.has_atomic = true;
    }
    if (auto* c = ir::as<ir::FnCall>(&e)) {
      if (!ir::find_library(c->callee)) f.calls.insert(c->callee);
      for (const ir::ExprPtr& a : c->args)
        ir::walk_exprs(a, [&](const ir::Expr& n) {
          if (auto* name = ir::as<ir::Name>(&n)) f.shared.insert(name->id);
        });
    }
  });
  return f;
}

std::string LoopInfo::text(const ir::Function& f) const {
  std::string s;
  auto list = [&](const char* title, const std::set<ir::SymbolId>& ids) {
    if (ids.empty()) return;
    s += title;
    for (ir::SymbolId id : ids) {
      const ir::Symbol* symbol = f.symbols.find(id);
      s += " " + (symbol ? symbol->name : "#" + std::to_string(id));
    }
    s += "\n";
  };
  list("assigned:", assigned);
  list("stored:", stored);
  list("shared:", shared);
  list("used:", used);
  if (!calls.empty()) {
    s += "calls:";
    for (const std::string& c : calls) s += " " + c;
    s += "\n";
  }
  std::string has;
  for (auto [flag, word] : {std::pair{has_loop, " loop"},
                            {has_atomic, " atomic"},
                            {has_alloc, " alloc"},
                            {has_return, " return"},
                            {has_break, " break"},
                            {has_continue, " continue"}})
    if (flag) has += word;
  if (!has.empty()) s += "has:" + has + "\n";
  return s;
}

}  // namespace vr::analysis
