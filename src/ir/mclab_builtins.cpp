#include "ir/mclab_builtins.hpp"

#include "ir/library.hpp"
#include "ir/mclab_convert.hpp"
#include "ir/mclab_operators.hpp"

#include <velociraptor/ir/matlab.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace vr::ir::mclab {

namespace {

using Names = std::unordered_map<std::string, std::string>;

// Aliases of builtins; the right side is a name that builtin() knows.
const Names& aliases() {
  static const Names table = {
      {"loge", "log"},
      {"expe", "exp"},
      {"ne", "neq"},
      {"le", "leq"},
      {"ge", "geq"},
      {"lteq", "leq"},
      {"gteq", "geq"},
      {"negate", "uminus"},
      {"unaryminus", "uminus"},
      {"unaryplus", "uplus"},
      {"libplus", "plus"},
      {"libminus", "minus"},
      {"libmult", "times"},
      {"libdiv", "rdivide"},
      {"mult", "times"},
      {"div", "rdivide"},
      {"mmult", "mtimes"},
      {"mrdiv", "mrdivide"},
      {"mldiv", "mldivide"},
      {"power", "pow"},
      {"mpow", "mpower"},
      {"trans", "ctranspose"},
      {"ctrans", "ctranspose"},
      {"max2", "max"},
      {"min2", "min"},
      {"Inf", "inf"},
      {"NaN", "nan"},
      {"NA", "nan"},
      {"j", "i"},
      {"I", "i"},
      {"J", "i"},
      {"libpow", "pow"},
      {"range", "colon"},
      {"logical", "bool"},
      {"float64", "double"},
      {"float32", "single"},
      {"ceiling", "ceil"},
      {"dimvec", "size"},
      {"rand2", "rand"},
      {"transposition", "transpose"},
  };
  return table;
}

std::optional<Kind> operator_of(const std::string& name) {
  static const std::unordered_map<std::string, Kind> table = {
      {"plus", Kind::Plus}, {"minus", Kind::Minus}, {"times", Kind::Mult}, {"rdivide", Kind::Div},
      {"lt", Kind::Lt},     {"leq", Kind::Leq},     {"gt", Kind::Gt},      {"geq", Kind::Geq},
      {"eq", Kind::Eq},     {"neq", Kind::Neq},     {"and", Kind::And},    {"or", Kind::Or},
  };
  auto it = table.find(name);
  return it == table.end() ? std::nullopt : std::optional<Kind>(it->second);
}

}  // namespace

bool is_output(const std::string& name) {
  return name == "disp" || name == "display" || name == "printf" || name == "fprintf" || name == "puts" ||
         name == "tic" || name == "toc";
}

static ExprPtr constant(Builder& out, const std::string& name, TextPos pos) {
  if (name == "pi") return out.number(3.14159265358979323846, pos);
  if (name == "e") return out.number(2.71828182845904523536, pos);
  if (name == "eps") return out.number(std::numeric_limits<double>::epsilon(), pos);
  if (name == "inf") return out.number(std::numeric_limits<double>::infinity(), pos);
  if (name == "nan") return out.number(std::numeric_limits<double>::quiet_NaN(), pos);
  if (name == "realmax") return out.number(std::numeric_limits<double>::max(), pos);
  if (name == "realmin") return out.number(std::numeric_limits<double>::min(), pos);
  if (name == "i") return out.make_as<ComplexConst>(Type::scalar(Elem::Float64, true), pos, 0.0, 1.0);
  if (name == "true" || name == "false")
    return out.make_as<IntConst>(Type::scalar(Elem::Bool), pos, int64_t{name == "true"});
  if (name == "intmax" || name == "intmin")
    return out.make_as<IntConst>(
        Type::scalar(Elem::Int32), pos,
        int64_t{name == "intmax" ? std::numeric_limits<int32_t>::max() : std::numeric_limits<int32_t>::min()});
  return nullptr;
}

ExprPtr new_array(Builder& out, const std::string& name, std::vector<ExprPtr> args, const Type& stated, TextPos pos) {
  for (const ExprPtr& a : args)
    if (!a->type.is_numeric() || a->type.complex)
      out.refuse(pos, "argument-type", fmt::format("a size of '{}' is {}", name, a->type.text()));
  const bool logical = name == "true" || name == "false";
  Elem elem = logical ? Elem::Bool : Elem::Float64;
  // The client states int64 for zeros and ones that it fills with integers only, and the class if the program names
  // one.
  if (!logical && stated.is_numeric() && stated.elem != Elem::Bool) elem = stated.elem;
  if (args.empty()) {
    if (name == "zeros" || name == "empty") return to_elem(out, out.integer(0, pos), elem, false);
    return to_elem(out, out.integer(1, pos), elem, false);
  }
  int rank = static_cast<int>(std::max<size_t>(2, args.size()));
  if (args.size() == 1 && args[0]->type.is_array()) {
    // A vector of sizes, unless the client states a single number.
    if (stated.is_array() && stated.rank > 2) rank = stated.rank;
  } else {
    for (ExprPtr& a : args) a = to_scalar(out, a);
  }
  if (name == "eye") {
    for (ExprPtr& a : args) a = to_scalar(out, a);
    return out.make_as<LibCall>(Type::array(elem, 2, Layout::ColMajor), pos, std::string("eye"), std::move(args));
  }
  const bool zeros = name == "zeros" || name == "false", fill = name == "inf" || name == "nan";
  AllocFunc func = zeros ? AllocFunc::Zeros : name == "empty" ? AllocFunc::Empty : AllocFunc::Ones;
  ExprPtr a =
      out.make_as<Alloc>(Type::array(fill ? Elem::Float64 : elem, rank, Layout::ColMajor), pos, func, std::move(args));
  return fill ? out.lib(pos, "libmult", {a, constant(out, name, pos)}) : a;
}

// For complex numbers whose results by MATLAB's formula at infinities differ from the library function's.
static ExprPtr complex_map(Builder& out, const std::string& name, const ExprPtr& given, const Type& stated,
                           TextPos pos) {
  const ExprPtr z = out.named(given, "complex_temp");
  const ExprPtr zero = to_elem(out, out.integer(0, pos), z->type.elem, false);
  if (name == "sign")  // z ./ abs(z)
    return out.lib(
        pos, "where",
        {out.make<Eq>(pos, z, zero), zero, binary(out, Kind::Div, z, out.lib(pos, "abs", {z}), stated, pos)});
  // exp(z) - 1 as written: cancellation does not matter if a part is infinite or NaN.
  return out.lib(pos, "where",
                 {out.lib(pos, "isfinite", {z}), out.lib(pos, name.c_str(), {z}),
                  binary(out, Kind::Minus, out.lib(pos, "exp", {z}), out.number(1, pos), stated, pos)});
}

ExprPtr builtin(Builder& out, const std::string& raw, std::vector<ExprPtr> args, const Type& stated, TextPos pos) {
  auto alias = aliases().find(raw);
  const std::string& name = alias == aliases().end() ? raw : alias->second;
  auto need = [&](size_t least, size_t most) {
    if (args.size() < least || args.size() > most)
      out.refuse(pos, "arity", fmt::format("'{}' with {} arguments", raw, args.size()));
  };
  if (name == "cellhorzcat") return out.make<TupleExpr>(pos, std::move(args));
  for (const ExprPtr& a : args)
    if (!a->type.is_numeric())
      out.refuse(pos, "argument-type", fmt::format("an argument of '{}' is {}", raw, a->type.text()));

  if (auto op = operator_of(name)) {
    // plus(a, b, c) is a + b + c.
    need(2, 16);
    ExprPtr x = args[0];
    for (size_t k = 1; k < args.size(); ++k) x = binary(out, *op, x, args[k], stated, pos);
    return x;
  }
  if (name == "copy") {  // under value semantics, assignment copies already
    need(1, 1);
    return args[0];
  }
  if (name == "uplus") {
    need(1, 1);
    return args[0]->type.elem == Elem::Bool ? to_elem(out, args[0], Elem::Float64, false) : args[0];
  }
  if (name == "uminus") {
    need(1, 1);
    ExprPtr x = args[0]->type.elem == Elem::Bool ? to_elem(out, args[0], Elem::Float64, false) : args[0];
    // -0 differs from 0, and integers have no -0; -intmin saturates.
    if (x->type.elem == Elem::Int32 && x->kind != Kind::IntConst)
      return to_elem(out, out.make<Negate>(pos, to_elem(out, x, Elem::Float64, false)), Elem::Int32, false);
    return out.make<Negate>(pos, x);
  }
  if (name == "not") {
    need(1, 1);
    ExprPtr x = args[0]->type.complex ? out.make<Neq>(pos, args[0], out.number(0, pos)) : args[0];
    // The negation of a condition: the client states a scalar if it knows that the operand is one.
    return out.make<Not>(pos, stated.is_scalar() ? condition(out, x) : x);
  }
  if (name == "xor") {
    need(2, 2);
    return out.make<Neq>(pos, out.make<Neq>(pos, args[0], out.number(0, pos)),
                         out.make<Neq>(pos, args[1], out.number(0, pos)));
  }
  if (name == "ldivide") {
    need(2, 2);
    return binary(out, Kind::Div, args[1], args[0], stated, pos);
  }
  if (name == "complex") {
    need(1, 2);
    if (args.size() == 1) return to_elem(out, to_float(out, args[0]), to_float(out, args[0])->type.elem, true);
    Elem e = args[0]->type.elem == Elem::Float32 || args[1]->type.elem == Elem::Float32 ? Elem::Float32 : Elem::Float64;
    return out.make<ComplexExpr>(pos, to_elem(out, args[0], e, args[0]->type.complex),
                                 to_elem(out, args[1], e, args[1]->type.complex));
  }
  if (name == "double" || name == "single" || name == "int64" || name == "bool") {
    need(1, 1);
    if (name == "bool")
      return args[0]->type.complex ? out.make<Neq>(pos, args[0], out.number(0, pos))
                                   : to_elem(out, args[0], Elem::Bool, false);
    ExprPtr x = name == "int64" && is_float(args[0]->type.elem) ? out.lib(pos, "round", {args[0]}) : args[0];
    Elem e = name == "double" ? Elem::Float64 : name == "single" ? Elem::Float32 : Elem::Int64;
    return to_elem(out, x, e, x->type.complex);
  }
  if (name == "int32") {
    need(1, 1);
    return to_int32(out, args[0]);
  }
  if (name == "sec" || name == "csc" || name == "cot") {
    need(1, 1);
    const char* base = name == "sec" ? "cos" : name == "csc" ? "sin" : "tan";
    const ExprPtr one = out.number(1, pos);
    if (!args[0]->type.complex) return binary(out, Kind::Div, one, out.lib(pos, base, {args[0]}), stated, pos);
    // The inverse of a number with an infinite part is 0, whatever the other part is.
    const ExprPtr z = out.named(out.lib(pos, base, {args[0]}), "inverse_temp");
    return out.lib(pos, "where",
                   {out.lib(pos, "isinf", {z}), to_elem(out, out.integer(0, pos), z->type.elem, false),
                    binary(out, Kind::Div, one, z, stated, pos)});
  }
  if (name == "zeros" || name == "ones" || name == "empty" || name == "eye" ||
      ((name == "inf" || name == "nan" || name == "true" || name == "false") && !args.empty()))
    return new_array(out, name, std::move(args), stated, pos);
  if (ExprPtr c = args.empty() ? constant(out, name, pos) : nullptr) return c;
  if (ExprPtr r = shape_builtin(out, name, args, stated, pos)) return r;
  if (ExprPtr r = matrix_builtin(out, name, args, stated, pos)) return r;

  if (const MatlabBuiltin* row = find_matlab_builtin(name)) {
    using Form = MatlabBuiltin::Form;
    using Result = MatlabBuiltin::Result;
    const std::string function(row->library);
    if (row->form == Form::Map) {
      need(1, 1);
      if (args[0]->type.complex && (function == "expm1" || function == "sign"))
        return complex_map(out, function, args[0], stated, pos);
      if (row->result == Result::Float) return out.lib(pos, function.c_str(), {to_float(out, args[0])});
      // The magnitude of intmin saturates.
      if (function == "abs" && args[0]->type.elem == Elem::Int32 && !args[0]->type.complex)
        return to_elem(out, out.lib(pos, "abs", {to_elem(out, args[0], Elem::Float64, false)}), Elem::Int32, false);
      const bool truth = args[0]->type.elem == Elem::Bool && row->result == Result::Same;
      return out.lib(pos, function.c_str(), {truth ? to_elem(out, args[0], Elem::Float64, false) : args[0]});
    }
    if (row->form == Form::Map2) {
      need(2, 2);
      Elem a = args[0]->type.elem, b = args[1]->type.elem;
      const bool single = a == Elem::Float32 || b == Elem::Float32;
      // Remainders of integers: a floating operand is rounded first.
      if ((a == Elem::Int32 || b == Elem::Int32) && row->result == Result::Same)
        return to_int32(out, out.lib(pos, function.c_str(),
                                     {to_elem(out, to_int32(out, args[0]), Elem::Float64, false),
                                      to_elem(out, to_int32(out, args[1]), Elem::Float64, false)}));
      if (a == Elem::Int64 && b == Elem::Int64 && row->result == Result::Same)
        return out.lib(pos, function.c_str(), args);
      Elem e = single ? Elem::Float32 : Elem::Float64;
      return out.lib(
          pos, function.c_str(),
          {to_elem(out, args[0], e, args[0]->type.complex), to_elem(out, args[1], e, args[1]->type.complex)});
    }
  }
  // The result for logical values is logical.
  if (name.compare(0, 3, "bit") == 0 && args.size() == 2 && args[0]->type.elem == Elem::Bool &&
      args[1]->type.elem == Elem::Bool)
    return to_elem(out, out.lib(pos, name.c_str(), std::move(args)), Elem::Bool, false);
  const LibFunction* f = find_library(name);
  if (!f) {
    std::string near = nearest_name(raw, out.scope());
    out.refuse(pos, "unknown-function", fmt::format("there is no function '{}'", raw),
               near.empty() ? "" : fmt::format("did you mean '{}'?", near));
  }
  return out.lib(pos, name.c_str(), std::move(args));
}

}  // namespace vr::ir::mclab
