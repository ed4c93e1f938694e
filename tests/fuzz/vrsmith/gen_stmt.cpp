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

/// The groups of the arrays that the value may share storage with.
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
    for (int g : roots(value)) foreign = foreign || g != v.group;
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

/// A store past the end of an array with extents that the generator does not know.
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
  Variable* v =
      any([&](const Variable& x) { return x.type.is_array() && !x.exact && x.shape && !x.constant && x.type.elem == e; });
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
    return x.type.is_array() && x.exact && x.shape && !x.type.complex && ir::elem_bytes(x.type.elem) >= 4;
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

// ---------------------------------------------------------------- bodies

void FunctionGen::try_statement(ir::Body& out) {
  const bool flat = nesting_ > 3;
  if (parallel_) {
    switch (rng.weighted({40, 35, flat ? 0 : 12, flat ? 0 : 8, flat ? 0 : 3, flat ? 0 : 8, 1})) {
      case 0:
        return parallel_store(out);
      case 1:
        return scalar_assign(out);
      case 2:
        return if_statement(out);
      case 3:
        return for_statement(out);
      case 4:
        return while_statement(out);
      case 5:
        return nested_loop(out);
      default:
        return raise_statement(out);
    }
  }
  if (in_section_) {
    // Kernels, and between them everything that host code can do with their arrays and every way to leave the section.
    switch (rng.weighted({45, 14, 6, 12, 7, 4, 2, 3, 7, 3, 7, 3, flat ? 0 : 8, flat ? 0 : 8, flat ? 0 : 3, 4, 2,
                          flat ? 0 : 8, 2, 1, flat ? 0 : 8})) {
      case 0:
        return parallel_loop(out);
      case 1:
        return scalar_assign(out);
      case 2:
        return element_store(out);
      case 3:
        return array_assign(out);
      case 4:
        return slice_store(out);
      case 5:
        return mask_store(out);
      case 6:
        return growth(out);
      case 7:
        return loose_assign(out);
      case 8:
        return inexact_assign(out);
      case 9:
        return tuple_statement(out);
      case 10:
        return call_statement(out);
      case 11:
        return xchange_statement(out);
      case 12:
        return if_statement(out);
      case 13:
        return for_statement(out);
      case 14:
        return while_statement(out);
      case 15:
        return early_return(out);
      case 16:
        return aggregate_assign(out);
      case 17:
        return views_statement(out);
      case 18:
        return domain_statement(out);
      case 19:
        return raise_statement(out);
      default:
        return turns_loop(out);
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
                        5,
                        flat ? 0 : 3,
                        flat ? 0 : 5,
                        flat ? 0 : 2,
                        2,
                        flat ? 0 : 2,
                        3,
                        flat || all_loops_ > 1 || !m_.locations ? 0 : 4,
                        1})) {
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
    case 20:
      return aggregate_assign(out);
    case 21:
      return aggregate_loop(out);
    case 22:
      return nest_statement(out);
    case 23:
      return ordered_sum(out);
    case 24:
      return window_product(out);
    case 25:
      return views_statement(out);
    case 26:
      return called_statement(out);
    case 28:
      return raise_statement(out);
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
      // Variables of an abandoned statement stay in the symbol table, unused.
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
