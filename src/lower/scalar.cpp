// Scalar expressions.
#include "lower/function_lowering.hpp"

#include "ir/library.hpp"
#include "support/overloaded.hpp"

#include <algorithm>
#include <cmath>

namespace vr::lower {

using ir::Elem;
using ir::Kind;

bool FunctionLowering::has_effects(const ir::ExprPtr& e) const {
  bool effects = false;
  ir::walk_exprs(e, [&](const ir::Expr& n) {
    if (n.kind == Kind::Xchange) effects = true;
    if (auto* c = ir::as<ir::FnCall>(&n))
      if (m_.ir.find(c->callee) || !ir::find_library(c->callee)) effects = true;
  });
  return effects;
}

ScalarValue FunctionLowering::scalar(const ir::ExprPtr& e) {
  ScalarValue v = scalar_raw(e);
  return e->type.is_scalar() ? convert(v, e->type) : v;
}

ScalarValue FunctionLowering::logic(bool is_and, const ir::ExprPtr& lhs, const ir::ExprPtr& rhs) {
  ExprP a = truth(scalar(lhs)), b = nullptr;
  Block right = collect([&] { b = truth(scalar(rhs)); });
  if (right.empty() && !has_effects(rhs)) return {x_.binary(is_and ? Op::And : Op::Or, a, b), nullptr, Elem::Bool};
  // The right side does something (a check, a call): only when the left side has not decided.
  VarId t = new_var("logic", Scalar::Bool);
  set(t, a);
  right.push_back(Stmt{SetVar{t, b}});
  emit(If{is_and ? get(t) : x_.not_(get(t)), std::move(right), {}});
  return {get(t), nullptr, Elem::Bool};
}

ScalarValue FunctionLowering::scalar_raw(const ir::ExprPtr& e) {
  auto binary_node = [&](const auto& n) {
    if (n.lhs->type.is_array() || n.rhs->type.is_array())
      unsupported("an array operand of a scalar " + std::string(ir::kind_word(n.kind)), n.pos);
    ScalarValue a = scalar(n.lhs);
    if (has_effects(n.rhs)) a = ScalarValue{temp(a.re), a.im ? temp(a.im) : nullptr, a.elem};
    return binary(n.kind, a, scalar(n.rhs), n.type);
  };
  auto symbol = [&](ir::SymbolId id) {
    Slot& s = slot(id);
    if (!s.type.is_scalar()) unsupported("'" + name_of(id) + "' of type " + s.type.text() + " as a number", e->pos);
    return ScalarValue{get(s.var), s.im != none ? get(s.im) : nullptr, s.type.elem};
  };
  return ir::visit(
      *e, Overloaded{
              [&](const ir::And& n) { return logic(true, n.lhs, n.rhs); },
              [&](const ir::Or& n) { return logic(false, n.lhs, n.rhs); },
              [&]<Kind K>(const ir::Binary<K>& n) { return binary_node(n); },
              [&](const ir::Not& n) { return ScalarValue{x_.not_(truth(scalar(n.operand))), nullptr, Elem::Bool}; },
              [&](const ir::Negate& n) { return negate(scalar(n.operand)); },
              [&](const ir::Cast& n) { return convert(scalar(n.operand), n.type); },
              [&](const ir::Name& n) { return symbol(n.id); },
              [&](const ir::IntConst& n) {
                Elem elem = n.type.elem;
                if (ir::is_float(elem)) return number(static_cast<double>(n.value), elem, n.type.complex);
                return convert({x_.int_const(n.value), nullptr, Elem::Int64}, n.type);
              },
              [&](const ir::FloatConst& n) {
                ScalarValue v{x_.float_const(n.value), nullptr, Elem::Float64};
                return convert(v, n.type);
              },
              [&](const ir::ComplexConst& n) {
                return convert({x_.float_const(n.re), x_.float_const(n.im), Elem::Float64}, n.type);
              },
              [&](const ir::Index& n) { return read_element(n); },
              [&](const ir::FnCall& n) {
                if (const ir::LibCall* lib = library_call(n)) return library_scalar(*lib);
                std::vector<Slot> r = call_results(e);
                if (r.size() != 1 || !r[0].type.is_scalar())
                  unsupported("the result of '" + n.callee + "' as a number", n.pos);
                return ScalarValue{get(r[0].var), r[0].im != none ? get(r[0].im) : nullptr, r[0].type.elem};
              },
              [&](const ir::LibCall& n) { return library_scalar(n); },
              [&](const ir::Dim& n) {
                Slot& s = slot(n.array);
                int k = n.dim - conv_.indexing;
                if (!s.type.is_array() || k < 0) unsupported("dim of '" + name_of(n.array) + "'", n.pos);
                ExprP extent = k < s.type.rank ? get(array(s.array).extent[k]) : x_.int_const(1);
                return ScalarValue{extent, nullptr, Elem::Int64};
              },
              [&](const ir::TupleIndex& n) {
                Slot& s = slot(n.tuple);
                size_t k = static_cast<size_t>(n.index - conv_.indexing);
                if (k >= s.parts.size() || !s.parts[k].type.is_scalar())
                  unsupported("tuple element as a number", n.pos);
                const Slot& p = s.parts[k];
                return ScalarValue{get(p.var), p.im != none ? get(p.im) : nullptr, p.type.elem};
              },
              [&](const ir::ComplexExpr& n) {
                ScalarValue re = scalar(n.re), im = scalar(n.im);
                Elem elem = n.type.elem;
                return ScalarValue{convert(re, elem, false).re, convert(im, elem, false).re, elem};
              },
              [&](const ir::RealExpr& n) {
                ScalarValue v = symbol(n.id);
                return ScalarValue{v.re, nullptr, v.elem};
              },
              [&](const ir::ImagExpr& n) {
                ScalarValue v = symbol(n.id);
                return v.im ? ScalarValue{v.im, nullptr, v.elem} : zero(v.elem, false);
              },
              [&](const ir::Xchange& n) { return atomic(n); },
              [&](const auto& n) -> ScalarValue {
                return unsupported(std::string(ir::kind_word(n.kind)) + " where a number is needed", n.pos),
                       ScalarValue{};
              },
          });
}

ExprP FunctionLowering::condition(const ir::ExprPtr& e) { return truth(scalar(e)); }

ExprP FunctionLowering::to_int64(ScalarValue v, const char* what) {
  if (!ir::is_float(v.elem)) return x_.convert(v.re, Scalar::Int64);
  if (v.re->kind == Expr::Kind::FloatConst) {
    double d = v.re->fval;
    if (d == std::floor(d) && std::fabs(d) < 9e15) return x_.int_const(static_cast<int64_t>(d));
  }
  ExprP d = keep(v.re);
  ExprP k = temp(x_.convert(d, Scalar::Int64), "k");
  fail_if(x_.ne(x_.convert(k, d->type), d), Code::Type, std::string(what) + " is not an integer");
  return k;
}

ExprP FunctionLowering::int_value(const ir::ExprPtr& e, const char* what) {
  if (ExprP k = int_form(*e)) return k;
  if (whole_.count(e.get())) return temp(x_.convert(scalar(e).re, Scalar::Int64), "k");
  return to_int64(scalar(e), what);
}

// A float64 expression made of integral constants, loop variables of integral loops and sums of them is itself
// integral, and its value can be computed in Int64 without rounding or checks: what a MATLAB subscript needs. Products
// are taken only with small constants, so that nothing overflows before the double would have lost exactness.
ExprP FunctionLowering::int_form(const ir::Expr& e) {
  if (!e.type.is_scalar() || e.type.complex) return nullptr;
  const bool exact = e.type.elem == Elem::Int64 || e.type.elem == Elem::Float64;
  if (auto* c = ir::as<ir::IntConst>(&e)) {
    const bool fits = e.type.elem == Elem::Int32 && static_cast<int32_t>(c->value) == c->value;
    if (std::llabs(c->value) < (int64_t{1} << 52) && (exact || fits)) return x_.int_const(c->value);
    return nullptr;
  }
  if (auto* c = ir::as<ir::FloatConst>(&e)) {
    if (c->value == std::floor(c->value) && std::fabs(c->value) < 4503599627370496.0 && exact)
      return x_.int_const(static_cast<int64_t>(c->value));
    return nullptr;
  }
  if (auto* n = ir::as<ir::Name>(&e)) {
    auto it = ints_.find(n->id);
    if (it != ints_.end()) return it->second;
    const Slot& s = slot(n->id);
    if (s.type.is_scalar() && !s.type.complex && !ir::is_float(s.type.elem))
      return x_.convert(get(s.var), Scalar::Int64);
    return nullptr;
  }
  if (!exact) return nullptr;
  // int32 operands would have wrapped before their sum was widened.
  auto wide = [](const auto& b) { return std::max(b->lhs->type.elem, b->rhs->type.elem) != Elem::Int32; };
  if (auto* b = ir::as<ir::Plus>(&e)) {
    if (!wide(b)) return nullptr;
    ExprP l = int_form(*b->lhs), r = l ? int_form(*b->rhs) : nullptr;
    return r ? x_.add(l, r) : nullptr;
  }
  if (auto* b = ir::as<ir::Minus>(&e)) {
    if (!wide(b)) return nullptr;
    ExprP l = int_form(*b->lhs), r = l ? int_form(*b->rhs) : nullptr;
    return r ? x_.sub(l, r) : nullptr;
  }
  if (auto* b = ir::as<ir::Mult>(&e)) {
    if (!wide(b)) return nullptr;
    ExprP l = int_form(*b->lhs), r = l ? int_form(*b->rhs) : nullptr;
    if (!r) return nullptr;
    auto small = [](ExprP c) { return c->kind == Expr::Kind::IntConst && std::llabs(c->ival) <= 1024; };
    return small(l) || small(r) ? x_.mul(l, r) : nullptr;
  }
  if (auto* u = ir::as<ir::Negate>(&e)) {
    ExprP v = int_form(*u->operand);
    return v ? x_.neg(v) : nullptr;
  }
  if (auto* u = ir::as<ir::Cast>(&e)) return int_form(*u->operand);
  return nullptr;
}

}  // namespace vr::lower
