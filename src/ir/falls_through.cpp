#include "ir/falls_through.hpp"

#include <velociraptor/ir/visit.hpp>

#include <algorithm>

namespace vr::ir {

namespace {

bool has_break(const Body& body) {
  for (const StmtPtr& s : body) {
    if (!s) continue;
    if (s->kind == Kind::Break) return true;
    if (const auto* i = as<If>(s); i && (has_break(i->then_body) || has_break(i->else_body))) return true;
    if (const auto* l = as<StmtList>(s); l && has_break(l->stmts)) return true;
  }
  return false;
}

bool always_true(const ExprPtr& e) {
  if (const auto* c = as<IntConst>(e)) return c->value != 0;
  if (const auto* c = as<FloatConst>(e)) return c->value != 0;
  return false;
}

}  // namespace

bool falls_through(const Stmt& s) {
  switch (s.kind) {
    case Kind::Return:
    case Kind::Raise:
      return false;
    case Kind::StmtList:
      return falls_through(static_cast<const StmtList&>(s).stmts);
    case Kind::If: {
      const auto& i = static_cast<const If&>(s);
      return falls_through(i.then_body) || falls_through(i.else_body);
    }
    case Kind::While: {
      const auto& w = static_cast<const While&>(s);
      return !always_true(w.test) || has_break(w.body);
    }
    default:
      return true;
  }
}

bool falls_through(const Body& body) {
  return std::all_of(body.begin(), body.end(), [](const StmtPtr& s) { return !s || falls_through(*s); });
}

}  // namespace vr::ir
