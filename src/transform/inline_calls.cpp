#include "transform/inline_calls.hpp"

#include "analysis/call_graph.hpp"
#include "analysis/loop_info.hpp"
#include "ir/conversions.hpp"
#include "ir/library.hpp"
#include "ir/sharing.hpp"
#include "transform/rename.hpp"
#include "transform/tail_returns.hpp"

#include <velociraptor/ir/visit.hpp>

#include <algorithm>
#include <set>

namespace vr::transform {

using namespace ir;

namespace {

/// A function as a candidate for inlining.
struct Callee {
  FunctionPtr function;
  bool possible = false;
  bool makes_arrays = false;
  bool no_kernel = false;  ///< a parallel loop of it cannot be a kernel, which it would become inside a section
  int statements = 0;
  analysis::LoopInfo info;
  std::set<std::string> names;  ///< names of functions that it calls or takes handles of
  std::vector<SymbolId>
      start_values;  ///< scalars that may be read before they are assigned: each call starts them at 0
};

/// Whether a parallel loop in the body may allocate memory in an iteration (the verifier's rule allocation-in-kernel).
bool allocates_in_pfor(const Body& body) {
  bool found = false;
  walk_stmts(body, [&](const Stmt& s) {
    auto* loop = as<PFor>(&s);
    if (!loop || found) return;
    walk_exprs(loop->body, [&](const Expr& e) {
      auto* call = as<FnCall>(&e);
      const bool made = e.kind == Kind::Alloc || e.kind == Kind::DimVec || e.kind == Kind::LibCall || call;
      found = found || (made && e.type.is_array()) || (call && !find_library(call->callee));
    });
    walk_stmts(loop->body, [&](const Stmt& inner) {
      auto* a = as<Assign>(&inner);
      for (size_t k = 0; a && k < a->targets.size(); ++k)
        found = found || (a->targets[k]->kind == Kind::Name && a->targets[k]->type.is_array());
    });
  });
  return found;
}

Callee look_at(const FunctionPtr& f, bool recursive, const InlineLimits& limits) {
  Callee c;
  c.function = f;
  c.info = analysis::loop_info(f->body);
  c.statements = c.info.statements;
  c.names = analysis::called_names(f->body);
  if (recursive || f->region || f->external || c.statements > limits.callee_statements) return c;
  for (const Symbol& s : f->symbols.all())
    if (!s.type.is_numeric()) return c;
  for (const Type& t : f->type.outputs())
    if (!t.is_void() && !t.is_numeric()) return c;
  const std::set<SymbolId> args(f->args.begin(), f->args.end());
  if (args.size() != f->args.size()) return c;
  for (SymbolId id : read_before_assigned(f->body, *f)) {
    if (args.count(id)) continue;
    if (f->symbols.at(id).type.is_array()) return c;
    c.start_values.push_back(id);
  }
  for (const Symbol& s : f->symbols.all())
    c.makes_arrays = c.makes_arrays || (s.type.is_array() && (!args.count(s.id) || c.info.assigned.count(s.id)));
  c.makes_arrays = c.makes_arrays || c.info.has_alloc;
  for (const Type& t : f->type.outputs()) c.makes_arrays = c.makes_arrays || t.is_array();
  c.no_kernel = allocates_in_pfor(f->body);
  const bool outputs = !f->type.outputs().empty() && !f->type.outputs()[0].is_void();
  c.possible = tail_returns(f->body, outputs, [](const Return&) { return Body{}; }).has_value();
  return c;
}

/// Whether an inlined body, which assigns none of the caller's variables, cannot change the value.
bool stable(const Expr& e) {
  switch (e.kind) {
    case Kind::Name:
    case Kind::IntConst:
    case Kind::FloatConst:
    case Kind::ComplexConst:
    case Kind::FnHandle:
    case Kind::Dim:
      return true;
    case Kind::RealExpr:
    case Kind::ImagExpr:
      return e.type.is_scalar();
    default:
      return false;
  }
}

class Inliner {
 public:
  Inliner(const std::map<std::string, Callee>& callees, const Conventions& conventions, const InlineLimits& limits,
          const Function& f)
      : callees_(callees), conv_(conventions), limits_(limits), original_(f), sharing_(f), symbols_(f.symbols) {
    for (const Symbol& s : f.symbols.all())
      if (s.type.is_function()) handles_.insert(s.name);
    statements_ = analysis::loop_info(f.body).statements;
  }

  /// The function with calls inlined; null if none was.
  FunctionPtr run() {
    // Calls in loops and sections first: they gain most, and all calls share the limit.
    Body b = original_.body;
    for (bool everywhere : {false, true}) {
      everywhere_ = everywhere;
      b = body(b, {});
    }
    if (!count_) return nullptr;
    auto out = std::make_shared<Function>(original_);
    out->body = std::move(b);
    out->symbols = symbols_;
    return out;
  }

 private:
  struct Context {
    bool loop = false, section = false, kernel = false;
  };

  Body body(const Body& in, Context c) {
    Body out;
    for (const StmtPtr& s : in) statement(s, c, out);
    return out;
  }

  void statement(const StmtPtr& s, Context c, Body& out) {
    switch (s->kind) {
      case Kind::Assign: {
        const auto& a = static_cast<const Assign&>(*s);
        if (auto* call = as<FnCall>(a.value); call && direct(*call, c))
          if (std::vector<ExprPtr> results = result_targets(a, *call); !results.empty())
            return inline_call(*call, results, *s, c, out);
        // A target's subscripts are evaluated after the value: calls in the value can be moved before the statement.
        ExprPtr value = without_calls(a.value, *s, c, out);
        return push(s, a, [&](Assign& n) { n.value = value; }, value != a.value, out);
      }
      case Kind::ExprStmt: {
        const auto& e = static_cast<const ExprStmt&>(*s);
        if (auto* call = as<FnCall>(e.expr); call && direct(*call, c)) {
          std::vector<ExprPtr> results;
          for (const Type& t : outputs(*call)) results.push_back(fresh("unused", t));
          return inline_call(*call, results, *s, c, out);
        }
        ExprPtr value = without_calls(e.expr, *s, c, out);
        return push(s, e, [&](ExprStmt& n) { n.expr = value; }, value != e.expr, out);
      }
      case Kind::Return: {
        const auto& r = static_cast<const Return&>(*s);
        if (r.exprs.size() != 1) return out.push_back(s);
        ExprPtr value = without_calls(r.exprs[0], *s, c, out);
        return push(s, r, [&](Return& n) { n.exprs[0] = value; }, value != r.exprs[0], out);
      }
      case Kind::Raise: {
        const auto& r = static_cast<const Raise&>(*s);
        if (r.args.size() != 1) return out.push_back(s);
        ExprPtr value = without_calls(r.args[0], *s, c, out);
        return push(
            s, r, [&](Raise& n) { n.args[0] = value; }, value != r.args[0], out);
      }
      case Kind::If: {
        const auto& i = static_cast<const If&>(*s);
        ExprPtr test = without_calls(i.test, *s, c, out);
        Body a = body(i.then_body, c), b = body(i.else_body, c);
        const bool changed = test != i.test || a != i.then_body || b != i.else_body;
        return push(
            s, i,
            [&](If& n) {
              n.test = test;
              n.then_body = std::move(a);
              n.else_body = std::move(b);
            },
            changed, out);
      }
      case Kind::StmtList: {
        const auto& l = static_cast<const StmtList&>(*s);
        c.section = c.section || l.on_gpu;
        Body b = body(l.stmts, c);
        const bool changed = b != l.stmts;
        return push(s, l, [&](StmtList& n) { n.stmts = std::move(b); }, changed, out);
      }
      case Kind::While:
        return while_(s, c, out);
      case Kind::For: {
        const auto& l = static_cast<const For&>(*s);
        ExprPtr domain = without_calls(l.domain, *s, c, out);
        c.loop = true;
        Body b = body(l.body, c);
        const bool changed = domain != l.domain || b != l.body;
        return push(
            s, l,
            [&](For& n) {
              n.domain = domain;
              n.body = std::move(b);
            },
            changed, out);
      }
      case Kind::PFor: {
        const auto& l = static_cast<const PFor&>(*s);
        ExprPtr domain = without_calls(l.domain, *s, c, out);
        c.loop = true;
        c.kernel = c.kernel || c.section;
        // The shared variables are determined before variables of callees are added: those are private to an iteration.
        auto shared = l.shared ? *l.shared : sharing_.of(l).shared;
        Body b = body(l.body, c);
        const bool inside = b != l.body;
        return push(
            s, l,
            [&](PFor& n) {
              n.domain = domain;
              if (inside) n.shared = shared;
              n.body = std::move(b);
            },
            inside || domain != l.domain, out);
      }
      default:
        return out.push_back(s);
    }
  }

  // while (f(x)) becomes while (true) { t = f(x); if (t) {} else break; ... }: `continue` still goes to the test.
  void while_(const StmtPtr& s, Context c, Body& out) {
    const auto& w = static_cast<const While&>(*s);
    c.loop = true;
    Body head;
    ExprPtr test = without_calls(w.test, *s, c, head);
    Body b = body(w.body, c);
    if (test == w.test) {
      const bool changed = b != w.body;
      return push(s, w, [&](While& n) { n.body = std::move(b); }, changed, out);
    }
    auto leave = std::make_shared<If>(test, Body{}, Body{std::make_shared<Break>()});
    place(*leave, *s);
    head.push_back(leave);
    head.insert(head.end(), b.begin(), b.end());
    auto copy = std::make_shared<While>(w);
    copy->test = std::make_shared<IntConst>(Type::scalar(Elem::Bool), 1);
    copy->body = std::move(head);
    out.push_back(copy);
  }

  template <class N, class F>
  static void push(const StmtPtr& s, const N& node, F&& change, bool changed, Body& out) {
    if (!changed) return out.push_back(s);
    auto copy = std::make_shared<N>(node);
    change(*copy);
    out.push_back(copy);
  }

  // ---------------------------------------------------------------- which calls
  const std::vector<Type>& outputs(const FnCall& c) const {
    static const std::vector<Type> nothing;
    const auto& outs = callees_.at(c.callee).function->type.outputs();
    return outs.size() == 1 && outs[0].is_void() ? nothing : outs;
  }

  bool direct(const FnCall& call, const Context& c) const {
    auto it = callees_.find(call.callee);
    if (it == callees_.end() || !it->second.possible || handles_.count(call.callee)) return false;
    const Callee& callee = it->second;
    if (!everywhere_ && !c.loop && !c.section) return false;
    if (c.kernel && callee.makes_arrays) return false;
    if (c.section && callee.no_kernel) return false;
    if (statements_ + callee.statements > limits_.caller_statements) return false;
    if (call.args.size() != callee.function->args.size()) return false;
    // Another stated type would mean a conversion of the call's value, which the inlined results would not get.
    const auto& outs = outputs(call);
    const Type natural = outs.empty() ? Type::void_() : outs.size() == 1 ? outs[0] : Type::tuple(outs);
    if (!states_its_own(call.type, natural)) return false;
    for (const std::string& name : callee.names)
      if (handles_.count(name)) return false;  // the caller's variable would take that name over
    return true;
  }

  /// The call that is evaluated first, and in `before` the expressions evaluated before it, in order; null if there is
  /// none.
  ExprPtr first_call(const ExprPtr& e, const Context& c, std::vector<ExprPtr>& before) const {
    const size_t mark = before.size();
    std::vector<ExprPtr> children;
    for_each_child(*e, {[&](const ExprPtr& x) { children.push_back(x); }, nullptr});
    // Only operands that are always evaluated. The second operand of && and || may not be, and the operands of an
    // exchange are evaluated after its subscripts were checked, which may fault.
    size_t always = children.size();
    if ((e->kind == Kind::And || e->kind == Kind::Or) && e->type.is_scalar()) always = 1;
    if (auto* n = as<Xchange>(e)) always = n->subscripts.size();
    for (size_t k = 0; k < always; ++k) {
      if (ExprPtr call = first_call(children[k], c, before)) return call;
      before.push_back(children[k]);
    }
    before.resize(mark);
    auto* call = as<FnCall>(e);
    return call && !refused_.count(e.get()) && direct(*call, c) ? e : nullptr;
  }

  /// Replaces each call by a variable if the call can be inlined before the expression.
  ExprPtr without_calls(ExprPtr e, const Stmt& at, const Context& c, Body& out) {
    while (true) {
      std::vector<ExprPtr> before;
      ExprPtr call = first_call(e, c, before);
      if (!call) return e;
      const auto& node = static_cast<const FnCall&>(*call);
      std::map<const Expr*, ExprPtr> replaced;
      Body pre;
      bool fits = outputs(node).size() == 1 && occurrences(e, call) == 1;
      for (const ExprPtr& b : before) fits = fits && pin(b, e, at, replaced, pre);
      if (!fits) {
        refused_.insert(call.get());
        continue;
      }
      ExprPtr result = fresh(node.callee + "_result", outputs(node)[0]);
      out.insert(out.end(), pre.begin(), pre.end());
      inline_call(node, {result}, at, c, out);
      replaced[call.get()] = result;
      Rewriter r;
      r.expr = [&](const ExprPtr& x) {
        auto it = replaced.find(x.get());
        return it == replaced.end() ? x : it->second;
      };
      e = rewrite(e, r);
    }
  }

  static int occurrences(const ExprPtr& in, const ExprPtr& node) {
    int n = 0;
    walk_exprs(in, [&](const Expr& x) { n += &x == node.get(); });
    return n;
  }

  /// Computes a part of `whole` in a statement before it. Returns false if that could change the meaning.
  bool pin(const ExprPtr& e, const ExprPtr& whole, const Stmt& at, std::map<const Expr*, ExprPtr>& replaced,
           Body& pre) {
    if (stable(*e)) return true;
    if (e->kind == Kind::Range || e->kind == Kind::Domain) {
      bool ok = true;
      for_each_child(*e, {[&](const ExprPtr& x) { ok = ok && pin(x, whole, at, replaced, pre); }, nullptr});
      return ok;
    }
    if (!e->type.is_scalar() || occurrences(whole, e) != 1) return false;
    ExprPtr t = fresh("t", e->type);
    assign({t}, e, at, pre);
    replaced[e.get()] = t;
    return true;
  }

  // ---------------------------------------------------------------- one call
  ExprPtr fresh(const std::string& name, const Type& type) {
    return std::make_shared<Name>(type, symbols_.fresh(name, type));
  }
  static void place(Stmt& s, const Stmt& from) {
    s.pos = from.pos;
    s.loc = from.loc;
    s.inlined = from.inlined;
  }
  static void assign(std::vector<ExprPtr> targets, ExprPtr value, const Stmt& at, Body& out) {
    auto s = std::make_shared<Assign>(std::move(targets), std::move(value));
    place(*s, at);
    out.push_back(s);
  }

  /// Variables that can take the callee's results directly; empty if the targets are not such variables.
  std::vector<ExprPtr> result_targets(const Assign& a, const FnCall& call) const {
    const std::vector<ExprPtr>* targets = &a.targets;
    if (auto* t = a.targets.size() == 1 ? as<TupleExpr>(a.targets[0]) : nullptr) targets = &t->elems;
    const auto& outs = outputs(call);
    if (outs.empty() || targets->size() != outs.size()) return {};
    std::set<SymbolId> seen;
    for (size_t k = 0; k < outs.size(); ++k) {
      auto* n = as<Name>((*targets)[k]);
      if (!n || n->type != outs[k] || !seen.insert(n->id).second) return {};
    }
    return *targets;
  }

  /// The argument of `copy(x)`, which is redundant under value semantics and for scalars.
  const ExprPtr& without_copy(const ExprPtr& e) const {
    auto* c = as<LibCall>(e);
    if (!c || !calls(c, Lib::Copy) || c->args.size() != 1 || c->args[0]->type != c->type) return e;
    return conv_.assign == AssignMode::Copy || c->type.is_scalar() ? without_copy(c->args[0]) : e;
  }

  /// Whether parameter `id` can be replaced by the argument's variable.
  bool same_variable(const Callee& c, SymbolId id, const Expr& arg) const {
    const Type& t = c.function->symbols.at(id).type;
    if (c.info.assigned.count(id)) return false;
    if (!t.is_array()) return arg.kind == Kind::Name && arg.type == t;
    if (arg.kind != Kind::Name || arg.type != t) return false;
    if (!c.info.stored.count(id)) return true;
    if (conv_.assign == AssignMode::Copy || conv_.grow) return false;
    bool grows = false;
    walk_exprs(c.function->body, [&](const Expr& e) {
      if (auto* i = as<Index>(&e); i && i->array == id)
        for (const Subscript& s : i->subscripts) grows = grows || s.grow.value_or(false);
    });
    return !grows;
  }

  void inline_call(const FnCall& call, const std::vector<ExprPtr>& results, const Stmt& at, const Context& c,
                   Body& out) {
    const Callee& callee = callees_.at(call.callee);
    const Function& f = *callee.function;
    ++count_;
    statements_ += callee.statements;
    std::map<SymbolId, SymbolId> ids;
    auto from = std::make_shared<InlinedFrom>();
    from->function = f.name;
    std::vector<std::pair<ExprPtr, ExprPtr>> arrays;
    for (size_t k = 0; k < f.args.size(); ++k) {
      // Arguments are evaluated in order, and may contain calls themselves.
      ExprPtr arg = without_copy(without_calls(call.args[k], at, c, out));
      const Symbol& param = f.symbols.at(f.args[k]);
      // Two parameters replaced by one variable would lose the second one's name in errors.
      auto taken = [&](SymbolId id) {
        return std::any_of(from->names.begin(), from->names.end(), [&](const auto& n) { return n.first == id; });
      };
      if (same_variable(callee, param.id, *arg) && !taken(static_cast<const Name&>(*arg).id)) {
        ids[param.id] = static_cast<const Name&>(*arg).id;
        from->names.emplace_back(ids[param.id], param.name);
        continue;
      }
      ExprPtr p = fresh(param.name, param.type);
      ids[param.id] = static_cast<const Name&>(*p).id;
      // An array is converted when the function is called: after later arguments were evaluated.
      if (arg->kind == Kind::Name && arg->type.is_array())
        arrays.emplace_back(p, arg);
      else
        assign({p}, arg, at, out);
    }
    for (const auto& [p, arg] : arrays) assign({p}, arg, at, out);
    for (const Symbol& s : f.symbols.all())
      if (!ids.count(s.id)) ids[s.id] = symbols_.fresh(s.name, s.type);

    SharingAnalysis sharing(f);
    Rewriter explicit_lists;
    explicit_lists.stmt = [&](const StmtPtr& s) -> Body {
      auto* p = as<PFor>(s);
      if (!p || p->shared) return {s};
      auto copy = std::make_shared<PFor>(*p);
      copy->shared = sharing.of(*p).shared;
      return {copy};
    };
    for (SymbolId id : callee.start_values) {
      const Type& t = f.symbols.at(id).type;
      assign({std::make_shared<Name>(t, ids[id])}, std::make_shared<IntConst>(t, 0), at, out);
    }
    Body renamed = rename(rewrite(f.body, explicit_lists), ids);
    auto inlined = tail_returns(renamed, false, [&](const Return& r) -> Body {
      if (results.empty()) return {};
      Body b;
      if (results.size() == 1 || r.exprs.size() == 1) {
        assign(results, r.exprs.at(0), r, b);
      } else {
        std::vector<Type> types;
        for (const ExprPtr& e : r.exprs) types.push_back(e->type);
        assign(results, std::make_shared<TupleExpr>(Type::tuple(types), r.exprs), r, b);
      }
      return b;
    });
    // Statements of a function that was itself inlined keep that function's names, for variables with new ids.
    std::map<const InlinedFrom*, std::shared_ptr<const InlinedFrom>> origins;
    origins[nullptr] = from;
    Rewriter mark;
    mark.stmt = [&](const StmtPtr& s) -> Body {
      auto& origin = origins[s->inlined.get()];
      if (!origin) {
        auto renamed_origin = std::make_shared<InlinedFrom>(*s->inlined);
        for (auto& [id, name] : renamed_origin->names) id = ids.at(id);
        origin = renamed_origin;
      }
      return {visit(*s, [&](const auto& n) -> StmtPtr {
        auto copy = std::make_shared<std::decay_t<decltype(n)>>(n);
        copy->inlined = origin;
        return copy;
      })};
    };
    Body marked = rewrite(*inlined, mark);
    out.insert(out.end(), marked.begin(), marked.end());
  }

  const std::map<std::string, Callee>& callees_;
  const Conventions& conv_;
  const InlineLimits& limits_;
  const Function& original_;
  SharingAnalysis sharing_;
  SymbolTable symbols_;
  std::set<std::string> handles_;
  std::set<const Expr*> refused_;
  int statements_ = 0, count_ = 0;
  bool everywhere_ = false;
};

}  // namespace

ModulePtr inline_calls(const ModulePtr& module, const Conventions& conventions, const InlineLimits& limits) {
  const analysis::CallGraph calls = analysis::call_graph(*module);
  std::map<std::string, Callee> callees;
  std::map<std::string, FunctionPtr> changed;
  for (const FunctionPtr& f : calls.bottom_up) {
    FunctionPtr now = Inliner(callees, conventions, limits, *f).run();
    if (now) changed[f->name] = now;
    callees.emplace(f->name, look_at(now ? now : f, calls.recursive.count(f->name) != 0, limits));
  }
  if (changed.empty()) return module;
  auto out = std::make_shared<Module>(*module);
  for (FunctionPtr& f : out->functions)
    if (auto it = changed.find(f->name); it != changed.end()) f = it->second;
  return out;
}

}  // namespace vr::transform
