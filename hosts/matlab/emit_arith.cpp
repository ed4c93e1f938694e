// Operators.
#include "emit.hpp"
#include "prelude.hpp"

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

Kind comparison_kind(Op op) { return kind_of(op); }

std::vector<int64_t> agree(Emitter& em, const Val& a, const Val& b, Pos pos) {
  auto ext = broadcast(a.t.ext, b.t.ext);
  if (!ext)
    em.refuse(pos, "operands of " + a.t.without_constant().text_form() + " and " + b.t.without_constant().text_form());
  return *ext;
}

// Folds an operation on two constants.
std::optional<Val> folded(Emitter& em, Op op, const Val& a, const Val& b) {
  if (!a.t.number || !b.t.number) return std::nullopt;
  if ((a.t.cls != Cls::Double && a.t.cls != Cls::Logical) || (b.t.cls != Cls::Double && b.t.cls != Cls::Logical))
    return std::nullopt;
  const double x = *a.t.number, y = *b.t.number;
  switch (op) {
    case Op::Plus:
      return em.number(x + y);
    case Op::Minus:
      return em.number(x - y);
    case Op::Times:
    case Op::Mtimes:
      return em.number(x * y);
    case Op::Rdivide:
    case Op::Mrdivide:
      return em.number(x / y);
    case Op::Ldivide:
    case Op::Mldivide:
      return em.number(y / x);
    case Op::Lt:
      return em.truth(x < y);
    case Op::Le:
      return em.truth(x <= y);
    case Op::Gt:
      return em.truth(x > y);
    case Op::Ge:
      return em.truth(x >= y);
    case Op::Eq:
      return em.truth(x == y);
    case Op::Ne:
      return em.truth(x != y);
    case Op::Power:
    case Op::Mpower:
      if (x < 0 && y != std::floor(y)) return std::nullopt;
      return em.number(std::pow(x, y));
    case Op::And:
      return std::isnan(x) || std::isnan(y) ? std::nullopt : std::optional(em.truth(x != 0 && y != 0));
    case Op::Or:
      return std::isnan(x) || std::isnan(y) ? std::nullopt : std::optional(em.truth(x != 0 || y != 0));
    default:
      return std::nullopt;
  }
}

Val binary(Emitter& em, Op op, const Val& left, const Val& right, Pos pos) {
  const Val a = em.numeric(left, pos), b = em.numeric(right, pos);
  if (std::optional<Val> c = folded(em, op, a, b)) return *c;
  const bool numbers = a.t.is_scalar() || b.t.is_scalar();
  switch (op) {
    case Op::Plus:
    case Op::Minus:
    case Op::Times:
    case Op::Rdivide:
      return elementwise(em, kind_of(op), a, b, pos);
    case Op::Ldivide:
      return elementwise(em, Kind::Div, b, a, pos);
    case Op::Mtimes:
      return numbers ? elementwise(em, Kind::Mult, a, b, pos) : product(em, a, b, pos);
    case Op::Mrdivide:
      if (b.t.is_scalar()) return elementwise(em, Kind::Div, a, b, pos);
      // A / B solves X B = A: (B' \ A')'.
      return transpose(em, solve(em, transpose(em, b, false, pos), transpose(em, a, false, pos), pos), false, pos);
    case Op::Mldivide:
      return a.t.is_scalar() ? elementwise(em, Kind::Div, b, a, pos) : solve(em, a, b, pos);
    case Op::Power:
      return power(em, a, b, pos);
    case Op::Mpower:
      return a.t.is_scalar() && b.t.is_scalar() ? power(em, a, b, pos) : matrix_power(em, a, b, pos);
    case Op::And:
    case Op::Or:
      return logic(em, op, a, b, pos);
    default:
      if (is_comparison(op)) return compare(em, op, a, b, pos);
      em.refuse(pos, std::string("operator ") + op_text(op));
  }
}

// Complex results with NaN are left to the interpreter. Octave's products and quotients of infinities are those of C
// (annex G), and an operand whose imaginary part is zero has become real there, so that nothing multiplies infinities
// by that zero.
Val recovered(Emitter& em, const Val& given) {
  const Val z{given.t, em.named(given, "z")};
  auto nan = [&](const char* part) { return em.lib("isnan", {em.lib(part, {z.e})}); };
  const E any = em.f->binary(Kind::Or, nan("real"), nan("imag"));
  em.guard(em.some(any, z.t.is_scalar() ? 0 : z.t.rank()), "a complex result with NaN");
  return z;
}

namespace {
/// The product of p and q, stored in z where the test holds for any of its elements.
void product_again(Emitter& em, const Val& p, const Val& q, const E& test, bool narrowed, const Val& z, Pos pos) {
  const Function& again = *prelude("vr__product_again");
  const Vals args{p, q, em.truth(narrowed)};
  Version& version = em.program.version(again, {p.t, q.t, args[2].t}, 1);
  em.program.emit(version);
  if (!version.results[0]) throw NotYet{};
  em.f->if_(em.some(test, z.t.rank()),
            [&] { em.f->assign(z.e, em.convert(call_version(em, again, args, 1, pos)[0], z.t)); });
}

/// An elementwise product of complex arrays, one of which may be a number. Where a part of it is NaN, the rules for
/// infinities matter, by which it is computed again.
Val complex_product(Emitter& em, const Val& a, const Val& b, const Type& t, Pos pos) {
  auto held = [&](const Val& v) {
    const Type of = Type::array(t.cls, v.t.ext, true);
    return Val{of, em.named({of, em.elem(v, t.cls, true)}, "factor")};
  };
  const Val p = held(a), q = held(b);
  const E z = em.temp("z", storage(t));
  em.f->assign(z, p.e * q.e);
  auto nan = [&](const char* part) { return em.lib("isnan", {em.lib(part, {z})}); };
  product_again(em, p, q, em.f->binary(Kind::Or, nan("real"), nan("imag")), true, {t, z}, pos);
  return em.value(t, z);
}
}  // namespace

// + - .* ./ with MATLAB's classes: an integer class wins over floats, rounds and saturates; single wins over double.
Val elementwise(Emitter& em, Kind kind, const Val& left, const Val& right, Pos pos) {
  Val a = left, b = right;
  const std::optional<Cls> cls = arithmetic_class(a.t.cls, b.t.cls);
  if (!cls) em.refuse(pos, "arithmetic of two integer classes");
  Type t = Type::array(*cls, agree(em, a, b, pos), a.t.complex || b.t.complex);
  if (is_integer(*cls)) return integer_arithmetic(em, kind, a, b, t, pos);
  // Sums of whole numbers stay whole: sizes and counters, far from 2^53.
  if ((kind == Kind::Plus || kind == Kind::Minus) && t.is_scalar() && !t.complex && *cls == Cls::Double) {
    auto as_whole = [](const Val& v) {
      return v.whole() || (v.t.number && v.t.cls == Cls::Double && *v.t.number == std::floor(*v.t.number) &&
                           std::abs(*v.t.number) < 1e9);
    };
    if (as_whole(a) && as_whole(b)) {
      auto integer = [](const Val& v) { return v.t.number ? E(static_cast<long>(*v.t.number)) : v.e; };
      return {t, em.f->binary(kind, integer(a), integer(b))};
    }
  }
  if (!t.complex) return em.value(t, em.f->binary(kind, em.elem(a, *cls, false), em.elem(b, *cls, false)));

  // A real number times a complex one multiplies both parts; there is no product with an imaginary part of zero.
  if (kind == Kind::Mult && a.t.complex != b.t.complex) {
    if (a.t.complex) std::swap(a, b);
    E x = em.named({a.t, em.elem(a, *cls, false)}, "x"), z = em.named({b.t, em.elem(b, *cls, true)}, "z");
    return recovered(em, em.value(t, em.f->complex(x * em.lib("real", {z}), x * em.lib("imag", {z}))));
  }
  if (kind == Kind::Div) {
    E y = em.named({b.t, em.elem(b, *cls, b.t.complex)}, "y");
    if (!b.t.complex) {
      E z = em.named({a.t, em.elem(a, *cls, true)}, "z");
      return recovered(em, em.value(t, em.f->complex(em.lib("real", {z}) / y, em.lib("imag", {z}) / y)));
    }
    E zero = em.f->complex_const(0, 0, y.type().element());
    em.guard(em.some(y == zero, b.t.is_scalar() ? 0 : b.t.rank()), "a division by a complex zero");
    return recovered(em, em.value(t, em.f->binary(kind, em.elem(a, *cls, true), y)));
  }
  if (kind == Kind::Mult && !t.is_scalar() && *cls == Cls::Double && !em.version.function->prelude)
    return complex_product(em, a, b, t, pos);
  const Val r = em.value(t, em.f->binary(kind, em.elem(a, *cls, true), em.elem(b, *cls, true)));
  return kind == Kind::Mult ? recovered(em, r) : r;
}

Val compare(Emitter& em, Op op, const Val& left, const Val& right, Pos pos) {
  Val a = left, b = right;
  Type t = Type::array(Cls::Logical, agree(em, a, b, pos));
  const bool order = op != Op::Eq && op != Op::Ne;
  if (order && (a.t.complex || b.t.complex)) em.refuse(pos, "an order of complex numbers", "compare abs() or real()");
  if (is_integer(a.t.cls) || is_integer(b.t.cls)) return integer_comparison(em, op, a, b, t, pos);
  // single compared with double: both are converted to single.
  if (is_floating(a.t.cls) && is_floating(b.t.cls) && a.t.cls != b.t.cls) {
    a.e = em.elem(a, Cls::Single, a.t.complex);
    b.e = em.elem(b, Cls::Single, b.t.complex);
  }
  return em.value(t, em.f->binary(kind_of(op), a.e, b.e));
}

// The elements as bool. NaN has no truth value.
Val truths(Emitter& em, const Val& given, Pos pos) {
  Val v = given;
  Type t = Type::array(Cls::Logical, v.t.ext);
  if (v.t.number) {
    if (std::isnan(*v.t.number)) em.refuse(pos, "NaN as a logical value");
    return em.truth(*v.t.number != 0);
  }
  if (v.t.cls == Cls::Logical) return v;
  v = em.named_value(v, "truth");
  if (is_floating(v.t.cls) && !v.whole())
    em.guard(em.some(em.lib("isnan", {v.e}), v.t.is_scalar() ? 0 : v.t.rank()), "NaN as a logical value");
  E zero = v.t.complex ? em.f->complex_const(0, 0, v.e.type().element()) : em.f->int_const(0, v.e.type().element());
  return em.value(t, v.e != zero);
}

Val logic(Emitter& em, Op op, const Val& left, const Val& right, Pos pos) {
  const Val a = truths(em, left, pos), b = truths(em, right, pos);
  Type t = Type::array(Cls::Logical, agree(em, a, b, pos));
  return em.value(t, em.f->binary(op == Op::And ? Kind::And : Kind::Or, a.e, b.e));
}

Val unary(Emitter& em, Op op, const Val& given, Pos pos) {
  Val v = em.numeric(given, pos);
  if (op == Op::Not) {
    if (v.t.number && !std::isnan(*v.t.number)) return em.truth(*v.t.number == 0);
    v = truths(em, v, pos);
    return em.value(Type::array(Cls::Logical, v.t.ext), em.f->not_(v.e));
  }
  if (op == Op::Uplus) return v.t.cls == Cls::Logical ? Val{Type::array(Cls::Double, v.t.ext), em.real(v)} : v;
  if (v.t.number && v.t.cls == Cls::Double) return em.number(-*v.t.number);
  if (is_integer(v.t.cls)) return integer_negation(em, v);
  Type t = v.t.without_constant();
  if (t.cls == Cls::Logical) t.cls = Cls::Double;
  t.mixed = false;
  return em.value(t, em.f->negate(em.elem(v, t.cls, t.complex)));
}

// ---------------------------------------------------------------- powers

Val power(Emitter& em, const Val& left, const Val& right, Pos pos) {
  const Val &a = left, &b = right;
  const std::optional<Cls> cls = arithmetic_class(a.t.cls, b.t.cls);
  if (!cls) em.refuse(pos, "arithmetic of two integer classes");
  Type t = Type::array(*cls, agree(em, a, b, pos), a.t.complex || b.t.complex);
  if (is_integer(*cls)) return integer_power(em, a, b, t, pos);
  const int rank = t.is_scalar() ? 0 : t.rank();
  const bool whole_exponent = (b.t.number && *b.t.number == std::floor(*b.t.number)) || b.whole() ||
                              is_integer(b.t.cls) || b.t.cls == Cls::Logical;
  if (t.complex) {
    if (!(b.t.number && (*b.t.number == 2 || *b.t.number == 1 || *b.t.number == 3))) {
      // A number, or a whole array, whose imaginary parts are zero is real there, so that its argument is pi where this
      // one's may be -pi.
      auto part = [&](const Val& v) {
        const E z = em.named({v.t, em.elem(v, *cls, true)}, "z");
        const E re = em.lib("real", {z}), im = em.lib("imag", {z});
        const E zero = em.f->float_const(0, im.type().element());
        if (v.t.is_scalar()) return em.named({v.t, em.f->complex(re, im + zero)}, "z");
        if (v.t.complex)
          em.guard(em.some(em.f->binary(Kind::And, im == zero, re < zero), v.t.rank()),
                   "a complex power of negative numbers that are real");
        return z;
      };
      const E z = part(a), y = part(b);
      em.guard(em.some(z == em.f->complex_const(0, 0, z.type().element()), a.t.is_scalar() ? 0 : a.t.rank()),
               "a complex power of zero");
      return recovered(em, em.value(t, em.lib("pow", {z, y})));
    }
    Val z = em.named_value({Type::array(*cls, a.t.ext, true), em.elem(a, *cls, true)}, "z");
    Val r = z;
    for (int k = 1; k < static_cast<int>(*b.t.number); ++k) r = elementwise(em, Kind::Mult, r, z, pos);
    if (*b.t.number != 2) return r;
    // Octave's library multiplies the square by 1+0i, which makes NaN of 0 times infinity.
    r = em.named_value(r, "square");
    auto infinite = [&](const char* part) { return em.f->not_(em.lib("isfinite", {em.lib(part, {r.e})})); };
    const E any = em.f->binary(Kind::Or, infinite("real"), infinite("imag"));
    if (t.is_scalar() || *cls != Cls::Double) {
      em.guard(em.some(any, t.is_scalar() ? 0 : t.rank()), "a complex square with an infinity");
      return r;
    }
    const E square = em.temp("z", storage(t));
    em.f->assign(square, r.e);
    const Val one{Type::scalar(Cls::Double, true), em.f->complex_const(1, 0)};
    product_again(em, one, r, any, false, {t, square}, pos);
    return em.value(t, square);
  }
  // Octave multiplies arrays for these exponents, and calls pow() for numbers; that rounds in another way.
  const bool multiplied = !a.t.is_scalar() && b.t.is_scalar();
  if (b.t.number && ((*b.t.number == 2 && (multiplied || *cls == Cls::Double)) ||
                     (multiplied && (*b.t.number == 3 || *b.t.number == -1)))) {
    E x = em.named({a.t, em.elem(a, *cls, false)}, "x");
    if (*b.t.number == -1) return em.value(t, em.f->float_const(1, x.type().element()) / x);
    return em.value(t, *b.t.number == 3 ? x * x * x : x * x);
  }
  E x = em.elem(a, *cls, false), y = em.elem(b, *cls, false);
  E exponent = y;
  if (multiplied && !b.t.number) {
    x = em.named({a.t, x}, "x");
    exponent = y = em.named({b.t, y}, "y");
  }
  if (!whole_exponent && !(a.t.number && *a.t.number >= 0)) {
    // A negative number to a power that is not a whole number is complex.
    if (em.program.signature.complex) {
      const E z = em.named({Type::array(*cls, a.t.ext, true), em.elem(a, *cls, true)}, "z");
      em.guard(em.some(z == em.f->complex_const(0, 0, z.type().element()), a.t.is_scalar() ? 0 : a.t.rank()),
               "a complex power of zero");
      t.complex = true;
      return recovered(em, em.value(t, em.lib("pow", {z, em.elem(b, *cls, true)})));
    }
    x = em.named({a.t, x}, "x");
    E zero = em.f->float_const(0, x.type().element());
    E bad = x < zero;
    if (!b.t.number) {
      y = em.named({b.t, y}, "y");
      bad = em.f->binary(Kind::And, bad, y != em.lib("fix", {y}));
      em.guard(em.some(bad, rank), "a complex power of a negative number");
    } else {
      em.guard(em.some(bad, a.t.is_scalar() ? 0 : a.t.rank()), "a complex power of a negative number");
    }
  }
  E power = em.lib("pow", {x, y});
  if (multiplied && !b.t.number) {
    auto is = [&](double n) { return exponent == em.f->float_const(n, exponent.type()); };
    power = em.lib("where", {is(3), x * x * x, em.lib("where", {is(2), x * x, power})});
    power = em.lib("where", {is(-1), em.f->float_const(1, x.type().element()) / x, power});
  }
  return em.value(t, power);
}

Val matrix_power(Emitter& em, const Val& a, const Val& b, Pos pos) {
  if (!b.t.number || *b.t.number != std::floor(*b.t.number) || *b.t.number < 1 || *b.t.number > 8) {
    // The others by repeated squaring, of the inverse where the exponent is negative.
    if (!b.t.is_scalar() || a.t.is_scalar()) em.refuse(pos, "a power with a matrix as the exponent");
    return call_version(em, *prelude("vr__matrix_power"), {a, b}, 1, pos)[0];
  }
  Val base = em.named_value(a, "base"), r = base;
  for (int k = 1; k < static_cast<int>(*b.t.number); ++k) r = em.named_value(product(em, r, base, pos), "power");
  return r;
}

// ---------------------------------------------------------------- matrices

Val product(Emitter& em, const Val& left, const Val& right, Pos pos) {
  const std::optional<Cls> cls = arithmetic_class(left.t.cls, right.t.cls);
  if (!cls || is_integer(*cls)) em.refuse(pos, "a matrix product of integers");
  if (left.t.rank() > 2 || right.t.rank() > 2) em.refuse(pos, "a product of arrays of more than two dimensions");
  const bool complex = left.t.complex || right.t.complex;
  Val a{left.t, em.named({left.t, em.elem(left, *cls, complex)}, "left")},
      b{right.t, em.named({right.t, em.elem(right, *cls, complex)}, "right")};
  const int64_t inner = a.t.ext[1], other = b.t.ext[0];
  if (inner >= 0 && other >= 0 && inner != other)
    em.refuse(pos, "a product of " + a.t.text_form() + " and " + b.t.text_form());
  // An array of one element would scale the other; here it is a matrix, or the interpreter's.
  if (!(inner >= 0 && inner == other))
    em.guard(em.extent(a, 2) != em.extent(b, 1), "a product of matrices that do not agree");
  Type t = Type::array(*cls, {a.t.ext[0], b.t.ext[1]}, complex);
  const Val r = em.value(t, em.lib("mmult", {a.e, b.e}));
  return complex ? recovered(em, r) : r;
}

// The inverse of a square matrix; bails out where it is singular, or nearly, as Octave then warns.
E inverse_of(Emitter& em, const Val& a, Cls cls) {
  E rows = em.extent(a, 1);
  ir::Type matrix = ir::Type::array(*elem_of(cls), 2, ir::Layout::ColMajor, a.t.complex);
  E inverse = em.temp("inverse", matrix);
  em.f->assign(inverse, em.f->lib("inv", {a.e}, matrix));
  E reciprocal = em.lib("norm", {a.e, E(1)}) * em.lib("norm", {inverse, E(1)});
  const double most = cls == Cls::Single ? 1e6 : 1e14;
  E limit = em.f->float_const(most, reciprocal.type());
  em.guard(!(reciprocal < limit), "a division by a matrix that is singular, or nearly");
  return inverse;
}

Val inverse(Emitter& em, const Val& given, Pos pos) {
  if (given.t.rank() > 2) em.refuse(pos, "'inv' of more than two dimensions");
  Val a{given.t, em.named({given.t, em.as_array(given, 2)}, "matrix")};
  E rows = em.extent(a, 1);
  em.guard(rows != em.extent(a, 2), "the inverse of what is not square");
  em.guard(rows == E(0), "the inverse of an empty matrix");
  Type t = Type::array(a.t.cls, {a.t.ext[0], a.t.ext[1]}, a.t.complex);
  return em.value(t, inverse_of(em, a, a.t.cls));
}

// A \ B. Octave looks at the condition of a square A: beyond 1/eps it warns and solves otherwise.
Val solve(Emitter& em, const Val& left, const Val& right, Pos pos) {
  const std::optional<Cls> cls = arithmetic_class(left.t.cls, right.t.cls);
  if (!cls || is_integer(*cls)) em.refuse(pos, "a division of matrices of integers");
  if (left.t.rank() > 2 || right.t.rank() > 2) em.refuse(pos, "a division of arrays of more than two dimensions");
  const bool complex = left.t.complex || right.t.complex;
  Val a{left.t, em.named({left.t, em.elem(left, *cls, complex)}, "matrix")};
  Val b{right.t, em.named({right.t, em.as_array({right.t, em.elem(right, *cls, complex)}, 2)}, "side")};
  E rows = em.extent(a, 1), columns = em.extent(a, 2);
  em.guard(rows != em.extent(b, 1), "a division of matrices that do not agree");
  em.guard(em.f->binary(Kind::Or, rows == E(0), columns == E(0)), "a division by an empty matrix");
  em.f->if_(rows == columns, [&] { inverse_of(em, a, *cls); });
  Type t = Type::array(*cls, {a.t.ext[1], b.t.ext[1]}, complex);
  return em.value(t, em.lib("mldiv", {a.e, b.e}));
}

Val transpose(Emitter& em, const Val& given, bool conjugate, Pos pos) {
  if (given.t.cls == Cls::Char && given.t.text && given.t.text->size() == 1) return given;
  Val v = stored(em, given, pos);
  if (v.t.rank() > 2) em.refuse(pos, "a transpose of an array of more than two dimensions");
  E e = conjugate && v.t.complex ? em.lib("conj", {v.e}) : v.e;
  if (v.t.is_scalar()) return {v.t, e};
  Type t = v.t.without_constant();
  std::swap(t.ext[0], t.ext[1]);
  t.kept_complex = v.t.kept_complex;
  return em.value(t, em.lib("trans", {e}));
}

}  // namespace vr::matlab
