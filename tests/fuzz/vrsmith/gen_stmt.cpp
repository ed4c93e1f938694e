// Statements.
#include "generator.hpp"

namespace vr::smith {

// ---------------------------------------------------------------- helpers

StmtPtr FunctionGen::located(const std::shared_ptr<ir::Stmt>& s) {
  if (m_.locations) {
    s->loc = "p:" + std::to_string(++m_.place) + ":1";
    info_.places.insert(s->loc);
    if (parallel_) m_.parallel_places.insert(s->loc);
  }
  return s;
}

void FunctionGen::assign(ir::Body& out, ExprPtr target, ExprPtr value) {
  out.push_back(located(std::make_shared<ir::Assign>(std::vector<ExprPtr>{std::move(target)}, std::move(value))));
}

/// Groups of the arrays whose storage the value may be.
std::set<int> FunctionGen::roots(const ExprPtr& e) const {
  std::set<int> out;
  if (!e || !(e->type.is_array() || e->type.is_tuple()) || m_.copies()) return out;
  auto of = [&](SymbolId id) {
    for (auto& v : vars_)
      if (v->id == id) out.insert(v->group);
  };
  auto args = [&](const std::vector<ExprPtr>& list) {
    for (const ExprPtr& x : list)
      if (x->type.is_array()) {
        auto r = roots(x);
        out.insert(r.begin(), r.end());
      }
  };
  if (auto* n = ir::as<ir::Name>(e)) of(n->id);
  if (auto* n = ir::as<ir::TupleIndex>(e)) of(n->tuple);
  if (auto* n = ir::as<ir::Index>(e)) of(n->array);
  if (auto* n = ir::as<ir::TupleExpr>(e)) args(n->elems);
  if (auto* n = ir::as<ir::FnCall>(e)) args(n->args);
  if (auto* n = ir::as<ir::LibCall>(e))
    if (n->func == "reshape" || n->func == "trans" || n->func == "horzcat" || n->func == "vertcat") args(n->args);
  return out;
}

void FunctionGen::assign_variable(ir::Body& out, Variable& v, ExprPtr value) {
  value = to(value, v.type.elem, v.type.complex);
  if (v.type.is_array()) {
    bool foreign = false;
    for (int g : roots(value))
      foreign = foreign || g != v.group;
    if (foreign)
      value = std::make_shared<ir::LibCall>(
          typed(std::make_shared<ir::LibCall>(Type::null(), "copy", std::vector{value}))->type, "copy",
          std::vector{value});
  }
  assign(out, name(v), value);
}

void FunctionGen::noted_store(const Variable& v) {
  if (v.group == 0) info_.stores_args = true;
}

const FunctionInfo* FunctionGen::callable(const std::function<bool(const FunctionInfo&)>& f) {
  std::vector<const FunctionInfo*> fits;
  for (const FunctionInfo& x : m_.functions) {
    if (!f(x)) continue;
    if (parallel_ && (x.stores_args || (parallel_->kernel && (!x.plain || x.depth_param >= 0)))) continue;
    if (in_section_ && x.has_pfor) continue;
    if (all_loops_ > 1 && x.depth_param >= 0) continue;
    fits.push_back(&x);
  }
  return fits.empty() ? nullptr : rng.pick(fits);
}

void FunctionGen::note_call(const FunctionInfo& f) {
  if (f.stores_args) info_.stores_args = true;
  if (f.has_pfor) info_.has_pfor = true;
  info_.places.insert(f.places.begin(), f.places.end());
  if (parallel_) m_.parallel_places.insert(f.places.begin(), f.places.end());
}

ExprPtr FunctionGen::call(const FunctionInfo& f, int depth, bool recursive) {
  std::vector<ExprPtr> args;
  for (size_t k = 0; k < f.params.size(); ++k) {
    const Type& t = f.params[k].type;
    if (static_cast<int>(k) == f.depth_param) {
      if (recursive)
        args.push_back(binary(Kind::Minus, name(*depth_), int_const(1)));
      else
        args.push_back(rng.chance(50) ? int_const(rng.range(0, 4)) : lib("mod", {integer(0), int_const(4)}));
    } else if (t.is_function()) {
      std::vector<int> fits;
      for (size_t j = 0; j < m_.functions.size(); ++j)
        if (m_.functions[j].type == t && m_.functions[j].results[0].exact) fits.push_back(static_cast<int>(j));
      Variable* own = any([&](const Variable& x) { return x.type == t; });
      if (own && rng.chance(40)) {
        args.push_back(name(*own));
      } else if (!fits.empty()) {
        const FunctionInfo& g = m_.functions[static_cast<size_t>(rng.pick(fits))];
        note_call(g);
        args.push_back(std::make_shared<ir::FnHandle>(t, g.name));
      } else {
        args.push_back(std::make_shared<ir::FnHandle>(t, rng.pick({"abs", "floor", "sqrt", "round"})));
      }
    } else if (t.is_array()) {
      args.push_back(
          to(array(rng.chance(90) ? t.elem : random_elem(), t.complex, *f.params[k].shape, std::min(depth - 1, 1)),
             t.elem, t.complex));
      if (roots(args.back()).size() > 1) throw Retry{};
    } else {
      args.push_back(scalar(rng.chance(80) ? t.elem : random_elem(), t.complex, depth - 1));
    }
  }
  // Two arguments of different groups could come back as one result.
  std::set<int> groups;
  for (const ExprPtr& a : args)
    for (int g : roots(a)) groups.insert(g);
  if (groups.size() > 1)
    for (ExprPtr& a : args)
      if (a->type.is_array() && !roots(a).empty()) a = lib("copy", {a});
  for (const ExprPtr& a : args)
    if (a->type.is_array())
      for (int g : roots(a))
        if (g == 0 && f.stores_args) info_.stores_args = true;
  note_call(f);
  std::vector<Type> outs;
  for (const ResultInfo& r : f.results) outs.push_back(r.type);
  return std::make_shared<ir::FnCall>(outs.empty()       ? Type::void_()
                                      : outs.size() == 1 ? outs[0]
                                                         : Type::tuple(outs),
                                      f.name, std::move(args));
}

// ---------------------------------------------------------------- simple statements

void FunctionGen::scalar_assign(ir::Body& out) {
  Variable* v = any([](const Variable& x) { return x.type.is_scalar() && x.exact && !x.constant; });
  if (!v || rng.chance(10)) {
    if (nesting_ > 1) throw Retry{};
    v = &add(random_scalar_type(), "x");
  }
  v->hidden = false;
  assign(out, name(*v),
         rng.chance(92) ? scalar(v->type.elem, v->type.complex, 3) : scalar(random_elem(), v->type.complex, 2));
}

void FunctionGen::array_assign(ir::Body& out) {
  Variable* v = any([](const Variable& x) { return x.type.is_array() && x.exact && x.shape && !x.constant; });
  if (!v) throw Retry{};
  assign_variable(out, *v, array(v->type.elem, v->type.complex, *v->shape, 2));
}

void FunctionGen::element_store(ir::Body& out) {
  Variable* v = any([](const Variable& x) { return x.type.is_array() && x.exact; });
  if (!v) throw Retry{};
  auto target = element(*v, 1, true);
  if (!target) throw Retry{};
  noted_store(*v);
  assign(out, *target, scalar(v->type.elem, v->type.complex, 2));
}

void FunctionGen::slice_store(ir::Body& out) {
  Variable* v = any([](const Variable& x) { return x.type.is_array() && x.exact && x.shape; });
  if (!v) throw Retry{};
  auto target = random_section(*v, true);
  if (!target) throw Retry{};
  noted_store(*v);
  const bool complex = v->type.complex;
  ExprPtr value = rng.chance(35) ? scalar(v->type.elem, complex, 2)
                  : m_.matlab()  ? array(v->type.elem, complex, target->second, 1)
                                 : broadcast_operand(v->type.elem, complex, target->second, 1);
  assign(out, target->first, value);
}

void FunctionGen::mask_store(ir::Body& out) {
  Variable* v = any([](const Variable& x) { return x.type.is_array() && x.exact && x.shape; });
  if (!v) throw Retry{};
  ir::Subscript s;
  s.value = array(Elem::Bool, false, *v->shape, 1);
  if (m_.conv.grow && rng.chance(50)) s.grow = false;
  auto n = std::make_shared<ir::Index>(Type::null(), v->id, std::vector<ir::Subscript>{s});
  if (m_.matlab()) n->flatten = true;
  noted_store(*v);
  assign(out, typed(n), scalar(v->type.elem, v->type.complex, 2));
}

/// A store past the end of an array whose extents nobody knows.
void FunctionGen::growth(ir::Body& out) {
  Variable* v = any([](const Variable& x) { return x.type.is_array() && x.exact && !x.shape && !x.constant; });
  if (!v) {
    if (nesting_ > 1) throw Retry{};
    const Type t = random_scalar_type();
    v = &add(Type::array(t.elem, m_.conv.mindims, ir::fresh_layout(m_.conv), t.complex), "w");
    v->group = ++groups_;
  }
  std::vector<ir::Subscript> subs;
  for (int k = 0; k < v->type.rank; ++k) {
    ir::Subscript s;
    s.value = bounded(6, 1);
    if (m_.base()) s.value = binary(Kind::Plus, s.value, int_const(1));
    if (!m_.conv.grow || rng.chance(60)) s.grow = true;
    subs.push_back(s);
  }
  auto n = std::make_shared<ir::Index>(Type::null(), v->id, std::move(subs));
  noted_store(*v);
  assign(out, typed(n), scalar(v->type.elem, v->type.complex, 1));
}

void FunctionGen::loose_assign(ir::Body& out) {
  Variable* v = any([](const Variable& x) { return x.type.is_array() && x.exact && !x.shape && !x.constant; });
  if (!v || rng.chance(30)) {
    if (nesting_ > 1) throw Retry{};
    const Type t = random_scalar_type();
    v = &add(Type::array(t.elem, rng.chance(75) ? m_.conv.mindims : 2, random_layout(), t.complex), "w");
    v->group = ++groups_;
  }
  assign_variable(out, *v, loose(v->type, 1));
}

void FunctionGen::inexact_assign(ir::Body& out) {
  if (!entry_ || parallel_) throw Retry{};
  const Elem e = rng.chance(60) ? Elem::Float64 : Elem::Float32;
  if (rng.chance(50)) {
    Variable* v = any([&](const Variable& x) { return x.type == Type::scalar(e) && !x.exact; });
    ExprPtr value = to(inexact_scalar(e, 1), e, false);
    if (!v) v = &add(Type::scalar(e), "y"), v->exact = false;
    assign(out, name(*v), value);
    return;
  }
  Variable* v = any([&](const Variable& x) { return x.type.is_array() && !x.exact && x.type.elem == e; });
  if (!v || rng.chance(30)) {
    const Shape s = random_shape(2);
    ExprPtr value = to(inexact_array(e, s, 1), e, false);
    v = &add(Type::array(e, static_cast<int>(s.size()), random_layout()), "y");
    v->exact = false;
    v->shape = s;
    v->group = ++groups_;
    assign_variable(out, *v, value);
    return;
  }
  assign_variable(out, *v, to(inexact_array(e, *v->shape, 1), e, false));
}

void FunctionGen::tuple_statement(ir::Body& out) {
  Variable* v = any([](const Variable& x) { return x.type.is_tuple(); });
  if (v && rng.chance(60)) {
    const auto& parts = v->type.components();
    if (rng.chance(40)) {  // one component
      const auto k = static_cast<size_t>(rng.below(static_cast<int64_t>(parts.size())));
      if (!parts[k].is_scalar()) throw Retry{};
      ExprPtr target = make<ir::TupleIndex>(v->id, static_cast<int32_t>(k) + m_.base());
      assign(out, target, scalar(parts[k].elem, parts[k].complex, 2));
      return;
    }
    std::vector<ExprPtr> elems;
    for (const Type& t : parts) {
      if (!t.is_scalar()) throw Retry{};
      elems.push_back(scalar(t.elem, t.complex, 1));
    }
    assign(out, name(*v), make<ir::TupleExpr>(std::move(elems)));
    return;
  }
  // Several targets at once: (a, b) = (b, a).
  if (rng.chance(50)) {
    auto targets = where([](const Variable& x) { return x.type.is_scalar() && x.exact && !x.constant; });
    if (targets.size() < 2) throw Retry{};
    Variable *a = rng.pick(targets), *b = rng.pick(targets);
    if (a == b) throw Retry{};
    ExprPtr value = make<ir::TupleExpr>(
        std::vector{scalar(a->type.elem, a->type.complex, 1), scalar(b->type.elem, b->type.complex, 1)});
    std::vector<ExprPtr> names{name(*a), name(*b)};
    if (rng.chance(50)) {
      ExprPtr t = make<ir::TupleExpr>(names);
      assign(out, t, value);
    } else {
      out.push_back(located(std::make_shared<ir::Assign>(names, value)));
    }
    return;
  }
  if (nesting_ > 1 || parallel_) throw Retry{};
  std::vector<Type> parts;
  for (int64_t k = rng.range(1, 3); k > 0; --k) parts.push_back(random_scalar_type());
  std::vector<ExprPtr> elems;
  for (const Type& t : parts) elems.push_back(scalar(t.elem, t.complex, 1));
  Variable& t = add(Type::tuple(parts), "t");
  assign(out, name(t), make<ir::TupleExpr>(std::move(elems)));
}

void FunctionGen::call_statement(ir::Body& out) {
  const FunctionInfo* f = callable([&](const FunctionInfo&) { return true; });
  if (!f) throw Retry{};
  ExprPtr c = call(*f, 2, false);
  if (f->results.empty() || rng.chance(15)) {
    out.push_back(located(std::make_shared<ir::ExprStmt>(c)));
    return;
  }
  const auto from = roots(c);
  std::vector<ExprPtr> targets;
  std::set<SymbolId> used;
  for (const ResultInfo& r : f->results) {
    if (!r.exact) throw Retry{};
    Variable* v = any([&](const Variable& x) {
      return x.exact && !x.constant && x.type.kind == r.type.kind &&
             (!r.type.is_array() || (x.shape && x.shape == r.shape)) && r.type.complex <= x.type.complex &&
             !used.count(x.id);
    });
    if (!v || rng.chance(20)) {
      if (nesting_ > 1 || parallel_) throw Retry{};
      v = &add(r.type, "r");
      v->shape = r.shape;
      v->group = from.size() == 1 ? *from.begin() : 0;
    }
    if (v->type.is_array()) {
      if (parallel_) throw Retry{};
      for (int g : from)
        if (g != v->group) throw Retry{};
    }
    used.insert(v->id);
    targets.push_back(name(*v));
  }
  out.push_back(located(std::make_shared<ir::Assign>(targets, c)));
}

void FunctionGen::handle_statement(ir::Body& out) {
  if (in_section_ || parallel_) throw Retry{};
  const Type f64 = Type::scalar(Elem::Float64), t = Type::function({f64}, {f64});
  Variable* g = any([&](const Variable& x) { return x.type == t && !x.constant; });
  int which = -1;
  for (size_t j = 0; j < m_.functions.size(); ++j)
    if (m_.functions[j].type == t && m_.functions[j].results[0].exact) which = static_cast<int>(j);
  const bool library = which < 0;
  if (!g || g->callee != which) {
    g = &add(t, "g");
    g->constant = true;
    g->callee = which;
  }
  if (!library) note_call(m_.functions[static_cast<size_t>(which)]);
  assign(out, name(*g),
         std::make_shared<ir::FnHandle>(t, library ? rng.pick({"abs", "floor", "sqrt", "ceil"})
                                                   : m_.functions[static_cast<size_t>(which)].name.c_str()));
}

ExprPtr FunctionGen::xchange(Variable& v, ir::AtomicOp op, std::vector<ir::Subscript> subs) {
  std::vector<ExprPtr> args;
  for (int k = op == ir::AtomicOp::Cas ? 2 : 1; k > 0; --k) args.push_back(scalar(v.type.elem, false, 1));
  for (ir::Subscript& s : subs) s.grow.reset();
  noted_store(v);
  auto n = std::make_shared<ir::Xchange>(Type::null(), op, v.id, std::move(subs), std::move(args));
  return typed(n);
}

void FunctionGen::xchange_statement(ir::Body& out) {
  Variable* v = any([](const Variable& x) {
    return x.type.is_array() && x.exact && x.shape && !x.type.complex && x.type.elem != Elem::Bool;
  });
  if (!v) throw Retry{};
  std::vector<ir::Subscript> subs;
  for (size_t k = 0; k < v->type.rank; ++k) subs.push_back(inside(*v, k, extent_of(*v, k), 1));
  using A = ir::AtomicOp;
  const A op = ir::is_float(v->type.elem) ? rng.pick({A::Add, A::Sub, A::Min, A::Max, A::Swap, A::Cas})
                                          : rng.pick({A::Add, A::Sub, A::Min, A::Max, A::And, A::Or, A::Swap, A::Cas});
  ExprPtr x = xchange(*v, op, std::move(subs));
  Variable* old =
      any([](const Variable& y) { return y.type.is_scalar() && y.exact && !y.constant && !y.type.complex; });
  if (old && rng.chance(60))
    assign(out, name(*old), to(x, old->type.elem, false));
  else
    out.push_back(located(std::make_shared<ir::ExprStmt>(x)));
}

// ---------------------------------------------------------------- control flow

void FunctionGen::if_statement(ir::Body& out) {
  ExprPtr test = condition(2);
  ir::Body a = body(static_cast<int>(rng.range(1, 3))), b;
  if (rng.chance(45)) b = body(static_cast<int>(rng.range(1, 2)));
  if (loops_ > 0 && rng.chance(20)) {
    std::shared_ptr<ir::Stmt> jump;
    if (rng.chance(50))
      jump = std::make_shared<ir::Break>();
    else
      jump = std::make_shared<ir::Continue>();
    (rng.chance(70) || b.empty() ? a : b).push_back(located(jump));
  }
  out.push_back(located(std::make_shared<ir::If>(test, std::move(a), std::move(b))));
}

/// A range of n numbers from lo on, written in one of many ways.
ExprPtr FunctionGen::loop_range(int64_t lo, int64_t n, Elem e, bool whole) {
  std::optional<bool> exclude;
  if (rng.chance(60)) exclude = rng.chance(50);
  const bool excluded = exclude.value_or(m_.conv.exclude);
  auto number = [&](int64_t v) -> ExprPtr {
    if (e == Elem::Float64 || e == Elem::Float32) return float_const(static_cast<double>(v), e);
    if (e == Elem::Int32) return int_const(v, e);
    ExprPtr x = known(v);
    return x->type.elem == Elem::Float64 ? int_const(v) : x;
  };
  int64_t step = whole ? 1 : rng.pick<int64_t>({1, 1, 1, 2, 3, -1, -1, -2});
  if (whole && rng.chance(25)) step = -1;
  // Numbers lo .. lo + n - 1 or some of them.
  const int64_t first = step > 0 ? lo : lo + n - 1, last = step > 0 ? lo + n - 1 : lo;
  ExprPtr start = first == m_.base() && step > 0 && rng.chance(30) ? nullptr : number(first);
  ExprPtr by = step == 1 && rng.chance(70) ? nullptr : number(step);
  ExprPtr stop = number(excluded ? last + (step > 0 ? 1 : -1) : last);
  auto r = std::make_shared<ir::Range>(Type::null(), exclude, start, by, stop);
  r->type = ir::natural_type(*r, {&m_.module, &fn_, m_.conv, nullptr}).type;
  return r;
}

void FunctionGen::for_statement(ir::Body& out) {
  const int64_t dims = rng.chance(80) ? 1 : 2;
  std::vector<SymbolId> ids;
  std::vector<Variable*> vars;
  std::vector<ExprPtr> ranges;
  for (int64_t k = 0; k < dims; ++k) {
    const Elem e = rng.chance(70) ? Elem::Int64 : rng.pick({Elem::Int32, Elem::Int32, Elem::Float64, Elem::Float32});
    Variable& v = add(Type::scalar(e), "i");
    v.constant = !rng.chance(6);
    v.hidden = true;
    const int64_t lo = rng.chance(60) ? m_.base() : rng.range(-2, 3),
                  n = rng.chance(70) ? rng.pick(m_.sizes) : rng.range(0, 6);
    const int64_t turns = std::min<int64_t>(n, all_loops_ > 0 ? 5 : 17);
    if (rng.chance(20) && !ir::is_float(e)) {  // as often as the data says
      ExprPtr stop = binary(Kind::Plus, known(lo), bounded(7, 1));
      if (e == Elem::Int32) stop = to(stop, e, false);
      ExprPtr start = int_const(lo, e);
      if (ir::is_float(stop->type.elem)) stop = to(stop, e, false);
      auto r = std::make_shared<ir::Range>(Type::null(), std::optional<bool>(), start, nullptr, stop);
      r->type = Type::domain({Type::scalar(e)});
      ranges.push_back(r);
    } else if (e == Elem::Float64 && rng.chance(40)) {
      auto r = std::make_shared<ir::Range>(Type::null(), std::optional<bool>(), float_const(0.5), float_const(0.3),
                                           float_const(0.5 + 0.3 * static_cast<double>(rng.range(0, 6))));
      r->type = Type::domain({Type::scalar(e)});
      ranges.push_back(r);
    } else {
      ranges.push_back(loop_range(lo, turns, e, false));
      const auto parts = ranges.back()->type.components();
      if (ir::common_elem(parts[0].elem, e) != e) throw Retry{};
      if (v.constant) v.known_range = {lo, lo + turns - 1};
    }
    ids.push_back(v.id);
    vars.push_back(&v);
  }
  ExprPtr domain;
  if (dims == 1 && rng.chance(50))
    domain = ranges[0];
  else
    domain = make<ir::Domain>(ranges);
  for (Variable* v : vars) v->hidden = false;
  ++loops_, ++all_loops_;
  ir::Body b;
  try {
    b = body(static_cast<int>(rng.range(1, 4)));
  } catch (...) {
    --loops_, --all_loops_;
    throw;
  }
  --loops_, --all_loops_;
  for (Variable* v : vars) {
    v->known_range.reset();  // it may have kept its value from before
    v->constant = false;
  }
  out.push_back(located(std::make_shared<ir::For>(ids, domain, std::move(b))));
}

void FunctionGen::while_statement(ir::Body& out) {
  Variable& c = add(Type::scalar(rng.chance(70) ? Elem::Int64 : Elem::Int32), "c");
  c.constant = true;
  ExprPtr start = rng.chance(60) ? int_const(rng.range(0, 7), c.type.elem) : to(bounded(8, 1), c.type.elem, false);
  ExprPtr test = binary(Kind::Gt, name(c), int_const(0, c.type.elem));
  if (rng.chance(40))
    test = rng.chance(50) ? binary(Kind::And, test, condition(1)) : binary(Kind::And, condition(1), test);
  ir::Body inner;
  assign(inner, name(c), binary(Kind::Minus, name(c), int_const(1, c.type.elem)));
  ++loops_, ++all_loops_;
  ir::Body more = body(static_cast<int>(rng.range(1, 3)));
  --loops_, --all_loops_;
  inner.insert(inner.end(), more.begin(), more.end());
  assign(out, name(c), start);
  out.push_back(located(std::make_shared<ir::While>(test, std::move(inner))));
}

/// A domain in a variable, and a loop over it.
void FunctionGen::domain_statement(ir::Body& out) {
  if (nesting_ > 1 || parallel_) throw Retry{};
  const int64_t dims = rng.range(1, 2);
  std::vector<ExprPtr> ranges;
  std::vector<SymbolId> ids;
  std::vector<Variable*> vars;
  for (int64_t k = 0; k < dims; ++k) {
    const int64_t n = rng.range(0, 5);
    ranges.push_back(loop_range(m_.base(), n, Elem::Int64, false));
    Variable& v = add(Type::scalar(Elem::Int64), "i");
    v.constant = true;
    v.known_range = {m_.base(), m_.base() + n - 1};
    v.hidden = true;
    ids.push_back(v.id);
    vars.push_back(&v);
  }
  ExprPtr d = make<ir::Domain>(ranges);
  Variable& v = add(d->type, "d");
  assign(out, name(v), d);
  for (Variable* i : vars) i->hidden = false;
  ++loops_, ++all_loops_;
  ir::Body b = body(2);
  --loops_, --all_loops_;
  for (Variable* i : vars) i->known_range.reset(), i->constant = false;
  out.push_back(located(std::make_shared<ir::For>(ids, name(v), std::move(b))));
}

StmtPtr FunctionGen::return_statement() {
  std::vector<ExprPtr> values;
  for (ResultInfo& r : info_.results) {
    ExprPtr e;
    for (int tries = 0; !e; ++tries) {
      try {
        const Type& t = r.type;
        if (!r.exact) {
          Variable* y = any([&](const Variable& x) {
            return !x.exact && x.type.kind == t.kind && x.type.elem == t.elem && (!t.is_array() || x.shape == r.shape);
          });
          e = y              ? name(*y)
              : t.is_array() ? to(inexact_array(t.elem, *r.shape, 1), t.elem, false)
                             : to(inexact_scalar(t.elem, 1), t.elem, false);
        } else if (t.is_array()) {
          // What the function made, if it fits; now and then of unknown extents.
          Variable* w = entry_ && rng.chance(50) ? any([&](const Variable& x) {
            return x.type.is_array() && readable(x) && !x.shape && x.type.rank == t.rank && x.type.complex <= t.complex;
          })
                                                 : nullptr;
          e = w ? to(name(*w), t.elem, t.complex)
                : array(t.elem, t.complex, *r.shape, tries > 20 ? 0 : static_cast<int>(rng.below(2)));
          for (int g : roots(e)) r.fresh = r.fresh && g != 0;
        } else {
          e = scalar(t.elem, t.complex, tries > 20 ? 0 : static_cast<int>(rng.below(3)));
        }
      } catch (const Retry&) {
        if (tries > 60) throw;
      }
    }
    values.push_back(e);
  }
  return located(std::make_shared<ir::Return>(std::move(values)));
}

void FunctionGen::early_return(ir::Body& out) {
  if (parallel_ || in_section_) throw Retry{};
  ExprPtr test = condition(2);
  ir::Body a = body(1);
  a.push_back(return_statement());
  out.push_back(located(std::make_shared<ir::If>(test, std::move(a), ir::Body{})));
}

void FunctionGen::recursion(ir::Body& out) {
  if (!depth_ || all_loops_ > 0 || parallel_ || in_section_ || in_recursion_) throw Retry{};
  in_recursion_ = true;
  ExprPtr c = call(info_, 1, true);
  std::vector<ExprPtr> targets;
  std::set<SymbolId> used;
  ir::Body a;
  for (const ResultInfo& r : info_.results) {
    Variable* v = any([&](const Variable& x) {
      return x.exact && !x.constant && x.type.is_scalar() && r.type.is_scalar() && r.type.complex <= x.type.complex &&
             !used.count(x.id);
    });
    if (!v) {
      v = &add(r.type, "r");
      v->shape = r.shape;
      v->hidden = true;
    }
    used.insert(v->id);
    targets.push_back(name(*v));
  }
  if (targets.empty())
    a.push_back(located(std::make_shared<ir::ExprStmt>(c)));
  else
    a.push_back(located(std::make_shared<ir::Assign>(targets, c)));
  out.push_back(
      located(std::make_shared<ir::If>(binary(Kind::Gt, name(*depth_), int_const(0)), std::move(a), ir::Body{})));
}

// ---------------------------------------------------------------- bodies

void FunctionGen::try_statement(ir::Body& out) {
  const bool flat = nesting_ > 3;
  if (parallel_) {
    switch (rng.weighted({40, 35, flat ? 0 : 12, flat ? 0 : 8, flat ? 0 : 3})) {
      case 0:
        return parallel_store(out);
      case 1:
        return scalar_assign(out);
      case 2:
        return if_statement(out);
      case 3:
        return for_statement(out);
      default:
        return while_statement(out);
    }
  }
  if (in_section_) {
    switch (rng.weighted({70, 25, 5})) {
      case 0:
        return parallel_loop(out);
      case 1:
        return scalar_assign(out);
      default:
        return element_store(out);
    }
  }
  switch (rng.weighted({20,
                        14,
                        14,
                        10,
                        4,
                        3,
                        5,
                        6,
                        5,
                        7,
                        2,
                        4,
                        flat ? 0 : 9,
                        flat ? 0 : 9,
                        flat ? 0 : 3,
                        flat ? 0 : 2,
                        flat ? 0 : 3,
                        depth_ ? 12 : 0,
                        flat || all_loops_ > 1 || !m_.locations ? 0 : 9,
                        m_.sections && m_.locations && !flat ? 14 : 0,
                        flat ? 0 : 2})) {
    case 0:
      return scalar_assign(out);
    case 1:
      return array_assign(out);
    case 2:
      return element_store(out);
    case 3:
      return slice_store(out);
    case 4:
      return mask_store(out);
    case 5:
      return growth(out);
    case 6:
      return loose_assign(out);
    case 7:
      return inexact_assign(out);
    case 8:
      return tuple_statement(out);
    case 9:
      return call_statement(out);
    case 10:
      return handle_statement(out);
    case 11:
      return xchange_statement(out);
    case 12:
      return if_statement(out);
    case 13:
      return for_statement(out);
    case 14:
      return while_statement(out);
    case 15:
      return domain_statement(out);
    case 16:
      return early_return(out);
    case 17:
      return recursion(out);
    case 18:
      return parallel_loop(out);
    case 19:
      return section(out);
    default:
      out.push_back(located(std::make_shared<ir::StmtList>(false, body(2))));
      return;
  }
}

void FunctionGen::statement(ir::Body& out) {
  for (int tries = 0; tries < 12; ++tries) {
    ir::Body made;
    const int loops = loops_, all = all_loops_, nesting = nesting_;
    const size_t variables = vars_.size();
    try {
      try_statement(made);
      out.insert(out.end(), made.begin(), made.end());
      return;
    } catch (const Retry&) {
      loops_ = loops, all_loops_ = all, nesting_ = nesting;
      // Variables of a statement that was given up stay in the symbol table, and are not used.
      for (size_t k = variables; k < vars_.size(); ++k) vars_[k]->hidden = true;
    }
  }
}

ir::Body FunctionGen::body(int statements) {
  ir::Body out;
  ++nesting_;
  for (int k = 0; k < statements; ++k) statement(out);
  --nesting_;
  return out;
}

}  // namespace vr::smith
