#include "interp/statements.hpp"

#include "interp/elementwise.hpp"
#include "interp/machine.hpp"
#include "interp/range.hpp"
#include "ir/raise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

namespace vr::interp {

void Statements::step() {
  if (step_limit_ > 0 && ++steps_ > step_limit_)
    fail(Code::Interrupted, fmt::format("stopped after {} statements", step_limit_));
  if (interrupt_ && __atomic_load_n(interrupt_, __ATOMIC_RELAXED) != 0 &&
      (!host_->poll || host_->poll(host_->context) != 0))
    fail(Code::Interrupted, "interrupted");
}

Flow Statements::run(const ir::Body& body) {
  for (const ir::StmtPtr& s : body)
    if (Flow flow = run(*s); flow != Flow::Next) return flow;
  return Flow::Next;
}

Flow Statements::run(const ir::Stmt& s) {
  here_.statement = &s;
  step();
  if (!stack_.low()) return ir::visit(s, [this](const auto& n) { return node(n); });
  Flow flow = Flow::Next;
  stack_.on_new_stack([&] { flow = ir::visit(s, [this](const auto& n) { return node(n); }); });
  return flow;
}

Flow Statements::node(const ir::Assign& s) {
  Datum value = machine_.eval(*s.value);
  if (s.targets.size() == 1) {
    assign(*s.targets[0], std::move(value));
    return Flow::Next;
  }
  if (s.targets.empty()) return Flow::Next;
  const Tuple* t = value.tuple();
  if (!t || t->size() != s.targets.size())
    fail(Code::Type, fmt::format("{} values for {} targets", t ? t->size() : 1, s.targets.size()));
  for (size_t k = 0; k < s.targets.size(); ++k) assign(*s.targets[k], (*t)[k]);
  return Flow::Next;
}

void Statements::assign(const ir::Expr& target, Datum value) {
  if (auto* n = ir::as<ir::Name>(&target)) {
    Datum converted = coerce(ctx_, std::move(value), here_.symbol(n->id).type);
    here_.frame->slots[here_.slot(n->id)] = std::move(converted);
  } else if (auto* n = ir::as<ir::Index>(&target)) {
    assign_index(*n, value);
  } else if (auto* n = ir::as<ir::TupleIndex>(&target)) {
    const Tuple* t = here_.variable(n->tuple).tuple();
    const int k = n->index - ctx_.conv.indexing;
    if (!t || k < 0 || static_cast<size_t>(k) >= t->size())
      fail(Code::Type, fmt::format("'{}' has no element {}", here_.name(n->tuple), n->index));
    Tuple changed = *t;
    const ir::Type& type = here_.symbol(n->tuple).type.components()[static_cast<size_t>(k)];
    changed[static_cast<size_t>(k)] = coerce(ctx_, std::move(value), type);
    here_.variable(n->tuple) = Datum::tuple(std::move(changed));
  } else if (auto* n = ir::as<ir::TupleExpr>(&target)) {
    const Tuple* t = value.tuple();
    // A call with one result has no tuple around it; a call without results is assigned to nothing.
    if (!t && n->elems.size() == 1) return assign(*n->elems[0], std::move(value));
    if (!t && n->elems.empty() && value.empty()) return;
    if (!t || t->size() != n->elems.size())
      fail(Code::Type, fmt::format("{} values for {} targets", t ? t->size() : 1, n->elems.size()));
    for (size_t k = 0; k < n->elems.size(); ++k) assign(*n->elems[k], (*t)[k]);
  } else {
    fail(Code::Type, fmt::format("'{}' cannot be assigned to", ir::kind_word(target.kind)));
  }
}

void Statements::assign_index(const ir::Index& target, const Datum& value) {
  here_.before_store(target.array);
  const std::vector<SubscriptValue> subs = machine_.subscripts(target.subscripts);
  const ir::Symbol& s = here_.symbol(target.array);
  ArrayRef& a = here_.writable(target.array);
  const Subscripted what{here_.name(target.array), s.type, target.flatten.value_or(ctx_.conv.flatten)};
  if (const Scalar* v = value.scalar())
    if (void* p = element_address(ctx_, what, a, subs, true)) return store(p, convert(*v, a.elem(), a.complex()));
  write_selection(ctx_, what, a, subs, value);
}

Flow Statements::node(const ir::StmtList& s) {
  return run(s.stmts);
}  // an accelerated section runs like any other block

bool Statements::condition(const ir::Expr& e) {
  const Datum d = machine_.eval(e);
  const ArrayRef* a = d.array();
  if (!a || !ctx_.matlab()) return truth(scalar_of(d, "a condition"));
  // MATLAB: true if there are elements and none is zero.
  const std::vector<Scalar> all = elements(*a, Order::Row);
  return !all.empty() && std::all_of(all.begin(), all.end(), truth);
}

Flow Statements::node(const ir::If& s) { return run(condition(*s.test) ? s.then_body : s.else_body); }

Flow Statements::node(const ir::While& s) {
  while (condition(*s.test)) {
    const Flow flow = run(s.body);
    if (flow == Flow::Break) break;
    if (flow == Flow::Return) return flow;
    here_.statement = &s;
    step();
  }
  return Flow::Next;
}

Flow Statements::iterate_domain(const std::vector<ir::SymbolId>& vars, const ir::Expr& domain,
                                const std::function<Flow()>& body) {
  const ir::Stmt* const loop = here_.statement;
  const Datum d = machine_.eval(domain);
  const DomainValue* ranges = d.domain();
  if (!ranges || ranges->size() != vars.size())
    fail(Code::Type,
         fmt::format("{} loop variables for {}", vars.size(), ranges ? "a domain of another rank" : d.kind_text()));
  std::vector<Iteration> dims;
  Extents counts;
  for (const RangeSpec& r : *ranges) {
    dims.push_back(iterate(r, ctx_.conv.indexing));
    counts.push_back(dims.back().count);
  }
  if (std::find(counts.begin(), counts.end(), 0) != counts.end()) return Flow::Next;
  Extents at(counts.size(), 0);
  do {
    for (size_t k = 0; k < vars.size(); ++k)
      here_.frame->slots[here_.slot(vars[k])] = coerce(ctx_, dims[k].value(at[k]), here_.symbol(vars[k]).type);
    if (Flow flow = body(); flow != Flow::Next && flow != Flow::Continue) return flow;
    here_.statement = loop;
    step();
  } while (next_index(at, counts));
  return Flow::Next;
}

Flow Statements::node(const ir::For& s) {
  const Flow flow = iterate_domain(s.itervars, *s.domain, [&] { return run(s.body); });
  return flow == Flow::Return ? flow : Flow::Next;
}

namespace {

void collect_targets(const ir::Expr& target, std::set<ir::SymbolId>& names) {
  if (auto* n = ir::as<ir::Name>(&target)) names.insert(n->id);
  if (auto* n = ir::as<ir::TupleIndex>(&target)) names.insert(n->tuple);
  if (auto* n = ir::as<ir::TupleExpr>(&target))
    for (const ir::ExprPtr& e : n->elems) collect_targets(*e, names);
}

/// Variables that the body assigns as a whole, loop variables included.
std::set<ir::SymbolId> assigned(const ir::Body& body) {
  std::set<ir::SymbolId> names;
  ir::walk_stmts(body, [&](const ir::Stmt& s) {
    if (auto* a = ir::as<ir::Assign>(&s))
      for (const ir::ExprPtr& t : a->targets) collect_targets(*t, names);
    if (auto* f = ir::as<ir::For>(&s)) names.insert(f->itervars.begin(), f->itervars.end());
    if (auto* f = ir::as<ir::PFor>(&s)) names.insert(f->itervars.begin(), f->itervars.end());
  });
  return names;
}

}  // namespace

// Iterations run in order. Each starts with the private variables' values from before the loop; after the loop the
// variables have these values again.
Flow Statements::node(const ir::PFor& s) {
  std::set<ir::SymbolId> shared, own;
  if (s.shared) {
    shared.insert(s.shared->begin(), s.shared->end());
    for (const ir::Symbol& v : here_.frame->function->symbols.all())
      if (!shared.count(v.id)) own.insert(v.id);
  } else {
    own = assigned(s.body);
  }
  own.insert(s.itervars.begin(), s.itervars.end());
  std::vector<std::pair<size_t, Datum>> before;
  for (ir::SymbolId id : own) before.emplace_back(here_.slot(id), here_.frame->slots[here_.slot(id)]);
  auto restore = [&] {
    for (const auto& [k, value] : before) here_.frame->slots[k] = value;
  };
  const Flow flow = iterate_domain(s.itervars, *s.domain, [&] {
    const Flow f = run(s.body);
    restore();
    return f;
  });
  restore();
  return flow == Flow::Return ? flow : Flow::Next;
}

Flow Statements::node(const ir::Return& s) {
  std::vector<Datum> results;
  for (const ir::ExprPtr& e : s.exprs) results.push_back(machine_.eval(*e));
  here_.frame->results = std::move(results);
  return Flow::Return;
}

Flow Statements::node(const ir::Raise& s) {
  RaiseNumber kinds[ir::max_raise_args];
  int64_t bits[ir::max_raise_args] = {};
  for (size_t k = 0; k < s.args.size() && k < ir::max_raise_args; ++k) {
    const Scalar x = convert(scalar_of(machine_.eval(*s.args[k]), "a number of a raise"), s.args[k]->type);
    kinds[k] = ir::raise_number(x.elem);
    bits[k] = x.floating() ? std::bit_cast<int64_t>(x.re.f) : x.re.i;
  }
  char text[sizeof(vr_error::message)];
  write_raise_text(text, sizeof text, with_number_kinds(s.text, kinds), bits);
  ErrorRecord r;
  r.code = Code::Raised;
  r.index = bits[0];
  r.extent = bits[1];
  r.message = text;
  r.raised = s.code;
  throw Fault{std::move(r)};
}

Flow Statements::node(const ir::ExprStmt& s) {
  machine_.eval(*s.expr);
  return Flow::Next;
}

}  // namespace vr::interp
