// The mclab dialect's builtins: shapes, arrays of other shapes, concatenation, ranges.
#include "ir/mclab_builtins.hpp"
#include "ir/mclab_convert.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace vr::ir::mclab {

ExprPtr axis(Builder& out, const ExprPtr& e) {
  ExprPtr x = to_scalar(out, e);
  if (x->kind != Kind::FloatConst) return x;
  ExprPtr whole = to_elem(out, x, Elem::Int64, false);
  return whole->kind == Kind::IntConst ? whole : x;
}

static ExprPtr concatenate(Builder& out, const std::string& name, std::vector<ExprPtr> args, TextPos pos) {
  if (args.empty())  // []
    return out.make_as<Alloc>(Type::array(Elem::Float64, 2, Layout::ColMajor), pos, AllocFunc::Zeros,
                              std::vector<ExprPtr>{out.integer(0, pos), out.integer(0, pos)});
  Elem e = args[0]->type.elem;
  bool complex = false, mixed = false;
  for (const ExprPtr& a : args) {
    mixed = mixed || a->type.elem != e;
    complex = complex || a->type.complex;
  }
  if (mixed) {
    auto has = [&](Elem x) {
      return std::any_of(args.begin(), args.end(), [&](const ExprPtr& a) { return a->type.elem == x; });
    };
    e = has(Elem::Int32) ? Elem::Int32 : has(Elem::Float32) ? Elem::Float32 : Elem::Float64;
  }
  for (ExprPtr& a : args) a = e == Elem::Int32 ? to_int32(out, a) : to_elem(out, a, e, complex);
  if (args.size() == 1 && args[0]->type.is_scalar()) return args[0];  // [x] is x
  return out.lib(pos, name.c_str(), std::move(args));
}

// Same shape and same elements; the shapes are compared first, so that arrays of unequal shape are not compared.
static ExprPtr equal_arrays(Builder& out, const ExprPtr& a, const ExprPtr& b, TextPos pos) {
  if (a->type.is_scalar() && b->type.is_scalar()) return out.make<Eq>(pos, a, b);
  ExprPtr x = out.named(a, "equal_temp"), y = out.named(b, "equal_temp");
  const int rank = std::max<int>(x->type.is_array() ? x->type.rank : 0, y->type.is_array() ? y->type.rank : 0);
  ExprPtr same;
  for (int k = 1; k <= rank; ++k) {
    std::vector<ExprPtr> l{x, out.integer(k, pos)}, r{y, out.integer(k, pos)};
    ExprPtr eq = out.make<Eq>(pos, shape_builtin(out, "size", l, {}, pos), shape_builtin(out, "size", r, {}, pos));
    same = same ? out.make<And>(pos, same, eq) : eq;
  }
  ExprPtr all = out.make<Eq>(pos, x, y);
  for (int k = 0; k < rank; ++k) all = out.lib(pos, "all", {all});
  return out.make<And>(pos, same, to_scalar(out, all));
}

ExprPtr shape_builtin(Builder& out, const std::string& name, std::vector<ExprPtr>& args, const Type& stated,
                      TextPos pos) {
  auto need = [&](size_t least, size_t most) {
    if (args.size() < least || args.size() > most)
      out.refuse(pos, "arity", fmt::format("'{}' with {} arguments", name, args.size()));
  };
  auto truth = [&](bool b) { return out.make_as<IntConst>(Type::scalar(Elem::Bool), pos, int64_t{b}); };
  if (name == "rows" || name == "columns") {
    need(1, 1);
    args.push_back(out.integer(name == "rows" ? 1 : 2, pos));
    return shape_builtin(out, "size", args, stated, pos);
  }
  if (name == "size") {
    need(1, 2);
    if (args.size() == 1) return out.lib(pos, "size", args);
    ExprPtr dimension = axis(out, args[1]);
    if (const auto* c = as<IntConst>(dimension)) {
      const int rank = args[0]->type.is_array() ? args[0]->type.rank : 0;
      if (c->value >= 1 && c->value > rank) return out.integer(1, pos);
      if (const auto* n = as<Name>(args[0]); n && c->value >= 1 && rank > 0)
        return out.make<Dim>(pos, n->id, static_cast<int32_t>(c->value));
    }
    if (args[0]->type.is_scalar()) return out.integer(1, pos);
    return out.lib(pos, "size", {args[0], dimension});
  }
  if (name == "ndims") {
    need(1, 1);
    return args[0]->type.is_array() && args[0]->type.rank > 2 ? out.lib(pos, "ndims", args) : out.integer(2, pos);
  }
  if (name == "numel" || name == "length") {
    need(1, 1);
    return args[0]->type.is_scalar() ? out.integer(1, pos) : out.lib(pos, name.c_str(), args);
  }
  if (name == "isempty") {
    need(1, 1);
    if (args[0]->type.is_scalar()) return truth(false);
    return out.make<Eq>(pos, out.lib(pos, "numel", args), out.integer(0, pos));
  }
  if (name == "isscalar") {
    need(1, 1);
    if (args[0]->type.is_scalar()) return truth(true);
    return out.make<Eq>(pos, out.lib(pos, "numel", args), out.integer(1, pos));
  }
  if (name == "isrow" || name == "iscolumn" || name == "isvector") {
    need(1, 1);
    if (args[0]->type.is_scalar()) return truth(true);
    if (args[0]->type.rank > 2) return truth(false);
    ExprPtr a = out.named(args[0], "shape_temp");
    auto one = [&](int k) {
      return out.make<Eq>(pos, out.make<Dim>(pos, static_cast<const Name&>(*a).id, k), out.integer(1, pos));
    };
    if (name == "isvector") return out.make<Or>(pos, one(1), one(2));
    return one(name == "isrow" ? 1 : 2);
  }
  if (name == "isreal" || name == "iscomplex") {
    need(1, 1);
    return truth(args[0]->type.complex == (name == "iscomplex"));
  }
  if (name == "isequal") {
    need(2, 16);
    ExprPtr all = equal_arrays(out, args[0], args[1], pos);
    for (size_t k = 2; k < args.size(); ++k) all = out.make<And>(pos, all, equal_arrays(out, args[0], args[k], pos));
    return all;
  }
  if (name == "horzcat" || name == "vertcat") return concatenate(out, name, std::move(args), pos);
  if (name == "colon") {
    need(2, 3);
    bool single = false, integral = true, int32 = false;
    for (ExprPtr& a : args) {
      a = to_scalar(out, a);
      single = single || a->type.elem == Elem::Float32;
      int32 = int32 || a->type.elem == Elem::Int32;
      integral = integral && a->type.elem == Elem::Int64;
    }
    const Elem e = int32 ? Elem::Int32 : single ? Elem::Float32 : integral ? Elem::Int64 : Elem::Float64;
    for (ExprPtr& a : args) a = e == Elem::Int32 ? to_int32(out, a) : to_elem(out, a, e, false);
    return out.lib(pos, "colon", args);
  }
  if (name == "linspace") {
    need(2, 3);
    for (ExprPtr& a : args) a = to_scalar(out, a);
    args[0] = to_float(out, args[0]);
    args[1] = to_float(out, args[1]);
    if (args.size() == 2) args.push_back(out.integer(100, pos));
    return out.lib(pos, "linspace", args);
  }
  if (name == "reshape") {
    need(2, 17);
    if (args.size() == 2) {
      if (!args[1]->type.is_array()) out.refuse(pos, "argument-type", "'reshape' with a single size");
      Type t =
          Type::array(args[0]->type.elem, stated.is_array() ? stated.rank : 2, Layout::ColMajor, args[0]->type.complex);
      return out.make_as<LibCall>(t, pos, std::string("reshape"), args);
    }
    for (size_t k = 1; k < args.size(); ++k) args[k] = to_scalar(out, args[k]);
    return out.lib(pos, "reshape", args);
  }
  if (name == "find" || name == "sort") {
    if (name == "find") need(1, 1);
    if (name == "sort" && args.size() == 2) args[1] = axis(out, args[1]);
    need(1, 2);
    args[0] = args[0]->type.is_array() ? args[0] : to_array(out, args[0], 2);
    return out.lib(pos, name.c_str(), args);
  }
  return nullptr;
}

}  // namespace vr::ir::mclab
