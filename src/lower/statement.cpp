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
                        leave_section_of_loop();
                        emit(Break{});
                      },
                      [&](const ir::Continue&) {
                        leave_section_of_loop();
                        emit(Continue{});
                      },
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
  // What a section computes with whole arrays goes to the device, as far as it can (offload.cpp); what is in other
  // statements sees to itself.
  if (in_section_ && (s->kind == ir::Kind::Assign || s->kind == ir::Kind::ExprStmt || s->kind == ir::Kind::Return))
    on_device(lower);
  else
    lower();
  loc_ = loc;
  place_ = place;
  pos_ = pos;
  inlined_ = inlined;
  stmt_ = stmt;
}

// What `lower` emits, with the work on whole arrays in it on the device where it can be.
void FunctionLowering::on_device(const std::function<void()>& lower) {
  const size_t temps = temps_.size();
  Block here = collect(lower);
  if (auto there = offload(here)) {
    here = std::move(*there);
    Block last = collect([&] { release_temps(temps); });
    for (Stmt& st : last) here.push_back(std::move(st));
  }
  append(std::move(here));
}

ExprP FunctionLowering::tested(const ir::ExprPtr& test) {
  const size_t temps = temps_.size();
  ExprP c = nullptr;
  if (in_section_) {
    on_device([&] { c = keep(condition(test), "test"); });
  } else {
    c = condition(test);
    if (temps_.size() > temps) c = keep(c, "test");
  }
  release_temps(temps);
  return c;
}

void FunctionLowering::if_(const ir::If& s) {
  ExprP c = tested(s.test);
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
    ExprP c = tested(s.test);
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
// Elements stay on the device from section to section, and where the host wants it from call to call, until code
// of the host looks at them: residence.cpp sees to that.
void FunctionLowering::section(const ir::StmtList& s) {
  call(rt::GpuSectionBegin, {}, true);
  in_section_ = true;
  const int loops = std::exchange(section_loops_, loops_);
  body(s.stmts);
  section_loops_ = loops;
  in_section_ = false;
  call(rt::GpuSectionLeave, {}, true);
}

// A jump out of the loops that began outside of the section at hand ends the section.
void FunctionLowering::leave_section_of_loop() {
  if (in_section_ && m_.options.kernels && loops_ == section_loops_) call(rt::GpuSectionLeave, {}, true);
}

void FunctionLowering::look_for_sections() {
  if (!m_.options.device || !m_.options.kernels || fn_.kind != Function::Kind::Entry || collected()) return;
  for (const ir::FunctionPtr& f : m_.ir.functions) module_has_section_ = module_has_section_ || goes_to_device(f->body, false);
  has_section_ = module_has_section_ && goes_to_device(source_.body, true);
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

}  // namespace vr::lower
