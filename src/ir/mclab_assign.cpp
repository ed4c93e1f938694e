// The mclab dialect: assignments.
#include "ir/mclab_builtins.hpp"
#include "ir/mclab_convert.hpp"
#include "ir/mclab_expr.hpp"
#include "ir/mclab_stmt.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace vr::ir::mclab {

namespace {
// `[]` as the client writes it: a concatenation without operands.
bool is_empty_brackets(const ExprPtr& e) {
  const auto* l = as<LibCall>(e);
  const auto* f = as<FnCall>(e);
  const std::string* name = l ? &l->func : f ? &f->callee : nullptr;
  return name && (*name == "horzcat" || *name == "vertcat") && (l ? l->args : f->args).empty();
}
}  // namespace

static void assign_one(Translation& tr, const ExprPtr& target, const ExprPtr& value, TextPos pos) {
  if (value->type.is_void()) tr.out.refuse(pos, "void-value", "the right side of the assignment has no value");
  if (const auto* n = as<Name>(target)) {
    ExprPtr v = fit_variable(tr, value, n->id, pos);
    return tr.out.emit_assign(pos, tr.out.variable(n->id, target->pos), v);
  }
  if (const auto* t = as<TupleIndex>(target)) {
    ExprPtr place = tr.out.make<TupleIndex>(target->pos, t->tuple, t->index);
    return tr.out.emit_assign(pos, place, fit(tr.out, value, place->type));
  }
  const auto* i = as<Index>(target);
  if (!i) tr.out.refuse(pos, "not-assignable", fmt::format("'{}' cannot be assigned to", kind_word(target->kind)));
  if (!value->type.is_numeric())
    tr.out.refuse(pos, "assign-type", fmt::format("{} is stored in an array", value->type.text()));

  // A store keeps the array's class if that is int32 or single; otherwise the array takes the value's class.
  ExprPtr place = index(tr, *i, true);
  Type t = tr.out.symbol(i->array, pos).type;
  Type wide = t;
  wide.complex = t.complex || value->type.complex;
  const Elem from = value->type.elem;
  const bool integral = from == Elem::Int64 || from == Elem::Bool || (value->kind == Kind::FloatConst && [&] {
                          double v = static_cast<const FloatConst&>(*value).value;
                          return v == std::floor(v) && std::abs(v) < 1e15 && !(v == 0 && std::signbit(v));
                        }());
  if (t.elem == Elem::Int64 && !integral) wide.elem = Elem::Float64;
  if (t.elem == Elem::Bool && from != Elem::Bool) wide.elem = from == Elem::Int64 ? Elem::Float64 : from;
  if (!(wide == t)) {
    widen(tr, i->array, wide, pos);
    place = index(tr, *i, true);
  }
  if (place->kind == Kind::Name)  // x(1) of a number
    return tr.out.emit_assign(pos, place, fit(tr.out, value, place->type));
  ExprPtr v = place->type.is_scalar() ? to_scalar(tr.out, value) : value;
  v = wide.elem == Elem::Int32 && !wide.complex ? to_int32(tr.out, v) : to_elem(tr.out, v, wide.elem, wide.complex);
  if (v->type.is_array() && v->type.rank > place->type.rank)
    tr.out.refuse(pos, "assign-type",
                  fmt::format("a value of rank {} is stored in a slice of rank {}", v->type.rank, place->type.rank));
  tr.out.emit_assign(pos, place, v);
}

// A value of tuple type into several targets; if the type of a target does not fit, a temporary variable is assigned
// first.
static void assign_results(Translation& tr, const std::vector<ExprPtr>& targets, const ExprPtr& value, TextPos pos) {
  if (!value->type.is_tuple() || value->type.components().size() < targets.size())
    tr.out.refuse(pos, "target-count",
                  fmt::format("{} targets for a value of type {}", targets.size(), value->type.text()));
  const std::vector<Type> results = value->type.components();
  std::vector<ExprPtr> places;
  std::vector<std::pair<ExprPtr, ExprPtr>> later;
  std::set<SymbolId> taken;
  for (size_t k = 0; k < results.size(); ++k) {
    const auto* n = k < targets.size() ? as<Name>(targets[k]) : nullptr;
    if (n && tr.out.symbol(n->id, pos).type == results[k] && taken.insert(n->id).second) {
      places.push_back(tr.out.variable(n->id, targets[k]->pos));
      continue;
    }
    places.push_back(tr.out.variable(tr.out.temporary("result_temp", results[k]), pos));
    if (k < targets.size()) later.emplace_back(targets[k], places.back());
  }
  tr.out.emit_assign(pos, std::move(places), value);
  for (auto& [target, temp] : later) assign_one(tr, target, temp, pos);
}

// Builtins with several results: [r, c] = size(A), [m, i] = min(v), [s, i] = sort(v), [r, c] = find(A).
static bool several_results(Translation& tr, const std::vector<ExprPtr>& targets, const Expr& value) {
  std::string name;
  const std::vector<ExprPtr>* from = nullptr;
  if (value.kind == Kind::FnCall) {
    name = static_cast<const FnCall&>(value).callee;
    from = &static_cast<const FnCall&>(value).args;
  } else if (value.kind == Kind::LibCall) {
    name = static_cast<const LibCall&>(value).func;
    from = &static_cast<const LibCall&>(value).args;
  }
  const TextPos pos = value.pos;
  const size_t n = targets.size();
  if (!from || from->empty()) return false;
  if (name == "size" && from->size() == 1) {
    ExprPtr a = tr.out.named(expr(tr, (*from)[0]), "size_temp");
    std::vector<ExprPtr> extents;
    const int rank = a->type.is_array() ? a->type.rank : 2;
    for (size_t k = 1; k <= n; ++k) {
      std::vector<ExprPtr> args{a, tr.out.integer(static_cast<int64_t>(k), pos)};
      ExprPtr x = shape_builtin(tr.out, "size", args, {}, pos);
      // The last subscript covers the remaining dimensions.
      for (int rest = static_cast<int>(k) + 1; k == n && rest <= rank; ++rest) {
        std::vector<ExprPtr> more{a, tr.out.integer(rest, pos)};
        x = tr.out.make<Mult>(pos, x, shape_builtin(tr.out, "size", more, {}, pos));
      }
      extents.push_back(x);
    }
    // A target may be the array itself, so all extents are computed first.
    for (ExprPtr& x : extents) x = tr.out.named(x, "extent_temp");
    for (size_t k = 0; k < n; ++k) assign_one(tr, targets[k], extents[k], pos);
    return true;
  }
  if ((name == "min" || name == "max") && n == 2) {
    std::vector<ExprPtr> args = exprs(tr, *from);
    if (args.size() == 3) args.erase(args.begin() + 1);  // max(A, [], k)
    if (args.size() > 1) args[1] = axis(tr.out, args[1]);
    args[0] = tr.out.named(args[0], "search_temp");
    ExprPtr best = tr.out.named(tr.out.lib(pos, name == "min" ? "min" : "max", args), "best_temp");
    ExprPtr where = tr.out.named(tr.out.lib(pos, name == "min" ? "argmin" : "argmax", args), "where_temp");
    assign_one(tr, targets[0], best, pos);
    assign_one(tr, targets[1], where, pos);
    return true;
  }
  if (name == "sort" || name == "find") {
    std::vector<ExprPtr> args = exprs(tr, *from);
    args[0] = args[0]->type.is_array() ? args[0] : to_array(tr.out, args[0], 2);
    if (args.size() > 1) args[1] = axis(tr.out, args[1]);
    Type count = Type::tuple(std::vector<Type>(n, args[0]->type));  // tells the typing rule the number of results
    assign_results(tr, targets, tr.out.make_as<LibCall>(count, pos, name, std::move(args)), pos);
    return true;
  }
  return false;
}

void assign(Translation& tr, const Assign& s) {
  if (s.targets.empty() && !s.value)
    tr.out.refuse(s.pos, "empty-assignment", "an assignment without sides: the client could not translate it",
                  "it writes this for cell arrays; keep them out of compiled functions");
  if (!s.value) tr.out.refuse(s.pos, "missing-part", "the assignment has no value");
  std::vector<ExprPtr> targets = s.targets;
  if (targets.size() == 1)
    if (const auto* t = as<TupleExpr>(targets[0])) targets = t->elems;
  for (const ExprPtr& t : targets)
    if (!t) tr.out.refuse(s.pos, "missing-part", "a target of the assignment is missing");
  if (targets.empty()) {  // a call without results
    ExprStmt e(s.value);
    e.pos = s.pos;
    e.loc = s.loc;
    return stmt(tr, e);
  }
  Body& made = tr.out.current();
  const size_t first = made.size();
  if (targets.size() == 1) {
    if (targets[0]->kind == Kind::Index && is_empty_brackets(s.value))
      tr.out.refuse(s.pos, "unsupported", "elements are deleted by assigning []", "build the array without them");
    assign_one(tr, targets[0], expr(tr, s.value), s.pos);
  } else {
    const auto* call = as<FnCall>(s.value);
    Callee c = call ? find_callee(call->callee, tr.out.scope()) : Callee{};
    const Type* type = c.variable ? &c.variable->type : c.function ? &c.function->type : nullptr;
    if (type) {
      Type t = *type;
      assign_results(tr, targets, call_function(tr, call->callee, t, exprs(tr, call->args), s.pos), s.pos);
    } else if (!several_results(tr, targets, *s.value)) {
      assign_results(tr, targets, expr(tr, s.value), s.pos);
    }
  }
  for (size_t k = first; k < made.size(); ++k)
    if (made[k]->loc.empty() && !s.loc.empty())
      const_cast<Stmt&>(*made[k]).loc = s.loc;  // created here, and not shared yet
}

}  // namespace vr::ir::mclab
