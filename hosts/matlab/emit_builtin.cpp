// Calls of builtins: those of the table, and the dispatch to the functions that emit the others.
#include "emit.hpp"
#include "prelude.hpp"

#include <cmath>
#include <limits>
#include <set>

namespace vr::matlab {

using ir::E;
using ir::Kind;

bool assertion(Emitter& em, Vals& args, Pos pos) {
  const auto is_number = [](const Val& v) {
    return v.t.lost.empty() && !v.t.is_aggregate() && v.t.cls != Cls::Handle && !v.t.mixed;
  };
  if (args.empty() || !is_number(args[0])) return false;
  const bool message = args.size() >= 2 && args[1].t.text && args[0].t.cls != Cls::Char;
  if (args.size() == 1 || message) {
    const Val v = em.numeric(args[0], pos);
    if (v.t.complex) return false;
    em.guard(!em.condition(v, pos).e, "assert() fails");
    return true;
  }
  if (!is_number(args[1]) || args.size() > 3 || args[0].t.cls != args[1].t.cls) return false;
  if (args.size() == 3 && !(args[2].t.number && args[0].t.cls == Cls::Double)) return false;
  const Val a = em.named_value(stored(em, args[0], pos)), b = em.named_value(stored(em, args[1], pos));
  if (args.size() == 2) {
    em.guard(!equal_arrays(em, a, b, pos).e, "assert() fails");
    return true;
  }
  call_version(em, *prelude("vr__assert_near"), {a, b, args[2]}, 1, pos);
  return true;
}

bool has_effects(const std::string& name) {
  static const std::set<std::string> effects = {"warning",  "tic",     "toc",      "rand",  "randn",   "randi",
                                                "randperm", "clock",   "time",     "now",   "input",   "keyboard",
                                                "eval",     "evalin",  "assignin", "fopen", "fclose",  "figure",
                                                "plot",     "drawnow", "pause",    "rande", "cputime", "exist"};
  return effects.count(name) > 0;
}

bool builtin(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out) {
  static const std::set<std::string> ends = {"error", "print_usage", "rethrow"};
  if (ends.count(name)) {
    em.bail(name + "() is called");
    return true;
  }
  if (host_random(em, name, args, nargout, pos, out) || host_clock(em, name, args, nargout, pos, out)) return true;
  // After a loop from which other paths have returned, as when it did not converge.
  const bool state = !args.empty() && args[0].t.text && (*args[0].t.text == "on" || *args[0].t.text == "off" ||
                                                         *args[0].t.text == "error" || *args[0].t.text == "query");
  if (name == "warning" && em.version.returns_early && !args.empty() && !state) {
    em.bail("warning() is called");
    return true;
  }
  if (has_effects(name))
    em.refuse(pos, "'" + name + "', which does or asks more than compute", "call it outside of compiled functions");
  if (prints(em, name, args, nargout, pos, out)) return true;
  if (name == "strjoin" && host_texts(em, name, args, nargout, pos, out)) return true;
  if (host_lists(em, name, args, nargout, pos, out)) return true;
  if (aggregates(em, name, args, nargout, pos, out)) return true;
  if (texts(em, name, args, nargout, pos, out)) return true;
  if (constants(em, name, args, pos, out) || queries(em, name, args, nargout, pos, out)) return true;
  for (const Val& v : args)
    if (!v.t.lost.empty()) em.refuse(pos, v.t.lost);
  if (conversions(em, name, args, pos, out) || makers(em, name, args, pos, out) ||
      shapes(em, name, args, nargout, pos, out) || orders(em, name, args, nargout, pos, out) ||
      pairwise(em, name, args, pos, out) || linear(em, name, args, nargout, pos, out) ||
      called(em, name, args, nargout, pos, out) || matrices(em, name, args, nargout, pos, out))
    return true;
  const Builtin* b = ir::find_matlab_builtin(name);
  if (!b) return false;
  auto need = [&](size_t least, size_t most) {
    if (args.size() < least || args.size() > most)
      em.refuse(pos, "'" + name + "' with " + std::to_string(args.size()) + " arguments");
  };
  if (nargout > 1) em.refuse(pos, "'" + name + "' with " + std::to_string(nargout) + " results");
  const std::string library(b->library);
  switch (b->form) {
    case Builtin::Form::Map:
      need(1, 1);
      out.push_back(map(em, *b, args[0], pos));
      return true;
    case Builtin::Form::Map2: {
      need(2, 2);
      Val x = em.numeric(em.plain(args[0], pos), pos), y = em.numeric(em.plain(args[1], pos), pos);
      if (x.t.complex || y.t.complex) em.refuse(pos, "'" + name + "' of complex numbers");
      const bool remainder = b->result == Builtin::Result::Same;
      if (remainder && (x.t.cls == Cls::Logical || y.t.cls == Cls::Logical))
        em.refuse(pos, "'" + name + "' of logical values");
      const std::optional<Cls> cls = arithmetic_class(x.t.cls, y.t.cls);
      if (!cls) em.refuse(pos, "'" + name + "' of two integer classes");
      if (!remainder && is_integer(*cls)) em.refuse(pos, "'" + name + "' of integers");
      Type t = Type::array(*cls, agree(em, x, y, pos));
      if (x.t.number && y.t.number && *cls == Cls::Double && !remainder) {
        out.push_back(
            em.number(name == "atan2" ? std::atan2(*x.t.number, *y.t.number) : std::hypot(*x.t.number, *y.t.number)));
        return true;
      }
      // Octave computes x - y .* floor (x ./ y), which is NaN for an infinite y.
      if (remainder && em.program.signature.octave && !y.whole() && is_floating(y.t.cls) &&
          !(y.t.number && std::isfinite(*y.t.number))) {
        y = em.named_value(y, "divisor");
        em.guard(em.some(em.lib("isinf", {y.e}), y.t.is_scalar() ? 0 : y.t.rank()), "'" + name + "' by Inf");
      }
      // A counter or size and an integer constant: computed in integers.
      if (remainder && x.whole() && y.t.number && *y.t.number == std::floor(*y.t.number) && *y.t.number > 0 &&
          *y.t.number < 1e9) {
        out.push_back({t, em.f->lib(library, {x.e, E(static_cast<long>(*y.t.number))})});
        return true;
      }
      if (is_integer(*cls)) {
        // A float beside an integer is rounded first. By 0, which floats can, a number modulo 0 is itself.
        E left = em.to_integer(x.e, *cls), right = em.named({y.t, em.to_integer(y.e, *cls)}, "divisor");
        const bool not_zero = y.t.number && std::round(*y.t.number) != 0 && holds(*cls, std::round(*y.t.number));
        if (!not_zero && !is_wide(*cls)) {
          const E r = em.f->lib(library, {em.real({x.t, left}), em.real({y.t, right})});
          out.push_back(em.value(t, em.to_integer(r, *cls)));
          return true;
        }
        const E zero = em.f->int_const(0, ir::Type::scalar(*elem_of(*cls)));
        if (!not_zero)
          em.guard(em.some(right == zero, y.t.is_scalar() ? 0 : y.t.rank()), "'" + name + "' of integers by 0");
        out.push_back(em.value(t, em.f->lib(library, {left, right})));
        return true;
      }
      out.push_back(em.value(t, em.f->lib(library, {em.elem(x, *cls, false), em.elem(y, *cls, false)})));
      return true;
    }
    case Builtin::Form::Reduce:
    case Builtin::Form::Scan:
      need(1, 2);
      out.push_back(reduction(em, *b, args, pos));
      return true;
  }
  return false;
}

Val map(Emitter& em, const Builtin& b, const Val& given, Pos pos) {
  const std::string library(b.library);
  Val v = em.numeric(em.plain(given, pos), pos);
  if (v.t.complex && b.complex == Builtin::OfComplex::Refused)
    em.refuse(pos, "'" + std::string(b.name) + "' of complex numbers");
  const std::string name(b.name);
  if (b.result == Builtin::Result::Logical) {
    Type t = Type::array(Cls::Logical, v.t.ext);
    if (v.whole()) return em.truth(name == "isfinite");
    return em.value(t, em.f->lib(library, {v.e}));
  }
  Cls cls =
      v.t.cls == Cls::Single || (b.result == Builtin::Result::Same && is_integer(v.t.cls)) ? v.t.cls : Cls::Double;
  if (is_integer(cls)) {
    if (name == "abs") return em.value(v.t.without_constant(), em.f->lib("abs_sat", {v.e}));
    if (name == "sign") return em.value(v.t.without_constant(), em.f->lib("sign", {v.e}));
    if (name == "imag") em.refuse(pos, "imag of integers");
    return v;  // rounded already, and real
  }
  // Of a real number that may be negative. Without a negative zero, whose argument would be pi.
  if (em.program.signature.complex && !v.t.complex && is_floating(cls) &&
      (name == "sqrt" || name == "log" || name == "log2" || name == "log10") && !(v.t.number && *v.t.number >= 0)) {
    const E x = em.elem(v, cls, false);
    const Val plus{Type::array(cls, v.t.ext), x + em.f->float_const(0, x.type().element())};
    v = {Type::array(cls, v.t.ext, true), em.elem(plus, cls, true)};
  }
  if (v.whole() &&
      (name == "floor" || name == "ceil" || name == "round" || name == "fix" || name == "real" || name == "conj"))
    return v;
  const bool complex = v.t.complex && b.complex == Builtin::OfComplex::Kept;
  Type t = Type::array(cls, v.t.ext, complex);
  if (v.t.number && cls == Cls::Double) {
    const double x = *v.t.number;
    if (name == "floor") return em.number(std::floor(x));
    if (name == "ceil") return em.number(std::ceil(x));
    if (name == "fix") return em.number(std::trunc(x));
    if (name == "round") return em.number(std::round(x));
    if (name == "abs") return em.number(std::abs(x));
    if (name == "sqrt" && x >= 0) return em.number(std::sqrt(x));
  }
  E x = em.elem(v, cls, v.t.complex);
  if (!v.t.complex && b.domain != Builtin::Domain::All &&
      !(v.t.number && *v.t.number >= 0 && b.domain == Builtin::Domain::NotNegative)) {
    x = em.named({t, x}, "x");
    auto c = [&](double k) { return em.f->float_const(k, x.type().element()); };
    E outside = b.domain == Builtin::Domain::NotNegative    ? x < c(0)
                : b.domain == Builtin::Domain::FromMinusOne ? x < c(-1)
                : b.domain == Builtin::Domain::FromOne      ? x < c(1)
                                                            : em.lib("abs", {x}) > c(1);
    em.guard(em.some(outside, t.is_scalar() ? 0 : t.rank()), "a complex result of " + std::string(b.name));
  }
  const Val r = em.value(t, em.f->lib(library, {x}));
  return complex && b.result == Builtin::Result::Float ? recovered(em, r) : r;
}

int axis(Emitter& em, const Val& v, Pos pos) {
  if (!v.t.number || *v.t.number != std::floor(*v.t.number) || *v.t.number < 1 || *v.t.number > 16)
    em.refuse(pos, "a dimension that is not known when the function is compiled");
  return static_cast<int>(*v.t.number);
}

// The extents of a reduction's result. axis: the dimension, from 1; 0: the first whose extent is not 1.
std::vector<int64_t> reduced(const Type& t, int axis) {
  std::vector<int64_t> ext = t.ext;
  if (axis > 0) {
    if (axis <= t.rank()) ext[axis - 1] = 1;
    return ext;
  }
  if (t.rank() == 2 && ext[0] == 0 && ext[1] == 0) return {1, 1};
  // Search stops at the first extent that may differ from 1; whether later ones are reduced is then unknown.
  bool settled = false;
  for (int64_t& n : ext) {
    if (settled) {
      // What follows stays, but nothing by nothing gives one; then the first was 0.
      continue;
    }
    if (n == 1) continue;
    if (n == kAny) {
      n = 1;
      for (int64_t* m = &n + 1; m != ext.data() + ext.size(); ++m)
        if (*m != 1) *m = kAny;
      return ext;
    }
    const bool may_be_empty = n == 0 || n == kNotOne;
    n = 1;
    settled = true;
    if (may_be_empty && t.rank() == 2)
      for (int64_t* m = &n + 1; m != ext.data() + ext.size(); ++m)
        if (*m == kNotOne || *m == 0) *m = kAny;
  }
  return ext;
}

Val reduction(Emitter& em, const Builtin& b, Vals& args, Pos pos) {
  const std::string library(b.library);
  Val v = em.numeric(em.plain(args[0], pos), pos);
  int along = args.size() > 1 ? axis(em, args[1], pos) : 0;
  const std::string name(b.name);
  if (v.t.complex && b.complex == Builtin::OfComplex::Refused) v = truths(em, v, pos);
  Cls cls = v.t.cls == Cls::Single ? Cls::Single : Cls::Double;
  E x = v.e;
  if (b.result == Builtin::Result::Logical)
    cls = Cls::Logical;
  else
    x = em.elem(v, cls, v.t.complex);
  if (name == "mean" && v.t.is_empty()) em.refuse(pos, "the mean of nothing");
  if (name == "mean" && v.t.count() < 0) {
    v.e = x = em.named({v.t, x}, "x");
    em.guard(em.elements(v) == E(0), "the mean of nothing");
  }
  if (v.t.is_scalar()) {
    if (cls == Cls::Logical) return truths(em, v, pos);
    Type t = Type::scalar(cls, v.t.complex);
    return {t, x};
  }
  // Of 0 x 0 Octave reduces 0 x 1, whatever the dimension.
  if (em.program.signature.octave && b.form == Builtin::Form::Reduce && along > 0 && along != 2 && v.t.rank() == 2) {
    auto maybe_none = [](int64_t n) { return n <= 0; };
    if (v.t.ext[0] == 0 && v.t.ext[1] == 0) {
      along = along == 1 ? 0 : 2;
    } else if (maybe_none(v.t.ext[0]) && maybe_none(v.t.ext[1])) {
      v.e = x = em.named({v.t, x}, "x");
      const E none = em.f->binary(Kind::And, em.extent(v, 1) == E(0), em.extent(v, 2) == E(0));
      em.guard(none, "'" + name + "' of nothing along a dimension");
    }
  }
  if (along > v.t.rank()) {
    Type t = Type::array(cls, v.t.ext, v.t.complex);
    if (cls == Cls::Logical) return truths(em, v, pos);
    return em.value(t, x);
  }
  // `any` ignores NaN.
  if (name == "any" && is_floating(v.t.cls) && !v.whole())
    x = em.lib("abs", {x}) > em.f->float_const(0, x.type().element());
  std::vector<E> list{x};
  if (along > 0) list.push_back(E(along));
  const std::vector<int64_t> ext = b.form == Builtin::Form::Scan ? v.t.ext : reduced(v.t, along);
  Type t = Type::array(cls, ext, v.t.complex && cls != Cls::Logical);
  if (t.ext.size() < v.t.ext.size()) t.ext.resize(v.t.ext.size(), 1);
  E r = em.f->lib(library, list);
  // Trailing extents that are known to be 1 are dropped.
  while (t.ext.size() > 2 && t.ext.back() == 1) t.ext.pop_back();
  const bool product = name == "prod" || name == "cumprod";
  return product && t.complex ? recovered(em, em.value(t, r)) : em.value(t, r);
}

// ---------------------------------------------------------------- constants

bool constants(Emitter& em, const std::string& name, Vals& args, Pos pos, Vals& out) {
  auto limits = [&](bool largest) {
    Cls cls = Cls::Int32;
    if (!args.empty()) {
      const std::optional<Cls> named = args[0].t.text ? class_named(*args[0].t.text) : std::optional(args[0].t.cls);
      if (!named || !is_integer(*named)) em.refuse(pos, "'" + name + "' of this class");
      cls = *named;
    }
    const std::optional<ir::Elem> e = elem_of(cls);
    if (!e)
      em.refuse(pos, std::string("class ") + class_name(cls) + ", which the compiler's language has no elements for");
    const ir::IntLimits limit = ir::int_limits(*e);
    out.push_back({Type::scalar(cls), em.f->int_const(largest ? limit.most : limit.least, ir::Type::scalar(*e))});
  };
  if (name == "intmax" || name == "intmin") return limits(name == "intmax"), true;
  if (!args.empty()) {
    if (name == "eps" && args.size() == 1 && args[0].t.cls == Cls::Char && args[0].t.text == "single") {
      out.push_back({Type::scalar(Cls::Single), E(std::numeric_limits<float>::epsilon())});
      return true;
    }
    if (name == "eps" && args.size() == 1 && args[0].t.text == "double") {
      out.push_back(em.number(std::numeric_limits<double>::epsilon()));
      return true;
    }
    if (name == "flintmax" && args.size() == 1) {
      const Type& t = args[0].t;
      const std::optional<Cls> of = t.cls == Cls::Char ? class_named(t.text.value_or("")) : std::optional(t.cls);
      if (!t.lost.empty() || t.mixed || !of || !is_floating(*of)) em.refuse(pos, "'flintmax' of this class");
      if (*of == Cls::Single)
        out.push_back({Type::scalar(Cls::Single), E(16777216.0F)});
      else
        out.push_back(em.number(9007199254740992.0));
      return true;
    }
    if ((name == "realmax" || name == "realmin") && args[0].t.cls == Cls::Char) {
      const bool single = args[0].t.text == "single";
      const bool most = name == "realmax";
      if (single)
        out.push_back({Type::scalar(Cls::Single),
                       E(most ? std::numeric_limits<float>::max() : std::numeric_limits<float>::min())});
      else
        out.push_back(em.number(most ? std::numeric_limits<double>::max() : std::numeric_limits<double>::min()));
      return true;
    }
    return false;
  }
  static const std::map<std::string, double> table = {{"pi", 3.14159265358979323846},
                                                      {"e", 2.71828182845904523536},
                                                      {"eps", std::numeric_limits<double>::epsilon()},
                                                      {"Inf", std::numeric_limits<double>::infinity()},
                                                      {"inf", std::numeric_limits<double>::infinity()},
                                                      {"NaN", std::numeric_limits<double>::quiet_NaN()},
                                                      {"nan", std::numeric_limits<double>::quiet_NaN()},
                                                      {"NA", std::numeric_limits<double>::quiet_NaN()},
                                                      {"realmax", std::numeric_limits<double>::max()},
                                                      {"realmin", std::numeric_limits<double>::min()},
                                                      {"flintmax", 9007199254740992.0}};
  if (name == "NA") em.refuse(pos, "NA");
  if (auto it = table.find(name); it != table.end()) {
    out.push_back(em.number(it->second));
    return true;
  }
  if (name == "true" || name == "false") {
    out.push_back(em.truth(name == "true"));
    return true;
  }
  if (name == "i" || name == "j" || name == "I" || name == "J") {
    out.push_back({Type::scalar(Cls::Double, true), em.f->complex_const(0, 1)});
    return true;
  }
  return false;
}

// ---------------------------------------------------------------- conversions of class

bool conversions(Emitter& em, const std::string& name, Vals& args, Pos pos, Vals& out) {
  const std::optional<Cls> to = class_named(name);
  if (name == "complex" || name == "vr__complex") {
    if (args.empty() || args.size() > 2) em.refuse(pos, "'complex' with these arguments");
    Val re = em.numeric(args[0], pos);
    if (args.size() == 1) {
      Type t = re.t.without_constant();
      t.cls = re.t.cls == Cls::Single ? Cls::Single : Cls::Double;
      t.complex = t.kept_complex = true;
      out.push_back(em.value(t, em.elem(re, t.cls, true)));
      return true;
    }
    Val im = em.numeric(args[1], pos);
    if (re.t.complex || im.t.complex) em.refuse(pos, "'complex' of complex numbers");
    const Cls cls = re.t.cls == Cls::Single || im.t.cls == Cls::Single ? Cls::Single : Cls::Double;
    if (is_integer(re.t.cls) || is_integer(im.t.cls)) em.refuse(pos, "'complex' of integers");
    Type t = Type::array(cls, agree(em, re, im, pos), true);
    t.kept_complex = name == "complex";  // vr__complex, of the prelude: it becomes real where it can
    out.push_back(em.value(t, em.f->complex(em.elem(re, cls, false), em.elem(im, cls, false))));
    return true;
  }
  if (name == "cast" && args.size() == 2 && args[1].t.text) {
    Vals one{args[0]};
    return conversions(em, *args[1].t.text, one, pos, out);
  }
  if (!to || *to == Cls::Char || *to == Cls::Handle) return false;
  if (args.size() != 1) em.refuse(pos, "'" + name + "' with " + std::to_string(args.size()) + " arguments");
  Val v = em.numeric(args[0], pos);
  if (!elem_of(*to))
    em.refuse(pos, std::string("class ") + name + ", which the compiler's language has no elements for");
  if (*to == Cls::Logical) {
    if (v.t.complex) em.refuse(pos, "'logical' of complex numbers");
    out.push_back(truths(em, v, pos));
    return true;
  }
  Type t = v.t.without_constant();
  t.cls = *to;
  t.mixed = false;
  if (is_integer(*to)) {
    if (v.t.complex) em.refuse(pos, "complex integers");
    if (v.t.number && holds(*to, std::round(*v.t.number)))
      out.push_back(
          {t, em.f->int_const(static_cast<int64_t>(std::round(*v.t.number)), ir::Type::scalar(*elem_of(*to)))});
    else
      out.push_back(em.value(t, em.to_integer(v.e, *to)));
    return true;
  }
  if (v.t.number && *to == Cls::Double) {
    out.push_back(em.number(*v.t.number));
    return true;
  }
  if (v.t.number) t.number.reset();
  out.push_back(em.value(t, em.elem(v, *to, v.t.complex)));
  return true;
}

// ---------------------------------------------------------------- two arguments

bool pairwise(Emitter& em, const std::string& name, Vals& args, Pos pos, Vals& out) {
  static const std::map<std::string, Op> operators = {{"plus", Op::Plus},
                                                      {"minus", Op::Minus},
                                                      {"times", Op::Times},
                                                      {"rdivide", Op::Rdivide},
                                                      {"ldivide", Op::Ldivide},
                                                      {"power", Op::Power},
                                                      {"mtimes", Op::Mtimes},
                                                      {"mrdivide", Op::Mrdivide},
                                                      {"mldivide", Op::Mldivide},
                                                      {"mpower", Op::Mpower},
                                                      {"lt", Op::Lt},
                                                      {"le", Op::Le},
                                                      {"gt", Op::Gt},
                                                      {"ge", Op::Ge},
                                                      {"eq", Op::Eq},
                                                      {"ne", Op::Ne},
                                                      {"and", Op::And},
                                                      {"or", Op::Or}};
  if (auto it = operators.find(name); it != operators.end()) {
    if (args.size() < 2) em.refuse(pos, "'" + name + "' with one argument");
    Val r = args[0];
    for (size_t k = 1; k < args.size(); ++k) r = binary(em, it->second, r, args[k], pos);
    out.push_back(r);
    return true;
  }
  if (name == "not" || name == "uminus" || name == "uplus") {
    if (args.size() != 1) em.refuse(pos, "'" + name + "' with these arguments");
    out.push_back(unary(em, name == "not" ? Op::Not : name == "uminus" ? Op::Uminus : Op::Uplus, args[0], pos));
    return true;
  }
  if (name == "transpose" || name == "ctranspose") {
    if (args.size() != 1) em.refuse(pos, "'" + name + "' with these arguments");
    out.push_back(transpose(em, args[0], name == "ctranspose", pos));
    return true;
  }
  if (name == "xor") {
    if (args.size() != 2) em.refuse(pos, "'xor' with these arguments");
    const Val a = truths(em, em.numeric(args[0], pos), pos), b = truths(em, em.numeric(args[1], pos), pos);
    out.push_back(em.value(Type::array(Cls::Logical, agree(em, a, b, pos)), a.e != b.e));
    return true;
  }
  if (name == "bitand" || name == "bitor" || name == "bitxor") {
    if (args.size() != 2) em.refuse(pos, "'" + name + "' with these arguments");
    Val a = em.numeric(em.plain(args[0], pos), pos), b = em.numeric(em.plain(args[1], pos), pos);
    if (!a.t.is_scalar() && !b.t.is_scalar()) {  // these do not broadcast
      a = em.named_value(a, "x");
      b = em.named_value(b, "y");
      for (int k = 0; k < std::max(a.t.rank(), b.t.rank()); ++k) {
        const int64_t m = k < a.t.rank() ? a.t.ext[k] : 1, n = k < b.t.rank() ? b.t.ext[k] : 1;
        if (m >= 0 && n >= 0 && m != n) em.refuse(pos, "'" + name + "' of arrays of different sizes");
        if (m < 0 || n < 0)
          em.guard(em.extent(a, k + 1) != em.extent(b, k + 1), "'" + name + "' of arrays of different sizes");
      }
    }
    if (is_integer(a.t.cls) || is_integer(b.t.cls)) {
      const std::optional<Cls> cls = arithmetic_class(a.t.cls, b.t.cls);
      if (!cls || a.t.cls == Cls::Logical || b.t.cls == Cls::Logical) em.refuse(pos, "'" + name + "' of these classes");
      const std::optional<E> x = exactly(em, a, *cls), y = exactly(em, b, *cls);
      if (!x || !y) em.refuse(pos, "'" + name + "' of an integer class and a number that is not known");
      out.push_back(em.value(Type::array(*cls, agree(em, a, b, pos)), em.f->lib(name, {*x, *y})));
      return true;
    }
    if (a.t.cls != Cls::Double || b.t.cls != Cls::Double || a.t.complex || b.t.complex)
      em.refuse(pos, "'" + name + "' of other classes than double");
    Type t = Type::array(Cls::Double, agree(em, a, b, pos));
    auto bits = [&](const Val& v) {
      if (v.whole()) return v.e;
      E x = em.named({v.t, em.real(v)}, "bits");
      E bad = em.f->binary(Kind::Or, em.f->binary(Kind::Or, x != em.lib("floor", {x}), x < E(0.0)),
                           x > E(9007199254740991.0));
      em.guard(em.some(bad, v.t.is_scalar() ? 0 : v.t.rank()), "bits of what is no natural number");
      ir::Type to = x.type();
      to.elem = ir::Elem::Int64;
      return em.f->cast(x, to);
    };
    E r = em.f->lib(name, {bits(a), bits(b)});
    ir::Type back = r.type();
    back.elem = ir::Elem::Float64;
    out.push_back(em.value(t, em.f->cast(r, back)));
    return true;
  }
  return false;
}

}  // namespace vr::matlab
