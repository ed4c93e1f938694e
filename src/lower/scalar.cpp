// Scalar expressions.
#include "lower/scalar.hpp"

#include "ir/library.hpp"
#include "lower/call.hpp"
#include "lower/elementwise.hpp"
#include "lower/index.hpp"
#include "lower/library.hpp"
#include "lower/variables.hpp"
#include "support/overloaded.hpp"

#include <algorithm>
#include <cmath>

namespace vr::lower {

using ir::Elem;
using ir::Kind;

static ScalarValue scalar_raw(Lowering& f, const ir::ExprPtr& e);

bool has_effects(const Lowering& f, const ir::ExprPtr& e) {
  bool effects = false;
  ir::walk_exprs(e, [&](const ir::Expr& n) {
    if (n.kind == Kind::Xchange) effects = true;
    if (auto* c = ir::as<ir::FnCall>(&n))
      if (f.m.ir.find(c->callee) || !ir::find_library(c->callee)) effects = true;
  });
  return effects;
}

ScalarValue scalar(Lowering& f, const ir::ExprPtr& e) {
  ScalarValue v = scalar_raw(f, e);
  return e->type.is_scalar() ? convert(f.out, v, e->type) : v;
}

static ScalarValue logic(Lowering& f, bool is_and, const ir::ExprPtr& lhs, const ir::ExprPtr& rhs) {
  ExprP a = truth(f.out, scalar(f, lhs)), b = nullptr;
  Block right = f.out.collect([&] { b = truth(f.out, scalar(f, rhs)); });
  if (right.empty() && !has_effects(f, rhs)) return {f.x.binary(is_and ? Op::And : Op::Or, a, b), nullptr, Elem::Bool};
  // The right side has effects (a check, a call): it is evaluated only if the left side has not decided the result.
  VarId t = f.out.new_var("logic", Scalar::Bool);
  f.out.set(t, a);
  right.push_back(Stmt{SetVar{t, b}});
  f.out.emit(If{is_and ? f.out.get(t) : f.x.not_(f.out.get(t)), std::move(right), {}});
  return {f.out.get(t), nullptr, Elem::Bool};
}

static ScalarValue scalar_raw(Lowering& f, const ir::ExprPtr& e) {
  auto binary_node = [&](const auto& n) {
    if (n.lhs->type.is_array() || n.rhs->type.is_array())
      f.out.unsupported("an array operand of a scalar " + std::string(ir::kind_word(n.kind)), n.pos);
    ScalarValue a = scalar(f, n.lhs);
    if (has_effects(f, n.rhs)) a = ScalarValue{f.out.temp(a.re), a.im ? f.out.temp(a.im) : nullptr, a.elem};
    return binary(f.out, n.kind, a, scalar(f, n.rhs), n.type);
  };
  auto symbol = [&](ir::SymbolId id) {
    Slot& s = slot(f, id);
    if (!s.type.is_scalar())
      f.out.unsupported("'" + name_of(f, id) + "' of type " + s.type.text() + " as a number", e->pos);
    return ScalarValue{f.out.get(s.var), s.im != none ? f.out.get(s.im) : nullptr, s.type.elem};
  };
  return ir::visit(
      *e, Overloaded{
              [&](const ir::And& n) { return logic(f, true, n.lhs, n.rhs); },
              [&](const ir::Or& n) { return logic(f, false, n.lhs, n.rhs); },
              [&]<Kind K>(const ir::Binary<K>& n) { return binary_node(n); },
              [&](const ir::Not& n) {
                return ScalarValue{f.x.not_(truth(f.out, scalar(f, n.operand))), nullptr, Elem::Bool};
              },
              [&](const ir::Negate& n) { return negate(f.out, scalar(f, n.operand)); },
              [&](const ir::Cast& n) { return convert(f.out, scalar(f, n.operand), n.type); },
              [&](const ir::Name& n) { return symbol(n.id); },
              [&](const ir::IntConst& n) {
                Elem elem = n.type.elem;
                if (ir::is_float(elem)) return number(f.out, static_cast<double>(n.value), elem, n.type.complex);
                return convert(f.out, {f.x.int_const(n.value), nullptr, Elem::Int64}, n.type);
              },
              [&](const ir::FloatConst& n) {
                ScalarValue v{f.x.float_const(n.value), nullptr, Elem::Float64};
                return convert(f.out, v, n.type);
              },
              [&](const ir::ComplexConst& n) {
                return convert(f.out, {f.x.float_const(n.re), f.x.float_const(n.im), Elem::Float64}, n.type);
              },
              [&](const ir::Index& n) { return read_element(f, n); },
              [&](const ir::FnCall& n) {
                if (const ir::LibCall* lib = library_call(f, n)) return library_scalar(f, *lib);
                std::vector<Slot> r = call_results(f, e);
                if (r.size() != 1 || !r[0].type.is_scalar())
                  f.out.unsupported("the result of '" + n.callee + "' as a number", n.pos);
                return ScalarValue{f.out.get(r[0].var), r[0].im != none ? f.out.get(r[0].im) : nullptr, r[0].type.elem};
              },
              [&](const ir::LibCall& n) { return library_scalar(f, n); },
              [&](const ir::Dim& n) {
                Slot& s = slot(f, n.array);
                int k = n.dim - f.conv.indexing;
                if (!s.type.is_array() || k < 0) f.out.unsupported("dim of '" + name_of(f, n.array) + "'", n.pos);
                ExprP extent = k < s.type.rank ? f.out.get(f.out.array(s.array).extent[k]) : f.x.int_const(1);
                return ScalarValue{extent, nullptr, Elem::Int64};
              },
              [&](const ir::TupleIndex& n) {
                Slot& s = slot(f, n.tuple);
                size_t k = static_cast<size_t>(n.index - f.conv.indexing);
                if (k >= s.parts.size() || !s.parts[k].type.is_scalar())
                  f.out.unsupported("tuple element as a number", n.pos);
                const Slot& p = s.parts[k];
                return ScalarValue{f.out.get(p.var), p.im != none ? f.out.get(p.im) : nullptr, p.type.elem};
              },
              [&](const ir::ComplexExpr& n) {
                ScalarValue re = scalar(f, n.re), im = scalar(f, n.im);
                Elem elem = n.type.elem;
                return ScalarValue{convert(f.out, re, elem, false).re, convert(f.out, im, elem, false).re, elem};
              },
              [&](const ir::RealExpr& n) {
                ScalarValue v = symbol(n.id);
                return ScalarValue{v.re, nullptr, v.elem};
              },
              [&](const ir::ImagExpr& n) {
                ScalarValue v = symbol(n.id);
                return v.im ? ScalarValue{v.im, nullptr, v.elem} : zero(f.out, v.elem, false);
              },
              [&](const ir::Xchange& n) { return atomic(f, n); },
              [&](const auto& n) -> ScalarValue {
                return f.out.unsupported(std::string(ir::kind_word(n.kind)) + " where a number is needed", n.pos),
                       ScalarValue{};
              },
          });
}

ExprP condition(Lowering& f, const ir::ExprPtr& e) { return truth(f.out, scalar(f, e)); }

ExprP to_int64(Emitter& out, ScalarValue v, const char* what) {
  if (v.elem == Elem::UInt64) {
    // Saturates at the greatest int64.
    const ExprP k = out.keep(out.x.convert(v.re, Scalar::Int64), "k");
    return out.x.select(out.x.lt(k, out.x.int_const(0)), out.x.limit(Scalar::Int64, true), k);
  }
  if (!ir::is_float(v.elem)) return out.x.convert(v.re, Scalar::Int64);
  if (v.re->kind == Expr::Kind::FloatConst) {
    double d = v.re->fval;
    if (d == std::floor(d) && std::fabs(d) < 9e15) return out.x.int_const(static_cast<int64_t>(d));
  }
  ExprP d = out.keep(v.re);
  ExprP k = out.temp(out.x.convert(d, Scalar::Int64), "k");
  out.fail_if(out.x.ne(out.x.convert(k, d->type), d), Code::Type, std::string(what) + " is not an integer");
  return k;
}

ExprP int_value(Lowering& f, const ir::ExprPtr& e, const char* what) {
  if (ExprP k = int_form(f, *e)) return k;
  if (f.facts.whole.count(e.get())) return f.out.temp(f.x.convert(scalar(f, e).re, Scalar::Int64), "k");
  return to_int64(f.out, scalar(f, e), what);
}

// A float64 expression made of integral constants, loop variables of integral loops and sums of them is itself
// integral, and its value can be computed in Int64 without rounding or checks: what a MATLAB subscript needs. Products
// are taken only with small constants, so that nothing overflows before the double would have lost exactness.
ExprP int_form(Lowering& f, const ir::Expr& e) {
  if (!e.type.is_scalar() || e.type.complex) return nullptr;
  const bool exact = e.type.elem == Elem::Int64 || e.type.elem == Elem::Float64;
  if (auto* c = ir::as<ir::IntConst>(&e)) {
    const bool fits = ir::is_integer(e.type.elem) && ir::wrap(c->value, e.type.elem) == c->value &&
                      (c->value >= 0 || e.type.elem != Elem::UInt64);
    if (std::llabs(c->value) < (int64_t{1} << 52) && (exact || fits)) return f.x.int_const(c->value);
    return nullptr;
  }
  if (auto* c = ir::as<ir::FloatConst>(&e)) {
    if (c->value == std::floor(c->value) && std::fabs(c->value) < 4503599627370496.0 && exact)
      return f.x.int_const(static_cast<int64_t>(c->value));
    return nullptr;
  }
  if (auto* n = ir::as<ir::Name>(&e)) {
    auto it = f.facts.ints.find(n->id);
    if (it != f.facts.ints.end()) return it->second;
    const Slot& s = slot(f, n->id);
    if (s.type.is_scalar() && !s.type.complex && !ir::is_float(s.type.elem) && s.type.elem != Elem::UInt64)
      return f.x.convert(f.out.get(s.var), Scalar::Int64);
    return nullptr;
  }
  if (!exact) return nullptr;
  // Operands of narrower types would have wrapped, or been rounded, before their sum was widened.
  auto wide = [](const auto& b) {
    const Elem in = ir::common_elem(b->lhs->type.elem, b->rhs->type.elem);
    return in == Elem::Int64 || in == Elem::Float64;
  };
  if (auto* b = ir::as<ir::Plus>(&e)) {
    if (!wide(b)) return nullptr;
    ExprP l = int_form(f, *b->lhs), r = l ? int_form(f, *b->rhs) : nullptr;
    return r ? f.x.add(l, r) : nullptr;
  }
  if (auto* b = ir::as<ir::Minus>(&e)) {
    if (!wide(b)) return nullptr;
    ExprP l = int_form(f, *b->lhs), r = l ? int_form(f, *b->rhs) : nullptr;
    return r ? f.x.sub(l, r) : nullptr;
  }
  if (auto* b = ir::as<ir::Mult>(&e)) {
    if (!wide(b)) return nullptr;
    ExprP l = int_form(f, *b->lhs), r = l ? int_form(f, *b->rhs) : nullptr;
    if (!r) return nullptr;
    auto small = [](ExprP c) { return c->kind == Expr::Kind::IntConst && std::llabs(c->ival) <= 1024; };
    return small(l) || small(r) ? f.x.mul(l, r) : nullptr;
  }
  if (auto* u = ir::as<ir::Negate>(&e)) {
    ExprP v = int_form(f, *u->operand);
    return v ? f.x.neg(v) : nullptr;
  }
  if (auto* u = ir::as<ir::Cast>(&e)) return int_form(f, *u->operand);
  return nullptr;
}

}  // namespace vr::lower
