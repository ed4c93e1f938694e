// Statements except assignments and loops.
#include "lower/statement.hpp"

#include "ir/raise.hpp"
#include "ir/sharing.hpp"
#include "loop/runtime_fn.hpp"
#include "lower/array.hpp"
#include "lower/assign.hpp"
#include "lower/assign_array.hpp"
#include "lower/call.hpp"
#include "lower/defer.hpp"
#include "lower/element_stores.hpp"
#include "lower/elementwise.hpp"
#include "lower/evaluation_order.hpp"
#include "lower/index.hpp"
#include "lower/library.hpp"
#include "lower/loop.hpp"
#include "lower/offload.hpp"
#include "lower/ownership.hpp"
#include "lower/pfor.hpp"
#include "lower/scalar.hpp"
#include "lower/section_report.hpp"
#include "lower/storage.hpp"
#include "lower/variables.hpp"
#include "lower/writable.hpp"
#include "support/overloaded.hpp"

#include <set>
#include <utility>

namespace vr::lower {

static void statement(Lowering& f, const ir::StmtPtr& s);
static void return_(Lowering& f, const ir::Return& r);
static void raise(Lowering& f, const ir::Raise& r);
static void while_(Lowering& f, const ir::While& s);
static void if_(Lowering& f, const ir::If& s);
static void leave_section_of_loop(Lowering& f);

void body(Lowering& f, const ir::Body& b) {
  for (size_t k = 0; k < b.size(); ++k) {
    if (const size_t count = element_stores(f, b, k)) {
      statement(f, one_iteration(b, k, count));
      k += count - 1;
      continue;
    }
    f.deferred.next = deferral(f, b, k);
    statement(f, b[k]);
    std::erase_if(f.deferred.arrays, [&](const auto& d) { return d.second.until.consumer == b[k].get(); });
  }
}

static void statement(Lowering& f, const ir::StmtPtr& s) {
  const Restore at(f.out.at, {f.m.place(s->pos, s->loc), s->inlined.get(), s->pos});
  const Restore place(f.out.place, f.m.place_number(s->pos, s->loc));
  const Restore<const ir::Stmt*> stmt(f.uses.stmt, s.get());
  const size_t temps = f.own.temps.size();
  f.out.positions.clear();
  const auto* counted = ir::as<ir::For>(s);
  const auto* tested_loop = ir::as<ir::While>(s);
  const bool serial_loop = f.section.inside && (counted || tested_loop);
  const std::set<ir::SymbolId> of_kernels =
      serial_loop ? arrays_of_kernels(counted ? counted->body : tested_loop->body) : std::set<ir::SymbolId>();
  auto in_loop = [&](auto&& loop) {
    const Restore depth(f.loops.depth, f.loops.depth + 1);
    const Restore arrays(f.section.arrays, of_kernels);
    loop();
  };
  auto lower = [&] {
    ir::visit(*s,
              Overloaded{
                  [&](const ir::Assign& n) {
                    if (auto until = std::exchange(f.deferred.next, std::nullopt))
                      return defer(f, n, std::move(*until));
                    bool was_unique = false;
                    const ir::ExprPtr& value = unwrap_copy(f.out, n.value);
                    if (value->kind == ir::Kind::Name || value->kind == ir::Kind::Index)
                      was_unique = f.facts.unique.count(*ir::named_variable(*value));
                    if (f.conv.assign == ir::AssignMode::Copy) forget_unique(f, loop_info({s}));
                    assign(f, n);
                    assigned_unique(f, n, was_unique);
                  },
                  [&](const ir::StmtList& n) {
                    if (!n.on_gpu || !f.m.options.kernels || f.section.inside) return body(f, n.stmts);
                    if (!f.out.collected()) return section(f, n);
                    // The garbage collector does not know which arrays the device's queue still uses.
                    f.m.out->report.push_back(f.out.at.loc + ": accelerated section of '" + f.source.name +
                                              "' runs on the CPU: `:memory boehm` keeps arrays in collected memory");
                    body(f, n.stmts);
                  },
                  [&](const ir::For& n) { in_loop([&] { for_(f, n); }); },
                  [&](const ir::PFor& n) { in_loop([&] { pfor(f, n); }); },
                  [&](const ir::While& n) { in_loop([&] { while_(f, n); }); },
                  [&](const ir::If& n) { if_(f, n); },
                  [&](const ir::Break&) {
                    if (f.loops.break_flag != none) f.out.set(f.loops.break_flag, f.x.bool_const(true));
                    leave_section_of_loop(f);
                    f.out.emit(Break{});
                  },
                  [&](const ir::Continue&) {
                    leave_section_of_loop(f);
                    f.out.emit(Continue{});
                  },
                  [&](const ir::Return& n) { return_(f, n); },
                  [&](const ir::Raise& n) { raise(f, n); },
                  [&](const ir::ExprStmt& n) {
                    if (n.expr->type.is_scalar()) {
                      ScalarValue v = scalar(f, n.expr);
                      if (!is_simple(v.re)) f.out.temp(v.re);  // for its faults
                    } else if (n.expr->type.is_array()) {
                      slot_of_array(f, n.expr, 0);
                    } else if (ir::as<ir::FnCall>(n.expr)) {
                      call_results(f, n.expr);
                    } else {
                      f.out.unsupported("this expression as a statement", n.pos);
                    }
                  },
              });
    release_temps(f, temps);
  };
  // Array operations of a section run on the device as far as possible (offload.cpp); statements inside compound
  // statements are handled when they are lowered.
  if (f.section.inside && (s->kind == ir::Kind::Assign || s->kind == ir::Kind::ExprStmt ||
                           s->kind == ir::Kind::Return || s->kind == ir::Kind::Raise))
    on_device(f, lower);
  else if (serial_loop) {
    Block loop = f.out.collect(lower);
    tell_loop(f, loop, counted ? "a 'for' loop" : "a 'while' loop", of_kernels);
    f.out.append(std::move(loop));
  } else
    lower();
}

static void forget_reductions(Block& b) {
  for (Stmt& s : b) {
    if (auto* n = std::get_if<CountedLoop>(&s.node)) n->reduction = nullptr;
    for (Block* p : parts(s)) forget_reductions(*p);
  }
}

// Emits the code that `lower` emits, with work on whole arrays moved to the device where possible.
void on_device(Lowering& f, const std::function<void()>& lower) {
  const size_t temps = f.own.temps.size();
  Block here = f.out.collect(lower);
  if (auto there = offload(f, here)) {
    here = std::move(*there);
    Block last = f.out.collect([&] { release_temps(f, temps); });
    for (Stmt& st : last) here.push_back(std::move(st));
  }
  // Loops that stay on the host are not split into parts, so the order of a section's sums does not depend on which
  // loops moved to the device.
  forget_reductions(here);
  f.out.append(std::move(here));
}

static ExprP tested(Lowering& f, const ir::ExprPtr& test) {
  const size_t temps = f.own.temps.size();
  ExprP c = nullptr;
  if (f.section.inside) {
    on_device(f, [&] { c = f.out.keep(condition(f, test), "test"); });
  } else {
    c = condition(f, test);
    if (f.own.temps.size() > temps) c = f.out.keep(c, "test");
  }
  release_temps(f, temps);
  return c;
}

static void if_(Lowering& f, const ir::If& s) {
  ExprP c = tested(f, s.test);
  std::set<ir::SymbolId> then_unique;
  Block then_body = f.out.collect([&] {
    const Restore unique(f.facts.unique);
    body(f, s.then_body);
    then_unique = f.facts.unique;
  });
  Block else_body = f.out.collect([&] { body(f, s.else_body); });
  std::erase_if(f.facts.unique, [&](ir::SymbolId id) { return !then_unique.count(id); });
  f.out.emit(If{c, std::move(then_body), std::move(else_body)});
}

static void while_(Lowering& f, const ir::While& s) {
  LoopInfo facts = loop_info(s.body);
  const LoopScope scope(f, facts, {});
  f.out.emit(Loop{f.out.collect([&] {
    ExprP c = tested(f, s.test);
    f.out.emit(If{f.x.not_(c), {Stmt{Break{}}}, {}});
    body(f, s.body);
  })});
}

static void return_(Lowering& f, const ir::Return& r) {
  if (f.out.fn.kind != Function::Kind::Entry) f.out.unsupported("return inside a parallel loop");
  if (r.exprs.size() == 1 && f.results.size() > 1) {
    // A return of a call's several results, or of a tuple's elements: they are named first, which makes it an ordinary
    // return.
    ir::Return several({});
    several.pos = r.pos;
    for (Slot& part : tuple_values(f, r.exprs[0])) several.exprs.push_back(named(f, std::move(part)));
    return return_(f, several);
  }
  if (r.exprs.size() != f.results.size())
    f.out.unsupported("the number of returned values differs from the number of the function's results");
  // First everything that can fail, then references are moved.
  std::vector<Slot> values;
  std::vector<std::pair<size_t, ir::Type>> copied;
  for (size_t k = 0; k < r.exprs.size(); ++k) {
    const ir::Type& type = f.source.type.outputs()[k];
    const ir::ExprPtr& e = unwrap_copy(f.out, r.exprs[k]);
    if (!type.is_array()) {
      Slot s = new_slot(f.out, "r", type);
      for (const Slot& part : leaves(s))
        if (part.array != none) f.own.temps.push_back(part.array);
      assign_slot(f, s, e, none);
      for (Slot& part : leaves(s)) values.push_back(std::move(part));
      continue;
    }
    auto fits = [&](const Slot& s) {
      return s.type.elem == type.elem && s.type.complex == type.complex &&
             (type.layout == ir::Layout::Strided || s.type.layout == type.layout);
    };
    auto* name = ir::as<ir::Name>(e);
    if (name && fits(slot(f, name->id))) {
      values.push_back(slot(f, name->id));
      continue;
    }
    // The copy is made after all values were evaluated, because later ones may change the variable.
    if (name && effects_behind(f, r.exprs, k)) {
      copied.emplace_back(values.size(), type);
      values.push_back(slot(f, name->id));
      continue;
    }
    // A slice may be a view of its array, as when it is assigned to a variable first.
    if (auto* index = ir::as<ir::Index>(e); index && type.layout == ir::Layout::Strided && !all_scalar(f, *index) &&
                                            index->type.elem == type.elem && index->type.complex == type.complex) {
      Slot s = new_slot(f.out, "view", type);
      f.own.temps.push_back(s.array);
      assign_array(f, s, e, 1);
      values.push_back(s);
      continue;
    }
    Slot s = slot_of_array(f, e, 1);
    if (name || !fits(s)) {
      ir::Type t = type;
      if (t.layout == ir::Layout::Strided) t.layout = ir::Layout::RowMajor;
      s = materialise(f, convert(f.out, leaf(f.out, s, {}), t.elem, t.complex), t.layout, 1);
    }
    values.push_back(s);
  }
  for (auto& [k, type] : copied) {
    if (type.layout == ir::Layout::Strided) type.layout = ir::Layout::RowMajor;
    values[k] = materialise(f, convert(f.out, leaf(f.out, values[k], {}), type.elem, type.complex), type.layout, 1);
  }
  if (f.section.inside) f.out.call(rt::GpuSectionLeave, {}, true);
  hand_over(f, values);
}

void hand_over(Lowering& f, const std::vector<Slot>& values) {
  for (size_t k = 0; k < values.size(); ++k) {
    const Param& p = f.out.fn.results[k];
    if (p.array == none) {
      f.out.set(p.var, f.out.get(values[k].var));
      if (p.im != none) f.out.set(p.im, f.out.get(values[k].im));
      continue;
    }
    ArrayId from = values[k].array;
    // The function ends here, so that a variable's reference is moved to the result; if several results are the same
    // array all but the last get new references.
    bool again = false;
    for (size_t later = k + 1; later < values.size(); ++later) again = again || values[later].array == from;
    if (again) retain(f.out, from);
    copy_fields(f.out, p.array, from);
    f.out.set(f.out.array(p.array).owner, f.out.get(f.out.array(from).owner));
    if (!again && f.out.array(from).owner != none) f.out.set(f.out.array(from).owner, f.x.null());
  }
  f.out.emit(Exit{});
}

static void raise(Lowering& f, const ir::Raise& r) {
  ExprP numbers[ir::max_raise_args] = {};
  RaiseNumber kinds[ir::max_raise_args];
  for (size_t k = 0; k < r.args.size(); ++k) {
    kinds[k] = ir::raise_number(r.args[k]->type.elem);
    const bool whole = kinds[k] == RaiseNumber::Signed || kinds[k] == RaiseNumber::Unsigned;
    const ScalarValue x = scalar(f, r.args[k]);
    numbers[k] = f.out.keep(f.x.convert(x.re, whole ? Scalar::Int64 : Scalar::Float64));
  }
  const SiteId site = f.out.site({}, -1, with_number_kinds(r.text, kinds), r.code);
  f.out.emit(Fail{site, VR_RAISED, numbers[0], numbers[1]});
}

// ---------------------------------------------------------------- accelerated sections (thesis 4.5.4)
// Arrays stay resident from section to section, and where the host allows it from call to call, until host code
// accesses them: residence.cpp inserts the synchronisation.
void section(Lowering& f, const ir::StmtList& s) {
  f.out.call(rt::GpuSectionBegin, {}, true);
  {
    const Restore inside(f.section.inside, true);
    const Restore loops(f.section.loops, f.loops.depth);
    body(f, s.stmts);
  }
  f.out.call(rt::GpuSectionLeave, {}, true);
}

// A jump out of loops around the current section ends the section.
static void leave_section_of_loop(Lowering& f) {
  if (f.section.inside && f.m.options.kernels && f.loops.depth == f.section.loops)
    f.out.call(rt::GpuSectionLeave, {}, true);
}

void look_for_sections(Lowering& f) {
  if (!f.m.options.device || !f.m.options.kernels || f.out.fn.kind != Function::Kind::Entry || f.out.collected())
    return;
  for (const ir::FunctionPtr& function : f.m.ir.functions)
    f.section.in_module = f.section.in_module || goes_to_device(f, function->body, false);
  f.section.in_function = f.section.in_module && goes_to_device(f, f.source.body, true);
}

bool goes_to_device(Lowering& f, const ir::Body& b, bool calls) {
  bool found = false;
  ir::walk_stmts(b, [&](const ir::Stmt& s) {
    if (auto* l = ir::as<ir::StmtList>(&s)) found = found || l->on_gpu;
  });
  if (calls && !found)
    ir::walk_exprs(b, [&](const ir::Expr& e) {
      if (auto* c = ir::as<ir::FnCall>(&e)) found = found || !library_call(f, *c);
    });
  return found;
}

}  // namespace vr::lower
