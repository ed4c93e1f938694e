#include "ir/overflow.hpp"

#include "ir/library.hpp"
#include "ir/restate.hpp"
#include "ir/typing.hpp"

#include <velociraptor/ir/visit.hpp>

#include <fmt/format.h>

#include <type_traits>

namespace vr::ir {

bool never_overflows(Elem from, Elem to) {
  if (from == to || is_float(to) || elem_kind(to) == ElemKind::Logical || elem_kind(from) == ElemKind::Logical)
    return true;
  return !is_float(from) && common_elem(from, to) == to;
}

std::optional<OverflowFault> tuple_overflow(const Conventions& conventions, const Type& from, const Type& to) {
  if (conventions.overflow == OverflowMode::Wrap || !from.is_tuple() || !to.is_tuple()) return {};
  const auto &a = from.components(), &b = to.components();
  for (size_t k = 0; k < a.size() && k < b.size(); ++k)
    if (a[k].is_numeric() && b[k].is_numeric() && !never_overflows(a[k].elem, b[k].elem))
      return OverflowFault{fmt::format("{} would be converted to {}", from.text(), to.text()),
                           "components of tuples may overflow under ':overflow wrap' only: convert each with 'cast'"};
  return {};
}

std::optional<OverflowFault> overflow_fault(const Conventions& conventions, const Expr& e, const Type& natural) {
  if (conventions.overflow == OverflowMode::Wrap) return {};
  for (const Type* t : {&natural, &e.type})
    if (t->is_numeric() && t->complex && is_integer(t->elem))
      return OverflowFault{fmt::format("'{}' is {}: only complex numbers of floating types are possible here",
                                       kind_word(e.kind), t->text()),
                           "complex integers exist under ':overflow wrap'"};
  if (e.kind == Kind::TupleExpr) return {};
  return tuple_overflow(conventions, natural, e.type);
}

std::optional<OverflowFault> store_overflow(const Conventions& conventions, const Function& function, const Expr& value,
                                            const std::vector<ExprPtr>& targets) {
  if (!value.type.is_tuple() || value.kind == Kind::TupleExpr) return {};
  if (targets.size() == 1 && targets[0]->kind != Kind::TupleExpr)
    return tuple_overflow(conventions, value.type, targets[0]->type);
  const auto* tuple = targets.size() == 1 ? as<TupleExpr>(targets[0]) : nullptr;
  std::vector<Type> types;
  for (const ExprPtr& t : tuple ? tuple->elems : targets) {
    // An element has its array's element type, regardless of the stated type.
    const auto* i = as<Index>(t);
    const Symbol* s = i ? function.symbols.find(i->array) : nullptr;
    types.push_back(s && s->type.is_array() ? s->type.element() : t->type);
  }
  return tuple_overflow(conventions, value.type, Type::tuple(std::move(types)));
}

namespace {

struct Translation {
  TypingScope scope;

  Lib in_mode(Lib saturating, Lib checking) const {
    return scope.conventions.overflow == OverflowMode::Saturate ? saturating : checking;
  }

  ExprPtr call(Lib id, const Type& t, std::vector<ExprPtr> args, TextPos pos) const {
    auto c = make_call(t, id, std::move(args));
    c->pos = pos;
    return c;
  }

  /// `e` with elements of type `elem`.
  ExprPtr converted(const ExprPtr& e, Elem elem) const {
    Type t = e->type;
    t.elem = elem;
    return converted(e, t);
  }
  ExprPtr converted(const ExprPtr& e, Type t) const {
    if (!e->type.is_numeric() || !t.is_numeric() || never_overflows(e->type.elem, t.elem) || e->type.complex ||
        t.complex)
      return e;
    if (t.layout == Layout::Strided) t.layout = fresh_layout(scope.conventions);
    return call(in_mode(Lib::CastSat, Lib::CastCheck), t, {e}, e->pos);
  }

  /// The operation as a call, converted to the type that `e` states.
  ExprPtr operation(const Expr& e, Lib id, std::vector<ExprPtr> args) const {
    auto c = call(id, e.type, args, e.pos);
    Type natural = natural_type(*c, scope).type;
    if (natural.elem == e.type.elem && natural.complex == e.type.complex) return c;
    return restated(call(id, natural, std::move(args), e.pos), e.type);
  }
  /// A conversion to the stated type: explicit if it may overflow; otherwise `e` states its natural type and a cast
  /// follows.
  ExprPtr restated(const ExprPtr& e, const Type& stated) const {
    ExprPtr c = converted(e, stated);
    return c != e ? c : cast(e, stated);
  }

  std::optional<Lib> operator_call(Kind k) const {
    switch (k) {
      case Kind::Plus:
        return in_mode(Lib::AddSat, Lib::AddCheck);
      case Kind::Minus:
      case Kind::Negate:
        return in_mode(Lib::SubSat, Lib::SubCheck);
      case Kind::Mult:
        return in_mode(Lib::MulSat, Lib::MulCheck);
      case Kind::Div:
        return in_mode(Lib::DivSat, Lib::DivCheck);
      default:
        return {};
    }
  }

  /// An operator on integers as a call; null: the node is not such an operator.
  ExprPtr integer_operation(const ExprPtr& e) const {
    const auto id = operator_call(e->kind);
    if (!id) return nullptr;
    std::vector<ExprPtr> args;
    for_each_child(*e, {[&](const ExprPtr& c) { args.push_back(c); }, nullptr});
    Elem elem = Elem::Bool;
    for (const ExprPtr& a : args) {
      if (!a->type.is_numeric() || a->type.complex || is_float(a->type.elem)) return nullptr;
      elem = common_elem(elem, a->type.elem);
    }
    if (is_float(elem) || (e->kind == Kind::Div && is_float(e->type.elem))) return nullptr;
    if (e->kind == Kind::Negate) {
      if (elem == Elem::Bool) elem = Elem::Int32;
      args.insert(args.begin(), std::make_shared<IntConst>(Type::scalar(elem), 0));
    }
    return operation(*e, *id, std::move(args));
  }

  template <class F>
  ExprPtr with(const ExprPtr& e, F change) const {
    return visit(*e, [&](const auto& n) -> ExprPtr {
      auto copy = std::make_shared<std::decay_t<decltype(n)>>(n);
      change(*copy);
      return copy;
    });
  }

  /// Arguments of functions and of atomic operations are converted to the parameters' types.
  ExprPtr with_arguments(const ExprPtr& e) const {
    return with(e, [&](auto& n) {
      using Node = std::decay_t<decltype(n)>;
      if constexpr (std::is_same_v<Node, FnCall>) {
        const Callee c = find_callee(n.callee, scope);
        const Type* f = c.variable ? &c.variable->type : c.function ? &c.function->type : nullptr;
        for (size_t k = 0; f && k < n.args.size(); ++k)
          if (f->components()[k].is_numeric()) n.args[k] = converted(n.args[k], f->components()[k].elem);
      } else if constexpr (std::is_same_v<Node, Xchange>) {
        for (ExprPtr& a : n.args) a = converted(a, scope.function->symbols.at(n.array).type.elem);
      } else if constexpr (std::is_same_v<Node, TupleExpr>) {
        const auto& types = n.type.components();
        for (size_t k = 0; k < n.elems.size() && k < types.size(); ++k)
          if (types[k].is_numeric()) n.elems[k] = converted(n.elems[k], types[k].elem);
      }
    });
  }

  ExprPtr operator()(const ExprPtr& given) const {
    ExprPtr e = given;
    switch (e->kind) {
      case Kind::Name:
      case Kind::IntConst:
      case Kind::FloatConst:
      case Kind::ComplexConst:
      case Kind::Alloc:
        return e;
      case Kind::Cast: {
        const ExprPtr& x = static_cast<const Cast&>(*e).operand;
        ExprPtr c = converted(x, e->type);
        return c == x ? e : c;
      }
      case Kind::FnCall:
      case Kind::Xchange:
      case Kind::TupleExpr:
        e = with_arguments(e);
        break;
      default:
        break;
    }
    if (!e->type.is_numeric()) return e;
    if (ExprPtr c = integer_operation(e)) return c;
    const Typing natural = natural_type(*e, scope);
    if (!natural.ok() || !natural.type.is_numeric() || never_overflows(natural.type.elem, e->type.elem)) return e;
    if (natural.type.complex || e->type.complex) return e;
    return converted(with(e, [&](auto& n) { n.type = natural.type; }), e->type);
  }

  // ---- statements: stored and returned values are converted to the type of the target
  /// A target is not converted; operator() cannot distinguish it from a value.
  static ExprPtr target(ExprPtr e) {
    while (calls(e, Lib::CastSat) || calls(e, Lib::CastCheck)) e = ExprPtr(static_cast<const LibCall&>(*e).args[0]);
    return e;
  }
  Type target_type(const Expr& t) const {
    const SymbolTable& symbols = scope.function->symbols;
    if (auto* i = as<Index>(&t)) return symbols.at(i->array).type;
    if (auto* i = as<TupleIndex>(&t))
      return symbols.at(i->tuple).type.components()[static_cast<size_t>(i->index - scope.conventions.indexing)];
    return t.type;
  }
  ExprPtr stored(const ExprPtr& value, const Expr& target) const {
    const Type t = target_type(target);
    return t.is_numeric() ? converted(value, t.elem) : value;
  }

  Body statement(const StmtPtr& s) const {
    if (auto* a = as<Assign>(s)) {
      auto copy = std::make_shared<Assign>(*a);
      for (ExprPtr& t : copy->targets) t = target(t);
      const std::vector<ExprPtr>* targets = &copy->targets;
      if (auto* t = as<TupleExpr>(copy->targets[0]); t && copy->targets.size() == 1) {
        auto tuple = std::make_shared<TupleExpr>(*t);
        for (ExprPtr& x : tuple->elems) x = target(x);
        copy->targets[0] = tuple;
        targets = &tuple->elems;
      }
      if (auto* values = as<TupleExpr>(copy->value); values && values->elems.size() == targets->size()) {
        auto tuple = std::make_shared<TupleExpr>(*values);
        std::vector<Type> types;
        for (size_t k = 0; k < tuple->elems.size(); ++k) {
          tuple->elems[k] = stored(tuple->elems[k], *(*targets)[k]);
          types.push_back(tuple->elems[k]->type);
        }
        tuple->type = Type::tuple(std::move(types));
        copy->value = tuple;
      } else if (targets->size() == 1) {
        copy->value = stored(copy->value, *(*targets)[0]);
      }
      return {copy};
    }
    if (auto* r = as<Return>(s)) {
      auto copy = std::make_shared<Return>(*r);
      const auto& types = scope.function->type.outputs();
      for (size_t k = 0; k < copy->exprs.size() && k < types.size(); ++k)
        if (types[k].is_numeric()) copy->exprs[k] = converted(copy->exprs[k], types[k].elem);
      return {copy};
    }
    return {s};
  }
};

}  // namespace

ModulePtr explicit_overflow(const ModulePtr& module, const Conventions& conventions) {
  if (module->attrs.overflow.value_or(conventions.overflow) == OverflowMode::Wrap) return module;
  auto out = std::make_shared<Module>(*module);
  out->attrs.overflow = OverflowMode::Wrap;
  // Operands already have a common type (conversions.cpp); the library's typing must not convert them again by another
  // convention.
  Conventions usual = conventions;
  usual.promote = Promote::Vrir;
  NameIndex names;
  names.set_module(*module);
  for (FunctionPtr& f : out->functions) {
    names.set_function(*f);
    const Translation t{{module.get(), f.get(), usual, &names}};
    auto copy = std::make_shared<Function>(*f);
    copy->body =
        rewrite(f->body, {[&](const ExprPtr& e) { return t(e); }, [&](const StmtPtr& s) { return t.statement(s); }});
    f = std::move(copy);
  }
  return out;
}

}  // namespace vr::ir
