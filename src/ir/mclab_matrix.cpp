// The mclab dialect's builtins: products, quotients, powers, minima and other reductions.
#include "ir/library.hpp"
#include "ir/mclab_builtins.hpp"
#include "ir/mclab_convert.hpp"
#include "ir/mclab_operators.hpp"

#include <fmt/format.h>

#include <cmath>

namespace vr::ir::mclab {

ExprPtr matrix_builtin(Builder& out, const std::string& name, std::vector<ExprPtr>& args, const Type& stated,
                       TextPos pos) {
  auto need = [&](size_t n) {
    if (args.size() != n) out.refuse(pos, "arity", fmt::format("'{}' with {} arguments", name, args.size()));
  };
  auto any_scalar = [&] { return args[0]->type.is_scalar() || args[1]->type.is_scalar(); };
  // Converts both operands of a product to one class.
  auto same_class = [&](bool floating) {
    bool single = args[0]->type.elem == Elem::Float32 || args[1]->type.elem == Elem::Float32;
    bool integral = !floating && args[0]->type.elem == Elem::Int64 && args[1]->type.elem == Elem::Int64;
    if (!integral)
      for (ExprPtr& a : args) a = to_elem(out, a, single ? Elem::Float32 : Elem::Float64, a->type.complex);
  };
  if (name == "transpose" || name == "ctranspose") {
    need(1);
    ExprPtr x = args[0];
    if (name == "ctranspose" && x->type.complex) x = out.lib(pos, "conj", {x});
    return x->type.is_scalar() ? x : out.lib(pos, "trans", {x});
  }
  if (name == "mtimes") {
    need(2);
    if (any_scalar()) return binary(out, Kind::Mult, args[0], args[1], stated, pos);
    same_class(false);
    return out.lib(pos, "mmult", args);
  }
  if (name == "mrdivide" || name == "mldivide") {
    need(2);
    const size_t divisor = name == "mrdivide" ? 1 : 0;
    if (args[divisor]->type.is_scalar()) return binary(out, Kind::Div, args[1 - divisor], args[divisor], stated, pos);
    if (args[1 - divisor]->type.is_scalar())  // only a 1 x 1 matrix divides a number
      return binary(out, Kind::Div, args[1 - divisor], to_scalar(out, args[divisor]), stated, pos);
    same_class(true);
    return out.lib(pos, name == "mrdivide" ? "mrdiv" : "mldiv", args);
  }
  if (name == "pow" || name == "square") {
    need(name == "square" ? 1 : 2);
    if (name == "square") return binary(out, Kind::Mult, args[0], args[0], stated, pos);
    Elem a = args[0]->type.elem, b = args[1]->type.elem;
    const bool complex = args[0]->type.complex || args[1]->type.complex;
    if (!complex && (a == Elem::Int32 || b == Elem::Int32))
      return to_int32(
          out, out.lib(pos, "pow",
                       {to_elem(out, args[0], Elem::Float64, false), to_elem(out, args[1], Elem::Float64, false)}));
    same_class(true);
    return out.lib(pos, "pow", args);
  }
  if (name == "mpower") {
    need(2);
    if (args[0]->type.is_scalar() && args[1]->type.is_scalar()) return builtin(out, "pow", args, stated, pos);
    ExprPtr k = args[1];
    int64_t n = 0;
    if (const auto* c = as<IntConst>(k)) n = c->value;
    if (const auto* c = as<FloatConst>(k); c && c->value == std::floor(c->value) && std::abs(c->value) < 100)
      n = static_cast<int64_t>(c->value);
    if (n < 1 || n > 8)
      out.refuse(pos, "unsupported", "a matrix to a power that is no constant from 1 to 8", "multiply in a loop");
    ExprPtr base = out.named(args[0], "power_temp"), x = base;
    for (int64_t i = 1; i < n; ++i) x = builtin(out, "mtimes", {x, base}, stated, pos);
    return x;
  }
  if (name == "min" || name == "max") {
    // max(A, [], k): the empty argument is only a placeholder.
    if (args.size() == 3) return out.lib(pos, name.c_str(), {args[0], axis(out, args[2])});
    if (args.size() == 2) {
      Elem a = args[0]->type.elem, b = args[1]->type.elem;
      const char* pairwise = name == "min" ? "min2" : "max2";
      if (a == Elem::Bool && b == Elem::Bool) return to_elem(out, out.lib(pos, pairwise, args), Elem::Bool, false);
      Elem e = a == Elem::Int32 || b == Elem::Int32       ? Elem::Int32
               : a == Elem::Float32 || b == Elem::Float32 ? Elem::Float32
               : a == Elem::Int64 && b == Elem::Int64     ? Elem::Int64
                                                          : Elem::Float64;
      for (ExprPtr& x : args) x = e == Elem::Int32 ? to_int32(out, x) : to_elem(out, x, e, x->type.complex);
      return out.lib(pos, pairwise, args);
    }
    need(1);
    ExprPtr r = out.lib(pos, name.c_str(), {args[0]});  // logical stays logical
    return stated.is_scalar() ? to_scalar(out, r) : r;
  }
  if (name == "nnz" || name == "sumsq") {
    need(1);
    ExprPtr x = name == "nnz" ? out.make<Neq>(pos, args[0], out.number(0, pos))
                              : binary(out, Kind::Mult, args[0], args[0], stated, pos);
    ExprPtr r = out.lib(pos, "sum", {x});
    if (name == "nnz")
      for (int k = 1; k < x->type.rank; ++k) r = out.lib(pos, "sum", {r});
    return name == "nnz" || stated.is_scalar() ? to_scalar(out, r) : r;
  }
  if (const LibFunction* f = find_library(name); f && (f->sort == LibSort::Reduce || f->sort == LibSort::Scan)) {
    if (args.empty() || args.size() > 2)
      out.refuse(pos, "arity", fmt::format("'{}' with {} arguments", name, args.size()));
    if (args.size() == 2) args[1] = axis(out, args[1]);
    // `any` ignores NaN; for `all`, NaN is not zero.
    if (name == "any" && is_float(args[0]->type.elem)) {
      if (args[0]->type.complex) {
        const ExprPtr z = out.named(args[0], "any_temp");
        args[0] = out.lib(
            pos, "libplus",
            {out.lib(pos, "abs", {out.lib(pos, "real", {z})}), out.lib(pos, "abs", {out.lib(pos, "imag", {z})})});
      }
      args[0] = out.make<Gt>(pos, out.lib(pos, "abs", {args[0]}), out.number(0, pos));
    }
    if (args[0]->type.complex && name == "all") args[0] = out.make<Neq>(pos, args[0], out.number(0, pos));
    // Sums and products of integers are doubles.
    if (args[0]->type.elem == Elem::Int32 && f->elem == LibElem::Sum)
      args[0] = to_elem(out, args[0], Elem::Float64, false);
    ExprPtr r = out.lib(pos, name.c_str(), args);
    // A result of which the client states that it is a single number.
    return f->sort == LibSort::Reduce && stated.is_scalar() ? to_scalar(out, r) : r;
  }
  return nullptr;
}

}  // namespace vr::ir::mclab
