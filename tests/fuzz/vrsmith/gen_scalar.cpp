// Exact scalar expressions.
#include "generator.hpp"

#include <cmath>
#include <limits>

namespace vr::smith {

ExprPtr FunctionGen::constant(Elem e) {
  if (e == Elem::Bool) return int_const(rng.below(2), e);
  if (!ir::is_float(e)) {
    if (m_.wild && rng.chance(20)) {
      const ir::IntLimits limits = ir::int_limits(e);
      std::vector<int64_t> ends = {limits.least, limits.most};
      if (e == Elem::Int64) ends.insert(ends.end(), {std::numeric_limits<int32_t>::max(), int64_t{1} << 32, -1});
      return int_const(rng.pick(ends), e);
    }
    return int_const(rng.range(-6, 12), e);
  }
  if (m_.wild && rng.chance(20))
    return float_const(rng.pick<double>({std::nan(""), std::numeric_limits<double>::infinity(), -0.0, 1e300, -3e9,
                                         1e-310, 0x1p63, -0x1p31, 16777217.0}),
                       e);
  return rng.chance(30) ? int_const(rng.range(-5, 9), e)
                        : float_const(static_cast<double>(rng.range(-20, 20)) * 0.25, e);
}

ExprPtr FunctionGen::known(int64_t value) {
  switch (rng.weighted({46, 11, 11, 25, 7})) {
    case 0:
      return int_const(value);
    case 4:
      if (value < 0 || value > 30000) return int_const(value);
      return int_const(value, rng.pick({Elem::Int16, Elem::UInt16, Elem::UInt32}));
    case 1:
      return int_const(value, Elem::Int32);
    case 2:
      return float_const(static_cast<double>(value));
    default:
      break;
  }
  // Writes the value as an array's extent plus a constant.
  Variable* v = any([&](const Variable& x) { return x.type.is_array() && x.shape && readable(x); });
  if (!v) return int_const(value);
  const auto k = static_cast<size_t>(rng.below(static_cast<int64_t>(v->shape->size())));
  ExprPtr extent = make<ir::Dim>(v->id, static_cast<int32_t>(k) + m_.base());
  const int64_t d = value - (*v->shape)[k];
  if (d == 0) return extent;
  return d > 0 ? binary(Kind::Plus, extent, int_const(d)) : binary(Kind::Minus, extent, int_const(-d));
}

ExprPtr FunctionGen::bounded(int64_t n, int depth) {
  switch (rng.weighted({35, 40, 25})) {
    case 0:
      return int_const(rng.below(n));
    case 1:
      return lib("mod", {integer(depth - 1), int_const(n)});
    default: {
      ExprPtr x = lib("min2", {integer(depth - 1), int_const(n - 1)});
      return lib("max2", {x, int_const(0)});
    }
  }
}

ExprPtr FunctionGen::scalar_leaf(Elem e, bool complex) {
  if (complex && ir::is_narrow_float(e)) throw Retry{};  // no such type exists
  if (rng.chance(70)) {
    Variable* v = any([&](const Variable& x) {
      return x.type.is_scalar() && readable(x) && (complex || !x.type.complex || rng.chance(30)) &&
             (x.type.elem == e || rng.chance(30));
    });
    if (v) {
      if (v->type.complex && !complex && rng.chance(60))
        return to(rng.chance(50) ? make<ir::RealExpr>(v->id) : make<ir::ImagExpr>(v->id), e, false);
      return to(name(*v), e, complex);
    }
  }
  if (!complex) return constant(e);
  if (e == Elem::Bool) return to(constant(Elem::Int32), e, true);
  if (rng.chance(60))
    return std::make_shared<ir::ComplexConst>(Type::scalar(e, true), static_cast<double>(rng.range(-4, 4)) * 0.5,
                                              static_cast<double>(rng.range(-4, 4)));
  return to(constant(e), e, true);
}

ExprPtr FunctionGen::scalar(Elem e, bool complex, int depth) {
  if (complex && ir::is_narrow_float(e)) throw Retry{};  // no such type exists
  ExprPtr r;
  if (depth <= 0)
    r = scalar_leaf(e, complex);
  else if (complex)
    r = complex_scalar(e, depth);
  else if (e == Elem::Bool)
    r = boolean(depth);
  else
    r = real_scalar(e, depth);
  return to(r, e, complex);
}

ExprPtr FunctionGen::condition(int depth) {
  return rng.chance(85) ? boolean(depth) : scalar(random_elem(), false, depth);
}

ExprPtr FunctionGen::real_scalar(Elem e, int depth) {
  const bool fl = ir::is_float(e);
  auto other = [&] { return rng.chance(75) ? e : random_elem(); };
  switch (rng.weighted({12, 22, 7, 4, 6, 16, 12, 8, 5, 4, 6, 3})) {
    case 0:
      return scalar_leaf(e, false);
    case 1: {
      const Kind k = rng.pick({Kind::Plus, Kind::Minus, Kind::Mult});
      ExprPtr a = scalar(other(), false, depth - 1), b = scalar(other(), false, depth - 1);
      return rng.chance(85) ? binary(k, a, b)
                            : lib(k == Kind::Plus    ? "libplus"
                                  : k == Kind::Minus ? "libminus"
                                                     : "libmult",
                                  {a, b});
    }
    case 2: {  // division, sometimes by zero
      ExprPtr a = scalar(other(), false, depth - 1), b = scalar(other(), false, depth - 1);
      const bool integers = !ir::is_float(ir::common_elem(a->type.elem, b->type.elem));
      if (integers && !rng.chance(m_.clumsy ? 20 : 2))
        b = rng.chance(50) ? int_const(rng.pick<int64_t>({1, 2, 3, -1, -2, 7}),
                                       b->type.elem == Elem::Bool ? Elem::Int32 : b->type.elem)
                           : lib("max2", {b, int_const(1, ir::is_unsigned(b->type.elem) ? b->type.elem : Elem::Int32)});
      ExprPtr q = rng.chance(85) ? binary(Kind::Div, a, b) : lib("libdiv", {a, b});
      if (integers && fl && rng.chance(60)) return restate(q, Type::scalar(e));  // true division
      return q;
    }
    case 3:
      return make<ir::Negate>(scalar(other(), false, depth - 1));
    case 4: {
      Type t = Type::scalar(e);
      const bool from_complex = rng.chance(15);
      return std::make_shared<ir::Cast>(t, scalar(random_elem(!from_complex), from_complex, depth - 1));
    }
    case 5: {  // an element
      Variable* v = any([&](const Variable& x) {
        return x.type.is_array() && readable(x) && (!x.type.complex || rng.chance(20)) &&
               (x.type.elem == e || rng.chance(25));
      });
      if (parallel_ && !parallel_->written.empty() && rng.chance(40)) {
        const Written& w = rng.pick(parallel_->written);
        if (w.v->exact) return own_element(w, depth - 1);
      }
      if (!v) return scalar_leaf(e, false);
      if (auto x = element(*v, depth - 1)) return *x;
      return scalar_leaf(e, false);
    }
    case 6: {  // library functions that are exact
      const char* one[] = {"abs", "floor", "ceil", "round", "fix", "sign", "sqrt"};
      if (rng.chance(50)) {
        const char* f = one[rng.below(fl ? 7 : 6)];
        if (f == one[3] && depth % 2 != 0) f = "rint";
        return lib(f, {scalar(f == one[6] ? e : other(), false, depth - 1)});
      }
      if (rng.chance(8)) return to(random_number(scalar(Elem::Int64, false, depth - 1)), e, false);
      if (rng.chance(12))
        return lib("where", {scalar(other(), false, depth - 1), scalar(e, false, depth - 1), scalar_leaf(e, false)});
      if (rng.chance(12)) {
        const bool checks = m_.clumsy && rng.chance(50), cast = rng.chance(50);
        const ExprPtr x = scalar(other(), false, depth - 1);
        if (cast) return lib(checks ? "cast_check" : "cast_sat", {x}, Type::scalar(e));
        return lib(checks ? "abs_check" : "abs_sat", {x});
      }
      if (!fl && rng.chance(12))
        return lib(overflow_function(), {to(scalar(other(), false, depth - 1), e, false), scalar_leaf(e, false)});
      if (!fl && rng.chance(12))
        return lib(rng.pick({"bitand", "bitor", "bitxor"}),
                   {to(scalar(other(), false, depth - 1), e, false), scalar_leaf(e, false)});
      if (!fl && rng.chance(12)) {
        const ExprPtr count = rng.chance(50) ? int_const(rng.range(-1, 66), Elem::Int32) : scalar_leaf(e, false);
        return lib(rng.pick({"shift_left", "shift_right"}), {to(scalar(other(), false, depth - 1), e, false), count});
      }
      if (!fl && rng.chance(6)) return lib("bit_count", {to(scalar(other(), false, depth - 1), e, false)});
      const char* two[] = {"min2", "max2", "mod", "rem", "pow"};
      const int64_t which = rng.below(fl ? 4 : 5);
      ExprPtr a = scalar(other(), false, depth - 1);
      if (which == 4) return lib("pow", {to(a, e, false), int_const(rng.range(-1, 5), Elem::Int32)});
      ExprPtr b = scalar(other(), false, depth - 1);
      if ((which == 2 || which == 3) && !ir::is_float(b->type.elem) && !rng.chance(m_.clumsy ? 20 : 2))
        b = int_const(rng.pick<int64_t>({1, 2, 3, 5, -3, 8}), b->type.elem == Elem::Bool ? Elem::Int32 : b->type.elem);
      return lib(two[which], {a, b});
    }
    case 7:
      return reduction(e, depth);
    case 8:
      return call_scalar(e, false, depth);
    case 9: {
      Variable* v = any([&](const Variable& x) { return x.type.is_tuple(); });
      if (!v) return scalar_leaf(e, false);
      const auto& parts = v->type.components();
      const int64_t k = rng.below(static_cast<int64_t>(parts.size()));
      if (!parts[static_cast<size_t>(k)].is_scalar()) return scalar_leaf(e, false);
      return make<ir::TupleIndex>(v->id, static_cast<int32_t>(k) + m_.base());
    }
    case 10:
      return boolean(depth - 1);
    default: {
      ExprPtr z = scalar(fl ? e : Elem::Float64, true, depth - 1);
      return lib(rng.chance(50) ? "real" : "imag", {z});
    }
  }
}

ExprPtr FunctionGen::boolean(int depth) {
  if (depth <= 0) return scalar_leaf(Elem::Bool, false);
  switch (rng.weighted({8, 40, 16, 6, 8, 10, 6})) {
    case 0:
      return scalar_leaf(Elem::Bool, false);
    case 1: {
      const Kind k = rng.pick({Kind::Lt, Kind::Leq, Kind::Gt, Kind::Geq, Kind::Eq, Kind::Neq});
      const Elem e = rng.chance(12) ? Elem::Bool : random_elem();
      if ((k == Kind::Eq || k == Kind::Neq) && rng.chance(15))
        return binary(k, scalar(Elem::Float64, true, depth - 1),
                      scalar(rng.chance(50) ? Elem::Float64 : e, rng.chance(50), depth - 1));
      return binary(k, scalar(e, false, depth - 1), scalar(rng.chance(75) ? e : random_elem(), false, depth - 1));
    }
    case 2: {
      const Kind k = rng.chance(50) ? Kind::And : Kind::Or;
      return binary(k, condition(depth - 1), condition(depth - 1));
    }
    case 3:
      return make<ir::Not>(condition(depth - 1));
    case 4: {
      const bool complex = rng.chance(20);
      return lib(rng.pick({"isnan", "isinf", "isfinite"}),
                 {scalar(complex ? Elem::Float64 : random_elem(), complex, depth - 1)});
    }
    case 5: {
      Variable* v = any([&](const Variable& x) {
        return x.type.is_array() && x.type.elem == Elem::Bool && !x.type.complex && readable(x);
      });
      if (!v) return scalar_leaf(Elem::Bool, false);
      if (auto x = element(*v, depth - 1)) return *x;
      return scalar_leaf(Elem::Bool, false);
    }
    default:
      return reduction(Elem::Bool, depth);
  }
}

ExprPtr FunctionGen::complex_scalar(Elem e, int depth) {
  switch (rng.weighted({15, 30, 10, 20, 6, 6, 12, 5})) {
    case 0:
      return scalar_leaf(e, true);
    case 1: {
      const Kind k = rng.pick({Kind::Plus, Kind::Minus, Kind::Mult});
      return binary(k, scalar(e, true, depth - 1), scalar(e, rng.chance(70), depth - 1));
    }
    case 2: {
      if (!ir::is_float(e)) return scalar_leaf(e, true);
      return binary(Kind::Div, scalar(e, true, depth - 1), scalar(e, rng.chance(70), depth - 1));
    }
    case 3: {
      const Elem part = e == Elem::Bool ? Elem::Int32 : e;
      return make<ir::ComplexExpr>(scalar(part, false, depth - 1),
                                   scalar(rng.chance(70) ? part : Elem::Int32, false, depth - 1));
    }
    case 4:
      return make<ir::Negate>(scalar(e, true, depth - 1));
    case 5:
      return lib("conj", {scalar(e, true, depth - 1)});
    case 6: {
      Variable* v = any([&](const Variable& x) { return x.type.is_array() && x.type.complex && readable(x); });
      if (!v) return scalar_leaf(e, true);
      if (auto x = element(*v, depth - 1)) return *x;
      return scalar_leaf(e, true);
    }
    default:
      return call_scalar(e, true, depth);
  }
}

/// A number computed from an array that is exact in any order of evaluation.
ExprPtr FunctionGen::reduction(Elem e, int depth) {
  Variable* v = any([&](const Variable& x) { return x.type.is_array() && readable(x); });
  if (!v) return scalar_leaf(e, false);
  const bool kernel = parallel_ && parallel_->kernel;
  if (rng.chance(45)) {
    switch (rng.below(kernel ? 2 : 5)) {
      case 0:
      case 1:
        return make<ir::Dim>(v->id, static_cast<int32_t>(rng.below(v->type.rank)) + m_.base());
      case 2:
        return lib("numel", {name(*v)});
      case 3:
        return lib(rng.chance(50) ? "length" : "ndims", {name(*v)});
      default:
        return lib("size", {name(*v), rng.chance(60) ? int_const(rng.below(v->type.rank) + m_.base())
                                                     : computed_axis(v->type.rank)});
    }
  }
  if (kernel && rng.chance(70)) return scalar_leaf(e, false);
  ExprPtr a = name(*v);
  if (!kernel && v->shape && rng.chance(40)) a = array(v->type.elem, v->type.complex, *v->shape, depth - 1);
  if (!kernel && rng.chance(20))
    if (auto s = random_section(*v, false)) a = s->first;
  if (a->type.is_scalar()) return a;
  if (a->type.complex) {
    a = lib(rng.chance(50) ? "real" : "imag", {a});
  }
  const bool fl = ir::is_float(a->type.elem);
  ExprPtr r;
  if (e == Elem::Bool) {
    r = lib(rng.chance(50) ? "any" : "all", {a});
  } else {
    const char* exact[] = {"min", "max", "argmin", "argmax", "any", "all", "sum", "prod"};
    const char* f = exact[rng.below(fl ? 6 : 8)];
    const bool needs_elements = f == exact[0] || f == exact[1] || f == exact[2] || f == exact[3];
    if (needs_elements && v->shape && count(*v->shape) == 0 && rng.chance(85)) return scalar_leaf(e, false);
    if (!kernel && !fl && a->type.rank == 1 && !m_.matlab() && rng.chance(15)) {
      r = lib("dot", {a, a});
    } else {
      r = lib(f, {a});
    }
  }
  if (r->type.is_array()) {  // MATLAB's reductions keep the number of dimensions
    if (kernel) return scalar_leaf(e, false);
    const std::string again = rng.pick({"max", "min"});
    for (int k = 0; k < v->type.rank - 1; ++k) r = lib(again, {r, int_const(k + 1 + m_.base())});
    r = lib("scalar", {r});
  }
  return r;
}

ExprPtr FunctionGen::call_scalar(Elem e, bool complex, int depth) {
  if (!complex && e == Elem::Float64 && rng.chance(40)) {
    Variable* g = any([&](const Variable& x) { return x.type.is_function(); });
    if (g && !(parallel_ && parallel_->kernel) && !parallel_) {
      std::vector<ExprPtr> args{scalar(Elem::Float64, false, depth - 1)};
      if (g->callee >= 0) note_call(m_.functions[static_cast<size_t>(g->callee)]);
      return std::make_shared<ir::FnCall>(Type::scalar(Elem::Float64), fn_.symbols.at(g->id).name, args);
    }
  }
  const FunctionInfo* f = callable([&](const FunctionInfo& x) {
    return x.results.size() == 1 && x.results[0].type.is_scalar() && x.results[0].exact &&
           x.results[0].type.complex <= complex;
  });
  if (!f) return scalar_leaf(e, complex);
  return call(*f, depth, false);
}

}  // namespace vr::smith
