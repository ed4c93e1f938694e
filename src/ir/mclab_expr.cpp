#include "ir/mclab_expr.hpp"

#include "ir/mclab_builtins.hpp"
#include "ir/mclab_convert.hpp"
#include "ir/mclab_operators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace vr::ir::mclab {

static ExprPtr translated(Translation& tr, const Expr& e);
static void retyped(Translation& tr, const Expr& was, const Expr& now);
static ExprPtr range_vector(Translation& tr, const Expr& e);
static ExprPtr call(Translation& tr, const std::string& name, const std::vector<ExprPtr>& args, const Type& stated,
                    TextPos pos);
static ExprPtr first_result(Translation& tr, const ExprPtr& call);

std::vector<ExprPtr> exprs(Translation& tr, const std::vector<ExprPtr>& list) {
  std::vector<ExprPtr> out;
  for (const ExprPtr& e : list) out.push_back(expr(tr, e));
  return out;
}

ExprPtr expr(Translation& tr, const ExprPtr& e) {
  if (!e)
    tr.out.refuse(tr.f.pos, "missing-part", "an expression is missing",
                  "the client could not translate this program part");
  ExprPtr n = translated(tr, *e);
  retyped(tr, *e, *n);
  return n;
}

// Adds a remark if the client's type was wrong; int64 and float64 are one class, and stating a scalar for a vector that
// is known to have one element is not an error.
static void retyped(Translation& tr, const Expr& was, const Expr& now) {
  if (!was.type.is_numeric() || !now.type.is_numeric() || was.kind == Kind::Name) return;
  auto number_class = [](const Type& t) { return t.elem == Elem::Int64 ? Elem::Float64 : t.elem; };
  if (number_class(was.type) == number_class(now.type) && was.type.complex == now.type.complex &&
      (was.type.is_array() <= now.type.is_array()))
    return;
  std::string what = was.kind == Kind::FnCall    ? static_cast<const FnCall&>(was).callee
                     : was.kind == Kind::LibCall ? static_cast<const LibCall&>(was).func
                                                 : kind_word(was.kind);
  if (what == "copy" || was.kind == Kind::Cast) return;
  tr.out.remark(was.pos, "retyped",
                fmt::format("'{}' is stated as {}, it is {}", what, was.type.text(), now.type.text()));
}

static ExprPtr translated(Translation& tr, const Expr& e) {
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
                           if (n < 2) operand[n++] = expr(tr, c);
                         },
                         {}});
      if (n != 2) tr.out.refuse(pos, "missing-part", fmt::format("an operand of '{}' is missing", kind_word(e.kind)));
      return binary(tr.out, e.kind, operand[0], operand[1], e.type, pos);
    }
    case Kind::Not:
      return builtin(tr.out, "not", {expr(tr, static_cast<const Not&>(e).operand)}, e.type, pos);
    case Kind::Negate:
      return builtin(tr.out, "uminus", {expr(tr, static_cast<const Negate&>(e).operand)}, e.type, pos);
    case Kind::Cast: {
      // Unary plus, or a conversion: the class changes only if one is stated.
      ExprPtr x = expr(tr, static_cast<const Cast&>(e).operand);
      if (!x->type.is_numeric() || !e.type.is_numeric()) return x;
      return e.type.elem == Elem::Int32 ? to_int32(tr.out, x)
                                        : to_elem(tr.out, x, e.type.elem, x->type.complex || e.type.complex);
    }
    case Kind::Name:
      return tr.out.variable(static_cast<const Name&>(e).id, pos);
    case Kind::IntConst: {
      const auto& c = static_cast<const IntConst&>(e);
      Type t = e.type.is_scalar() && !e.type.complex ? e.type : Type::scalar(Elem::Int64);
      return tr.out.make_as<IntConst>(t, pos, c.value);
    }
    case Kind::FloatConst: {
      const auto& c = static_cast<const FloatConst&>(e);
      Type t = e.type.is_scalar() && is_float(e.type.elem) && !e.type.complex ? e.type : Type::scalar(Elem::Float64);
      return tr.out.make_as<FloatConst>(t, pos, c.value);
    }
    case Kind::ComplexConst: {
      const auto& c = static_cast<const ComplexConst&>(e);
      Type t = e.type.is_scalar() && is_float(e.type.elem) ? e.type : Type::scalar(Elem::Float64);
      t.complex = true;
      return tr.out.make_as<ComplexConst>(t, pos, c.re, c.im);
    }
    case Kind::Index:
      return index(tr, static_cast<const Index&>(e), false);
    case Kind::FnCall: {
      const auto& c = static_cast<const FnCall&>(e);
      return call(tr, c.callee, c.args, e.type, pos);
    }
    case Kind::LibCall: {
      const auto& c = static_cast<const LibCall&>(e);
      return builtin(tr.out, c.func, exprs(tr, c.args), e.type, pos);
    }
    case Kind::Alloc: {
      const auto& a = static_cast<const Alloc&>(e);
      const char* names[] = {"zeros", "ones", "empty"};
      return new_array(tr.out, names[int(a.func)], exprs(tr, a.args), e.type, pos);
    }
    case Kind::FnHandle: {
      const auto& h = static_cast<const FnHandle&>(e);
      return tr.out.make_as<FnHandle>(e.type, pos, h.callee);
    }
    case Kind::Dim: {
      const auto& d = static_cast<const Dim&>(e);
      return builtin(tr.out, "size", {tr.out.variable(d.array, pos), tr.out.integer(d.dim, pos)}, e.type, pos);
    }
    case Kind::DimVec:
      return builtin(tr.out, "size", {tr.out.variable(static_cast<const DimVec&>(e).array, pos)}, e.type, pos);
    case Kind::TupleExpr:
      return tr.out.make<TupleExpr>(pos, exprs(tr, static_cast<const TupleExpr&>(e).elems));
    case Kind::TupleIndex: {
      const auto& t = static_cast<const TupleIndex&>(e);
      return tr.out.make<TupleIndex>(pos, t.tuple, t.index);
    }
    case Kind::ComplexExpr: {
      const auto& c = static_cast<const ComplexExpr&>(e);
      return builtin(tr.out, "complex", {expr(tr, c.re), expr(tr, c.im)}, e.type, pos);
    }
    case Kind::RealExpr:
      return builtin(tr.out, "real", {tr.out.variable(static_cast<const RealExpr&>(e).id, pos)}, e.type, pos);
    case Kind::ImagExpr:
      return builtin(tr.out, "imag", {tr.out.variable(static_cast<const ImagExpr&>(e).id, pos)}, e.type, pos);
    case Kind::Range:
    case Kind::Domain:
      return range_vector(tr, e);
    case Kind::Xchange: {
      const auto& x = static_cast<const Xchange&>(e);
      std::vector<Subscript> subscripts = x.subscripts;
      for (Subscript& s : subscripts) s.value = to_scalar(tr.out, expr(tr, s.value));
      std::vector<ExprPtr> args;
      for (const ExprPtr& a : x.args)
        args.push_back(fit(tr.out, expr(tr, a), tr.out.symbol(x.array, pos).type.element()));
      return tr.out.make<Xchange>(pos, x.op, x.array, std::move(subscripts), std::move(args));
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
    case Kind::Raise:
    case Kind::ExprStmt:
      break;
  }
  tr.out.refuse(pos, "internal", fmt::format("'{}' is no expression", kind_word(e.kind)));
}

// ---------------------------------------------------------------- subscripts

namespace {
bool is_one(const Expr& e) {
  if (e.kind == Kind::IntConst) return static_cast<const IntConst&>(e).value == 1;
  return e.kind == Kind::FloatConst && static_cast<const FloatConst&>(e).value == 1;
}
}  // namespace

ExprPtr index(Translation& tr, const Index& e, bool store) {
  const TextPos pos = e.pos;
  const Symbol& s = tr.out.symbol(e.array, pos);
  Type t = s.type;
  if (!t.is_numeric())
    tr.out.refuse(pos, "not-an-array", fmt::format("'{}' is subscripted but is {}", s.name, t.text()));
  std::vector<Subscript> subscripts;
  for (const Subscript& from : e.subscripts) {
    Subscript x = from;
    if (!x.value) tr.out.refuse(pos, "missing-part", "a subscript is missing");
    if (const auto* r = as<Range>(x.value))
      x.value = range(tr, *r, nullptr);
    else if (const auto* d = as<Domain>(x.value); d && d->ranges.size() == 1 && as<Range>(d->ranges[0]))
      x.value = range(tr, *as<Range>(d->ranges[0]), nullptr);
    else
      x.value = expr(tr, x.value);
    if (x.value->type.is_numeric() && x.value->type.complex) x.value = tr.out.lib(pos, "real", {x.value});
    x.grow.reset();
    subscripts.push_back(std::move(x));
  }
  auto scalar_one = [](const Subscript& x) { return is_one(*x.value); };
  if (t.is_scalar()) {
    // A MATLAB number is a 1 x 1 matrix: x(1) is x. With any other subscript, the variable must be an array.
    if (std::all_of(subscripts.begin(), subscripts.end(), scalar_one)) return tr.out.variable(e.array, pos);
    t = Type::array(t.elem, std::max<int>(2, static_cast<int>(subscripts.size())), Layout::ColMajor, t.complex);
    widen(tr, e.array, t, pos);
  }
  while (subscripts.size() > t.rank && subscripts.size() > 1 && scalar_one(subscripts.back())) subscripts.pop_back();
  if (subscripts.size() > t.rank) {
    if (subscripts.size() > 16) tr.out.refuse(pos, "subscript-count", "there are more than 16 subscripts");
    t.rank = static_cast<uint8_t>(subscripts.size());
    widen(tr, e.array, t, pos);
  }
  if (store && tr.pfors > 0)
    for (Subscript& x : subscripts) x.grow = false;  // a shared array keeps its size in a parallel loop
  return tr.out.make<Index>(pos, e.array, std::move(subscripts));
}

ExprPtr range(Translation& tr, const Range& r, const Type* elem) {
  ExprPtr part[3];
  const ExprPtr* from[3] = {&r.start, &r.step, &r.stop};
  std::optional<Elem> common;
  for (int k = 0; k < 3; ++k) {
    if (!*from[k]) continue;
    part[k] = to_scalar(tr.out, expr(tr, *from[k]));
    if (part[k]->type.is_numeric() && part[k]->type.complex) part[k] = tr.out.lib(r.pos, "real", {part[k]});
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
      part[k] = tr.out.lib(r.pos, down ? "ceil" : "floor", {part[k]});
    }
    part[k] = to_elem(tr.out, part[k], to, false);
  }
  return tr.out.make<Range>(r.pos, std::optional<bool>(), part[0], part[1], part[2]);
}

// A range used as a value is a row vector.
static ExprPtr range_vector(Translation& tr, const Expr& e) {
  const Range* r = as<Range>(&e);
  if (const auto* d = as<Domain>(&e); d && d->ranges.size() == 1) r = as<Range>(d->ranges[0]);
  if (!r || !r->start || !r->stop)
    tr.out.refuse(e.pos, "range-type", "a range without start and stop is only valid as a subscript");
  std::vector<ExprPtr> args{expr(tr, r->start)};
  if (r->step) args.push_back(expr(tr, r->step));
  args.push_back(expr(tr, r->stop));
  return builtin(tr.out, "colon", std::move(args), e.type, e.pos);
}

// ---------------------------------------------------------------- calls

static ExprPtr call(Translation& tr, const std::string& name, const std::vector<ExprPtr>& args, const Type& stated,
                    TextPos pos) {
  Callee c = find_callee(name, tr.out.scope());
  if (c.variable) return first_result(tr, call_function(tr, name, c.variable->type, exprs(tr, args), pos));
  if (c.function) return first_result(tr, call_function(tr, name, c.function->type, exprs(tr, args), pos));
  if (tr.source.find(name))
    tr.out.refuse(pos, "skipped-callee",
                  fmt::format("'{}' calls '{}', which could not be translated", tr.f.name, name));
  return builtin(tr.out, name, exprs(tr, args), stated, pos);
}

ExprPtr call_function(Translation& tr, const std::string& name, const Type& type, std::vector<ExprPtr> args,
                      TextPos pos) {
  const auto& params = type.components();
  if (params.size() != args.size())
    tr.out.refuse(pos, "arity", fmt::format("'{}' takes {} arguments, but got {}", name, params.size(), args.size()));
  for (size_t k = 0; k < args.size(); ++k) args[k] = fit(tr.out, args[k], params[k]);
  return tr.out.make<FnCall>(pos, name, std::move(args));
}

// In an expression, a call with several results has the value of the first.
static ExprPtr first_result(Translation& tr, const ExprPtr& call) {
  if (!call->type.is_tuple()) return call;
  std::vector<ExprPtr> targets;
  for (const Type& t : call->type.components())
    targets.push_back(tr.out.variable(tr.out.temporary("result_temp", t), call->pos));
  ExprPtr first = targets[0];
  tr.out.emit_assign(call->pos, std::move(targets), call);
  return first;
}

}  // namespace vr::ir::mclab
