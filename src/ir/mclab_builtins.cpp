// The mclab dialect: MATLAB's builtins, whether the client names them in a fncall or a libcall.
#include "ir/library.hpp"
#include "ir/mclab.hpp"

#include <velociraptor/ir/matlab.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace vr::ir::mclab {

namespace {

using Names = std::unordered_map<std::string, std::string>;

// Another name for the same thing; the right side is a name that builtin() knows.
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

ExprPtr Translator::builtin(const std::string& raw, std::vector<ExprPtr> args, const Type& stated, TextPos pos) {
  auto alias = aliases().find(raw);
  const std::string& name = alias == aliases().end() ? raw : alias->second;
  auto need = [&](size_t least, size_t most) {
    if (args.size() < least || args.size() > most)
      refuse(pos, "arity", fmt::format("'{}' with {} arguments", raw, args.size()));
  };
  if (name == "cellhorzcat") return make<TupleExpr>(pos, std::move(args));
  for (const ExprPtr& a : args)
    if (!a->type.is_numeric())
      refuse(pos, "argument-type", fmt::format("an argument of '{}' is {}", raw, a->type.text()));

  if (auto op = operator_of(name)) {
    // plus(a, b, c) is a + b + c.
    need(2, 16);
    ExprPtr x = args[0];
    for (size_t k = 1; k < args.size(); ++k) x = binary(*op, x, args[k], stated, pos);
    return x;
  }
  if (name == "copy") {  // values are copied by assignment already
    need(1, 1);
    return args[0];
  }
  if (name == "uplus") {
    need(1, 1);
    return args[0]->type.elem == Elem::Bool ? to_elem(args[0], Elem::Float64, false) : args[0];
  }
  if (name == "uminus") {
    need(1, 1);
    ExprPtr x = args[0]->type.elem == Elem::Bool ? to_elem(args[0], Elem::Float64, false) : args[0];
    // -0 is a number of its own, which integers do not have; -intmin saturates.
    if (x->type.elem == Elem::Int32 && x->kind != Kind::IntConst)
      return to_elem(make<Negate>(pos, to_elem(x, Elem::Float64, false)), Elem::Int32, false);
    return make<Negate>(pos, x);
  }
  if (name == "not") {
    need(1, 1);
    ExprPtr x = args[0]->type.complex ? make<Neq>(pos, args[0], number(0, pos)) : args[0];
    // A condition's negation: the client states a scalar where it knows the operand to be one.
    return make<Not>(pos, stated.is_scalar() ? condition(x) : x);
  }
  if (name == "xor") {
    need(2, 2);
    return make<Neq>(pos, make<Neq>(pos, args[0], number(0, pos)), make<Neq>(pos, args[1], number(0, pos)));
  }
  if (name == "ldivide") {
    need(2, 2);
    return binary(Kind::Div, args[1], args[0], stated, pos);
  }
  if (name == "complex") {
    need(1, 2);
    if (args.size() == 1) return to_elem(to_float(args[0]), to_float(args[0])->type.elem, true);
    Elem e = args[0]->type.elem == Elem::Float32 || args[1]->type.elem == Elem::Float32 ? Elem::Float32 : Elem::Float64;
    return make<ComplexExpr>(pos, to_elem(args[0], e, args[0]->type.complex),
                             to_elem(args[1], e, args[1]->type.complex));
  }
  if (name == "double" || name == "single" || name == "int64" || name == "bool") {
    need(1, 1);
    if (name == "bool")
      return args[0]->type.complex ? make<Neq>(pos, args[0], number(0, pos)) : to_elem(args[0], Elem::Bool, false);
    ExprPtr x = name == "int64" && is_float(args[0]->type.elem) ? lib(pos, "round", {args[0]}) : args[0];
    Elem e = name == "double" ? Elem::Float64 : name == "single" ? Elem::Float32 : Elem::Int64;
    return to_elem(x, e, x->type.complex);
  }
  if (name == "int32") {
    need(1, 1);
    return to_int32(args[0]);
  }
  if (name == "sec" || name == "csc" || name == "cot") {
    need(1, 1);
    const char* base = name == "sec" ? "cos" : name == "csc" ? "sin" : "tan";
    return binary(Kind::Div, number(1, pos), lib(pos, base, {args[0]}), stated, pos);
  }
  if (name == "zeros" || name == "ones" || name == "empty" || name == "eye" ||
      ((name == "inf" || name == "nan" || name == "true" || name == "false") && !args.empty()))
    return new_array(name, std::move(args), stated, pos);
  if (ExprPtr c = args.empty() ? constant(name, pos) : nullptr) return c;
  if (ExprPtr r = shape_builtin(name, args, stated, pos)) return r;
  if (ExprPtr r = matrix_builtin(name, args, stated, pos)) return r;

  if (const MatlabBuiltin* row = find_matlab_builtin(name)) {
    using Form = MatlabBuiltin::Form;
    using Result = MatlabBuiltin::Result;
    const std::string function(row->library);
    if (row->form == Form::Map) {
      need(1, 1);
      if (row->result == Result::Float) return lib(pos, function.c_str(), {to_float(args[0])});
      const bool truth = args[0]->type.elem == Elem::Bool && row->result == Result::Same;
      return lib(pos, function.c_str(), {truth ? to_elem(args[0], Elem::Float64, false) : args[0]});
    }
    if (row->form == Form::Map2) {
      need(2, 2);
      Elem a = args[0]->type.elem, b = args[1]->type.elem;
      const bool single = a == Elem::Float32 || b == Elem::Float32;
      if (a == Elem::Int32 || b == Elem::Int32)
        return to_int32(lib(pos, function.c_str(),
                            {to_elem(args[0], Elem::Float64, false), to_elem(args[1], Elem::Float64, false)}));
      if (a == Elem::Int64 && b == Elem::Int64 && row->result == Result::Same) return lib(pos, function.c_str(), args);
      Elem e = single ? Elem::Float32 : Elem::Float64;
      return lib(pos, function.c_str(),
                 {to_elem(args[0], e, args[0]->type.complex), to_elem(args[1], e, args[1]->type.complex)});
    }
  }
  const LibFunction* f = find_library(name);
  if (!f) {
    std::string near = nearest_name(raw, scope_);
    refuse(pos, "unknown-function", fmt::format("there is no function '{}'", raw),
           near.empty() ? "" : fmt::format("did you mean '{}'?", near));
  }
  return lib(pos, name.c_str(), std::move(args));
}

ExprPtr Translator::constant(const std::string& name, TextPos pos) {
  if (name == "pi") return number(3.14159265358979323846, pos);
  if (name == "e") return number(2.71828182845904523536, pos);
  if (name == "eps") return number(std::numeric_limits<double>::epsilon(), pos);
  if (name == "inf") return number(std::numeric_limits<double>::infinity(), pos);
  if (name == "nan") return number(std::numeric_limits<double>::quiet_NaN(), pos);
  if (name == "realmax") return number(std::numeric_limits<double>::max(), pos);
  if (name == "realmin") return number(std::numeric_limits<double>::min(), pos);
  if (name == "i") return make_as<ComplexConst>(Type::scalar(Elem::Float64, true), pos, 0.0, 1.0);
  if (name == "true" || name == "false")
    return make_as<IntConst>(Type::scalar(Elem::Bool), pos, int64_t{name == "true"});
  if (name == "intmax" || name == "intmin")
    return make_as<IntConst>(
        Type::scalar(Elem::Int32), pos,
        int64_t{name == "intmax" ? std::numeric_limits<int32_t>::max() : std::numeric_limits<int32_t>::min()});
  return nullptr;
}

// zeros ones empty eye inf nan true false of sizes: scalars, or one vector of sizes.
ExprPtr Translator::new_array(const std::string& name, std::vector<ExprPtr> args, const Type& stated, TextPos pos) {
  for (const ExprPtr& a : args)
    if (!a->type.is_numeric() || a->type.complex)
      refuse(pos, "argument-type", fmt::format("a size of '{}' is {}", name, a->type.text()));
  const bool logical = name == "true" || name == "false";
  Elem elem = logical ? Elem::Bool : Elem::Float64;
  // The client states int64 for zeros and ones that it only ever fills with integers, and the class when one was named.
  if (!logical && stated.is_numeric() && stated.elem != Elem::Bool) elem = stated.elem;
  if (args.empty()) {
    if (name == "zeros" || name == "empty") return to_elem(integer(0, pos), elem, false);
    return to_elem(integer(1, pos), elem, false);
  }
  int rank = static_cast<int>(std::max<size_t>(2, args.size()));
  if (args.size() == 1 && args[0]->type.is_array()) {
    // A vector of sizes, unless the client knows a single number.
    if (stated.is_array() && stated.rank > 2) rank = stated.rank;
  } else {
    for (ExprPtr& a : args) a = to_scalar(a);
  }
  if (name == "eye") {
    for (ExprPtr& a : args) a = to_scalar(a);
    return make_as<LibCall>(Type::array(elem, 2, Layout::ColMajor), pos, std::string("eye"), std::move(args));
  }
  const bool zeros = name == "zeros" || name == "false", fill = name == "inf" || name == "nan";
  AllocFunc func = zeros ? AllocFunc::Zeros : name == "empty" ? AllocFunc::Empty : AllocFunc::Ones;
  ExprPtr a =
      make_as<Alloc>(Type::array(fill ? Elem::Float64 : elem, rank, Layout::ColMajor), pos, func, std::move(args));
  return fill ? lib(pos, "libmult", {a, constant(name, pos)}) : a;
}

// A dimension's number; a constant one as an integer, so that it counts as known.
ExprPtr Translator::axis(const ExprPtr& e) {
  ExprPtr x = to_scalar(e);
  if (x->kind != Kind::FloatConst) return x;
  ExprPtr whole = to_elem(x, Elem::Int64, false);
  return whole->kind == Kind::IntConst ? whole : x;
}

// ---------------------------------------------------------------- products and quotients

ExprPtr Translator::matrix_builtin(const std::string& name, std::vector<ExprPtr>& args, const Type& stated,
                                   TextPos pos) {
  auto need = [&](size_t n) {
    if (args.size() != n) refuse(pos, "arity", fmt::format("'{}' with {} arguments", name, args.size()));
  };
  auto any_scalar = [&] { return args[0]->type.is_scalar() || args[1]->type.is_scalar(); };
  // Both sides of a product in one class.
  auto same_class = [&](bool floating) {
    bool single = args[0]->type.elem == Elem::Float32 || args[1]->type.elem == Elem::Float32;
    bool integral = !floating && args[0]->type.elem == Elem::Int64 && args[1]->type.elem == Elem::Int64;
    if (!integral)
      for (ExprPtr& a : args) a = to_elem(a, single ? Elem::Float32 : Elem::Float64, a->type.complex);
  };
  if (name == "transpose" || name == "ctranspose") {
    need(1);
    ExprPtr x = args[0];
    if (name == "ctranspose" && x->type.complex) x = lib(pos, "conj", {x});
    return x->type.is_scalar() ? x : lib(pos, "trans", {x});
  }
  if (name == "mtimes") {
    need(2);
    if (any_scalar()) return binary(Kind::Mult, args[0], args[1], stated, pos);
    same_class(false);
    return lib(pos, "mmult", args);
  }
  if (name == "mrdivide" || name == "mldivide") {
    need(2);
    const size_t divisor = name == "mrdivide" ? 1 : 0;
    if (args[divisor]->type.is_scalar()) return binary(Kind::Div, args[1 - divisor], args[divisor], stated, pos);
    if (args[1 - divisor]->type.is_scalar())  // only a 1 x 1 matrix divides a number
      return binary(Kind::Div, args[1 - divisor], to_scalar(args[divisor]), stated, pos);
    same_class(true);
    return lib(pos, name == "mrdivide" ? "mrdiv" : "mldiv", args);
  }
  if (name == "pow" || name == "square") {
    need(name == "square" ? 1 : 2);
    if (name == "square") return binary(Kind::Mult, args[0], args[0], stated, pos);
    Elem a = args[0]->type.elem, b = args[1]->type.elem;
    const bool complex = args[0]->type.complex || args[1]->type.complex;
    if (!complex && (a == Elem::Int32 || b == Elem::Int32))
      return to_int32(
          lib(pos, "pow", {to_elem(args[0], Elem::Float64, false), to_elem(args[1], Elem::Float64, false)}));
    same_class(true);
    return lib(pos, "pow", args);
  }
  if (name == "mpower") {
    need(2);
    if (args[0]->type.is_scalar() && args[1]->type.is_scalar()) return builtin("pow", args, stated, pos);
    ExprPtr k = args[1];
    int64_t n = 0;
    if (const auto* c = as<IntConst>(k)) n = c->value;
    if (const auto* c = as<FloatConst>(k); c && c->value == std::floor(c->value) && std::abs(c->value) < 100)
      n = static_cast<int64_t>(c->value);
    if (n < 1 || n > 8)
      refuse(pos, "unsupported", "a matrix to a power that is no constant from 1 to 8", "multiply in a loop");
    ExprPtr base = named(args[0], "power_temp"), x = base;
    for (int64_t i = 1; i < n; ++i) x = builtin("mtimes", {x, base}, stated, pos);
    return x;
  }
  if (name == "min" || name == "max") {
    // max(A, [], k): the empty one only marks the place.
    if (args.size() == 3) return lib(pos, name.c_str(), {args[0], axis(args[2])});
    if (args.size() == 2) {
      Elem a = args[0]->type.elem, b = args[1]->type.elem;
      const char* pairwise = name == "min" ? "min2" : "max2";
      if (a == Elem::Bool && b == Elem::Bool) return to_elem(lib(pos, pairwise, args), Elem::Bool, false);
      Elem e = a == Elem::Int32 || b == Elem::Int32       ? Elem::Int32
               : a == Elem::Float32 || b == Elem::Float32 ? Elem::Float32
               : a == Elem::Int64 && b == Elem::Int64     ? Elem::Int64
                                                          : Elem::Float64;
      for (ExprPtr& x : args) x = e == Elem::Int32 ? to_int32(x) : to_elem(x, e, x->type.complex);
      return lib(pos, pairwise, args);
    }
    need(1);
    ExprPtr r = lib(pos, name.c_str(), {args[0]});  // logical stays logical
    return stated.is_scalar() ? to_scalar(r) : r;
  }
  if (name == "nnz" || name == "sumsq") {
    need(1);
    ExprPtr x =
        name == "nnz" ? make<Neq>(pos, args[0], number(0, pos)) : binary(Kind::Mult, args[0], args[0], stated, pos);
    ExprPtr r = lib(pos, "sum", {x});
    if (name == "nnz")
      for (int k = 1; k < x->type.rank; ++k) r = lib(pos, "sum", {r});
    return name == "nnz" || stated.is_scalar() ? to_scalar(r) : r;
  }
  if (const LibFunction* f = find_library(name); f && (f->sort == LibSort::Reduce || f->sort == LibSort::Scan)) {
    if (args.empty() || args.size() > 2) refuse(pos, "arity", fmt::format("'{}' with {} arguments", name, args.size()));
    if (args.size() == 2) args[1] = axis(args[1]);
    if (args[0]->type.complex && (name == "any" || name == "all")) args[0] = make<Neq>(pos, args[0], number(0, pos));
    ExprPtr r = lib(pos, name.c_str(), args);
    // A result that the client knows to be one number.
    return f->sort == LibSort::Reduce && stated.is_scalar() ? to_scalar(r) : r;
  }
  return nullptr;
}

// ---------------------------------------------------------------- shapes

ExprPtr Translator::shape_builtin(const std::string& name, std::vector<ExprPtr>& args, const Type& stated,
                                  TextPos pos) {
  auto need = [&](size_t least, size_t most) {
    if (args.size() < least || args.size() > most)
      refuse(pos, "arity", fmt::format("'{}' with {} arguments", name, args.size()));
  };
  auto truth = [&](bool b) { return make_as<IntConst>(Type::scalar(Elem::Bool), pos, int64_t{b}); };
  if (name == "rows" || name == "columns") {
    need(1, 1);
    args.push_back(integer(name == "rows" ? 1 : 2, pos));
    return shape_builtin("size", args, stated, pos);
  }
  if (name == "size") {
    need(1, 2);
    if (args.size() == 1) return lib(pos, "size", args);
    ExprPtr dimension = axis(args[1]);
    if (const auto* c = as<IntConst>(dimension)) {
      const int rank = args[0]->type.is_array() ? args[0]->type.rank : 0;
      if (c->value >= 1 && c->value > rank) return integer(1, pos);
      if (const auto* n = as<Name>(args[0]); n && c->value >= 1 && rank > 0)
        return make<Dim>(pos, n->id, static_cast<int32_t>(c->value));
    }
    if (args[0]->type.is_scalar()) return integer(1, pos);
    return lib(pos, "size", {args[0], dimension});
  }
  if (name == "ndims") {
    need(1, 1);
    return args[0]->type.is_array() && args[0]->type.rank > 2 ? lib(pos, "ndims", args) : integer(2, pos);
  }
  if (name == "numel" || name == "length") {
    need(1, 1);
    return args[0]->type.is_scalar() ? integer(1, pos) : lib(pos, name.c_str(), args);
  }
  if (name == "isempty") {
    need(1, 1);
    if (args[0]->type.is_scalar()) return truth(false);
    return make<Eq>(pos, lib(pos, "numel", args), integer(0, pos));
  }
  if (name == "isscalar") {
    need(1, 1);
    if (args[0]->type.is_scalar()) return truth(true);
    return make<Eq>(pos, lib(pos, "numel", args), integer(1, pos));
  }
  if (name == "isrow" || name == "iscolumn" || name == "isvector") {
    need(1, 1);
    if (args[0]->type.is_scalar()) return truth(true);
    if (args[0]->type.rank > 2) return truth(false);
    ExprPtr a = named(args[0], "shape_temp");
    auto one = [&](int k) {
      return make<Eq>(pos, make<Dim>(pos, static_cast<const Name&>(*a).id, k), integer(1, pos));
    };
    if (name == "isvector") return make<Or>(pos, one(1), one(2));
    return one(name == "isrow" ? 1 : 2);
  }
  if (name == "isreal" || name == "iscomplex") {
    need(1, 1);
    return truth(args[0]->type.complex == (name == "iscomplex"));
  }
  if (name == "isequal") {
    need(2, 16);
    ExprPtr all = equal_arrays(args[0], args[1], pos);
    for (size_t k = 2; k < args.size(); ++k) all = make<And>(pos, all, equal_arrays(args[0], args[k], pos));
    return all;
  }
  if (name == "horzcat" || name == "vertcat") return concatenate(name, std::move(args), pos);
  if (name == "colon") {
    need(2, 3);
    bool single = false, integral = true, int32 = false;
    for (ExprPtr& a : args) {
      a = to_scalar(a);
      single = single || a->type.elem == Elem::Float32;
      int32 = int32 || a->type.elem == Elem::Int32;
      integral = integral && a->type.elem == Elem::Int64;
    }
    const Elem e = int32 ? Elem::Int32 : single ? Elem::Float32 : integral ? Elem::Int64 : Elem::Float64;
    for (ExprPtr& a : args) a = e == Elem::Int32 ? to_int32(a) : to_elem(a, e, false);
    return lib(pos, "colon", args);
  }
  if (name == "linspace") {
    need(2, 3);
    for (ExprPtr& a : args) a = to_scalar(a);
    args[0] = to_float(args[0]);
    args[1] = to_float(args[1]);
    if (args.size() == 2) args.push_back(integer(100, pos));
    return lib(pos, "linspace", args);
  }
  if (name == "reshape") {
    need(2, 17);
    if (args.size() == 2) {
      if (!args[1]->type.is_array()) refuse(pos, "argument-type", "'reshape' with a single size");
      Type t =
          Type::array(args[0]->type.elem, stated.is_array() ? stated.rank : 2, Layout::ColMajor, args[0]->type.complex);
      return make_as<LibCall>(t, pos, std::string("reshape"), args);
    }
    for (size_t k = 1; k < args.size(); ++k) args[k] = to_scalar(args[k]);
    return lib(pos, "reshape", args);
  }
  if (name == "find" || name == "sort") {
    if (name == "find") need(1, 1);
    if (name == "sort" && args.size() == 2) args[1] = axis(args[1]);
    need(1, 2);
    args[0] = args[0]->type.is_array() ? args[0] : to_array(args[0], 2);
    return lib(pos, name.c_str(), args);
  }
  return nullptr;
}

ExprPtr Translator::concatenate(const std::string& name, std::vector<ExprPtr> args, TextPos pos) {
  if (args.empty())  // []
    return make_as<Alloc>(Type::array(Elem::Float64, 2, Layout::ColMajor), pos, AllocFunc::Zeros,
                          std::vector<ExprPtr>{integer(0, pos), integer(0, pos)});
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
  for (ExprPtr& a : args) a = e == Elem::Int32 ? to_int32(a) : to_elem(a, e, complex);
  if (args.size() == 1 && args[0]->type.is_scalar()) return args[0];  // [x] is x
  return lib(pos, name.c_str(), std::move(args));
}

// Same shape and same elements; the shapes are compared first, so that unequal ones never meet.
ExprPtr Translator::equal_arrays(const ExprPtr& a, const ExprPtr& b, TextPos pos) {
  if (a->type.is_scalar() && b->type.is_scalar()) return make<Eq>(pos, a, b);
  ExprPtr x = named(a, "equal_temp"), y = named(b, "equal_temp");
  const int rank = std::max<int>(x->type.is_array() ? x->type.rank : 0, y->type.is_array() ? y->type.rank : 0);
  ExprPtr same;
  for (int k = 1; k <= rank; ++k) {
    std::vector<ExprPtr> l{x, integer(k, pos)}, r{y, integer(k, pos)};
    ExprPtr eq = make<Eq>(pos, shape_builtin("size", l, {}, pos), shape_builtin("size", r, {}, pos));
    same = same ? make<And>(pos, same, eq) : eq;
  }
  ExprPtr all = make<Eq>(pos, x, y);
  for (int k = 0; k < rank; ++k) all = lib(pos, "all", {all});
  return make<And>(pos, same, to_scalar(all));
}

}  // namespace vr::ir::mclab
