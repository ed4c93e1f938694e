#include "transform/simplify.hpp"

#include "analysis/live_vars.hpp"
#include "analysis/reaching_defs.hpp"
#include "ir/library.hpp"
#include "ir/typing.hpp"
#include "transform/fold.hpp"

#include <velociraptor/ir/visit.hpp>

#include <algorithm>
#include <map>

namespace vr::transform {

using namespace ir;

namespace {

// Whether the meaning or type of the call may depend on an argument being a constant (an axis); such an argument is not
// changed.
bool minds_constants(const LibCall& c) {
  const LibFunction* f = library_function(&c);
  return !f || !is_elementwise(f->sort);
}

// Whether every evaluation gives a new array that has no other owner.
bool new_array(const Expr& e) {
  switch (e.kind) {
    case Kind::Name:
    case Kind::Index:
    case Kind::TupleIndex:
    case Kind::FnCall:
      return false;
    default:
      return e.type.is_array() && e.type.layout != Layout::Strided;
  }
}

class Simplifier {
 public:
  Simplifier(const Module& m, const Function& f, const Conventions& c) : conventions_(c), function_(f) {
    names_.set_module(m);
    names_.set_function(f);
    scope_ = {&m, &f, c, &names_};
  }

  Body run() {
    Body body = function_.body;
    // A round can only make the function smaller or make more of it constant; few programs need more than two.
    for (int round = 0; round < 8; ++round) {
      Body next = simplify_flow(expressions(body), conventions_);
      next = without_dead(next);
      if (next == body) break;
      body = std::move(next);
    }
    return body;
  }

 private:
  // ---- expressions
  Body expressions(const Body& body) {
    Function now = function_;
    now.body = body;
    const analysis::ReachingDefs defs = analysis::reaching_defs(now);
    int number = 0;
    return statements(body, number, [&](const StmtPtr& s, int k) { return with_expressions(s, k, defs); });
  }

  // Simplifies an expression of the statement itself; nested statements have numbers of their own.
  ExprPtr expression(const ExprPtr& e, int number, const analysis::ReachingDefs& defs) {
    std::map<const Expr*, ExprPtr> made;  // the constants that replaced variables, and the original nodes
    Rewriter r;
    r.expr = [&](const ExprPtr& n) -> ExprPtr {
      ExprPtr c;
      if (auto* name = as<Name>(n)) c = known(*name, number, defs);
      if (!c) c = fold(*n);
      if (c) {
        made[c.get()] = n;
        keep_.push_back(c);
        return c;
      }
      if (auto* call = as<FnCall>(n)) return library(*call, n, made);
      if (auto* call = as<LibCall>(n)) return library(*call, n, made);
      return n;
    };
    return rewrite(e, r);
  }

  // The constant that the variable has here on every path.
  ExprPtr known(const Name& n, int number, const analysis::ReachingDefs& defs) {
    if (!n.type.is_scalar() || n.type.complex) return nullptr;
    const auto* use = defs.use(number, n.id);
    if (!use || use->many || use->definitions.empty()) return nullptr;
    ExprPtr all;
    for (int d : use->definitions) {
      const int at = defs.definitions[static_cast<size_t>(d)].statement;
      auto* a = at < 0 ? nullptr : as<Assign>(defs.statements.at(at).stmt);
      if (!a || a->targets.size() != 1 || !as<Name>(a->targets[0])) return nullptr;
      ExprPtr c = constant_as(a->value, n.type);
      if (!c || (all && !equal(*all, *c))) return nullptr;
      all = c;
    }
    return all;
  }

  ExprPtr library(const FnCall& call, const ExprPtr& n, const std::map<const Expr*, ExprPtr>& made) {
    if (!find_callee(call.callee, scope_).library) return n;
    auto c = std::make_shared<LibCall>(call.type, call.callee, call.args);
    c->pos = call.pos;
    return library(*c, c, made);
  }
  ExprPtr library(const LibCall& call, const ExprPtr& n, const std::map<const Expr*, ExprPtr>& made) {
    if (calls(&call, Lib::Copy) && call.args.size() == 1 && call.args[0]->type == call.type &&
        (call.type.is_scalar() || new_array(*call.args[0])))
      return call.args[0];
    if (!minds_constants(call)) return n;
    std::vector<ExprPtr> args = call.args;
    for (ExprPtr& a : args)
      if (auto it = made.find(a.get()); it != made.end()) a = it->second;
    if (args == call.args) return n;
    auto c = std::make_shared<LibCall>(call);
    c->args = std::move(args);
    return c;
  }

  StmtPtr with_expressions(const StmtPtr& s, int k, const analysis::ReachingDefs& defs) {
    auto now = [&](const ExprPtr& e) { return expression(e, k, defs); };
    auto replaced = [&](const auto& n, auto member) -> StmtPtr {
      ExprPtr e = now(n.*member);
      if (e == n.*member) return s;
      auto copy = std::make_shared<std::decay_t<decltype(n)>>(n);
      copy.get()->*member = std::move(e);
      return copy;
    };
    if (auto* n = as<Assign>(s)) {
      ExprPtr value = now(n->value);
      std::vector<ExprPtr> targets = n->targets;
      for (ExprPtr& t : targets) t = target(t, now);
      if (value == n->value && targets == n->targets) return s;
      auto copy = std::make_shared<Assign>(*n);
      copy->value = std::move(value);
      copy->targets = std::move(targets);
      return copy;
    }
    auto listed = [&](const auto& n, auto member) -> StmtPtr {
      std::vector<ExprPtr> exprs = n.*member;
      for (ExprPtr& e : exprs) e = now(e);
      if (exprs == n.*member) return s;
      auto copy = std::make_shared<std::decay_t<decltype(n)>>(n);
      copy.get()->*member = std::move(exprs);
      return copy;
    };
    if (auto* n = as<Return>(s)) return listed(*n, &Return::exprs);
    if (auto* n = as<Raise>(s)) return listed(*n, &Raise::args);
    if (auto* n = as<ExprStmt>(s)) return replaced(*n, &ExprStmt::expr);
    if (auto* n = as<If>(s)) return replaced(*n, &If::test);
    if (auto* n = as<While>(s)) return replaced(*n, &While::test);
    if (auto* n = as<For>(s)) return replaced(*n, &For::domain);
    if (auto* n = as<PFor>(s)) return replaced(*n, &PFor::domain);
    return s;
  }

  // Only the subscripts of a target are values.
  template <class F>
  ExprPtr target(const ExprPtr& t, F&& now) {
    if (auto* n = as<TupleExpr>(t)) {
      std::vector<ExprPtr> elems = n->elems;
      for (ExprPtr& e : elems) e = target(e, now);
      if (elems == n->elems) return t;
      auto copy = std::make_shared<TupleExpr>(*n);
      copy->elems = std::move(elems);
      return copy;
    }
    auto* n = as<Index>(t);
    if (!n) return t;
    std::shared_ptr<Index> copy;
    for (size_t k = 0; k < n->subscripts.size(); ++k) {
      ExprPtr e = now(n->subscripts[k].value);
      if (e == n->subscripts[k].value) continue;
      if (!copy) copy = std::make_shared<Index>(*n);
      copy->subscripts[k].value = std::move(e);
    }
    return copy ? ExprPtr(copy) : t;
  }

  // ---- dead assignments
  Body without_dead(const Body& body) {
    Function now = function_;
    now.body = body;
    const analysis::LiveVars live = analysis::live_vars(now);
    const auto& symbols = function_.symbols.all();
    int number = 0;
    return statements(body, number, [&](const StmtPtr& s, int k) -> StmtPtr {
      auto* a = as<Assign>(s);
      auto* n = a && a->targets.size() == 1 ? as<Name>(a->targets[0]) : nullptr;
      if (!n || !n->type.is_scalar() || !pure(a->value)) return s;
      auto it = std::lower_bound(symbols.begin(), symbols.end(), n->id,
                                 [](const Symbol& x, SymbolId id) { return x.id < id; });
      const auto at = static_cast<size_t>(it - symbols.begin());
      return live.after[static_cast<size_t>(k)].test(at) ? s : nullptr;
    });
  }

  // Applies f to every statement with its number (analysis::Statements); null removes the statement.
  template <class F>
  Body statements(const Body& body, int& number, F&& f) {
    Body out;
    out.reserve(body.size());
    for (const StmtPtr& s : body) {
      StmtPtr n = f(s, number++);
      auto inside = [&](const auto& from, auto member) {
        Body b = statements(from.*member, number, f);
        if (b == from.*member) return;
        auto copy = std::make_shared<std::decay_t<decltype(from)>>(static_cast<decltype(from)>(*n));
        copy.get()->*member = std::move(b);
        n = std::move(copy);
      };
      if (auto* l = as<StmtList>(s)) inside(*l, &StmtList::stmts);
      if (auto* l = as<For>(s)) inside(*l, &For::body);
      if (auto* l = as<PFor>(s)) inside(*l, &PFor::body);
      if (auto* l = as<While>(s)) inside(*l, &While::body);
      if (auto* l = as<If>(s)) {
        inside(*l, &If::then_body);
        inside(*l, &If::else_body);
      }
      if (n) out.push_back(std::move(n));
    }
    return out;
  }

  const Conventions& conventions_;
  const Function& function_;
  NameIndex names_;
  TypingScope scope_;
  std::vector<ExprPtr> keep_;  ///< keeps new constants alive, so that no other node gets their address
};

}  // namespace

ModulePtr simplify(const ModulePtr& module, const Conventions& conventions) {
  auto out = std::make_shared<Module>(*module);
  bool changed = false;
  for (FunctionPtr& f : out->functions) {
    Body b = Simplifier(*module, *f, conventions).run();
    if (b == f->body) continue;
    auto copy = std::make_shared<Function>(*f);
    copy->body = std::move(b);
    f = std::move(copy);
    changed = true;
  }
  return changed ? out : module;
}

}  // namespace vr::transform
