#include "ir/mclab_stmt.hpp"

#include "ir/mclab_builtins.hpp"
#include "ir/mclab_convert.hpp"
#include "ir/mclab_expr.hpp"

#include <fmt/format.h>

namespace vr::ir::mclab {

void returns(Translation& tr, const Return& s) {
  std::vector<ExprPtr> values;
  if (s.exprs.size() == tr.results.types.size()) {
    values = exprs(tr, s.exprs);
  } else if (s.exprs.empty()) {
    if (tr.results.variables.size() != tr.results.types.size())
      tr.out.refuse(
          s.pos, "missing-return",
          fmt::format("'{}' returns without values, and the variables of its results are not known", tr.f.name),
          "write the results into a 'returnstmt'");
    for (SymbolId id : tr.results.variables) values.push_back(tr.out.variable(id, s.pos));
  } else {
    tr.out.refuse(s.pos, "return-count",
                  fmt::format("{} values returned from '{}', which has {} results", s.exprs.size(), tr.f.name,
                              tr.results.types.size()));
  }
  for (size_t k = 0; k < values.size(); ++k) values[k] = fit(tr.out, values[k], tr.results.types[k]);
  tr.out.emit<Return>(s, std::move(values));
}

void stmt(Translation& tr, const Stmt& s) {
  switch (s.kind) {
    case Kind::Assign:
      return assign(tr, static_cast<const Assign&>(s));
    case Kind::StmtList: {
      const auto& l = static_cast<const StmtList&>(s);
      Body b = body(tr, l.stmts);
      return tr.out.emit<StmtList>(s, l.on_gpu, std::move(b));
    }
    case Kind::For: {
      const auto& l = static_cast<const For&>(s);
      return loop(tr, s, l.itervars, l.domain, l.body, false);
    }
    case Kind::PFor: {
      const auto& l = static_cast<const PFor&>(s);
      return loop(tr, s, l.itervars, l.domain, l.body, true);
    }
    case Kind::While: {
      const auto& w = static_cast<const While&>(s);
      Body before;
      Body* outer = tr.out.exchange_body(&before);
      ExprPtr test = condition(tr.out, expr(tr, w.test));
      tr.out.exchange_body(outer);
      Body inner = body(tr, w.body);
      if (before.empty()) return tr.out.emit<While>(s, test, std::move(inner));
      // The test needs statements of its own, which run in each iteration.
      tr.out.exchange_body(&before);
      tr.out.emit<If>(s, tr.out.make<Not>(s.pos, test), Body{std::make_shared<Break>()}, Body{});
      tr.out.exchange_body(outer);
      for (StmtPtr& x : inner) before.push_back(std::move(x));
      return tr.out.emit<While>(s, tr.out.make_as<IntConst>(Type::scalar(Elem::Bool), s.pos, int64_t{1}),
                                std::move(before));
    }
    case Kind::If: {
      const auto& i = static_cast<const If&>(s);
      ExprPtr test = condition(tr.out, expr(tr, i.test));
      Body a = body(tr, i.then_body), b = body(tr, i.else_body);
      return tr.out.emit<If>(s, test, std::move(a), std::move(b));
    }
    case Kind::Break:
      return tr.out.emit<Break>(s);
    case Kind::Continue:
      return tr.out.emit<Continue>(s);
    case Kind::Return:
      return returns(tr, static_cast<const Return&>(s));
    case Kind::Raise: {
      const auto& r = static_cast<const Raise&>(s);
      std::vector<ExprPtr> args;
      for (const ExprPtr& a : r.args) args.push_back(to_scalar(tr.out, expr(tr, a)));
      return tr.out.emit<Raise>(s, r.code, r.text, std::move(args));
    }
    case Kind::ExprStmt: {
      const auto& e = static_cast<const ExprStmt&>(s);
      const auto* call = as<FnCall>(e.expr);
      if (call && !find_callee(call->callee, tr.out.scope()).function && is_output(call->callee)) {
        tr.out.remark(s.pos, "output-dropped", fmt::format("'{}' is ignored: nothing is printed", call->callee));
        return;
      }
      ExprPtr x;
      if (call) {
        Callee c = find_callee(call->callee, tr.out.scope());
        if (const Type* t = c.variable ? &c.variable->type : c.function ? &c.function->type : nullptr)
          x = call_function(tr, call->callee, *t, exprs(tr, call->args), s.pos);
      }
      if (!x) x = expr(tr, e.expr);
      return tr.out.emit<ExprStmt>(s, x);
    }
    default:
      tr.out.refuse(s.pos, "internal", fmt::format("'{}' is no statement", kind_word(s.kind)));
  }
}

Body body(Translation& tr, const Body& b) {
  Body out;
  Body* outer = tr.out.exchange_body(&out);
  for (const StmtPtr& s : b) {
    if (!s) tr.out.refuse(tr.f.pos, "missing-part", "a statement is missing");
    stmt(tr, *s);
  }
  tr.out.exchange_body(outer);
  return out;
}

}  // namespace vr::ir::mclab
