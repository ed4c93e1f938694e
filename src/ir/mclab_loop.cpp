// The mclab dialect: loops, and which parallel loops remain parallel.
#include "ir/mclab_convert.hpp"
#include "ir/mclab_expr.hpp"
#include "ir/mclab_stmt.hpp"
#include "ir/sharing.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace vr::ir::mclab {

static ExprPtr loop_domain(Translation& tr, const ExprPtr& domain, std::vector<SymbolId>& itervars, TextPos pos) {
  std::vector<ExprPtr> ranges;
  if (domain && domain->kind == Kind::Range) ranges.push_back(domain);
  if (const auto* d = as<Domain>(domain)) ranges = d->ranges;
  if (ranges.empty() || ranges.size() != itervars.size())
    tr.out.refuse(pos, "loop-domain", "the loop does not run over a range",
                  "loops over an array's columns are not possible; loop over their numbers");
  std::vector<ExprPtr> out;
  for (size_t k = 0; k < ranges.size(); ++k) {
    const auto* r = as<Range>(ranges[k]);
    if (!r || !r->start || !r->stop) tr.out.refuse(pos, "loop-domain", "the loop's range has no start or no stop");
    Type t = tr.out.symbol(itervars[k], pos).type;
    if (t.is_array() || t.complex || !t.is_numeric()) {
      // The variable has other uses elsewhere, so the loop counts with a variable of its own.
      if (!t.is_numeric())
        tr.out.refuse(pos, "itervar-type",
                      fmt::format("iteration variable '{}' is {}", tr.out.name_of(itervars[k]), t.text()));
      itervars[k] = tr.out.temporary("loop_temp", Type::scalar(Elem::Float64));
      t = Type::scalar(Elem::Float64);
    }
    Type wide = t;
    if (t.elem == Elem::Bool) wide.elem = Elem::Float64;
    if (!is_float(wide.elem) && r->step) {
      ExprPtr step = to_scalar(tr.out, expr(tr, r->step));
      ExprPtr whole = to_elem(tr.out, step, Elem::Int64, false);
      // An integer variable cannot be incremented by a step that may have a fraction.
      if (is_float(step->type.elem) && whole->kind == Kind::Cast) wide.elem = Elem::Float64;
    }
    if (!(wide == t) && tr.variables.types.find(itervars[k])) {
      widen(tr, itervars[k], wide, pos);
    }
    out.push_back(range(tr, *r, &wide));
  }
  return tr.out.make<Domain>(domain->pos, std::move(out));
}

namespace {

// Whether the body contains a break or continue of this loop, or a return.
bool jumps_out(const Body& body) {
  for (const StmtPtr& s : body) {
    if (s->kind == Kind::Break || s->kind == Kind::Continue || s->kind == Kind::Return) return true;
    if (const auto* i = as<If>(s); i && (jumps_out(i->then_body) || jumps_out(i->else_body))) return true;
    if (const auto* l = as<StmtList>(s); l && jumps_out(l->stmts)) return true;
    bool returns = false;
    walk_stmts({s}, [&](const Stmt& x) { returns = returns || x.kind == Kind::Return; });
    if (returns) return true;
  }
  return false;
}

Body renamed(const Body& body, SymbolId from, SymbolId to) {
  Rewriter r;
  r.expr = [&](const ExprPtr& e) -> ExprPtr {
    auto with = [&](auto* n, auto member) -> ExprPtr {
      if (n->*member != from) return e;
      auto copy = std::make_shared<std::decay_t<decltype(*n)>>(*n);
      (*copy).*member = to;
      return copy;
    };
    if (const auto* n = as<Name>(e)) return with(n, &Name::id);
    if (const auto* n = as<Index>(e)) return with(n, &Index::array);
    if (const auto* n = as<Dim>(e)) return with(n, &Dim::array);
    if (const auto* n = as<DimVec>(e)) return with(n, &DimVec::array);
    if (const auto* n = as<RealExpr>(e)) return with(n, &RealExpr::id);
    if (const auto* n = as<ImagExpr>(e)) return with(n, &ImagExpr::id);
    if (const auto* n = as<Xchange>(e)) return with(n, &Xchange::array);
    return e;
  };
  return rewrite(body, r);
}

}  // namespace

// MATLAB's parfor allows reductions and temporaries. Temporary arrays get a variable of their own; a loop that carries
// a value from one iteration to the next runs serially.
static bool make_parallel(Translation& tr, Body& b, const std::vector<SymbolId>& itervars, TextPos pos) {
  if (jumps_out(b)) {
    tr.out.remark(pos, "serial-pfor", "the parallel loop contains a break or return: it runs serially");
    return false;
  }
  const std::vector<SymbolId> early = read_before_assigned(b, *tr.out.function());
  for (SymbolId id : assigned_variables(b)) {
    const Symbol s = tr.out.symbol(id, pos);
    if (std::find(itervars.begin(), itervars.end(), id) != itervars.end()) {
      tr.out.remark(pos, "serial-pfor",
                    fmt::format("the parallel loop assigns to its variable '{}': it runs serially", s.name));
      return false;
    }
    if (std::binary_search(early.begin(), early.end(), id)) {
      tr.out.remark(
          pos, "serial-pfor",
          fmt::format("'{}' is carried from one iteration of the parallel loop to the next: it runs serially", s.name));
      return false;
    }
    if (s.type.is_array()) b = renamed(b, id, tr.out.temporary((s.name + "_private").c_str(), s.type));
  }
  return true;
}

void loop(Translation& tr, const Stmt& s, const std::vector<SymbolId>& vars, const ExprPtr& domain, const Body& b,
          bool parallel) {
  std::vector<SymbolId> itervars = vars;
  ExprPtr d = loop_domain(tr, domain, itervars, s.pos);
  tr.pfors += parallel;
  Body inner = body(tr, b);
  tr.pfors -= parallel;
  Body start;
  for (size_t k = 0; k < vars.size(); ++k)
    if (itervars[k] != vars[k]) {
      Body* outer = tr.out.exchange_body(&start);
      tr.out.emit_assign(s.pos, tr.out.variable(vars[k], s.pos),
                         fit_variable(tr, tr.out.variable(itervars[k], s.pos), vars[k], s.pos));
      tr.out.exchange_body(outer);
    }
  if (!start.empty()) inner.insert(inner.begin(), start.begin(), start.end());
  if (parallel && make_parallel(tr, inner, itervars, s.pos)) {
    tr.out.emit<PFor>(s, std::move(itervars), d, std::nullopt, std::move(inner));
    return;
  }
  if (parallel) {  // stores may enlarge arrays again
    Rewriter r;
    r.expr = [](const ExprPtr& e) -> ExprPtr {
      const auto* i = as<Index>(e);
      if (!i || std::none_of(i->subscripts.begin(), i->subscripts.end(),
                             [](const Subscript& x) { return x.grow.has_value(); }))
        return e;
      auto n = std::make_shared<Index>(*i);
      for (Subscript& x : n->subscripts) x.grow.reset();
      return n;
    };
    if (tr.pfors == 0) inner = rewrite(inner, r);
  }
  tr.out.emit<For>(s, std::move(itervars), d, std::move(inner));
}

}  // namespace vr::ir::mclab
