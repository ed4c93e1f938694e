// Makes nodes of a program state types different from their natural ones.
//
// Nodes of a finished program are changed to state another type that the verifier accepts. The value is then converted
// at the node, and the enclosing operation gets another operand. Names are excluded, because they cannot state another
// type. Nodes on which the program's meaning depends are also excluded: subscripts in parallel loops (iterations would
// collide), inexact values, and sums that may be sums of floats.
#include "generator.hpp"

#include "ir/sharing.hpp"

#include <velociraptor/ir/verify.hpp>

namespace vr::smith {

namespace {

struct Candidates {
  const ir::Function& f;
  const std::set<SymbolId>& inexact;
  const std::vector<bool>& exact_results;
  std::vector<const ir::Expr*> found = {};

  bool reads_inexact(const ExprPtr& e) const {
    bool any = false;
    ir::walk_exprs(e, [&](const ir::Expr& x) {
      if (auto id = ir::named_variable(x)) any = any || inexact.count(*id);
    });
    return any;
  }

  /// Sums, and operations that become another function when they state a float.
  static bool keeps_operands(const ir::Expr& e) {
    static const std::set<std::string> sums = {"sum", "prod",  "mean",   "dot",   "mmult", "norm",
                                               "pow", "outer", "cumsum", "mldiv", "mrdiv", "cumprod"};
    if (auto* c = ir::as<ir::LibCall>(&e)) return sums.count(c->func) != 0;
    if (auto* c = ir::as<ir::FnCall>(&e)) return sums.count(c->callee) != 0;
    return false;
  }
  static bool is_power(const ir::Expr& e) {
    if (auto* c = ir::as<ir::LibCall>(&e)) return c->func == "pow";
    if (auto* c = ir::as<ir::FnCall>(&e)) return c->callee == "pow";
    return false;
  }

  void take(const ExprPtr& e, bool parallel) {
    const bool typed = e->type.is_numeric() || e->type.is_tuple() || e->type.is_domain();
    const bool slice = e->kind == Kind::Range && e->type.is_null();
    if ((typed || slice) && e->kind != Kind::Name && !is_power(*e)) found.push_back(e.get());
    if (keeps_operands(*e)) return;
    if (parallel && (e->kind == Kind::Index || e->kind == Kind::Xchange)) {
      if (auto* x = ir::as<ir::Xchange>(e))
        for (const ExprPtr& a : x->args) take(a, parallel);
      return;
    }
    ir::for_each_child(*e, {[&](const ExprPtr& x) { take(x, parallel); }, {}});
  }
  void subscripts(const ExprPtr& target) {
    if (ir::as<ir::Index>(target)) ir::for_each_child(*target, {[&](const ExprPtr& x) { take(x, false); }, {}});
  }
  void body(const ir::Body& b, bool parallel) {
    for (const StmtPtr& s : b) statement(*s, parallel);
  }
  void statement(const ir::Stmt& s, bool parallel) {
    if (auto* a = ir::as<ir::Assign>(&s)) {
      bool exact = !reads_inexact(a->value);
      for (const ExprPtr& t : a->targets) exact = exact && !reads_inexact(t);
      if (!exact) return;
      take(a->value, parallel);
      if (!parallel)
        for (const ExprPtr& t : a->targets) subscripts(t);
    } else if (auto* r = ir::as<ir::Return>(&s)) {
      for (size_t k = 0; k < r->exprs.size(); ++k)
        if (k < exact_results.size() && exact_results[k] && !reads_inexact(r->exprs[k])) take(r->exprs[k], parallel);
    } else {
      const bool own = s.kind == Kind::PFor;
      ir::for_each_child(s, {[&](const ExprPtr& e) {
                               if (!reads_inexact(e)) take(e, parallel);
                             },
                             [&](const StmtPtr& x) { statement(*x, parallel || own); }});
    }
  }
};

Elem other_elem(Elem e, Random& rng, bool with_bool) {
  for (;;) {
    const Elem x = ir::elem_table[rng.below(static_cast<int64_t>(std::size(ir::elem_table)))].elem;
    if (x != e && (with_bool || x != Elem::Bool)) return x;
  }
}

Type other_type(const Type& t, Random& rng) {
  if (t.is_numeric()) {
    Type r = t;
    const bool layout = t.is_array() && rng.chance(40);
    if (!layout || rng.chance(50)) r.elem = other_elem(t.elem, rng, true);
    if (!t.complex && rng.chance(8)) r.complex = true;
    if (layout) r.layout = rng.pick({Layout::RowMajor, Layout::ColMajor, Layout::Strided});
    return r;
  }
  if (t.is_null()) return Type::domain({Type::scalar(rng.pick({Elem::Int32, Elem::Int64, Elem::Float64, Elem::Int16}))});
  std::vector<Type> parts = t.components();
  if (parts.empty()) return t;
  Type& part = parts[static_cast<size_t>(rng.below(static_cast<int64_t>(parts.size())))];
  if (t.is_domain())
    part = Type::scalar(other_elem(part.elem, rng, false));
  else if (part.is_numeric())
    part = other_type(part, rng);
  return t.is_domain() ? Type::domain(std::move(parts)) : Type::tuple(std::move(parts));
}

ExprPtr with_type(const ir::Expr& e, const Type& t) {
  return ir::visit(e, [&](const auto& n) -> ExprPtr {
    auto copy = std::make_shared<std::decay_t<decltype(n)>>(n);
    copy->type = t;
    return copy;
  });
}

}  // namespace

void restate_types(ir::Module& m, const std::vector<FunctionInfo>& functions, Random& rng) {
  for (int64_t k = rng.range(1, 6); k > 0; --k) {
    const size_t which = rng.chance(60) ? m.functions.size() - 1
                                        : static_cast<size_t>(rng.below(static_cast<int64_t>(m.functions.size())));
    const ir::FunctionPtr before = m.functions[which];
    std::vector<bool> exact;
    for (const ResultInfo& r : functions[which].results) exact.push_back(r.exact);
    Candidates c{*before, functions[which].inexact, exact};
    c.body(before->body, false);
    if (c.found.empty()) continue;
    const ir::Expr* node = rng.pick(c.found);
    const Type t = other_type(node->type, rng);
    auto after = std::make_shared<ir::Function>(*before);
    after->body =
        ir::rewrite(before->body, {[&](const ExprPtr& e) { return e.get() == node ? with_type(*e, t) : e; }, {}});
    m.functions[which] = after;
    if (!ir::verify(m).empty()) m.functions[which] = before;
  }
}

}  // namespace vr::smith
