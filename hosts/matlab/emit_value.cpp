// Values and their conversions.
#include "emit.hpp"

#include <cmath>

namespace vr::matlab {

using ir::E;
using ir::Elem;

// Makes a value of this type: a VRIR scalar if it is known to be one number, otherwise an array of the type's
// rank.
Val Emitter::value(Type t, E e) {
  if (!e.ok() || !t.has_storage()) return {std::move(t), e};
  if (t.is_scalar()) return {t, e.type().is_array() ? lib("scalar", {e}) : e};
  if (!e.type().is_array() || e.type().rank != t.rank()) {
    Val v{t, e};
    return {t, as_array(v, t.rank())};
  }
  return {std::move(t), e};
}

Val Emitter::number(double v) { return {Type::constant(v), E(v)}; }
Val Emitter::truth(bool v) {
  Type t = Type::scalar(Cls::Logical);
  t.number = v;
  return {t, E(v)};
}
Val Emitter::whole(const E& e) { return {Type::scalar(Cls::Double), e}; }

// The value with elements of another class, as VRIR converts them. It truncates: MATLAB's rounding is a call of round()
// before.
E Emitter::elem(const Val& v, Cls cls, bool complex) {
  const Elem to = *elem_of(cls);
  const ir::Type& t = v.e.type();
  if (v.t.number && !complex && t.is_scalar()) {
    if (to == Elem::Float64) return E(*v.t.number);
    if (to == Elem::Float32) return E(static_cast<float>(*v.t.number));
  }
  if (!v.e.ok() || (t.elem == to && t.complex == complex)) return v.e;
  ir::Type stated = t;
  stated.elem = to;
  stated.complex = complex;
  return f->cast(v.e, stated);
}

// To nearest, halves away from zero, saturating; NaN gives 0.
E Emitter::to_integer(const E& e, Cls cls) {
  ir::Type t = e.type();
  const Elem to = *elem_of(cls);
  if (t.elem == to) return e;
  const bool direct = t.elem == Elem::Bool;
  t.elem = to;
  return direct ? f->cast(e, t) : f->lib("cast_sat", {e}, t);
}

// Fit for a variable of type `to`, which join() made from v's type among others.
E Emitter::convert(const Val& given, const Type& to) {
  const Val v = given.t.text ? chars(*this, given, here) : given;
  const ir::Type s = storage(to);
  E e = elem(v, to.cls, to.complex);
  if (s.is_scalar()) return e.type().is_array() ? lib("scalar", {e}) : e;
  if (e.type().is_array() && e.type().rank == s.rank) return e;
  return as_array({v.t, e}, s.rank);
}

E Emitter::as_array(const Val& v, int rank) {
  const ir::Type& t = v.e.type();
  if (t.is_array() && t.rank == rank) return v.e;
  std::vector<E> args;
  if (!t.is_array()) {
    args.push_back(v.e);
    for (int k = 0; k < rank; ++k) args.push_back(E(1));
    return f->lib("reshape", args);
  }
  E a = named(v, "a");
  args.push_back(a);
  // A higher rank gets extents of 1; a lower one is requested only if the dimensions left out have extent 1.
  for (int k = 1; k <= rank; ++k) args.push_back(k <= t.rank ? f->dim(a, k) : E(1));
  return f->lib("reshape", args);
}

E Emitter::temp(const char* name, const ir::Type& t) { return f->local(name, t); }

E Emitter::named(const Val& v, const char* name) {
  if (v.e.id() >= 0 || !v.e.ok()) return v.e;
  E t = temp(name, v.e.type());
  f->assign(t, v.e);
  return t;
}
// Stores the value in a variable, if it is used more than once.
Val Emitter::named_value(const Val& v, const char* name) {
  if (!v.t.has_storage() || v.t.number) return v;
  return {v.t, named(v, name)};
}

Val Emitter::plain(const Val& v, Pos pos) {
  if (v.t.mixed) refuse(pos, "a value that is double on one way and logical on another", "convert it with double()");
  return v;
}

Val chars(Emitter& em, const Val& v, Pos pos) {
  if (!v.t.text) return v;
  const std::string& s = *v.t.text;
  const Type t = Type::array(Cls::Char, v.t.ext);
  const ir::Type byte = ir::Type::scalar(Elem::UInt8);
  if (s.size() > 2000) em.refuse(pos, "text of more than 2000 characters");
  if (s.size() == 1) return {t, em.f->int_const(static_cast<unsigned char>(s[0]), byte)};
  if (s.empty()) return {t, em.f->zeros(storage(t), {E(static_cast<long>(t.ext[0])), E(static_cast<long>(t.ext[1]))})};
  std::vector<E> parts, codes;
  for (size_t k = 0; k < s.size(); ++k) {
    codes.push_back(em.f->int_const(static_cast<unsigned char>(s[k]), byte));
    if (codes.size() < 200 && k + 1 < s.size()) continue;
    parts.push_back(codes.size() == 1 && parts.empty() ? codes[0] : em.f->lib("horzcat", codes));
    codes.clear();
  }
  return em.value(t, parts.size() == 1 ? parts[0] : em.f->lib("horzcat", parts));
}

Val spelled(Emitter& em, const Val& v) {
  Val r = v.t.text ? chars(em, v, em.here) : v;
  for (size_t k = 0; k < r.parts.size(); ++k) {
    r.parts[k] = spelled(em, r.parts[k]);
    r.t.parts[k] = r.parts[k].t;
  }
  return r;
}

Val stored(Emitter& em, const Val& v, Pos pos) {
  return v.t.cls == Cls::Char && v.t.lost.empty() ? chars(em, v, pos) : em.numeric(v, pos);
}

Val kept(Emitter& em, const Val& v, const char* name) {
  Val r = v;
  if (v.t.has_storage() && !v.t.number) {
    r.e = em.temp(name, v.e.type());
    em.f->assign(r.e, v.e);
  }
  for (Val& p : r.parts) p = kept(em, p, name);
  return r;
}

// Text counts as the numbers of its characters, logical values stay.
Val Emitter::numeric(const Val& v, Pos pos) {
  if (!v.t.lost.empty()) refuse(pos, v.t.lost);
  if (v.t.cls == Cls::Handle) refuse(pos, "a function handle where a number should be");
  if (v.t.is_aggregate()) refuse(pos, aggregate_name(v.t) + " where a number should be");
  if (v.t.cls == Cls::Char) {
    if (v.t.text && v.t.text->size() == 1) return number(static_cast<unsigned char>((*v.t.text)[0]));
    const Val c = chars(*this, v, pos);
    return value(Type::array(Cls::Double, c.t.ext), elem(c, Cls::Double, false));
  }
  if (!elem_of(v.t.cls))
    refuse(pos, std::string("class ") + class_name(v.t.cls) + ", which the compiler's language has no elements for");
  return v;
}

Val Emitter::scalar_number(const Val& given, Pos pos, const char* what) {
  Val v = numeric(given, pos);
  if (v.t.complex) refuse(pos, std::string(what) + " is complex");
  if (v.t.is_scalar()) return v;
  if (v.t.is_empty()) refuse(pos, std::string(what) + " is empty");
  Type t = Type::scalar(v.t.cls);
  return {t, lib("scalar", {v.e})};
}

E Emitter::reduce(const char* name, E e, int rank) {
  for (int k = 0; k < rank; ++k) e = lib(name, {e});
  return rank > 0 ? lib("scalar", {e}) : e;
}
E Emitter::every(const E& truths, int rank) { return reduce("all", truths, rank); }
E Emitter::some(const E& truths, int rank) { return reduce("any", truths, rank); }

// Extent k, from 1, as int64.
E Emitter::extent(const Val& v, int k) {
  if (k > v.t.rank()) return E(1);
  if (v.t.ext[k - 1] >= 0) return E(static_cast<long>(v.t.ext[k - 1]));
  if (v.e.id() >= 0) return f->dim(v.e, k);
  return lib("size", {v.e, E(k)});
}
E Emitter::elements(const Val& v) {
  if (v.t.count() >= 0) return E(static_cast<long>(v.t.count()));
  return lib("numel", {v.e});
}

// Whether a value counts as true. NaN is an error in Octave; an array is true when it has elements and none is zero.
Val Emitter::condition(const Val& given, Pos pos, bool empty_faults) {
  if (given.t.text) {
    if (given.t.text->empty() && empty_faults) refuse(pos, "empty text as a condition");
    return truth(!given.t.text->empty() && given.t.text->find('\0') == std::string::npos);
  }
  Val v = numeric(given, pos);
  if (v.t.number) {
    if (std::isnan(*v.t.number)) refuse(pos, "NaN as a condition");
    return truth(*v.t.number != 0);
  }
  if (v.t.cls == Cls::Logical && v.t.is_scalar()) return v;
  if (v.t.is_empty()) {
    if (empty_faults) refuse(pos, "an empty condition of && or ||");
    named_value(v, "test");  // it may fault
    return truth(false);
  }
  v = named_value(v, "test");
  const int rank = v.t.is_scalar() ? 0 : v.t.rank();
  if (is_floating(v.t.cls) && !v.whole()) guard(some(lib("isnan", {v.e}), rank), "NaN as a condition");
  E zero = v.t.complex ? f->complex_const(0, 0, v.e.type().element()) : f->int_const(0, v.e.type().element());
  E set = v.t.cls == Cls::Logical ? v.e : v.e != zero;
  Type t = Type::scalar(Cls::Logical);
  if (rank == 0) return {t, set};
  E any_there = elements(v) != E(0);
  if (empty_faults) {
    guard(!any_there, "an empty condition of && or ||");
    return {t, every(set, rank)};
  }
  return {t, f->binary(ir::Kind::And, any_there, every(set, rank))};
}

}  // namespace vr::matlab
