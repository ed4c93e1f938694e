// Builtins that search, sort and reduce in ways of their own, and linear algebra.
#include "emit.hpp"
#include "prelude.hpp"

#include <algorithm>
#include <cmath>

namespace vr::matlab {

using ir::E;
using ir::Kind;

namespace {
// min, max and sort of complex numbers, by a function of the prelude for vectors and one for the columns of a matrix.
void of_complex(Emitter& em, const char* vector, const char* columns, const Val& v, bool turned, int along, int nargout,
                Pos pos, Vals& out) {
  if (v.t.is_scalar()) {
    out.push_back(v);
    if (nargout > 1) out.push_back(em.number(1));
    return;
  }
  const bool is_vector = (v.t.is_row() && along != 1) || (v.t.is_column() && along != 2);
  if (!is_vector && v.t.rank() == 2 && along == 2) {
    out = call_version(em, *prelude(columns), {transpose(em, v, false, pos), em.truth(turned)}, nargout, pos);
    for (Val& r : out) r = transpose(em, r, false, pos);
    return;
  }
  const bool is_matrix = v.t.rank() == 2 && (along == 1 || (along == 0 && v.t.ext[0] != 1 && v.t.ext[0] != kAny));
  if (!is_vector && !is_matrix) em.refuse(pos, "the order of complex numbers along this dimension");
  out = call_version(em, *prelude(is_vector ? vector : columns), {v, em.truth(turned)}, nargout, pos);
}
}  // namespace

namespace {
/// The number of places that find(x, n) gives at most, as an int64.
E places_wanted(Emitter& em, const Val& given, Pos pos) {
  const Val most = em.named_value(em.scalar_number(given, pos, "a number of places"), "most");
  if (most.t.number) {
    if (*most.t.number < 1 || *most.t.number != std::floor(*most.t.number) || *most.t.number > 1e15)
      em.refuse(pos, "'find' of a number of places that is no natural number");
    return E(static_cast<long>(*most.t.number));
  }
  if (most.whole()) {
    em.guard(most.e < E(1), "'find' of no places");
    return most.e;
  }
  const E x = em.named({most.t, em.real(most)}, "most");
  em.guard(em.f->binary(Kind::Or, x != em.lib("floor", {x}), !em.f->binary(Kind::And, x >= E(1.0), x <= E(1e15))),
           "'find' of a number of places that is no natural number");
  return em.f->cast(x, ir::i64());
}
}  // namespace

// min and max: of an array along a dimension, with the place; or of two arrays, element by element.
Val least(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out) {
  for (Val& v : args) v = em.numeric(em.plain(v, pos), pos);
  const bool complex = std::any_of(args.begin(), args.end(), [](const Val& v) { return v.t.complex; });
  if (args.size() == 2) {
    if (complex) em.refuse(pos, "'" + name + "' of two complex arrays");
    if (nargout > 1) em.refuse(pos, "'" + name + "' of two arrays with two results");
    const Val &a = args[0], &b = args[1];
    const bool truths = a.t.cls == Cls::Logical && b.t.cls == Cls::Logical;
    const std::optional<Cls> cls = truths ? std::optional(Cls::Double) : arithmetic_class(a.t.cls, b.t.cls);
    if (!cls || truths) em.refuse(pos, "'" + name + "' of these classes");
    Type t = Type::array(*cls, agree(em, a, b, pos));
    if (a.t.number && b.t.number && *cls == Cls::Double && !std::isnan(*a.t.number) && !std::isnan(*b.t.number))
      return em.number(name == "min" ? std::min(*a.t.number, *b.t.number) : std::max(*a.t.number, *b.t.number));
    const char* pair = name == "min" ? "min2" : "max2";
    if (a.whole() && b.whole()) return {t, em.lib(pair, {a.e, b.e})};
    // A float beside an integer becomes an integer first, NaN 0.
    if (is_integer(*cls)) return em.value(t, em.lib(pair, {em.to_integer(a.e, *cls), em.to_integer(b.e, *cls)}));
    return em.value(t, em.lib(pair, {em.elem(a, *cls, false), em.elem(b, *cls, false)}));
  }
  int along = 0;
  if (args.size() == 3) {
    if (!args[1].t.is_empty()) em.refuse(pos, "'" + name + "' with three arguments, of which the second is not []");
    along = axis(em, args[2], pos);
  } else if (args.size() != 1) {
    em.refuse(pos, "'" + name + "' with these arguments");
  }
  Val v = em.named_value(args[0], "among");
  if (complex) {
    of_complex(em, "vr__complex_extreme", "vr__complex_extremes", v, name == "max", along, nargout, pos, out);
    return out[0];
  }
  if (v.t.is_scalar() || along > v.t.rank()) {
    if (nargout > 1) {
      if (!v.t.is_scalar()) em.refuse(pos, "'" + name + "' along a dimension past the last");
      out = {v, em.number(1)};
      return v;
    }
    return v;
  }
  Type t = Type::array(v.t.cls, reduced(v.t, along));
  auto list = [&] { return along > 0 ? std::vector<E>{v.e, E(along)} : std::vector<E>{v.e}; };
  if (nargout > 1) {
    Type where = t;
    where.cls = Cls::Double;
    E best = em.temp("best", v.e.type());
    em.f->assign(best, em.f->lib(name, list()));
    E place = em.f->lib(name == "min" ? "argmin" : "argmax", list());
    ir::Type to = place.type();
    to.elem = ir::Elem::Float64;
    out = {em.value(t, best), em.value(where, em.f->cast(place, to))};
    return out[0];
  }
  return em.value(t, em.f->lib(name, list()));
}

bool orders(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out) {
  if (name == "min" || name == "max") {
    // Of a number and text this is an error of Octave's.
    if (args.size() == 2 && (args[0].t.cls == Cls::Char) != (args[1].t.cls == Cls::Char))
      em.refuse(pos, "'" + name + "' of a number and text");
    if (nargout > 2) em.refuse(pos, "'" + name + "' with more than two results");
    Val v = least(em, name, args, nargout, pos, out);
    if (out.empty()) out.push_back(v);
    return true;
  }
  auto doubles = [&](const E& e) {
    ir::Type t = e.type();
    t.elem = ir::Elem::Float64;
    return em.f->cast(e, t);
  };
  if (name == "find") {
    bool last = false;
    if (args.size() == 3) {
      if (!args[2].t.text || (*args[2].t.text != "first" && *args[2].t.text != "last"))
        em.refuse(pos, "'find' with this direction");
      last = *args[2].t.text == "last";
      args.pop_back();
    }
    if (args.empty() || args.size() > 2) em.refuse(pos, "'find' with these arguments");
    Val v = em.numeric(em.plain(args[0], pos), pos);
    if (v.t.rank() > 2) em.refuse(pos, "'find' in an array of more than two dimensions");
    v.e = em.as_array({v.t, em.elem(v, v.t.cls, v.t.complex)}, 2);
    std::vector<int64_t> ext = {kAny, kAny};
    if (!v.t.is_scalar() && v.t.is_row()) ext = {1, kAny};
    if (!v.t.is_scalar() && v.t.is_column()) ext = {kAny, 1};
    if (!v.t.is_scalar() && (v.t.is_row() || v.t.is_column())) {
      // A vector of one element is a number, of which nothing is found as 0 x 0.
      E x = em.named(v, "within");
      v.e = x;
      if (v.t.count() < 0 && !std::count(v.t.ext.begin(), v.t.ext.end(), kNotOne))
        em.guard(em.lib("numel", {x}) == E(1), "'find' in one element");
    }
    // How many places are wanted, counted from the first or the last.
    E limit = E(0);
    if (args.size() == 2) limit = places_wanted(em, args[1], pos);
    auto chosen = [&](const Type& t, const E& all) {
      if (args.size() < 2) return em.value(t, all);
      const E list = em.named({t, all}, "found");
      const E there = em.named({Type::scalar(Cls::Double), em.lib("numel", {list})}, "there");
      const E n = em.lib("min2", {there, limit});
      return em.value(t, em.f->index(list, {last ? ir::range_to(there - n + E(1), there) : ir::range_to(E(1), n)}));
    };
    if (nargout > 1) {
      if (nargout > 3) em.refuse(pos, "'find' with these arguments and results");
      ir::Type place = em.f->lib("find", {v.e}).type(), what = v.e.type();
      std::vector<ir::Type> parts(2, place);
      if (nargout == 3) parts.push_back(what);
      std::vector<E> targets;
      for (const ir::Type& t : parts) targets.push_back(em.temp("found", t));
      em.f->assign(targets, em.f->lib("find", {v.e}, ir::Type::tuple(parts)));
      for (int k = 0; k < 2; ++k) out.push_back(chosen(Type::array(Cls::Double, ext), doubles(targets[k])));
      if (nargout == 3) out.push_back(chosen(Type::array(v.t.cls, ext, v.t.complex), targets[2]));
      return true;
    }
    out.push_back(chosen(Type::array(Cls::Double, ext), doubles(em.lib("find", {v.e}))));
    return true;
  }
  if (name == "sort") {
    bool descending = false;
    if (!args.empty() && args.back().t.text) {
      const std::string& mode = *args.back().t.text;
      if (mode != "ascend" && mode != "descend") em.refuse(pos, "'sort' with this mode");
      descending = mode == "descend";
      args.pop_back();
    }
    if (args.empty() || args.size() > 2 || nargout > 2) em.refuse(pos, "'sort' with these arguments");
    Val v = em.named_value(em.numeric(em.plain(args[0], pos), pos), "unsorted");
    const int along = args.size() == 2 ? axis(em, args[1], pos) : 0;
    if (v.t.complex) {
      of_complex(em, "vr__complex_sorted", "vr__complex_sorted_columns", v, descending, along, nargout, pos, out);
      return true;
    }
    if (v.t.is_scalar()) {
      out.push_back(v);
      if (nargout == 2) out.push_back(em.number(1));
      return true;
    }
    if (along > v.t.rank()) em.refuse(pos, "'sort' along a dimension past the last");
    E x = v.e;
    // Sort ascending and reverse, which keeps equal elements in order; NaN would come first.
    auto reversed = [&](const E& e) {
      if (is_floating(v.t.cls)) return em.f->negate(e);
      if (v.t.cls == Cls::Logical) return em.f->not_(e);
      const ir::Elem elem = *elem_of(v.t.cls);
      return em.lib(
          "sub_sat",
          {em.f->int_const(ir::is_unsigned(elem) ? ir::int_limits(elem).most : -1, ir::Type::scalar(elem)), e});
    };
    if (descending) {
      const bool vector = v.t.is_row() || v.t.is_column();
      if (is_floating(v.t.cls) && !vector)
        em.guard(em.some(em.lib("isnan", {x}), v.t.rank()), "'sort' of NaN in a matrix, descending");
      x = reversed(x);
    }
    std::vector<E> list{x};
    if (along > 0) list.push_back(E(along));
    Type t = v.t.without_constant();
    // Ascending order puts NaN last; after the reversal of a vector they are moved to the front.
    const bool along_it = along == 0 || along == (v.t.is_row() ? 2 : 1);
    const bool moves = descending && is_floating(v.t.cls) && (v.t.is_row() || v.t.is_column()) && along_it;
    const E nans = em.temp("nans", ir::i64());
    if (moves) {
      ir::Type counts = v.e.type();
      counts.elem = ir::Elem::Int64;
      em.f->assign(nans, em.reduce("sum", em.f->cast(em.lib("isnan", {v.e}), counts), v.t.rank()));
    }
    auto moved = [&](const E& e) {
      if (!moves) return e;
      const E r = em.temp("sorted", e.type());
      em.f->assign(r, e);
      em.f->if_(nans > E(0), [&] {
        const E n = em.lib("numel", {r});
        const E from = em.lib("mod", {em.lib("colon", {E(0), n - E(1)}) - nans, n}) + E(1);
        em.f->assign(r, em.lib("reshape", {em.f->index(r, {from}), em.extent({v.t, r}, 1), em.extent({v.t, r}, 2)}));
      });
      return r;
    };
    auto back = [&](const E& e) { return moved(descending ? reversed(e) : e); };
    if (nargout < 2) {
      out.push_back(em.value(t, back(em.f->lib("sort", list))));
      return true;
    }
    ir::Type place = v.e.type();
    place.elem = ir::Elem::Int64;
    std::vector<E> targets{em.temp("sorted", v.e.type()), em.temp("places", place)};
    em.f->assign(targets, em.f->lib("sort", list, ir::Type::tuple({v.e.type(), place})));
    Type where = t;
    where.cls = Cls::Double;
    out = {em.value(t, back(targets[0])), em.value(where, doubles(moved(targets[1])))};
    return true;
  }
  if (name == "nnz") {
    if (args.size() != 1) em.refuse(pos, "'nnz' with these arguments");
    const Val v = em.numeric(em.plain(args[0], pos), pos);
    E zero = v.t.complex ? em.f->complex_const(0, 0, v.e.type().element()) : em.f->int_const(0, v.e.type().element());
    E set = v.e != zero;
    if (v.t.is_scalar()) {
      out.push_back({Type::scalar(Cls::Double), em.f->cast(set, ir::f64())});
    } else {
      ir::Type t = set.type();
      t.elem = ir::Elem::Float64;
      out.push_back({Type::scalar(Cls::Double), em.reduce("sum", em.f->cast(set, t), v.t.rank())});
    }
    return true;
  }
  if (name == "sumsq") {
    if (args.empty() || args.size() > 2) em.refuse(pos, "'sumsq' with these arguments");
    Val v = em.named_value(em.numeric(args[0], pos), "x");
    if (v.t.complex) em.refuse(pos, "'sumsq' of complex numbers");
    Vals list{elementwise(em, Kind::Mult, v, v, pos)};
    if (args.size() == 2) list.push_back(args[1]);
    return builtin(em, "sum", list, 1, pos, out);
  }
  return false;
}

bool linear(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out) {
  (void)nargout;
  if (name == "dot" && args.size() == 3)
    return out.push_back(call_version(em, *prelude("vr__dot"), args, 1, pos)[0]), true;
  if (name == "dot" && args.size() == 2) {
    Val a = em.numeric(em.plain(args[0], pos), pos), b = em.numeric(em.plain(args[1], pos), pos);
    const std::optional<Cls> cls = arithmetic_class(a.t.cls, b.t.cls);
    if (!cls || is_integer(*cls) || a.t.complex || b.t.complex) em.refuse(pos, "'dot' of these classes");
    if (a.t.is_scalar() && b.t.is_scalar()) return out.push_back(elementwise(em, Kind::Mult, a, b, pos)), true;
    auto vector = [](const Type& t) { return t.is_row() || t.is_column(); };
    if (!vector(a.t) || !vector(b.t) || a.t.is_scalar() || b.t.is_scalar())
      return out.push_back(call_version(em, *prelude("vr__dot"), args, 1, pos)[0]), true;
    E x = em.named({a.t, em.elem(a, *cls, false)}, "x"), y = em.named({b.t, em.elem(b, *cls, false)}, "y");
    em.guard(em.lib("numel", {x}) != em.lib("numel", {y}), "'dot' of vectors of different lengths");
    out.push_back(em.value(Type::scalar(*cls), em.lib("dot", {x, y})));
    return true;
  }
  if (name == "norm" && !args.empty() && args.size() <= 2) {
    Val v = em.numeric(em.plain(args[0], pos), pos);
    if (is_integer(v.t.cls) || v.t.rank() > 2) em.refuse(pos, "'norm' of this");
    const Cls cls = v.t.cls == Cls::Single ? Cls::Single : Cls::Double;
    E p = E(2);
    bool frobenius = false;
    if (args.size() == 2) {
      if (args[1].t.text && *args[1].t.text == "fro")
        frobenius = true;
      else if (args[1].t.text && (*args[1].t.text == "inf" || *args[1].t.text == "Inf"))
        p = E(std::numeric_limits<double>::infinity());
      else if (args[1].t.number && (*args[1].t.number == 1 || *args[1].t.number == 2 || std::isinf(*args[1].t.number)))
        p = E(*args[1].t.number);
      else if (args[1].t.number && *args[1].t.number > 1 && (v.t.is_row() || v.t.is_column()) && !v.t.is_scalar())
        return out.push_back(call_version(em, *prelude("vr__vector_norm"), args, 1, pos)[0]), true;
      else
        em.refuse(pos, "'norm' of this kind");
    }
    E x = em.named({v.t, em.as_array({v.t, em.elem(v, cls, v.t.complex)}, 2)}, "x");
    em.guard(em.lib("numel", {x}) == E(0), "the norm of nothing");
    if (frobenius) x = em.named({v.t, em.f->index(x, {ir::all()})}, "x");
    if (args.size() == 2 && args[1].t.number && *args[1].t.number < 0) em.refuse(pos, "'norm' of this kind");
    out.push_back(em.value(Type::scalar(cls), em.lib("norm", {x, p})));
    return true;
  }
  if ((name == "inv" || name == "inverse") && args.size() == 1 && nargout <= 1) {
    Val v = em.numeric(em.plain(args[0], pos), pos);
    if (is_integer(v.t.cls)) em.refuse(pos, "'inv' of integers");
    if (v.t.is_scalar()) {
      Val a = em.named_value(v, "x");
      em.guard(a.e == (a.t.complex ? em.f->complex_const(0, 0, a.e.type().element())
                                   : em.f->int_const(0, a.e.type().element())),
               "the inverse of zero");
      return out.push_back(elementwise(em, Kind::Div, em.number(1), a, pos)), true;
    }
    out.push_back(inverse(em, v, pos));
    return true;
  }
  return false;
}

}  // namespace vr::matlab
