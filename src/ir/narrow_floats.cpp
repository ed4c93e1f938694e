#include "ir/narrow_floats.hpp"

#include "ir/restate.hpp"

#include <velociraptor/ir/visit.hpp>

#include <algorithm>
#include <type_traits>

namespace vr::ir {

namespace {

bool is_narrow(const Type& t) { return t.is_numeric() && is_narrow_float(t.elem); }
bool has_narrow(const Type& t) {
  if (is_narrow(t)) return true;
  const auto some = [](const std::vector<Type>& all) { return std::any_of(all.begin(), all.end(), has_narrow); };
  return t.is_tuple() ? some(t.components()) : t.is_function() && (some(t.components()) || some(t.outputs()));
}

/// The type with float32 in place of narrow floats.
Type computed(Type t) {
  if (t.is_tuple()) {
    std::vector<Type> parts;
    for (const Type& c : t.components()) parts.push_back(computed(c));
    return Type::tuple(std::move(parts));
  }
  if (t.is_numeric()) t.elem = computed_elem(t.elem);
  return t;
}

struct Computation {
  TypingScope scope;

  const LibFunction* library_of(const Expr& e) const { return library_called(e, scope); }

  /// The number of a library function's arguments, beginning with `first`, that are elements which it only moves.
  struct Moved {
    size_t first = 0, count = 0;
  };
  static Moved moved(const LibFunction& f, size_t arguments) {
    if (f.id == Lib::Where) return {1, 2};
    switch (f.rule) {
      case LibRule::Transposed:
      case LibRule::Reshaped:
      case LibRule::Element:
      case LibRule::Copied:
      case LibRule::Count:
      case LibRule::Sizes:
        return {0, 1};
      case LibRule::SideBySide:
      case LibRule::Stacked:
        return {0, arguments};
      default:
        return {};
    }
  }

  /// Whether the node computes nothing with its operands: they (if any) are converted to types that it states.
  bool moves(const Expr& e) const {
    switch (e.kind) {
      case Kind::Name:
      case Kind::IntConst:
      case Kind::FloatConst:
      case Kind::ComplexConst:
      case Kind::FnHandle:
      case Kind::Cast:
      case Kind::Dim:
      case Kind::DimVec:
      case Kind::TupleExpr:
      case Kind::TupleIndex:
      case Kind::RealExpr:
      case Kind::ImagExpr:
        return true;
      case Kind::FnCall:
        return !library_of(e);
      default:
        return false;
    }
  }

  /// Whether the stated type is the one in which the function computes (ir/conversions.hpp).
  bool computes_in_stated(const Expr& e, const Type& natural) const {
    if (e.kind == Kind::Div) return !is_float(natural.elem);
    const LibFunction* f = library_of(e);
    if (!f) return false;
    if (f->sort == LibSort::Reduce || f->sort == LibSort::Scan) return true;
    if (f->sort == LibSort::Make) return f->rule == LibRule::Progression || f->rule == LibRule::Linspace;
    return f->elem == LibElem::StatedFloat && !is_float(natural.elem);
  }

  ExprPtr widened(const ExprPtr& e) const {
    if (!e || !is_narrow(e->type)) return e;
    Type t = computed(e->type);
    if (t.layout == Layout::Strided) t.layout = fresh_layout(scope.conventions);
    return cast(e, t);
  }

  /// A copy of the node with float32 operands where it computes with narrow floats; null: it has no such operands.
  std::shared_ptr<Expr> with_wide_operands(const Expr& e) const {
    return ir::visit(e, [&](const auto& n) -> std::shared_ptr<Expr> {
      auto copy = std::make_shared<std::decay_t<decltype(n)>>(n);
      bool changed = false;
      const auto widen = [&](ExprPtr& x) {
        ExprPtr w = widened(x);
        changed = changed || w != x;
        x = std::move(w);
      };
      if constexpr (requires { copy->args; }) {
        const LibFunction* f = library_of(n);
        const Moved only_moved = f ? moved(*f, copy->args.size()) : Moved{};
        for (size_t k = 0; k < copy->args.size(); ++k)
          if (k - only_moved.first >= only_moved.count) widen(copy->args[k]);
      }
      if constexpr (requires { copy->subscripts; })
        for (Subscript& s : copy->subscripts) widen(s.value);
      if constexpr (requires { copy->lhs; }) widen(copy->lhs), widen(copy->rhs);
      if constexpr (requires { copy->operand; }) widen(copy->operand);
      if constexpr (requires { copy->re->type; }) widen(copy->re), widen(copy->im);
      if constexpr (requires { copy->start; }) widen(copy->start), widen(copy->step), widen(copy->stop);
      return changed ? copy : nullptr;
    });
  }

  ExprPtr operator()(const ExprPtr& e) const {
    if (moves(*e)) return e;
    const std::shared_ptr<Expr> copy = with_wide_operands(*e);
    if (!copy && !is_narrow(e->type)) return e;
    const Typing natural = natural_type(*e, scope);
    if (!natural.ok()) return e;
    if (!natural.type.is_numeric()) {  // several results are converted where they are assigned
      if (copy && natural.type.is_tuple()) copy->type = computed(e->type);
      return copy ? ExprPtr(copy) : e;
    }
    if (is_narrow(e->type) && computes_in_stated(*e, natural.type)) {
      return cast(restated(copy ? *copy : *e, computed(e->type)), e->type);
    }
    if (!copy) return e;
    const bool rounds = is_narrow(natural.type) && !is_narrow(natural_type(*copy, scope).type);
    if (!rounds || (!is_narrow(e->type) && computes_in_stated(*e, natural.type))) return copy;
    copy->type = computed(natural.type);
    const bool same = natural.type.elem == e->type.elem && natural.type.complex == e->type.complex;
    return cast(same ? ExprPtr(copy) : cast(copy, natural.type), e->type);
  }
};

}  // namespace

bool has_narrow_floats(const Module& module) {
  for (const FunctionPtr& f : module.functions) {
    if (!f) continue;
    if (has_narrow(f->type)) return true;
    for (const Symbol& s : f->symbols.all())
      if (has_narrow(s.type)) return true;
    bool found = false;
    walk_exprs(f->body, [&](const Expr& e) { found = found || has_narrow(e.type); });
    if (found) return true;
  }
  return false;
}

ModulePtr computed_in_float32(const ModulePtr& module, const Conventions& conventions) {
  if (!has_narrow_floats(*module)) return module;
  std::shared_ptr<Module> out;
  NameIndex names;
  names.set_module(*module);
  for (size_t k = 0; k < module->functions.size(); ++k) {
    const FunctionPtr& f = module->functions[k];
    names.set_function(*f);
    const Computation rule{{module.get(), f.get(), conventions, &names}};
    Body body = rewrite(f->body, {[&](const ExprPtr& e) { return rule(e); }, {}});
    if (body == f->body) continue;
    auto copy = std::make_shared<Function>(*f);
    copy->body = std::move(body);
    if (!out) out = std::make_shared<Module>(*module);
    out->functions[k] = std::move(copy);
  }
  return out ? out : module;
}

}  // namespace vr::ir
