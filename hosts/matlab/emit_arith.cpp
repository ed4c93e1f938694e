// Operators.
#include "emitter.hpp"

#include <cmath>

namespace vr::matlab {

using ir::E;
using ir::Kind;

namespace {

Kind kind_of(Op op) {
  switch (op) {
    case Op::Plus:
      return Kind::Plus;
    case Op::Minus:
      return Kind::Minus;
    case Op::Times:
      return Kind::Mult;
    case Op::Rdivide:
      return Kind::Div;
    case Op::Lt:
      return Kind::Lt;
    case Op::Le:
      return Kind::Leq;
    case Op::Gt:
      return Kind::Gt;
    case Op::Ge:
      return Kind::Geq;
    case Op::Eq:
      return Kind::Eq;
    default:
      return Kind::Neq;
  }
}

bool is_comparison(Op op) {
  return op == Op::Lt || op == Op::Le || op == Op::Gt || op == Op::Ge || op == Op::Eq || op == Op::Ne;
}

}  // namespace

std::vector<int64_t> Emitter::agree(const Val& a, const Val& b, Pos pos) {
  auto ext = broadcast(a.t.ext, b.t.ext);
  if (!ext)
    refuse(pos, "operands of " + a.t.without_constant().text_form() + " and " + b.t.without_constant().text_form());
  return *ext;
}

// Of two constants a constant.
std::optional<Val> Emitter::folded(Op op, const Val& a, const Val& b) {
  if (!a.t.number || !b.t.number) return std::nullopt;
  if ((a.t.cls != Cls::Double && a.t.cls != Cls::Logical) || (b.t.cls != Cls::Double && b.t.cls != Cls::Logical))
    return std::nullopt;
  const double x = *a.t.number, y = *b.t.number;
  switch (op) {
    case Op::Plus:
      return number(x + y);
    case Op::Minus:
      return number(x - y);
    case Op::Times:
    case Op::Mtimes:
      return number(x * y);
    case Op::Rdivide:
    case Op::Mrdivide:
      return number(x / y);
    case Op::Ldivide:
    case Op::Mldivide:
      return number(y / x);
    case Op::Lt:
      return truth(x < y);
    case Op::Le:
      return truth(x <= y);
    case Op::Gt:
      return truth(x > y);
    case Op::Ge:
      return truth(x >= y);
    case Op::Eq:
      return truth(x == y);
    case Op::Ne:
      return truth(x != y);
    case Op::Power:
    case Op::Mpower:
      if (x < 0 && y != std::floor(y)) return std::nullopt;
      return number(std::pow(x, y));
    case Op::And:
      return std::isnan(x) || std::isnan(y) ? std::nullopt : std::optional(truth(x != 0 && y != 0));
    case Op::Or:
      return std::isnan(x) || std::isnan(y) ? std::nullopt : std::optional(truth(x != 0 || y != 0));
    default:
      return std::nullopt;
  }
}

Val Emitter::binary(Op op, const Val& left, const Val& right, Pos pos) {
  const Val a = numeric(left, pos), b = numeric(right, pos);
  if (std::optional<Val> c = folded(op, a, b)) return *c;
  const bool numbers = a.t.is_scalar() || b.t.is_scalar();
  switch (op) {
    case Op::Plus:
    case Op::Minus:
    case Op::Times:
    case Op::Rdivide:
      return elementwise(kind_of(op), a, b, pos);
    case Op::Ldivide:
      return elementwise(Kind::Div, b, a, pos);
    case Op::Mtimes:
      return numbers ? elementwise(Kind::Mult, a, b, pos) : product(a, b, pos);
    case Op::Mrdivide:
      if (b.t.is_scalar()) return elementwise(Kind::Div, a, b, pos);
      // A / B solves X B = A: (B' \ A')'.
      return transpose(solve(transpose(b, false, pos), transpose(a, false, pos), pos), false, pos);
    case Op::Mldivide:
      return a.t.is_scalar() ? elementwise(Kind::Div, b, a, pos) : solve(a, b, pos);
    case Op::Power:
      return power(a, b, pos);
    case Op::Mpower:
      return a.t.is_scalar() && b.t.is_scalar() ? power(a, b, pos) : matrix_power(a, b, pos);
    case Op::And:
    case Op::Or:
      return logic(op, a, b, pos);
    default:
      if (is_comparison(op)) return compare(op, a, b, pos);
      refuse(pos, std::string("operator ") + op_text(op));
  }
}

// + - .* ./ with MATLAB's classes: an integer class wins over floats, rounds and saturates; single wins over double.
Val Emitter::elementwise(Kind kind, const Val& left, const Val& right, Pos pos) {
  Val a = left, b = right;
  const std::optional<Cls> cls = arithmetic_class(a.t.cls, b.t.cls);
  if (!cls) refuse(pos, "arithmetic of two integer classes");
  Type t = Type::array(*cls, agree(a, b, pos), a.t.complex || b.t.complex);
  if (is_integer(*cls)) {
    if (*cls == Cls::Int64 || *cls == Cls::Uint64)
      refuse(pos, std::string("arithmetic of class ") + class_name(*cls) + ", which would have to saturate");
    if (t.complex) refuse(pos, "complex integers");
    // Exact in double; the way back rounds and saturates.
    E r = f_->binary(kind, real(a), real(b));
    return value(t, to_integer(r, *cls));
  }
  // Sums of whole numbers stay whole: sizes and counters, far from 2^53.
  if ((kind == Kind::Plus || kind == Kind::Minus) && t.is_scalar() && !t.complex && *cls == Cls::Double) {
    auto as_whole = [](const Val& v) {
      return v.whole() || (v.t.number && v.t.cls == Cls::Double && *v.t.number == std::floor(*v.t.number) &&
                           std::abs(*v.t.number) < 1e9);
    };
    if (as_whole(a) && as_whole(b)) {
      auto integer = [](const Val& v) { return v.t.number ? E(static_cast<long>(*v.t.number)) : v.e; };
      return {t, f_->binary(kind, integer(a), integer(b))};
    }
  }
  if (!t.complex) return value(t, f_->binary(kind, elem(a, *cls, false), elem(b, *cls, false)));

  // A real number times a complex one multiplies both parts, and touches neither with a zero of its own.
  if (kind == Kind::Mult && a.t.complex != b.t.complex) {
    if (a.t.complex) std::swap(a, b);
    E x = named({a.t, elem(a, *cls, false)}, "x"), z = named({b.t, elem(b, *cls, true)}, "z");
    return value(t, f_->complex(x * lib("real", {z}), x * lib("imag", {z})));
  }
  if (kind == Kind::Div) {
    E y = named({b.t, elem(b, *cls, b.t.complex)}, "y");
    if (!b.t.complex) {
      E z = named({a.t, elem(a, *cls, true)}, "z");
      return value(t, f_->complex(lib("real", {z}) / y, lib("imag", {z}) / y));
    }
    E zero = f_->complex_const(0, 0, y.type().element());
    guard(some(y == zero, b.t.is_scalar() ? 0 : b.t.rank()), "a division by a complex zero");
    return value(t, f_->binary(kind, elem(a, *cls, true), y));
  }
  return value(t, f_->binary(kind, elem(a, *cls, true), elem(b, *cls, true)));
}

Val Emitter::compare(Op op, const Val& left, const Val& right, Pos pos) {
  Val a = left, b = right;
  Type t = Type::array(Cls::Logical, agree(a, b, pos));
  const bool order = op != Op::Eq && op != Op::Ne;
  if (order && (a.t.complex || b.t.complex)) refuse(pos, "an order of complex numbers", "compare abs() or real()");
  const bool wide = a.t.cls == Cls::Int64 || b.t.cls == Cls::Int64;
  if (wide && a.t.cls != b.t.cls) {
    // Octave compares exactly; so do we with a constant that is an int64.
    auto exact = [&](Val& v) {
      if (v.t.cls == Cls::Int64 || v.t.cls == Cls::Int32 || v.t.cls == Cls::Logical) return true;
      if (!v.t.number || *v.t.number != std::floor(*v.t.number) || std::abs(*v.t.number) > 9e15) return false;
      v.e = E(static_cast<long>(*v.t.number));
      return true;
    };
    if (!exact(a) || !exact(b)) refuse(pos, "a comparison of int64 with doubles");
  }
  return value(t, f_->binary(kind_of(op), a.e, b.e));
}

// The elements as truths. NaN is none.
Val Emitter::truths(const Val& given, Pos pos) {
  Val v = given;
  Type t = Type::array(Cls::Logical, v.t.ext);
  if (v.t.number) {
    if (std::isnan(*v.t.number)) refuse(pos, "NaN as a logical value");
    return truth(*v.t.number != 0);
  }
  if (v.t.cls == Cls::Logical) return v;
  v = named_value(v, "truth");
  if (is_floating(v.t.cls) && !v.whole())
    guard(some(lib("isnan", {v.e}), v.t.is_scalar() ? 0 : v.t.rank()), "NaN as a logical value");
  E zero = v.t.complex ? f_->complex_const(0, 0, v.e.type().element()) : f_->int_const(0, v.e.type().element());
  return value(t, v.e != zero);
}

Val Emitter::logic(Op op, const Val& left, const Val& right, Pos pos) {
  const Val a = truths(left, pos), b = truths(right, pos);
  Type t = Type::array(Cls::Logical, agree(a, b, pos));
  return value(t, f_->binary(op == Op::And ? Kind::And : Kind::Or, a.e, b.e));
}

Val Emitter::unary(Op op, const Val& given, Pos pos) {
  Val v = numeric(given, pos);
  if (op == Op::Not) {
    if (v.t.number && !std::isnan(*v.t.number)) return truth(*v.t.number == 0);
    v = truths(v, pos);
    return value(Type::array(Cls::Logical, v.t.ext), f_->not_(v.e));
  }
  if (op == Op::Uplus) return v.t.cls == Cls::Logical ? Val{Type::array(Cls::Double, v.t.ext), real(v)} : v;
  if (v.t.number && v.t.cls == Cls::Double) return number(-*v.t.number);
  if (is_integer(v.t.cls)) {
    if (v.t.cls == Cls::Int64) refuse(pos, "negation of class int64, which would have to saturate");
    return value(v.t.without_constant(), to_integer(f_->negate(real(v)), v.t.cls));
  }
  Type t = v.t.without_constant();
  if (t.cls == Cls::Logical) t.cls = Cls::Double;
  t.mixed = false;
  return value(t, f_->negate(elem(v, t.cls, t.complex)));
}

// ---------------------------------------------------------------- powers

Val Emitter::power(const Val& left, const Val& right, Pos pos) {
  const Val &a = left, &b = right;
  const std::optional<Cls> cls = arithmetic_class(a.t.cls, b.t.cls);
  if (!cls) refuse(pos, "arithmetic of two integer classes");
  Type t = Type::array(*cls, agree(a, b, pos), a.t.complex || b.t.complex);
  const int rank = t.is_scalar() ? 0 : t.rank();
  if (is_integer(*cls)) {
    if (*cls == Cls::Int64) refuse(pos, "powers of class int64, which would have to saturate");
    if (t.complex) refuse(pos, "complex integers");
    E x = named({a.t, real(a)}, "x"), y = named({b.t, real(b)}, "y");
    E bad = f_->binary(Kind::And, x < E(0.0), y != lib("fix", {y}));
    guard(some(bad, rank), "a power of a negative integer with a fraction");
    return value(t, to_integer(lib("pow", {x, y}), *cls));
  }
  const bool whole_exponent = (b.t.number && *b.t.number == std::floor(*b.t.number)) || b.whole() ||
                              is_integer(b.t.cls) || b.t.cls == Cls::Logical;
  if (t.complex) {
    if (!(b.t.number && (*b.t.number == 2 || *b.t.number == 1 || *b.t.number == 3)))
      refuse(pos, "powers of complex numbers", "multiply, or use exp() and log()");
    Val z = named_value({Type::array(*cls, a.t.ext, true), elem(a, *cls, true)}, "z");
    Val r = z;
    for (int k = 1; k < static_cast<int>(*b.t.number); ++k) r = elementwise(Kind::Mult, r, z, pos);
    return r;
  }
  if (*cls == Cls::Double && b.t.number && *b.t.number == 2) {
    E x = named({a.t, real(a)}, "x");
    return value(t, x * x);
  }
  E x = elem(a, *cls, false), y = elem(b, *cls, false);
  if (!whole_exponent && !(a.t.number && *a.t.number >= 0)) {
    // A negative number to a fraction is complex.
    x = named({a.t, x}, "x");
    E zero = f_->float_const(0, x.type().element());
    E bad = x < zero;
    if (!b.t.number) {
      y = named({b.t, y}, "y");
      bad = f_->binary(Kind::And, bad, y != lib("fix", {y}));
      guard(some(bad, rank), "a complex power of a negative number");
    } else {
      guard(some(bad, a.t.is_scalar() ? 0 : a.t.rank()), "a complex power of a negative number");
    }
  }
  return value(t, lib("pow", {x, y}));
}

Val Emitter::matrix_power(const Val& a, const Val& b, Pos pos) {
  if (!b.t.number || *b.t.number != std::floor(*b.t.number) || *b.t.number < 1 || *b.t.number > 8)
    refuse(pos, "a matrix to a power that is no constant from 1 to 8", "multiply in a loop");
  Val base = named_value(a, "base"), r = base;
  for (int k = 1; k < static_cast<int>(*b.t.number); ++k) r = named_value(product(r, base, pos), "power");
  return r;
}

// ---------------------------------------------------------------- matrices

Val Emitter::product(const Val& left, const Val& right, Pos pos) {
  const std::optional<Cls> cls = arithmetic_class(left.t.cls, right.t.cls);
  if (!cls || is_integer(*cls)) refuse(pos, "a matrix product of integers");
  if (left.t.rank() > 2 || right.t.rank() > 2) refuse(pos, "a product of arrays of more than two dimensions");
  const bool complex = left.t.complex || right.t.complex;
  Val a{left.t, named({left.t, elem(left, *cls, complex)}, "left")},
      b{right.t, named({right.t, elem(right, *cls, complex)}, "right")};
  const int64_t inner = a.t.ext[1], other = b.t.ext[0];
  if (inner >= 0 && other >= 0 && inner != other)
    refuse(pos, "a product of " + a.t.text_form() + " and " + b.t.text_form());
  // An array of one element would scale the other; here it is a matrix, or the interpreter's.
  if (!(inner >= 0 && inner == other)) guard(extent(a, 2) != extent(b, 1), "a product of matrices that do not agree");
  Type t = Type::array(*cls, {a.t.ext[0], b.t.ext[1]}, complex);
  return value(t, lib("mmult", {a.e, b.e}));
}

// A \ B. Octave looks at the condition of a square A: beyond 1/eps it warns and solves otherwise.
Val Emitter::solve(const Val& left, const Val& right, Pos pos) {
  const std::optional<Cls> cls = arithmetic_class(left.t.cls, right.t.cls);
  if (!cls || is_integer(*cls)) refuse(pos, "a division of matrices of integers");
  if (left.t.rank() > 2 || right.t.rank() > 2) refuse(pos, "a division of arrays of more than two dimensions");
  const bool complex = left.t.complex || right.t.complex;
  Val a{left.t, named({left.t, elem(left, *cls, complex)}, "matrix")};
  Val b{right.t, named({right.t, as_array({right.t, elem(right, *cls, complex)}, 2)}, "side")};
  E rows = extent(a, 1), columns = extent(a, 2);
  guard(rows != extent(b, 1), "a division of matrices that do not agree");
  guard(f_->binary(Kind::Or, rows == E(0), columns == E(0)), "a division by an empty matrix");
  f_->if_(rows == columns, [&] {
    ir::Type matrix = ir::Type::array(*elem_of(*cls), 2, ir::Layout::ColMajor, complex);
    E inverse = temp("inverse", matrix);
    f_->assign(inverse, f_->lib("mldiv", {a.e, f_->lib("eye", {rows, rows}, matrix)}));
    E reciprocal = lib("norm", {a.e, E(1)}) * lib("norm", {inverse, E(1)});
    const double most = *cls == Cls::Single ? 1e6 : 1e14;
    E limit = f_->float_const(most, reciprocal.type());
    guard(!(reciprocal < limit), "a division by a matrix that is singular, or nearly");
  });
  Type t = Type::array(*cls, {a.t.ext[1], b.t.ext[1]}, complex);
  return value(t, lib("mldiv", {a.e, b.e}));
}

Val Emitter::transpose(const Val& given, bool conjugate, Pos pos) {
  if (given.t.cls == Cls::Char && given.t.text && given.t.text->size() == 1) return given;
  Val v = numeric(given, pos);
  if (v.t.rank() > 2) refuse(pos, "a transpose of an array of more than two dimensions");
  E e = conjugate && v.t.complex ? lib("conj", {v.e}) : v.e;
  if (v.t.is_scalar()) return {v.t, e};
  Type t = v.t;
  std::swap(t.ext[0], t.ext[1]);
  t.kept_complex = v.t.kept_complex;
  return value(t, lib("trans", {e}));
}

}  // namespace vr::matlab
