// Statements, variables and calls.
#include "interp/elementwise.hpp"
#include "interp/machine.hpp"
#include "interp/range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace vr::interp {

Machine::Machine(const ir::Module& module, const ir::Conventions& conventions, const InterpOptions& options)
    : module_(module), options_(options) {
  ctx_.conv = conventions;
  ctx_.memory.limit = options.memory_limit;
  ctx_.tell_broken_promises = options.tell_broken_promises;
}

void Machine::complete(ErrorRecord& r) const {
  if (!r.function.empty()) return;
  if (statement_ && statement_->inlined)
    r.function = statement_->inlined->function;
  else if (frame_)
    r.function = frame_->function->name;
  auto place = [&](const std::string& loc, ir::TextPos pos) {
    return !loc.empty() ? loc : pos.line > 0 ? Place{module_.file, pos.line, pos.column}.text() : std::string();
  };
  if (statement_) r.loc = place(statement_->loc, statement_->pos);
  if (r.loc.empty() && frame_) r.loc = place(frame_->function->loc, frame_->function->pos);
}

// ---------------------------------------------------------------- variables

size_t Machine::slot(ir::SymbolId id) const {
  const auto& all = frame_->function->symbols.all();
  // Ids mostly count from 0 without gaps.
  if (id >= 0 && static_cast<size_t>(id) < all.size() && all[static_cast<size_t>(id)].id == id)
    return static_cast<size_t>(id);
  auto it = std::lower_bound(all.begin(), all.end(), id, [](const ir::Symbol& s, ir::SymbolId i) { return s.id < i; });
  if (it == all.end() || it->id != id) fail(Code::Type, fmt::format("there is no variable with id {}", id));
  return static_cast<size_t>(it - all.begin());
}

const std::string& Machine::name(ir::SymbolId id) const {
  if (statement_ && statement_->inlined)
    for (const auto& [own, name] : statement_->inlined->names)
      if (own == id) return name;
  return symbol(id).name;
}

Datum& Machine::variable(ir::SymbolId id) {
  const size_t k = slot(id);
  Datum& d = frame_->slots[k];
  if (d.empty()) d = default_value(ctx_, frame_->function->symbols.all()[k].type);
  return d;
}

const ArrayRef& Machine::array_variable(ir::SymbolId id) {
  const ArrayRef* a = variable(id).array();
  if (!a) fail(Code::Type, fmt::format("'{}' is not an array", name(id)));
  return *a;
}

void Machine::before_store(ir::SymbolId id) {
  if (ctx_.conv.assign == ir::AssignMode::Copy || !array_variable(id).array.read_only()) return;
  ErrorRecord r;
  r.code = Code::ReadOnly;
  r.array = name(id);
  r.message = fmt::format("'{}' is read-only and cannot be stored to", r.array);
  throw Fault{std::move(r)};
}

ArrayRef& Machine::writable(ir::SymbolId id) {
  array_variable(id);
  ArrayRef& a = *variable(id).array();
  const bool alone = !a.storage->foreign && !a.array.read_only() && a.storage.use_count() == 1;
  if (ctx_.conv.assign == ir::AssignMode::Copy && !alone)
    a = copy_array(ctx_, a, a.elem(), a.complex(), symbol(id).type.layout);
  return a;
}

// ---------------------------------------------------------------- calls

std::vector<Datum> Machine::call(const ir::Function& f, std::vector<Datum> args) {
  if (!stack_.low()) return call_here(f, std::move(args));
  std::vector<Datum> r;
  stack_.on_new_stack([&] { r = call_here(f, std::move(args)); });
  return r;
}

std::vector<Datum> Machine::call_here(const ir::Function& f, std::vector<Datum> args) {
  if (args.size() != f.args.size())
    fail(Code::Type, fmt::format("'{}' takes {} arguments, here are {}", f.name, f.args.size(), args.size()));
  // A region is part of the function that it was taken from.
  if (depth_ >= options_.depth_limit && !f.region)
    fail(Code::Stack, fmt::format("more than {} nested calls", options_.depth_limit));
  Frame frame{&f, std::vector<Datum>(f.symbols.all().size()), {}};
  Frame* const caller = frame_;
  const ir::Stmt* const caller_statement = statement_;
  for (size_t k = 0; k < args.size(); ++k) args[k] = coerce(ctx_, std::move(args[k]), f.symbols.at(f.args[k]).type);
  frame_ = &frame;
  statement_ = nullptr;
  ++depth_;
  try {
    for (size_t k = 0; k < args.size(); ++k) frame.slots[slot(f.args[k])] = std::move(args[k]);
    args.clear();
    const auto& outs = f.type.outputs();
    const Flow flow = run(f.body);
    if (flow != Flow::Return && !outs.empty()) fail(Code::Type, fmt::format("'{}' ended without a result", f.name));
    if (frame.results.size() == 1 && outs.size() > 1)
      if (const Tuple* t = frame.results[0].tuple()) {
        Tuple spread = *t;
        frame.results = std::move(spread);
      }
    if (frame.results.size() != outs.size())
      fail(Code::Type,
           fmt::format("'{}' returned {} results instead of {}", f.name, frame.results.size(), outs.size()));
    for (size_t k = 0; k < outs.size(); ++k) frame.results[k] = coerce(ctx_, std::move(frame.results[k]), outs[k]);
  } catch (Fault& fault) {
    complete(fault.record);
    frame_ = caller;
    statement_ = caller_statement;
    throw;
  }
  --depth_;
  frame_ = caller;
  statement_ = caller_statement;
  return std::move(frame.results);
}

// ---------------------------------------------------------------- statements

void Machine::step() {
  if (options_.step_limit > 0 && ++steps_ > options_.step_limit)
    fail(Code::Interrupted, fmt::format("stopped after {} statements", options_.step_limit));
}

Flow Machine::run(const ir::Body& body) {
  for (const ir::StmtPtr& s : body)
    if (Flow flow = run(*s); flow != Flow::Next) return flow;
  return Flow::Next;
}

Flow Machine::run(const ir::Stmt& s) {
  statement_ = &s;
  step();
  if (!stack_.low()) return ir::visit(s, [this](const auto& n) { return node(n); });
  Flow flow = Flow::Next;
  stack_.on_new_stack([&] { flow = ir::visit(s, [this](const auto& n) { return node(n); }); });
  return flow;
}

Flow Machine::node(const ir::Assign& s) {
  Datum value = eval(*s.value);
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

void Machine::assign(const ir::Expr& target, Datum value) {
  if (auto* n = ir::as<ir::Name>(&target)) {
    Datum converted = coerce(ctx_, std::move(value), symbol(n->id).type);
    frame_->slots[slot(n->id)] = std::move(converted);
  } else if (auto* n = ir::as<ir::Index>(&target)) {
    assign_index(*n, value);
  } else if (auto* n = ir::as<ir::TupleIndex>(&target)) {
    const Tuple* t = variable(n->tuple).tuple();
    const int k = n->index - ctx_.conv.indexing;
    if (!t || k < 0 || static_cast<size_t>(k) >= t->size())
      fail(Code::Type, fmt::format("'{}' has no element {}", name(n->tuple), n->index));
    Tuple changed = *t;
    const ir::Type& type = symbol(n->tuple).type.components()[static_cast<size_t>(k)];
    changed[static_cast<size_t>(k)] = coerce(ctx_, std::move(value), type);
    variable(n->tuple) = Datum::tuple(std::move(changed));
  } else if (auto* n = ir::as<ir::TupleExpr>(&target)) {
    const Tuple* t = value.tuple();
    // One result of a call needs no tuple around it; a call without results is assigned to nothing.
    if (!t && n->elems.size() == 1) return assign(*n->elems[0], std::move(value));
    if (!t && n->elems.empty() && value.empty()) return;
    if (!t || t->size() != n->elems.size())
      fail(Code::Type, fmt::format("{} values for {} targets", t ? t->size() : 1, n->elems.size()));
    for (size_t k = 0; k < n->elems.size(); ++k) assign(*n->elems[k], (*t)[k]);
  } else {
    fail(Code::Type, fmt::format("'{}' cannot be assigned to", ir::kind_word(target.kind)));
  }
}

void Machine::assign_index(const ir::Index& target, const Datum& value) {
  before_store(target.array);
  const std::vector<SubscriptValue> subs = subscripts(target.subscripts);
  const ir::Symbol& s = symbol(target.array);
  ArrayRef& a = writable(target.array);
  const Subscripted what{name(target.array), s.type, target.flatten.value_or(ctx_.conv.flatten)};
  if (const Scalar* v = value.scalar())
    if (void* p = element_address(ctx_, what, a, subs, true)) return store(p, convert(*v, a.elem(), a.complex()));
  write_selection(ctx_, what, a, subs, value);
}

Flow Machine::node(const ir::StmtList& s) {
  return run(s.stmts);
}  // an accelerated section means what it says in place

bool Machine::condition(const ir::Expr& e) {
  const Datum d = eval(e);
  const ArrayRef* a = d.array();
  if (!a || !ctx_.matlab()) return truth(scalar_of(d, "a condition"));
  // MATLAB: true when there are elements and none is zero.
  const std::vector<Scalar> all = elements(*a, Order::Row);
  return !all.empty() && std::all_of(all.begin(), all.end(), truth);
}

Flow Machine::node(const ir::If& s) { return run(condition(*s.test) ? s.then_body : s.else_body); }

Flow Machine::node(const ir::While& s) {
  while (condition(*s.test)) {
    const Flow flow = run(s.body);
    if (flow == Flow::Break) break;
    if (flow == Flow::Return) return flow;
    statement_ = &s;
    step();
  }
  return Flow::Next;
}

Flow Machine::iterate_domain(const std::vector<ir::SymbolId>& vars, const ir::Expr& domain,
                             const std::function<Flow()>& body) {
  const ir::Stmt* const loop = statement_;
  const Datum d = eval(domain);
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
      frame_->slots[slot(vars[k])] = coerce(ctx_, dims[k].value(at[k]), symbol(vars[k]).type);
    if (Flow flow = body(); flow != Flow::Next && flow != Flow::Continue) return flow;
    statement_ = loop;
    step();
  } while (next_index(at, counts));
  return Flow::Next;
}

Flow Machine::node(const ir::For& s) {
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

// Iterations run in order. Each starts with the private variables as they were before the loop, and after the loop they
// are so again.
Flow Machine::node(const ir::PFor& s) {
  std::set<ir::SymbolId> shared, own;
  if (s.shared) {
    shared.insert(s.shared->begin(), s.shared->end());
    for (const ir::Symbol& v : frame_->function->symbols.all())
      if (!shared.count(v.id)) own.insert(v.id);
  } else {
    own = assigned(s.body);
  }
  own.insert(s.itervars.begin(), s.itervars.end());
  std::vector<std::pair<size_t, Datum>> before;
  for (ir::SymbolId id : own) before.emplace_back(slot(id), frame_->slots[slot(id)]);
  auto restore = [&] {
    for (const auto& [k, value] : before) frame_->slots[k] = value;
  };
  const Flow flow = iterate_domain(s.itervars, *s.domain, [&] {
    const Flow f = run(s.body);
    restore();
    return f;
  });
  restore();
  return flow == Flow::Return ? flow : Flow::Next;
}

Flow Machine::node(const ir::Return& s) {
  std::vector<Datum> results;
  for (const ir::ExprPtr& e : s.exprs) results.push_back(eval(*e));
  frame_->results = std::move(results);
  return Flow::Return;
}

Flow Machine::node(const ir::ExprStmt& s) {
  eval(*s.expr);
  return Flow::Next;
}

}  // namespace vr::interp
