// Statements but assignments and loops.
#include "lower/function_lowering.hpp"

#include "ir/sharing.hpp"
#include "lower/evaluation_order.hpp"
#include "lower/runtime_fn.hpp"
#include "support/overloaded.hpp"

#include <set>
#include <utility>

namespace vr::lower {

void FunctionLowering::body(const ir::Body& b) {
  for (size_t k = 0; k < b.size(); ++k) {
    deferral_ = deferral(b, k);
    statement(b[k]);
    std::erase_if(deferred_, [&](const auto& d) { return d.second.until.consumer == b[k].get(); });
  }
}

void FunctionLowering::statement(const ir::StmtPtr& s) {
  const std::string loc = loc_;
  const int32_t place = place_;
  const ir::TextPos pos = pos_;
  const ir::InlinedFrom* inlined = inlined_;
  pos_ = s->pos;
  inlined_ = s->inlined.get();
  loc_ = m_.place(s->pos, s->loc);
  const ir::Stmt* stmt = std::exchange(stmt_, s.get());
  place_ = m_.place_number(s->pos, s->loc);
  const size_t temps = temps_.size();
  positions_.clear();
  auto in_loop = [&](auto&& loop) {
    ++loops_;
    loop();
    --loops_;
  };
  auto lower = [&] {
    ir::visit(*s, Overloaded{
                      [&](const ir::Assign& n) {
                        if (auto until = std::exchange(deferral_, std::nullopt)) return defer(n, std::move(*until));
                        bool was_unique = false;
                        const ir::ExprPtr& value = unwrap_copy(n.value);
                        if (value->kind == ir::Kind::Name || value->kind == ir::Kind::Index)
                          was_unique = unique_.count(*ir::named_variable(*value));
                        if (conv_.assign == ir::AssignMode::Copy) forget_unique(loop_info({s}));
                        assign(n);
                        assigned_unique(n, was_unique);
                      },
                      [&](const ir::StmtList& n) {
                        if (!n.on_gpu || !m_.options.kernels || in_section_) return body(n.stmts);
                        if (!collected()) return section(n);
                        // A device's queue is no place where the collector looks for what is still in use.
                        m_.out->report.push_back(loc_ + ": accelerated section of '" + source_.name +
                                                 "' runs on the CPU: `:memory boehm` keeps arrays in collected memory");
                        body(n.stmts);
                      },
                      [&](const ir::For& n) { in_loop([&] { for_(n); }); },
                      [&](const ir::PFor& n) { in_loop([&] { pfor(n); }); },
                      [&](const ir::While& n) { in_loop([&] { while_(n); }); },
                      [&](const ir::If& n) { if_(n); },
                      [&](const ir::Break&) {
                        if (break_flag_ != none) set(break_flag_, x_.bool_const(true));
                        emit(Break{});
                      },
                      [&](const ir::Continue&) { emit(Continue{}); },
                      [&](const ir::Return& n) { return_(n); },
                      [&](const ir::ExprStmt& n) {
                        if (n.expr->type.is_scalar()) {
                          ScalarValue v = scalar(n.expr);
                          if (!is_simple(v.re)) temp(v.re);  // for the faults that it may have
                        } else if (n.expr->type.is_array()) {
                          slot_of_array(n.expr, 0);
                        } else if (ir::as<ir::FnCall>(n.expr)) {
                          call_results(n.expr);
                        } else {
                          unsupported("this expression as a statement", n.pos);
                        }
                      },
                  });
    release_temps(temps);
  };
  if (!in_section_) {
    outside_section(s, lower);
  } else if (s->kind != ir::Kind::Assign && s->kind != ir::Kind::ExprStmt) {
    if (s->kind != ir::Kind::If) need_host(*s);  // tests ask by themselves: tested()
    lower();
  } else if (goes_to_device({s}, true)) {
    need_host(*s);
    const bool sync = std::exchange(sync_after_call_, !bare_call(*s));
    lower();
    sync_after_call_ = sync;
  } else {
    Block here = collect(lower);
    if (auto there = offload(here)) {
      here = std::move(*there);
      Block last = collect([&] { release_temps(temps); });
      for (Stmt& st : last) here.push_back(std::move(st));
    } else {
      need_host(*s);
    }
    append(std::move(here));
  }
  loc_ = loc;
  place_ = place;
  pos_ = pos;
  inlined_ = inlined;
  stmt_ = stmt;
}

// The value of a test, which in a section may be computed on the device. ask: host code has to ask for elements first.
ExprP FunctionLowering::tested(const ir::ExprPtr& test, bool ask) {
  const size_t temps = temps_.size();
  const ir::StmtPtr alone = std::make_shared<ir::ExprStmt>(test);
  ExprP c = nullptr;
  if (in_section_ && !goes_to_device({alone}, true)) {
    Block here = collect([&] { c = keep(condition(test), "test"); });
    if (auto there = offload(here))
      here = std::move(*there);
    else
      need_host(*alone);
    append(std::move(here));
  } else {
    if (ask) need_host(*alone);
    c = condition(test);
    if (temps_.size() > temps) c = keep(c, "test");
  }
  release_temps(temps);
  return c;
}

void FunctionLowering::if_(const ir::If& s) {
  ExprP c = tested(s.test, in_section_);
  const auto unique = unique_;
  Block then_body = collect([&] { body(s.then_body); });
  const auto then_unique = std::exchange(unique_, unique);
  Block else_body = collect([&] { body(s.else_body); });
  std::erase_if(unique_, [&](ir::SymbolId id) { return !then_unique.count(id); });
  emit(If{c, std::move(then_body), std::move(else_body)});
}

void FunctionLowering::while_(const ir::While& s) {
  LoopInfo facts = loop_info(s.body);
  auto ints = ints_;
  for (ir::SymbolId id : facts.assigned) ints_.erase(id);
  unique_before_loop(facts);
  const auto unique = unique_;
  const VarId flag = break_flag_;
  break_flag_ = none;
  const AliasState alias = alias_;
  alias_before_loop(facts, s.body);
  emit(Loop{collect([&] {
    ExprP c = tested(s.test, newest_may_be_away());
    emit(If{x_.not_(c), {Stmt{Break{}}}, {}});
    body(s.body);
  })});
  alias_ = alias;
  break_flag_ = flag;
  unique_ = unique;
  ints_ = std::move(ints);
}

void FunctionLowering::return_(const ir::Return& r) {
  if (fn_.kind != Function::Kind::Entry) unsupported("return inside a parallel loop");
  if (r.exprs.size() == 1 && results_.size() > 1) {
    // A call's several results, or a tuple's elements: names for them make it an ordinary return.
    ir::Return several({});
    several.pos = r.pos;
    for (Slot& part : tuple_values(r.exprs[0])) several.exprs.push_back(named(std::move(part)));
    return return_(several);
  }
  if (r.exprs.size() != results_.size())
    unsupported("a return with another number of values than the function has results");
  // First everything that can fail, then the handing over.
  std::vector<Slot> values;
  std::vector<std::pair<size_t, ir::Type>> copied;
  for (size_t k = 0; k < r.exprs.size(); ++k) {
    const ir::Type& type = source_.type.outputs()[k];
    const ir::ExprPtr& e = unwrap_copy(r.exprs[k]);
    if (!type.is_array()) {
      Slot s = new_slot("r", type);
      for (const Slot& part : leaves(s))
        if (part.array != none) temps_.push_back(part.array);
      assign_slot(s, e, none);
      for (Slot& part : leaves(s)) values.push_back(std::move(part));
      continue;
    }
    auto fits = [&](const Slot& s) {
      return s.type.elem == type.elem && s.type.complex == type.complex &&
             (type.layout == ir::Layout::Strided || s.type.layout == type.layout);
    };
    auto* name = ir::as<ir::Name>(e);
    if (name && fits(slot(name->id))) {
      values.push_back(slot(name->id));
      continue;
    }
    // A copy is made of a variable as it is in the end.
    if (name && effects_behind(*this, r.exprs, k)) {
      copied.emplace_back(values.size(), type);
      values.push_back(slot(name->id));
      continue;
    }
    // A slice may be a view of its array, as when it is assigned to a variable first.
    if (auto* index = ir::as<ir::Index>(e); index && type.layout == ir::Layout::Strided && !all_scalar(*index) &&
                                            index->type.elem == type.elem && index->type.complex == type.complex) {
      Slot s = new_slot("view", type);
      temps_.push_back(s.array);
      assign_array(s, e, 1);
      values.push_back(s);
      continue;
    }
    Slot s = slot_of_array(e, 1);
    if (name || !fits(s)) {
      ir::Type t = type;
      if (t.layout == ir::Layout::Strided) t.layout = ir::Layout::RowMajor;
      s = materialise(convert(leaf(s, {}), t.elem, t.complex), t.layout, 1);
    }
    values.push_back(s);
  }
  for (auto& [k, type] : copied) {
    if (type.layout == ir::Layout::Strided) type.layout = ir::Layout::RowMajor;
    values[k] = materialise(convert(leaf(values[k], {}), type.elem, type.complex), type.layout, 1);
  }
  if (in_section_) call(rt::GpuSectionLeave, {}, true);
  for (size_t k = 0; k < values.size(); ++k) {
    const Param& p = fn_.results[k];
    if (p.array == none) {
      set(p.var, get(values[k].var));
      if (p.im != none) set(p.im, get(values[k].im));
      continue;
    }
    ArrayId from = values[k].array;
    // The function ends here, so a variable hands its reference over; all but the last result of the same one get new
    // ones.
    bool again = false;
    for (size_t later = k + 1; later < values.size(); ++later) again = again || values[later].array == from;
    if (again) retain(from);
    copy_fields(p.array, from);
    set(array(p.array).owner, get(array(from).owner));
    if (!again && array(from).owner != none) set(array(from).owner, x_.null());
  }
  emit(Exit{});
}

// ---------------------------------------------------------------- accelerated sections (thesis 4.5.4)
void FunctionLowering::section(const ir::StmtList& s) {
  call(rt::GpuSectionBegin, {}, true);
  in_section_ = true;
  body(s.stmts);
  in_section_ = false;
  call(rt::GpuSectionLeave, {}, true);
}

// Elements stay on the device from section to section, and where the host wants it from call to call, until code
// outside of sections looks at them. Such code asks first: a function without sections and calls once at its start, for
// its arguments; any other before each statement, and before a whole loop when nothing in it goes to the device.
void FunctionLowering::guard_entry() {
  if (!m_.options.device || fn_.kind != Function::Kind::Entry) return;
  bool calls = false, sections = false;
  for (const ir::FunctionPtr& f : m_.ir.functions)
    sections = sections || (m_.options.kernels && goes_to_device(f->body, false));
  calls = goes_to_device(source_.body, true);
  has_section_ = sections && calls && !collected();
  if (has_section_) return;
  const LoopInfo facts = loop_info(source_.body);
  const bool stores = !facts.stored.empty() || facts.has_atomic || !facts.calls.empty();
  for (ir::SymbolId id : source_.args)
    if (slot(id).array != none) call(rt::GpuNeedHost, {in_array(slot(id).array), int_arg(stores)}, true);
}

bool FunctionLowering::goes_to_device(const ir::Body& b, bool calls) {
  bool found = false;
  ir::walk_stmts(b, [&](const ir::Stmt& s) {
    if (auto* l = ir::as<ir::StmtList>(&s)) found = found || l->on_gpu;
  });
  if (calls && !found)
    ir::walk_exprs(b, [&](const ir::Expr& e) {
      if (auto* c = ir::as<ir::FnCall>(&e)) found = found || !library_call(*c);
    });
  return found;
}

void FunctionLowering::outside_section(const ir::StmtPtr& stmt, const std::function<void()>& lower) {
  const ir::Stmt& s = *stmt;
  if (!newest_may_be_away() || s.kind == ir::Kind::StmtList) return lower();
  const ir::Body alone{stmt};
  const bool goes = goes_to_device(alone, true);
  const bool simple = s.kind == ir::Kind::Assign || s.kind == ir::Kind::ExprStmt || s.kind == ir::Kind::Return;
  const bool tasks = s.kind == ir::Kind::PFor;
  if (goes && !simple && !tasks) {
    // What is in it asks for itself.
    need_host(s);
    return lower();
  }
  if (simple && s.kind != ir::Kind::Return) {
    need_host(s);
  } else {
    const LoopInfo facts = loop_info(alone);
    for (ir::SymbolId id : facts.used) {
      // A result as it is may stay where it is until the call ends.
      if (auto* ret = ir::as<ir::Return>(&s); ret && whole_result(*ret, id)) continue;
      need_host(slot(id), facts.stored.count(id) || facts.has_atomic);
    }
  }
  const bool asked = std::exchange(asked_, true);
  const bool sync = std::exchange(sync_after_call_, sync_after_call_ || (goes && !bare_call(s)));
  lower();
  asked_ = asked;
  sync_after_call_ = sync;
}

namespace {
// A variable of the one type becomes one of the other as it is: no elements are copied for their layout or type.
bool changes_hands(const ir::Type& from, const ir::Type& to) {
  return from == to || (from.is_array() && to.is_array() && holds(to, from));
}
}  // namespace

// Whether all that the return says of the variable is its name, and that is the result.
bool FunctionLowering::whole_result(const ir::Return& r, ir::SymbolId id) const {
  for (size_t k = 0; k < r.exprs.size(); ++k) {
    const ir::ExprPtr& e = r.exprs[k];
    bool named = false;
    ir::walk_exprs(e, [&](const ir::Expr& n) { named = named || ir::named_variable(n) == id; });
    if (named && (e->kind != ir::Kind::Name || !changes_hands(e->type, results_[k].type))) return false;
  }
  return true;
}

// A call whose arguments are variables and constants, and whose results go to variables: nothing is looked at after it.
bool FunctionLowering::bare_call(const ir::Stmt& s) {
  const ir::Expr* value = nullptr;
  if (auto* a = ir::as<ir::Assign>(&s)) {
    for (const ir::ExprPtr& t : a->targets)
      if (t->kind != ir::Kind::Name) return false;
    value = a->value.get();
  } else if (auto* e = ir::as<ir::ExprStmt>(&s)) {
    value = e->expr.get();
  }
  auto* c = value ? ir::as<ir::FnCall>(value) : nullptr;
  if (!c) return false;
  for (const ir::ExprPtr& a : c->args) {
    bool calls = false;
    ir::walk_exprs(a, [&](const ir::Expr& n) { calls = calls || n.kind == ir::Kind::FnCall; });
    if (calls || (a->type.is_array() && a->kind != ir::Kind::Name)) return false;
  }
  return true;
}

// Host code of a section looks at array elements: what the device has of them comes back first.
void FunctionLowering::need_host(const ir::Stmt& s) {
  std::set<ir::SymbolId> read, written;
  std::set<const ir::Expr*> handed_on;  // whole arrays, to functions that ask for themselves
  auto note = [&](const ir::ExprPtr& e) {
    ir::walk_exprs(e, [&](const ir::Expr& n) {
      const bool shape_only = n.kind == ir::Kind::Dim || n.kind == ir::Kind::DimVec;
      if (const auto id = ir::named_variable(n); id && !shape_only && !handed_on.count(&n)) read.insert(*id);
      if (auto* i = ir::as<ir::Xchange>(&n)) written.insert(i->array);
      auto* c = ir::as<ir::FnCall>(&n);
      const ir::Function* f = c && !library_call(*c) ? m_.ir.find(c->callee) : nullptr;
      for (size_t k = 0; f && k < c->args.size(); ++k) {
        const ir::Expr& a = *c->args[k];
        auto* slice = ir::as<ir::Index>(&a);
        if ((a.kind == ir::Kind::Name || (slice && is_view(*slice))) && changes_hands(a.type, f->type.components()[k]))
          handed_on.insert(&a);
      }
    });
  };
  if (auto* a = ir::as<ir::Assign>(&s)) {
    // Whole variables change hands without a look at the elements.
    if (a->value->kind != ir::Kind::Name || a->targets.size() != 1 ||
        !changes_hands(a->value->type, a->targets[0]->type))
      note(a->value);
    for (const ir::ExprPtr& t : a->targets) {
      if (auto* i = ir::as<ir::Index>(t)) {
        written.insert(i->array);
        if (a->value->kind == ir::Kind::Name) note(a->value);
        for (const ir::Subscript& sub : i->subscripts) note(sub.value);
      }
    }
  } else if (auto* i = ir::as<ir::If>(&s)) {
    note(i->test);
  } else if (auto* l = ir::as<ir::For>(&s)) {
    note(l->domain);
  } else if (auto* l = ir::as<ir::PFor>(&s)) {
    note(l->domain);
  } else if (auto* e = ir::as<ir::ExprStmt>(&s)) {
    note(e->expr);
  }  // the test of a while loop runs before each iteration: see while_
  for (bool write : {false, true})
    for (ir::SymbolId id : write ? written : read) {
      if (!write && written.count(id)) continue;
      need_host(slot(id), write);
    }
}

void FunctionLowering::need_host(const Slot& s, bool write) {
  for (const Slot& part : leaves(s))
    if (part.array != none) call(rt::GpuNeedHost, {in_array(part.array), int_arg(write)}, true);
}

}  // namespace vr::lower
