// Exact array expressions with given extents.
#include "generator.hpp"

namespace vr::smith {

std::vector<ExprPtr> FunctionGen::extents_of(const Shape& s) {
  std::vector<ExprPtr> args;
  for (int64_t n : s) args.push_back(known(n));
  return args;
}

ExprPtr FunctionGen::array_leaf(Elem e, bool complex, const Shape& s) {
  if (complex && ir::is_narrow_float(e)) throw Retry{};  // no such type exists
  auto fits = [&](const Variable& x) {
    return x.type.is_array() && x.shape == s && readable(x) && (complex || !x.type.complex || rng.chance(30));
  };
  if (rng.chance(75)) {
    Variable* v = any([&](const Variable& x) { return fits(x) && x.type.elem == e && x.type.complex == complex; });
    if (!v || rng.chance(20)) v = any(fits);
    if (v) return to(name(*v), e, complex);
    auto larger = where([&](const Variable& x) {
      return x.type.is_array() && x.shape && readable(x) && (complex || !x.type.complex) && x.shape->size() >= s.size();
    });
    if (!larger.empty() && rng.chance(60))
      if (auto x = section_of(*rng.pick(larger), s, 0, false)) return to(*x, e, complex);
  }
  const Type t = Type::array(e, static_cast<int>(s.size()), ir::fresh_layout(m_.conv), complex);
  if (!complex && !ir::is_float(e) && s == (m_.matlab() ? Shape{1, 2} : Shape{static_cast<int64_t>(s[0])}) &&
      rng.chance(40)) {
    Variable* v = any([&](const Variable& x) { return x.type.is_array() && x.type.rank == s.back(); });
    if (v) return to(rng.chance(60) ? make<ir::DimVec>(v->id) : lib("dimvec", {name(*v)}), e, false);
  }
  // The elements of `empty` are undefined, so it must have none, which constant extents ensure. An extent that is read
  // from a variable may differ after a store that grew that variable.
  if (count(s) == 0 && rng.chance(20)) {
    std::vector<ExprPtr> extents;
    for (int64_t n : s) extents.push_back(int_const(n));
    if (rng.chance(30)) return lib("empty", std::move(extents), t);
    return std::make_shared<ir::Alloc>(t, ir::AllocFunc::Empty, std::move(extents));
  }
  if (rng.chance(15)) return lib(rng.pick({"zeros", "ones"}), extents_of(s), t);
  auto n = std::make_shared<ir::Alloc>(t, rng.chance(60) ? ir::AllocFunc::Zeros : ir::AllocFunc::Ones, extents_of(s));
  if (s.size() == 1 && m_.matlab()) throw Retry{};
  ExprPtr a = n;
  if (rng.chance(70) && e != Elem::Bool) {
    ExprPtr x = scalar(e, complex, 1);
    a = to(binary(rng.chance(50) ? Kind::Plus : Kind::Mult, a, x), e, complex);
  }
  return a;
}

/// An operand that broadcasts to the extents.
ExprPtr FunctionGen::broadcast_operand(Elem e, bool complex, const Shape& s, int depth) {
  if (rng.chance(30)) return scalar(e, complex, depth);
  Shape t = s;
  if (m_.conv.broadcast != ir::BroadcastMode::None) {
    if (rng.chance(40)) t[static_cast<size_t>(rng.below(static_cast<int64_t>(t.size())))] = 1;
    if (rng.chance(30) && t.size() > static_cast<size_t>(m_.conv.mindims)) {
      if (m_.conv.broadcast == ir::BroadcastMode::Trailing)
        t.erase(t.begin());
      else
        t.pop_back();
    }
  }
  if (m_.clumsy && rng.chance(4)) t[0] += 1;
  return array(e, complex, t, depth);
}

ExprPtr FunctionGen::random_number(const ExprPtr& counter) {
  const ExprPtr key = rng.chance(70) ? int_const(rng.range(0, 9), rng.pick({Elem::Int64, Elem::UInt64, Elem::Int32})) : counter;
  const ExprPtr count = int_const(rng.pick<int64_t>({1, 2, 7, 100, int64_t{3} << 60, m_.clumsy ? 0 : 5}), Elem::Int64);
  switch (rng.below(6)) {
    case 0:
      return lib("random_bits", {key, counter});
    case 1:
      return lib("random_uniform", {key, counter});
    case 2:
      return lib("random_integer", {key, counter, count});
    case 3:
      return lib("random_normal", {key, counter});
    case 4:
      return lib("random_exponential", {key, counter});
    default:
      return lib("random_gamma", {key, counter, float_const(rng.pick({0.25, 1.0, 6.5}))});
  }
}

std::string FunctionGen::overflow_function() {
  if (m_.clumsy && rng.chance(50)) return rng.pick({"add_check", "sub_check", "mul_check", "div_check"});
  return rng.pick({"add_sat", "sub_sat", "mul_sat", "div_sat"});
}

ExprPtr FunctionGen::array_binary(Elem e, bool complex, const Shape& s, int depth) {
  const Elem x = rng.chance(80) ? e : random_elem(), y = rng.chance(80) ? e : random_elem();
  ExprPtr a = array(x == Elem::Bool && complex ? Elem::Int32 : x, complex && rng.chance(70), s, depth - 1);
  ExprPtr b = broadcast_operand(y, complex && rng.chance(70), s, depth - 1);
  const bool swap = rng.chance(50);
  size_t which = rng.weighted({25, 20, 25, 8, 6, 6, 6, 4});
  if (a->type.complex || b->type.complex) which = rng.weighted({25, 20, 25});
  const bool integers = !ir::is_float(ir::common_elem(a->type.elem, b->type.elem));
  if (integers && rng.chance(8)) return lib(rng.pick({"bitand", "bitor", "bitxor"}), {a, b});
  if (integers && rng.chance(5)) return lib(rng.pick({"shift_left", "shift_right"}), {a, b});
  if (integers && !a->type.complex && !ir::is_float(a->type.elem) && rng.chance(4)) return lib("bit_count", {a});
  if (integers && !a->type.complex && !b->type.complex && rng.chance(8)) return lib(overflow_function(), {a, b});
  if (!a->type.complex && rng.chance(5)) return lib("where", {a, a, b});
  if (!complex && rng.chance(4)) return to(random_number(array(Elem::Int64, false, s, depth - 1)), e, false);
  const bool by_zero = rng.chance(m_.clumsy ? 15 : 2);
  if (integers && (which == 3 || which == 6 || which == 7) && !by_zero) {
    // Divisors other than zero.
    b = lib("max2", {b, int_const(1, ir::is_unsigned(b->type.elem) ? b->type.elem : Elem::Int32)});
    if (which == 3) return binary(Kind::Div, a, b);
    return lib(which == 6 ? "mod" : "rem", {a, b});
  }
  if (swap && which < 3) std::swap(a, b);
  switch (which) {
    case 0:
      return rng.chance(80) ? binary(Kind::Plus, a, b) : lib("libplus", {a, b});
    case 1:
      return rng.chance(80) ? binary(Kind::Minus, a, b) : lib("libminus", {a, b});
    case 2:
      return rng.chance(80) ? binary(Kind::Mult, a, b) : lib("libmult", {a, b});
    case 3:
      return rng.chance(80) ? binary(Kind::Div, a, b) : lib("libdiv", {a, b});
    case 4:
      return lib("min2", {a, b});
    case 5:
      return lib("max2", {a, b});
    case 6:
      return lib("mod", {a, b});
    default:
      return lib("rem", {a, b});
  }
}

/// A reduction along an axis.
ExprPtr FunctionGen::reduced(Elem e, const Shape& s, int depth) {
  Shape from = s;
  int64_t axis;
  if (m_.matlab()) {
    axis = rng.below(static_cast<int64_t>(s.size()));
    if (s[static_cast<size_t>(axis)] != 1) throw Retry{};
    from[static_cast<size_t>(axis)] = rng.range(1, 5);
  } else {
    if (s.size() >= 3) throw Retry{};
    axis = rng.below(static_cast<int64_t>(s.size()) + 1);
    from.insert(from.begin() + axis, rng.chance(70) ? std::max<int64_t>(1, rng.pick(m_.sizes)) : rng.range(1, 5));
  }
  if (count(from) > 600) throw Retry{};
  const bool fl = ir::is_float(e);
  const char* names[] = {"min", "max", "argmin", "argmax", "any", "all", "sum", "prod"};
  const char* f = names[e == Elem::Bool ? 4 + rng.below(2) : fl ? rng.below(2) : rng.below(8)];
  return lib(f, {array(e, false, from, depth - 1), int_const(axis + m_.base())});
}

ExprPtr FunctionGen::joined(Elem e, bool complex, const Shape& s, int depth) {
  // Along the last dimension for vectors, else along one of the first two.
  const bool vertical = s.size() >= 2 && rng.chance(50);
  const size_t axis = vertical ? 0 : s.size() == 1 ? 0 : 1;
  if (s[axis] < 1) throw Retry{};
  Shape a = s, b = s;
  a[axis] = rng.below(s[axis] + 1);
  b[axis] = s[axis] - a[axis];
  std::vector<ExprPtr> parts{array(e, complex, a, depth - 1),
                             array(rng.chance(80) ? e : random_elem(), complex, b, depth - 1)};
  return lib(vertical ? "vertcat" : "horzcat", std::move(parts));
}

/// Products of integer matrices; they wrap around, so they are exact in any order.
ExprPtr FunctionGen::product(Elem e, const Shape& s, int depth) {
  const int64_t inner = rng.range(0, 5);
  if (m_.matlab() || s.size() == 2) {
    if (s.size() != 2) throw Retry{};
    if (!m_.matlab() && rng.chance(30))
      return lib("outer", {array(e, false, {s[0]}, depth - 1), array(e, false, {s[1]}, depth - 1)});
    // Under MATLAB's conventions an operand with a single element scales the other.
    if (m_.matlab() && ((s[0] == 1 && inner == 1) || (inner == 1 && s[1] == 1))) throw Retry{};
    return lib("mmult", {array(e, false, {s[0], inner}, depth - 1), array(e, false, {inner, s[1]}, depth - 1)});
  }
  if (s.size() != 1) throw Retry{};
  if (rng.chance(50))
    return lib("mmult", {array(e, false, {s[0], inner}, depth - 1), array(e, false, {inner}, depth - 1)});
  return lib("mmult", {array(e, false, {inner}, depth - 1), array(e, false, {inner, s[0]}, depth - 1)});
}

ExprPtr FunctionGen::sequence(Elem e, const Shape& s) {
  int64_t n;
  if (m_.matlab()) {
    if (s.size() != 2 || s[0] != 1) throw Retry{};
    n = s[1];
  } else {
    if (s.size() != 1) throw Retry{};
    n = s[0];
  }
  const int64_t start = rng.range(-5, 5), step = rng.chance(60) ? 1 : rng.pick<int64_t>({2, -1, 3, -2});
  const bool fl = ir::is_float(e);
  if (rng.chance(25) && fl && n > 0)
    return lib("linspace", {to(int_const(start), e, false),
                            float_const(static_cast<double>(start + rng.range(-9, 9)) * 0.5, e), int_const(n)});
  const double scale = fl && rng.chance(50) ? 0.5 : 1;
  auto number = [&](int64_t k) { return fl ? float_const(static_cast<double>(k) * scale, e) : int_const(k, e); };
  const int64_t last = start + (n - 1) * step;
  if (rng.chance(60)) {
    if (step == 1 && rng.chance(50) && scale == 1) return lib("colon", {number(start), number(last)});
    return lib("colon", {number(start), number(step), number(last)});
  }
  ExprPtr stop = number(m_.conv.exclude ? last + (step > 0 ? 1 : -1) : last);
  if (step == 1 && scale == 1) return lib("range", {number(start), stop});
  return lib("range", {number(start), stop, number(step)});
}

ExprPtr FunctionGen::array_library(Elem e, const Shape& s, int depth) {
  const bool fl = ir::is_float(e);
  switch (rng.below(9)) {
    case 0: {
      const char* f[] = {"abs", "floor", "ceil", "round", "fix", "sign", "sqrt"};
      const char* g = f[rng.below(fl ? 7 : 6)];
      if (g == f[3] && depth % 2 != 0) g = "rint";
      return lib(g, {array(g == f[6] || rng.chance(80) ? e : random_elem(), false, s, depth - 1)});
    }
    case 1:
      return reduced(e, s, depth);
    case 2:
      return joined(e, false, s, depth);
    case 3:
      if (fl || e == Elem::Bool) throw Retry{};
      return product(e, s, depth);
    case 4:
      return sequence(e, s);
    case 5: {
      if (s.size() != 2) throw Retry{};
      return lib("trans", {array(e, false, {s[1], s[0]}, depth - 1)});
    }
    case 6: {  // reshape
      Shape from;
      if (m_.matlab())
        from = rng.chance(50) ? Shape{1, count(s)} : Shape{count(s), 1};
      else if (s.size() == 1)
        from = s[0] % 2 == 0 ? Shape{2, s[0] / 2} : Shape{s[0], 1};
      else
        from = Shape{count(s)};
      std::vector<ExprPtr> args{array(e, false, from, depth - 1)};
      for (ExprPtr& x : extents_of(s)) args.push_back(x);
      return lib("reshape", std::move(args));
    }
    case 7: {
      if (e != Elem::Bool && rng.chance(fl ? 70 : 30)) {
        std::vector<ExprPtr> args{array(e, false, s, depth - 1)};
        if (s.size() > 1)
          args.push_back(rng.chance(75) ? int_const(rng.below(static_cast<int64_t>(s.size())) + m_.base())
                                        : computed_axis(static_cast<int>(s.size())));
        else if (m_.matlab())
          throw Retry{};
        return lib("sort", std::move(args));
      }
      std::vector<ExprPtr> args{array(e, false, s, depth - 1)};
      if (s.size() > 1 || rng.chance(50))
        args.push_back(int_const(rng.below(static_cast<int64_t>(s.size())) + m_.base()));
      // Sums of floats can become inexact; inexact_array generates them.
      if (fl || rng.chance(30)) return lib(rng.chance(50) ? "cummax" : "cummin", std::move(args));
      return lib(rng.chance(70) ? "cumsum" : "cumprod", std::move(args));
    }
    default:
      if (s.size() == 2 && rng.chance(30)) {
        const Type t = Type::array(e, 2, ir::fresh_layout(m_.conv));
        return lib("eye", {known(s[0]), known(s[1])}, t);
      }
      return lib("copy", {array(e, false, s, depth - 1)});
  }
}

ExprPtr FunctionGen::array(Elem e, bool complex, const Shape& s, int depth) {
  if (complex && ir::is_narrow_float(e)) throw Retry{};  // no such type exists
  if (m_.matlab() && s.size() < 2) throw Retry{};
  ExprPtr r;
  if (depth <= 0 || count(s) > 600) {
    r = array_leaf(e, complex, s);
  } else if (e == Elem::Bool && !complex && rng.chance(75)) {
    switch (rng.weighted({60, 15, 10, 15})) {
      case 0: {
        const Elem x = random_elem();
        r = binary(rng.pick({Kind::Lt, Kind::Leq, Kind::Gt, Kind::Geq, Kind::Eq, Kind::Neq}),
                   array(x, false, s, depth - 1),
                   broadcast_operand(rng.chance(80) ? x : random_elem(), false, s, depth - 1));
        break;
      }
      case 1:
        r = binary(rng.chance(50) ? Kind::And : Kind::Or, array(Elem::Bool, false, s, depth - 1),
                   broadcast_operand(rng.chance(80) ? Elem::Bool : random_elem(), false, s, depth - 1));
        break;
      case 2:
        r = make<ir::Not>(array(rng.chance(70) ? Elem::Bool : random_elem(), false, s, depth - 1));
        break;
      default:
        r = lib(rng.pick({"isnan", "isinf", "isfinite"}), {array(random_elem(), false, s, depth - 1)});
    }
  } else {
    switch (rng.weighted({18, 35, 6, 6, complex ? 0 : 30, 8, 6})) {
      case 0:
        r = array_leaf(e, complex, s);
        break;
      case 1:
        r = array_binary(e, complex, s, depth);
        break;
      case 2:
        r = make<ir::Negate>(array(e, complex, s, depth - 1));
        break;
      case 3: {
        const bool from = !complex && rng.chance(20);
        Type t = Type::array(e, static_cast<int>(s.size()), ir::fresh_layout(m_.conv), complex);
        r = std::make_shared<ir::Cast>(t, array(random_elem(!from), from || (complex && rng.chance(50)), s, depth - 1));
        break;
      }
      case 4:
        r = array_library(e, s, depth);
        break;
      case 5: {
        if (complex) {
          const Elem part = e == Elem::Bool ? Elem::Int32 : e;
          r = make<ir::ComplexExpr>(array(part, false, s, depth - 1), broadcast_operand(part, false, s, depth - 1));
          break;
        }
        Variable* v = any([&](const Variable& x) { return x.type.is_array() && x.shape == s && readable(x); });
        if (!v) throw Retry{};
        r = rng.chance(70) || !v->type.complex ? make<ir::RealExpr>(v->id) : make<ir::ImagExpr>(v->id);
        break;
      }
      default: {
        const FunctionInfo* f = callable([&](const FunctionInfo& x) {
          return x.results.size() == 1 && x.results[0].shape == s && x.results[0].exact &&
                 x.results[0].type.complex <= complex;
        });
        r = f ? call(*f, depth, false) : array_leaf(e, complex, s);
      }
    }
  }
  if (!r->type.is_array() || r->type.rank != static_cast<int>(s.size())) throw Retry{};
  return to(r, e, complex);
}

/// An array of this type whose extents are known only at run time.
ExprPtr FunctionGen::loose(const Type& t, int depth) {
  auto sources =
      where([&](const Variable& x) { return x.type.is_array() && readable(x) && x.type.complex <= t.complex; });
  if (sources.empty()) throw Retry{};
  ExprPtr r;
  switch (rng.below(7)) {
    case 5:
      r = domain_slice(t);
      break;
    case 6: {  // along an axis that is computed from data
      Variable* v = rng.pick(sources);
      ExprPtr a = v->shape ? array(v->type.elem, v->type.complex, *v->shape, depth) : name(*v);
      if (a->type.complex) a = lib("real", {a});
      const char* whole[] = {"any", "all", "sum", "prod"};
      r = lib(whole[rng.below(ir::is_float(a->type.elem) ? 2 : 4)], {a, computed_axis(v->type.rank)});
      break;
    }
    case 0: {  // a mask
      Variable* v = rng.pick(sources);
      if (!v->shape || m_.matlab() || t.rank != 1) throw Retry{};
      ir::Subscript s;
      s.value = array(Elem::Bool, false, *v->shape, depth);
      r = make<ir::Index>(v->id, std::vector<ir::Subscript>{s});
      break;
    }
    case 1: {
      Variable* v = rng.pick(sources);
      r = lib("find",
              {v->shape ? array(rng.chance(60) ? Elem::Bool : v->type.elem, false, *v->shape, depth) : name(*v)});
      break;
    }
    case 2: {  // bounds computed from data
      Variable* v = any([&](const Variable& x) {
        return x.type.is_array() && x.shape && x.type.rank == t.rank && readable(x) && x.type.complex <= t.complex;
      });
      if (!v) throw Retry{};
      std::vector<ir::Subscript> subs;
      for (int64_t n : *v->shape) {
        ir::Subscript s;
        ExprPtr a = bounded(n + 1, 1), b = bounded(n + 1, 1);
        if (m_.base()) a = binary(Kind::Plus, a, int_const(1));
        s.value =
            std::make_shared<ir::Range>(Type::null(), true, a, nullptr, binary(Kind::Plus, b, int_const(m_.base())));
        s.negative = rng.chance(40);
        subs.push_back(s);
      }
      r = make<ir::Index>(v->id, std::move(subs));
      break;
    }
    case 3: {
      if (t.rank != m_.conv.mindims || all_loops_ > 0) throw Retry{};
      r = lib("horzcat", {name(*rng.pick(sources)), name(*rng.pick(sources))});
      break;
    }
    default: {
      Variable* v = any([&](const Variable& x) {
        return x.type.is_array() && !x.shape && x.type.rank == t.rank && readable(x) && x.type.complex <= t.complex;
      });
      if (!v) throw Retry{};
      r = name(*v);
      if (rng.chance(60)) r = binary(Kind::Plus, r, scalar(t.elem, t.complex, 1));
      break;
    }
  }
  if (!r->type.is_array() || r->type.rank != t.rank || r->type.complex > t.complex) throw Retry{};
  return to(r, t.elem, t.complex);
}

}  // namespace vr::smith
