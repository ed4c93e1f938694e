// Expressions: every kind evaluated as its node's comment says.
#include "interp/arithmetic.hpp"
#include "interp/elementwise.hpp"
#include "interp/library.hpp"
#include "interp/machine.hpp"
#include "ir/typing.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace vr::interp {

Datum Machine::eval(const ir::Expr& e) {
  if (!stack_.low()) return eval_here(e);
  Datum r;
  stack_.on_new_stack([&] { r = eval_here(e); });
  return r;
}

Datum Machine::eval_here(const ir::Expr& e) {
  Datum d = ir::visit(e, [this](const auto& n) -> Datum { return node(n); });
  return coerce(ctx_, std::move(d), e.type);
}

template <ir::Kind K>
Datum Machine::node(const ir::Binary<K>& e) {
  const Datum a = eval(*e.lhs);
  return apply_binary(ctx_, K, a, eval(*e.rhs), e.type);
}

template <ir::Kind K>
Datum Machine::logic(const ir::Binary<K>& e, bool is_and) {
  const Datum a = eval(*e.lhs);
  // For numbers, the right side is evaluated only if the left side has not decided the result.
  if (const Scalar* s = a.scalar(); s && e.rhs->type.is_scalar()) {
    if (truth(*s) != is_and) return Scalar::boolean(!is_and);
    return Scalar::boolean(truth(scalar_of(eval(*e.rhs), "the right operand")));
  }
  return apply_binary(ctx_, K, a, eval(*e.rhs), e.type);
}

Datum Machine::node(const ir::Not& e) {
  return map(ctx_, eval(*e.operand), ir::Type::scalar(Elem::Bool), wanted_layout(ctx_, e.type),
             [](const Scalar& v) { return Scalar::boolean(!truth(v)); });
}

Datum Machine::node(const ir::Negate& e) {
  const Datum a = eval(*e.operand);
  ir::Type t = element_type(a, "the operand of negate");
  if (t.elem == Elem::Bool) t.elem = Elem::Int32;
  return map(ctx_, a, t, wanted_layout(ctx_, e.type), negate);
}

Datum Machine::node(const ir::Cast& e) {
  // The conversion itself is the one to the stated type. An array is copied: the result of a cast never shares storage.
  const Datum a = eval(*e.operand);
  if (!a.array()) return a;
  return map(ctx_, a, e.type.element(), wanted_layout(ctx_, e.type), [](const Scalar& v) { return v; });
}

Datum Machine::node(const ir::Name& e) { return here_.variable(e.id); }
Datum Machine::node(const ir::IntConst& e) { return Scalar::integer(e.value); }
Datum Machine::node(const ir::FloatConst& e) { return Scalar::real(e.value); }
Datum Machine::node(const ir::ComplexConst& e) { return Scalar::complex_of(e.re, e.im); }

std::vector<SubscriptValue> Machine::subscripts(const std::vector<ir::Subscript>& subs) {
  std::vector<SubscriptValue> r;
  r.reserve(subs.size());
  for (const ir::Subscript& s : subs) {
    SubscriptValue v;
    v.negative = s.negative;
    v.grow = s.grow.value_or(ctx_.conv.grow);
    v.minbounds = s.minbounds;
    v.maxbounds = s.maxbounds;
    if (auto* written = ir::as<ir::Range>(s.value); written && !written->type.is_domain()) {
      v.value = range(*written);
    } else {
      const Datum d = eval(*s.value);
      if (const Scalar* x = d.scalar())
        v.value = *x;
      else if (const ArrayRef* x = d.array())
        v.value = *x;
      else if (const DomainValue* x = d.domain(); x && x->size() == 1)
        v.value = (*x)[0];
      else
        fail(Code::Type, fmt::format("{} cannot be a subscript", d.kind_text()));
    }
    r.push_back(std::move(v));
  }
  return r;
}

Datum Machine::node(const ir::Index& e) {
  const std::vector<SubscriptValue> subs = subscripts(e.subscripts);
  const ir::Symbol& s = here_.symbol(e.array);
  const ArrayRef& a = here_.array_variable(e.array);
  const Subscripted what{here_.name(e.array), s.type, e.flatten.value_or(ctx_.conv.flatten)};
  if (void* p = element_address(ctx_, what, a, subs, false)) return load(p, a.elem(), a.complex());
  return read_selection(ctx_, what, a, subs, e.copyslice.value_or(ctx_.conv.slices == ir::SliceMode::Copy));
}

std::vector<Datum> Machine::arguments(const std::vector<ir::ExprPtr>& args) {
  std::vector<Datum> r;
  r.reserve(args.size());
  for (const ir::ExprPtr& a : args) r.push_back(eval(*a));
  return r;
}

static Datum results_of(std::vector<Datum> results) {
  if (results.empty()) return {};
  if (results.size() == 1) return std::move(results[0]);
  return Datum::tuple(std::move(results));
}

Datum Machine::node(const ir::FnCall& e) {
  const ir::Callee callee = ir::find_callee(e.callee, {&module_, here_.frame->function, ctx_.conv});
  if (callee.variable) {
    const Datum f = here_.variable(callee.variable->id);
    if (!f.function() || !f.function()->valid())
      fail(Code::Type, fmt::format("'{}' is called before a function was assigned to it", e.callee));
    return results_of(call_value(*f.function(), arguments(e.args), e.type));
  }
  if (callee.function) return results_of(call(*callee.function, arguments(e.args)));
  if (!callee.library) fail(Code::Type, fmt::format("there is no function '{}'", e.callee));
  return call_library(ctx_, *callee.library, arguments(e.args), e.type);
}

std::vector<Datum> Machine::call_value(const FunctionRef& f, std::vector<Datum> args, const ir::Type& stated) {
  if (f.function) return call(*f.function, std::move(args));
  std::vector<Datum> r;
  r.push_back(call_library(ctx_, *f.library, std::move(args), stated));
  return r;
}

Datum Machine::node(const ir::FnHandle& e) {
  const ir::Callee callee = ir::find_callee(e.callee, {&module_, here_.frame->function, ctx_.conv});
  if (callee.variable) return here_.variable(callee.variable->id);
  if (callee.function) return FunctionRef{callee.function, nullptr};
  if (callee.library) return FunctionRef{nullptr, callee.library};
  fail(Code::Type, fmt::format("there is no function '{}'", e.callee));
}

Datum Machine::node(const ir::LibCall& e) {
  const ir::LibFunction* f = ir::find_library(e.func);
  if (!f) fail(Code::Type, fmt::format("the library has no function '{}'", e.func));
  return call_library(ctx_, *f, arguments(e.args), e.type);
}

Datum Machine::node(const ir::Alloc& e) {
  return call_library(ctx_, ir::library(ir::library_of(e.func)), arguments(e.args), e.type);
}

Datum Machine::node(const ir::Dim& e) {
  const ArrayRef& a = here_.array_variable(e.array);
  const int k = e.dim - ctx_.conv.indexing;
  if (k < 0 || (!ctx_.matlab() && k >= a.rank()))
    fail(Code::Type, fmt::format("'{}' has no dimension {}", here_.name(e.array), e.dim));
  return Scalar::integer(k < a.rank() ? a.extent(k) : 1);
}

Datum Machine::node(const ir::DimVec& e) {
  std::vector<Scalar> r;
  for (int64_t n : here_.array_variable(e.array).array.extents()) r.push_back(Scalar::integer(n));
  return vector_from(ctx_, r, Elem::Int64, false);
}

Datum Machine::node(const ir::TupleExpr& e) { return Datum::tuple(arguments(e.elems)); }

Datum Machine::node(const ir::TupleIndex& e) {
  const Tuple* t = here_.variable(e.tuple).tuple();
  const int k = e.index - ctx_.conv.indexing;
  if (!t || k < 0 || static_cast<size_t>(k) >= t->size())
    fail(Code::Type, fmt::format("'{}' has no element {}", here_.name(e.tuple), e.index));
  return (*t)[static_cast<size_t>(k)];
}

Datum Machine::node(const ir::ComplexExpr& e) {
  const Datum re = eval(*e.re);
  const Datum im = eval(*e.im);
  const Elem elem =
      ir::common_elem(element_type(re, "the real part").elem, element_type(im, "the imaginary part").elem);
  return map(ctx_, re, im, ir::Type::scalar(elem, true), wanted_layout(ctx_, e.type),
             [&](const Scalar& a, const Scalar& b) {
               Scalar r = Scalar::zero(elem, true);
               r.re = convert(a, elem, false).re;
               r.im = convert(b, elem, false).re;
               return r;
             });
}

Datum Machine::node(const ir::RealExpr& e) {
  std::vector<Datum> args{here_.variable(e.id)};
  return call_library(ctx_, ir::library(ir::Lib::Real), std::move(args), e.type);
}
Datum Machine::node(const ir::ImagExpr& e) {
  std::vector<Datum> args{here_.variable(e.id)};
  return call_library(ctx_, ir::library(ir::Lib::Imag), std::move(args), e.type);
}

RangeSpec Machine::range(const ir::Range& e) {
  RangeSpec r;
  r.exclude = e.exclude.value_or(ctx_.conv.exclude);
  auto part = [&](const ir::ExprPtr& p, const char* what) -> std::optional<Scalar> {
    if (!p) return {};
    return scalar_of(eval(*p), what);
  };
  r.start = part(e.start, "the start of a range");
  r.step = part(e.step, "the step of a range");
  r.stop = part(e.stop, "the stop of a range");
  return r;
}
Datum Machine::node(const ir::Range& e) { return DomainValue{range(e)}; }

Datum Machine::node(const ir::Domain& e) {
  DomainValue r;
  for (const ir::ExprPtr& x : e.ranges) {
    const Datum d = eval(*x);
    const DomainValue* v = d.domain();
    if (!v || v->size() != 1) fail(Code::Type, fmt::format("{} cannot be a dimension of a domain", d.kind_text()));
    r.push_back((*v)[0]);
  }
  return r;
}

Datum Machine::node(const ir::Xchange& e) {
  here_.before_store(e.array);
  const std::vector<SubscriptValue> subs = subscripts(e.subscripts);
  const ir::Symbol& s = here_.symbol(e.array);
  const ArrayRef a = here_.writable(e.array);
  const Subscripted what{here_.name(e.array), s.type, ctx_.conv.flatten};
  void* p = element_address(ctx_, what, a, subs, false);
  if (!p) {
    const Selection selected = select(ctx_, what, a, subs);
    if (!selected.element) fail(Code::Type, fmt::format("xchange works on one element of '{}'", here_.name(e.array)));
    p = selected.address(ctx_, a, Extents(selected.shape.size(), 0));
  }
  // Evaluation is from left to right: the element is selected before the operands are evaluated.
  const std::vector<Datum> args = arguments(e.args);
  auto operand = [&](size_t k) { return convert(scalar_of(args.at(k), "an operand of xchange"), a.elem(), false); };
  const Scalar old = load(p, a.elem(), a.complex());
  const Scalar x = operand(0);
  const ir::Type t = a.element();
  auto is = [&](ir::Kind k, const Scalar& l, const Scalar& r) { return truth(binary(k, l, r, t)); };
  Scalar next = old;
  switch (e.op) {
    case ir::AtomicOp::Cas:
      if (is(ir::Kind::Eq, old, x)) next = operand(1);
      break;
    case ir::AtomicOp::Add:
      next = binary(ir::Kind::Plus, old, x, t);
      break;
    case ir::AtomicOp::Sub:
      next = binary(ir::Kind::Minus, old, x, t);
      break;
    case ir::AtomicOp::Min:
      if (is(ir::Kind::Lt, x, old)) next = x;
      break;
    case ir::AtomicOp::Max:
      if (is(ir::Kind::Gt, x, old)) next = x;
      break;
    case ir::AtomicOp::And:
    case ir::AtomicOp::Or:
      if (old.floating()) fail(Code::Type, "xchange and/or needs integers");
      next.re.i = e.op == ir::AtomicOp::And ? old.re.i & x.re.i : old.re.i | x.re.i;
      break;
    case ir::AtomicOp::Swap:
      next = x;
      break;
  }
  store(p, next);
  return old;
}

}  // namespace vr::interp
