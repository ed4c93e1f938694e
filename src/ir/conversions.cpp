#include "ir/conversions.hpp"

#include "ir/narrow_floats.hpp"
#include "ir/overflow.hpp"
#include "ir/restate.hpp"

#include <velociraptor/ir/visit.hpp>

#include <algorithm>
#include <functional>
#include <type_traits>
#include <utility>

namespace vr::ir {

namespace {

bool same_element(const Type& a, const Type& b) { return a.elem == b.elem && a.complex == b.complex; }

struct Conversions {
  TypingScope scope;

  /// Whether the stated type is part of the operation's meaning.
  bool stated_is_own(const Expr& e) const {
    const bool to_float = is_float(e.type.elem);
    if (e.kind == Kind::Div) return to_float;
    const LibFunction* f = library_called(e, scope);
    if (!f) return false;
    if (f->sort == LibSort::Reduce || f->sort == LibSort::Scan || f->sort == LibSort::Make) return true;
    return to_float && f->elem == LibElem::StatedFloat;
  }

  ExprPtr number(const ExprPtr& e) const {
    if (!e->type.is_numeric()) return e;
    switch (e->kind) {
      case Kind::Name:  // states exactly its variable's type
      case Kind::IntConst:
      case Kind::FloatConst:
      case Kind::ComplexConst:
      case Kind::Cast:
      case Kind::Alloc:
        return e;
      default:
        break;
    }
    const Typing natural = natural_type(*e, scope);
    if (!natural.ok() || !natural.type.is_numeric() || same_element(natural.type, e->type) || stated_is_own(*e))
      return e;
    return cast(restated(*e, natural.type), e->type);
  }

  ExprPtr tuple(const ExprPtr& given) const {
    const auto& e = static_cast<const TupleExpr&>(*given);
    auto copy = std::make_shared<TupleExpr>(e);
    const auto& parts = e.type.components();
    std::vector<Type> types;
    for (size_t k = 0; k < copy->elems.size(); ++k) {
      ExprPtr& x = copy->elems[k];
      const bool numeric = k < parts.size() && x->type.is_numeric() && parts[k].is_numeric();
      if (numeric && !states_its_own(parts[k], x->type)) x = cast(x, parts[k]);
      types.push_back(x->type);
    }
    copy->type = Type::tuple(std::move(types));
    return copy->type == e.type && copy->elems == e.elems ? given : copy;
  }

  /// The parts of a range, converted to the type of its values.
  ExprPtr range(const ExprPtr& e, const Type& t) const {
    const auto& r = static_cast<const Range&>(*e);
    auto copy = std::make_shared<Range>(r);
    for (ExprPtr* part : {&copy->start, &copy->step, &copy->stop})
      if (*part && !same_element((*part)->type, t)) *part = cast(*part, t);
    return copy->start == r.start && copy->step == r.step && copy->stop == r.stop ? e : copy;
  }

  /// A range that is a dimension of a domain runs over that dimension's type.
  ExprPtr domain(const ExprPtr& e) const {
    const auto& d = static_cast<const Domain&>(*e);
    auto copy = std::make_shared<Domain>(d);
    for (size_t k = 0; k < d.ranges.size(); ++k) {
      if (d.ranges[k]->kind != Kind::Range) continue;
      const Type& t = d.type.components()[k];
      ExprPtr made = range(d.ranges[k], t);
      const Type& stated = made->type;
      if (stated.is_domain() && !(stated.components()[0] == t)) made = restated(*made, Type::domain({t}));
      copy->ranges[k] = std::move(made);
    }
    return copy->ranges == d.ranges ? e : copy;
  }

  /// Replaces a literal's number by its value after conversion to the stated type.
  ExprPtr literal(const ExprPtr& e) const {
    const int64_t value = static_cast<const IntConst&>(*e).value;
    const Elem elem = e->type.elem;
    if (!e->type.is_scalar() || is_float(elem) || wrap(value, elem) == value) return e;
    auto copy = std::make_shared<IntConst>(static_cast<const IntConst&>(*e));
    copy->value = wrap(value, elem);
    return copy;
  }

  ExprPtr operator()(const ExprPtr& e) const {
    switch (e->kind) {
      case Kind::TupleExpr:
        return tuple(e);
      case Kind::IntConst:
        return literal(e);
      case Kind::Range:
        return e->type.is_domain() ? range(e, e->type.components()[0]) : e;
      case Kind::Domain:
        return e->type.is_domain() ? domain(e) : e;
      default:
        return number(e);
    }
  }
};

/// The first and the number of a library function's arguments that are converted to a common type; none: {0, 0}.
std::pair<size_t, size_t> meeting_args(const LibFunction& f, size_t count) {
  switch (f.rule) {
    case LibRule::Elementwise:
      if (f.sort == LibSort::Random) return {0, 0};
      return {count == 3 ? 1 : 0, count};
    case LibRule::Product:
    case LibRule::LeftQuotient:
    case LibRule::RightQuotient:
    case LibRule::Inner:
    case LibRule::Outer:
    case LibRule::SideBySide:
    case LibRule::Stacked:
    case LibRule::Progression:
      return {0, count};
    case LibRule::Linspace:
      return {0, std::min<size_t>(count, 2)};
    default:
      return {0, 0};
  }
}

struct Promotions {
  TypingScope scope;

  template <class Node>
  std::vector<ExprPtr*> meeting(Node& n) const {
    if constexpr (requires { n.lhs; }) return {&n.lhs, &n.rhs};
    if constexpr (std::is_same_v<Node, ComplexExpr>) return {&n.re, &n.im};
    if constexpr (std::is_same_v<Node, Range>) return {&n.start, &n.step, &n.stop};
    std::vector<ExprPtr*> all;
    if constexpr (std::is_same_v<Node, LibCall> || std::is_same_v<Node, FnCall>) {
      const LibFunction* f = library_function(&n);
      if constexpr (std::is_same_v<Node, FnCall>) f = find_callee(n.callee, scope).library;
      const auto [from, to] = f ? meeting_args(*f, n.args.size()) : std::pair<size_t, size_t>{0, 0};
      for (size_t k = from; k < to; ++k) all.push_back(&n.args[k]);
    }
    return all;
  }

  ExprPtr operator()(const ExprPtr& e) const {
    return ir::visit(*e, [&](const auto& n) -> ExprPtr {
      auto copy = std::make_shared<std::decay_t<decltype(n)>>(n);
      Elem usual = Elem::Bool, wanted = Elem::Bool;
      const std::vector<ExprPtr*> operands = meeting(*copy);
      for (const ExprPtr* p : operands) {
        if (!*p || !(*p)->type.is_numeric()) continue;
        usual = common_elem(usual, (*p)->type.elem);
        wanted = common_elem(wanted, (*p)->type.elem, scope.conventions.promote);
      }
      if (usual == wanted) return e;
      for (ExprPtr* p : operands) {
        if (!*p || !(*p)->type.is_numeric() || is_float((*p)->type.elem)) continue;
        Type t = (*p)->type;
        t.elem = wanted;
        if (t.layout == Layout::Strided) t.layout = fresh_layout(scope.conventions);
        *p = cast(*p, t);
      }
      return copy;
    });
  }
};

// The type of a target is its variable's, regardless of the stated type; targets are not wrapped in casts.
ExprPtr target(ExprPtr e) {
  while (auto* c = as<Cast>(e)) e = ExprPtr(c->operand);
  auto* t = as<TupleExpr>(e);
  if (!t) return e;
  std::vector<ExprPtr> elems;
  for (const ExprPtr& x : t->elems) elems.push_back(target(x));
  if (elems == t->elems) return e;
  auto copy = std::make_shared<TupleExpr>(*t);
  copy->elems = std::move(elems);
  return copy;
}

Body statement(const StmtPtr& s) {
  if (auto* a = as<Assign>(s)) {
    std::vector<ExprPtr> targets;
    for (const ExprPtr& t : a->targets) targets.push_back(target(t));
    if (targets == a->targets) return {s};
    auto copy = std::make_shared<Assign>(*a);
    copy->targets = std::move(targets);
    return {copy};
  }
  // An unused value needs no conversion.
  auto* e = as<ExprStmt>(s);
  if (!e || e->expr->kind != Kind::Cast) return {s};
  auto copy = std::make_shared<ExprStmt>(*e);
  while (auto* c = as<Cast>(copy->expr)) copy->expr = ExprPtr(c->operand);
  return {copy};
}

}  // namespace

bool states_its_own(const Type& stated, const Type& natural) {
  if (stated.kind != natural.kind) return true;  // no values, or values of a kind that is not converted
  if (stated.is_numeric())
    return same_element(stated, natural) &&
           (stated.is_scalar() || stated.layout == Layout::Strided || stated.layout == natural.layout);
  if (!stated.is_tuple()) return stated == natural;
  const auto &s = stated.components(), &n = natural.components();
  return std::equal(s.begin(), s.end(), n.begin(), n.end(), states_its_own);
}

/// The module with `Rule` applied to each expression.
template <class Rule>
static ModulePtr rewritten(const ModulePtr& module, const Conventions& conventions,
                           const std::function<Body(const StmtPtr&)>& statement) {
  std::shared_ptr<Module> out;
  NameIndex names;
  names.set_module(*module);
  for (size_t k = 0; k < module->functions.size(); ++k) {
    const FunctionPtr& f = module->functions[k];
    names.set_function(*f);
    const Rule rule{{module.get(), f.get(), conventions, &names}};
    Body body = rewrite(f->body, {[&](const ExprPtr& e) { return rule(e); }, statement});
    if (body == f->body) continue;
    auto copy = std::make_shared<Function>(*f);
    copy->body = std::move(body);
    if (!out) out = std::make_shared<Module>(*module);
    out->functions[k] = std::move(copy);
  }
  return out ? out : module;
}

ModulePtr promoted(const ModulePtr& module, const Conventions& conventions) {
  Conventions usual = conventions;
  usual.promote = Promote::Vrir;
  usual.overflow = OverflowMode::Wrap;
  const bool meets = conventions.promote != Promote::Vrir;
  const ModulePtr met = meets ? rewritten<Promotions>(module, conventions, {}) : module;
  return computed_in_float32(explicit_overflow(met, conventions), usual);
}

ModulePtr explicit_conversions(const ModulePtr& module, const Conventions& conventions) {
  return rewritten<Conversions>(promoted(module, conventions), conventions, statement);
}

}  // namespace vr::ir
