// The mclab dialect: expressions.
#include "ir/library.hpp"
#include "ir/mclab.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace vr::ir::mclab {

std::vector<ExprPtr> Translator::exprs(const std::vector<ExprPtr>& list) {
  std::vector<ExprPtr> out;
  for (const ExprPtr& e : list) out.push_back(expr(e));
  return out;
}

ExprPtr Translator::expr(const ExprPtr& e) {
  if (!e)
    refuse(f_.pos, "missing-part", "an expression is missing", "the client could not translate this program part");
  ExprPtr n = translate(*e);
  retyped(*e, *n);
  return n;
}

// Says where the client's type was wrong; int64 and float64 are one class, and a vector it knows to have one element is
// no mistake.
void Translator::retyped(const Expr& was, const Expr& now) {
  if (!was.type.is_numeric() || !now.type.is_numeric() || was.kind == Kind::Name) return;
  auto number_class = [](const Type& t) { return t.elem == Elem::Int64 ? Elem::Float64 : t.elem; };
  if (number_class(was.type) == number_class(now.type) && was.type.complex == now.type.complex &&
      (was.type.is_array() <= now.type.is_array()))
    return;
  std::string what = was.kind == Kind::FnCall    ? static_cast<const FnCall&>(was).callee
                     : was.kind == Kind::LibCall ? static_cast<const LibCall&>(was).func
                                                 : kind_word(was.kind);
  if (what == "copy" || was.kind == Kind::Cast) return;
  remark(was.pos, "retyped", fmt::format("'{}' is stated as {}, it is {}", what, was.type.text(), now.type.text()));
}

ExprPtr Translator::translate(const Expr& e) {
  const TextPos pos = e.pos;
  switch (e.kind) {
    case Kind::Plus:
    case Kind::Minus:
    case Kind::Mult:
    case Kind::Div:
    case Kind::Lt:
    case Kind::Leq:
    case Kind::Gt:
    case Kind::Geq:
    case Kind::Eq:
    case Kind::Neq:
    case Kind::And:
    case Kind::Or: {
      // All Binary<K> have the same members in the same order.
      ExprPtr operand[2];
      int n = 0;
      for_each_child(e, {[&](const ExprPtr& c) {
                           if (n < 2) operand[n++] = expr(c);
                         },
                         {}});
      if (n != 2) refuse(pos, "missing-part", fmt::format("an operand of '{}' is missing", kind_word(e.kind)));
      return binary(e.kind, operand[0], operand[1], e.type, pos);
    }
    case Kind::Not:
      return builtin("not", {expr(static_cast<const Not&>(e).operand)}, e.type, pos);
    case Kind::Negate:
      return builtin("uminus", {expr(static_cast<const Negate&>(e).operand)}, e.type, pos);
    case Kind::Cast: {
      // Unary plus, or a conversion: the class changes only where one is stated.
      ExprPtr x = expr(static_cast<const Cast&>(e).operand);
      if (!x->type.is_numeric() || !e.type.is_numeric()) return x;
      return e.type.elem == Elem::Int32 ? to_int32(x) : to_elem(x, e.type.elem, x->type.complex || e.type.complex);
    }
    case Kind::Name:
      return variable(static_cast<const Name&>(e).id, pos);
    case Kind::IntConst: {
      const auto& c = static_cast<const IntConst&>(e);
      Type t = e.type.is_scalar() && !e.type.complex ? e.type : Type::scalar(Elem::Int64);
      return make_as<IntConst>(t, pos, c.value);
    }
    case Kind::FloatConst: {
      const auto& c = static_cast<const FloatConst&>(e);
      Type t = e.type.is_scalar() && is_float(e.type.elem) && !e.type.complex ? e.type : Type::scalar(Elem::Float64);
      return make_as<FloatConst>(t, pos, c.value);
    }
    case Kind::ComplexConst: {
      const auto& c = static_cast<const ComplexConst&>(e);
      Type t = e.type.is_scalar() && is_float(e.type.elem) ? e.type : Type::scalar(Elem::Float64);
      t.complex = true;
      return make_as<ComplexConst>(t, pos, c.re, c.im);
    }
    case Kind::Index:
      return index(static_cast<const Index&>(e), false);
    case Kind::FnCall: {
      const auto& c = static_cast<const FnCall&>(e);
      return call(c.callee, c.args, e.type, pos);
    }
    case Kind::LibCall: {
      const auto& c = static_cast<const LibCall&>(e);
      return builtin(c.func, exprs(c.args), e.type, pos);
    }
    case Kind::Alloc: {
      const auto& a = static_cast<const Alloc&>(e);
      const char* names[] = {"zeros", "ones", "empty"};
      return new_array(names[int(a.func)], exprs(a.args), e.type, pos);
    }
    case Kind::FnHandle: {
      const auto& h = static_cast<const FnHandle&>(e);
      return make_as<FnHandle>(e.type, pos, h.callee);
    }
    case Kind::Dim: {
      const auto& d = static_cast<const Dim&>(e);
      return builtin("size", {variable(d.array, pos), integer(d.dim, pos)}, e.type, pos);
    }
    case Kind::DimVec:
      return builtin("size", {variable(static_cast<const DimVec&>(e).array, pos)}, e.type, pos);
    case Kind::TupleExpr:
      return make<TupleExpr>(pos, exprs(static_cast<const TupleExpr&>(e).elems));
    case Kind::TupleIndex: {
      const auto& t = static_cast<const TupleIndex&>(e);
      return make<TupleIndex>(pos, t.tuple, t.index);
    }
    case Kind::ComplexExpr: {
      const auto& c = static_cast<const ComplexExpr&>(e);
      return builtin("complex", {expr(c.re), expr(c.im)}, e.type, pos);
    }
    case Kind::RealExpr:
      return builtin("real", {variable(static_cast<const RealExpr&>(e).id, pos)}, e.type, pos);
    case Kind::ImagExpr:
      return builtin("imag", {variable(static_cast<const ImagExpr&>(e).id, pos)}, e.type, pos);
    case Kind::Range:
    case Kind::Domain:
      return range_vector(e);
    case Kind::Xchange: {
      const auto& x = static_cast<const Xchange&>(e);
      std::vector<Subscript> subscripts = x.subscripts;
      for (Subscript& s : subscripts) s.value = to_scalar(expr(s.value));
      std::vector<ExprPtr> args;
      for (const ExprPtr& a : x.args) args.push_back(fit(expr(a), symbol(x.array, pos).type.element()));
      return make<Xchange>(pos, x.op, x.array, std::move(subscripts), std::move(args));
    }
    case Kind::Assign:
    case Kind::StmtList:
    case Kind::For:
    case Kind::PFor:
    case Kind::While:
    case Kind::If:
    case Kind::Break:
    case Kind::Continue:
    case Kind::Return:
    case Kind::ExprStmt:
      break;
  }
  refuse(pos, "internal", fmt::format("'{}' is no expression", kind_word(e.kind)));
}

// ---------------------------------------------------------------- operators

ExprPtr Translator::elementwise_node(Kind op, const ExprPtr& a, const ExprPtr& b, TextPos pos) {
  switch (op) {
#define VR_CASE(K) \
  case Kind::K:    \
    return make<K>(pos, a, b);
    VR_CASE(Plus)
    VR_CASE(Minus)
    VR_CASE(Mult)
    VR_CASE(Div)
    VR_CASE(Lt)
    VR_CASE(Leq)
    VR_CASE(Gt)
    VR_CASE(Geq)
    VR_CASE(Eq)
    VR_CASE(Neq)
    VR_CASE(And)
    VR_CASE(Or)
#undef VR_CASE
    default:
      refuse(pos, "internal", fmt::format("'{}' is no operator", kind_word(op)));
  }
}

// MATLAB's classes: an integer class wins over floats and saturates, single wins over double, logical counts as double.
ExprPtr Translator::binary(Kind op, ExprPtr a, ExprPtr b, const Type& stated, TextPos pos) {
  for (const ExprPtr* x : {&a, &b})
    if (!(*x)->type.is_numeric())
      refuse(pos, "type-mismatch", fmt::format("operand of '{}' is {}", kind_word(op), (*x)->type.text()));
  const bool arrays = a->type.is_array() || b->type.is_array();
  const Elem ea = a->type.elem, eb = b->type.elem;
  const bool complex = a->type.complex || b->type.complex;
  switch (op) {
    case Kind::Lt:
    case Kind::Leq:
    case Kind::Gt:
    case Kind::Geq:  // MATLAB orders complex numbers by their real parts
      if (a->type.complex) a = lib(pos, "real", {a});
      if (b->type.complex) b = lib(pos, "real", {b});
      return elementwise_node(op, a, b, pos);
    case Kind::Eq:
    case Kind::Neq:
      return elementwise_node(op, a, b, pos);
    case Kind::And:
    case Kind::Or: {
      // One word for & and &&: the stated type tells.
      if (arrays && stated.is_array()) return elementwise_node(op, a, b, pos);
      return elementwise_node(op, condition(a), condition(b), pos);
    }
    default:
      break;
  }
  auto node = [&](const ExprPtr& x, const ExprPtr& y) {
    if (!arrays) return elementwise_node(op, x, y, pos);
    const char* name = op == Kind::Plus    ? "libplus"
                       : op == Kind::Minus ? "libminus"
                       : op == Kind::Mult  ? "libmult"
                                           : "libdiv";
    return lib(pos, name, {x, y});
  };
  if (!complex && (ea == Elem::Int32 || eb == Elem::Int32)) {
    // Exact in double; the conversion back rounds and saturates.
    ExprPtr wide = node(to_elem(a, Elem::Float64, false), to_elem(b, Elem::Float64, false));
    const bool exact = op != Kind::Div && !is_float(ea) && !is_float(eb);
    return exact ? to_elem(wide, Elem::Int32, false) : to_int32(wide);
  }
  if (ea == Elem::Float32 || eb == Elem::Float32)
    return node(to_elem(a, Elem::Float32, a->type.complex), to_elem(b, Elem::Float32, b->type.complex));
  const bool integral = ea == Elem::Int64 && eb == Elem::Int64 && op != Kind::Div;
  if (integral && stated.is_numeric() && stated.elem == Elem::Int64) return node(a, b);
  return node(to_elem(a, Elem::Float64, a->type.complex), to_elem(b, Elem::Float64, b->type.complex));
}

// ---------------------------------------------------------------- subscripts

namespace {
bool is_one(const Expr& e) {
  if (e.kind == Kind::IntConst) return static_cast<const IntConst&>(e).value == 1;
  return e.kind == Kind::FloatConst && static_cast<const FloatConst&>(e).value == 1;
}
}  // namespace

ExprPtr Translator::index(const Index& e, bool store) {
  const TextPos pos = e.pos;
  const Symbol& s = symbol(e.array, pos);
  Type t = s.type;
  if (!t.is_numeric()) refuse(pos, "not-an-array", fmt::format("'{}' is subscripted but is {}", s.name, t.text()));
  std::vector<Subscript> subscripts;
  for (const Subscript& from : e.subscripts) {
    Subscript x = from;
    if (!x.value) refuse(pos, "missing-part", "a subscript is missing");
    if (const auto* r = as<Range>(x.value))
      x.value = range(*r, nullptr);
    else if (const auto* d = as<Domain>(x.value); d && d->ranges.size() == 1 && as<Range>(d->ranges[0]))
      x.value = range(*as<Range>(d->ranges[0]), nullptr);
    else
      x.value = expr(x.value);
    if (x.value->type.is_numeric() && x.value->type.complex) x.value = lib(pos, "real", {x.value});
    x.grow.reset();
    subscripts.push_back(std::move(x));
  }
  auto scalar_one = [](const Subscript& x) { return is_one(*x.value); };
  if (t.is_scalar()) {
    // A MATLAB number is a 1 x 1 matrix: x(1) is x; anything else needs the variable to be an array.
    if (std::all_of(subscripts.begin(), subscripts.end(), scalar_one)) return variable(e.array, pos);
    t = Type::array(t.elem, std::max<int>(2, static_cast<int>(subscripts.size())), Layout::ColMajor, t.complex);
    widen(e.array, t, pos);
    out_->symbols.set_type(e.array, t);
  }
  while (subscripts.size() > t.rank && subscripts.size() > 1 && scalar_one(subscripts.back())) subscripts.pop_back();
  if (subscripts.size() > t.rank) {
    if (subscripts.size() > 16) refuse(pos, "subscript-count", "there are more than 16 subscripts");
    t.rank = static_cast<uint8_t>(subscripts.size());
    widen(e.array, t, pos);
    out_->symbols.set_type(e.array, t);
  }
  if (store && pfors_ > 0)
    for (Subscript& x : subscripts) x.grow = false;  // a shared array keeps its size in a parallel loop
  return make<Index>(pos, e.array, std::move(subscripts));
}

// A range with parts of one element type: the given one, else their common one.
ExprPtr Translator::range(const Range& r, const Type* elem) {
  ExprPtr part[3];
  const ExprPtr* from[3] = {&r.start, &r.step, &r.stop};
  std::optional<Elem> common;
  for (int k = 0; k < 3; ++k) {
    if (!*from[k]) continue;
    part[k] = to_scalar(expr(*from[k]));
    if (part[k]->type.is_numeric() && part[k]->type.complex) part[k] = lib(r.pos, "real", {part[k]});
    Elem e = part[k]->type.elem == Elem::Bool ? Elem::Int64 : part[k]->type.elem;
    common = common ? common_elem(*common, e) : e;
  }
  const Elem to = elem ? elem->elem : common.value_or(Elem::Int64);
  for (int k = 0; k < 3; ++k) {
    if (!part[k]) continue;
    // The stop of an integer range need not be integral: 1:2.5 ends at 2.
    if (k == 2 && !is_float(to) && is_float(part[k]->type.elem) && part[k]->kind != Kind::FloatConst) {
      bool down = part[1] && part[1]->kind == Kind::Negate;
      if (const auto* c = as<IntConst>(part[1])) down = c->value < 0;
      part[k] = lib(r.pos, down ? "ceil" : "floor", {part[k]});
    }
    part[k] = to_elem(part[k], to, false);
  }
  return make<Range>(r.pos, std::optional<bool>(), part[0], part[1], part[2]);
}

// A range as a value is a row vector.
ExprPtr Translator::range_vector(const Expr& e) {
  const Range* r = as<Range>(&e);
  if (const auto* d = as<Domain>(&e); d && d->ranges.size() == 1) r = as<Range>(d->ranges[0]);
  if (!r || !r->start || !r->stop)
    refuse(e.pos, "range-type", "a range without start and stop has no value of its own");
  std::vector<ExprPtr> args{expr(r->start)};
  if (r->step) args.push_back(expr(r->step));
  args.push_back(expr(r->stop));
  return builtin("colon", std::move(args), e.type, e.pos);
}

// ---------------------------------------------------------------- calls

ExprPtr Translator::call(const std::string& name, const std::vector<ExprPtr>& args, const Type& stated, TextPos pos) {
  Callee c = find_callee(name, scope_);
  if (c.variable) return first_result(call_function(name, c.variable->type, exprs(args), pos));
  if (c.function) return first_result(call_function(name, c.function->type, exprs(args), pos));
  if (source_.find(name))
    refuse(pos, "skipped-callee", fmt::format("'{}' calls '{}', which could not be translated", f_.name, name));
  return builtin(name, exprs(args), stated, pos);
}

ExprPtr Translator::call_function(const std::string& name, const Type& type, std::vector<ExprPtr> args, TextPos pos) {
  const auto& params = type.components();
  if (params.size() != args.size())
    refuse(pos, "arity", fmt::format("'{}' takes {} arguments, here are {}", name, params.size(), args.size()));
  for (size_t k = 0; k < args.size(); ++k) args[k] = fit(args[k], params[k]);
  return make<FnCall>(pos, name, std::move(args));
}

// In an expression, a call of several results stands for the first.
ExprPtr Translator::first_result(const ExprPtr& call) {
  if (!call->type.is_tuple()) return call;
  std::vector<ExprPtr> targets;
  for (const Type& t : call->type.components()) targets.push_back(variable(temporary("result_temp", t), call->pos));
  ExprPtr first = targets[0];
  auto a = std::make_shared<Assign>(std::move(targets), call);
  a->pos = call->pos;
  current_->push_back(std::move(a));
  return first;
}

}  // namespace vr::ir::mclab
