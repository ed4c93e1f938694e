#include "analysis/loop_info.hpp"

#include "analysis/statements.hpp"
#include "ir/library.hpp"
#include "ir/sharing.hpp"

#include <velociraptor/ir/visit.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace vr::analysis {

namespace {
void target_facts(const ir::ExprPtr& t, LoopInfo& f) {
  if (auto* n = ir::as<ir::Name>(t)) f.assigned.insert(n->id);
  if (auto* n = ir::as<ir::TupleIndex>(t)) f.assigned.insert(n->tuple);
  if (auto* n = ir::as<ir::Index>(t)) f.stored.insert(n->array);
  if (auto* n = ir::as<ir::TupleExpr>(t))
    for (const ir::ExprPtr& e : n->elems) target_facts(e, f);
}
// The variables with which the value of an expression may share storage. Operators and library functions give new
// arrays, except `copy` under value semantics.
void storage_facts(const ir::ExprPtr& e, LoopInfo& f) {
  if (!e->type.is_array() && !e->type.is_tuple()) return;
  if (auto* n = ir::as<ir::Name>(e)) f.shared.insert(n->id);
  if (auto* n = ir::as<ir::TupleIndex>(e)) f.shared.insert(n->tuple);
  if (auto* n = ir::as<ir::Index>(e); n && e->type.layout == ir::Layout::Strided && !n->copyslice.value_or(false))
    (n->copyslice ? f.shared : f.viewed).insert(n->array);
  if (auto* n = ir::as<ir::TupleExpr>(e))
    for (const ir::ExprPtr& x : n->elems) storage_facts(x, f);
  if (auto* n = ir::as<ir::FnCall>(e))
    for (const ir::ExprPtr& x : n->args) storage_facts(x, f);
  if (auto* n = ir::as<ir::LibCall>(e); n && ir::calls(n, ir::Lib::Copy))
    for (const ir::ExprPtr& x : n->args) storage_facts(x, f);
}
}  // namespace

LoopInfo loop_info(const ir::Body& body) {
  LoopInfo f;
  ir::walk_stmts(body, [&](const ir::Stmt& s) {
    ++f.statements;
    if (auto* a = ir::as<ir::Assign>(&s)) {
      for (const ir::ExprPtr& t : a->targets) target_facts(t, f);
      // A store copies elements; with any other target, the target shares the value's storage afterwards.
      if (std::any_of(a->targets.begin(), a->targets.end(), [](auto& t) { return t->kind != ir::Kind::Index; }))
        storage_facts(a->value, f);
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
    if (auto* c = ir::as<ir::LibCall>(&e)) {
      bool arrays = c->type.is_array() || c->type.is_tuple();
      for (const ir::ExprPtr& a : c->args) arrays = arrays || a->type.is_array();
      if (arrays) f.library.insert(c->func);
    }
    if (auto id = ir::named_variable(e)) f.used.insert(*id);
    if (auto* n = ir::as<ir::Xchange>(&e)) {
      f.stored.insert(n->array);
      f.has_atomic = true;
    }
    if (auto* c = ir::as<ir::FnCall>(&e); c && !ir::find_library(c->callee)) f.calls.insert(c->callee);
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
  list("viewed:", viewed);
  list("used:", used);
  auto names = [&](const char* title, const std::set<std::string>& words) {
    if (words.empty()) return;
    s += title;
    for (const std::string& w : words) s += " " + w;
    s += "\n";
  };
  names("calls:", calls);
  names("library:", library);
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

namespace {
// Arrays with subscripts among a target's parts are stored to; those in its subscripts are read.
void target_references(const ir::ExprPtr& t, Loop& l) {
  auto reads = [&](const ir::ExprPtr& e) {
    ir::walk_exprs(e, [&](const ir::Expr& n) {
      if (auto* i = ir::as<ir::Index>(&n)) l.reads.push_back(i);
    });
  };
  if (auto* i = ir::as<ir::Index>(t)) {
    l.writes.push_back(i);
    for (const ir::Subscript& s : i->subscripts) reads(s.value);
  }
  if (auto* n = ir::as<ir::TupleExpr>(t))
    for (const ir::ExprPtr& e : n->elems) target_references(e, l);
}

const ir::Body* loop_body(const ir::Stmt& s) {
  if (auto* l = ir::as<ir::For>(&s)) return &l->body;
  if (auto* l = ir::as<ir::PFor>(&s)) return &l->body;
  if (auto* l = ir::as<ir::While>(&s)) return &l->body;
  return nullptr;
}
}  // namespace

std::vector<Loop> loops(const ir::Function& f) {
  const Statements all(f.body);
  std::vector<Loop> out;
  // the innermost loop that a statement begins or is part of
  std::vector<int> around(static_cast<size_t>(all.count()), -1);
  for (int k = 0; k < all.count(); ++k) {
    const StatementPlace& at = all.at(k);
    int& mine = around[static_cast<size_t>(k)];
    if (at.parent >= 0) mine = around[static_cast<size_t>(at.parent)];
    const ir::Body* body = loop_body(*at.stmt);
    if (!body) continue;
    Loop l;
    l.statement = k;
    l.parent = mine;
    l.info = loop_info(*body);
    ir::walk_stmts(*body, [&](const ir::Stmt& s) {
      auto* a = ir::as<ir::Assign>(&s);
      if (a)
        for (const ir::ExprPtr& t : a->targets) target_references(t, l);
      ir::for_each_child(s, {[&](const ir::ExprPtr& e) {
                               if (a && e != a->value) return;
                               ir::walk_exprs(e, [&](const ir::Expr& n) {
                                 if (auto* i = ir::as<ir::Index>(&n)) l.reads.push_back(i);
                               });
                             },
                             {}});
    });
    mine = static_cast<int>(out.size());
    if (l.parent >= 0) out[static_cast<size_t>(l.parent)].children.push_back(mine);
    out.push_back(std::move(l));
  }
  return out;
}

std::string loops_text(const ir::Function& f) {
  const std::vector<Loop> all = loops(f);
  std::string out;
  auto references = [&](const char* title, const std::vector<const ir::Index*>& list) {
    std::map<ir::SymbolId, int> counts;
    for (const ir::Index* i : list) ++counts[i->array];
    if (counts.empty()) return;
    out += title;
    for (const auto& [id, n] : counts) out += fmt::format(" {} x{}", variable_text(f, id), n);
    out += "\n";
  };
  for (size_t k = 0; k < all.size(); ++k) {
    const Loop& l = all[k];
    out += fmt::format("loop at {}", l.statement);
    if (l.parent >= 0) out += fmt::format(", in that at {}", all[static_cast<size_t>(l.parent)].statement);
    for (int c : l.children) out += fmt::format(", around that at {}", all[static_cast<size_t>(c)].statement);
    out += "\n";
    references("reads:", l.reads);
    references("writes:", l.writes);
    out += l.info.text(f);
  }
  return out;
}

}  // namespace vr::analysis
