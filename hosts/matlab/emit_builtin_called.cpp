// Builtins that the runtime computes: sets, medians, running extremes, signals, Bessel functions.
#include "emit.hpp"
#include "prelude.hpp"

#include <algorithm>
#include <cmath>

namespace vr::matlab {

using ir::E;

namespace {

/// A real number or array of floating or integer class; others are refused.
Val real_numbers(Emitter& em, const std::string& name, const Val& given, bool integers, Pos pos) {
  Val v = em.numeric(em.plain(given, pos), pos);
  if (v.t.complex || (is_integer(v.t.cls) && !integers) || v.t.cls == Cls::Int64 || v.t.cls == Cls::Uint64 ||
      v.t.cls == Cls::Logical)
    em.refuse(pos, "'" + name + "' of this class");
  return {v.t, em.elem(v, v.t.cls, false)};
}

bool is_vector(const Type& t) { return t.is_row() || t.is_column(); }

/// The value as a matrix of rank 2 with elements of `cls`, stored in a new variable.
E vector_of(Emitter& em, const Val& v, Cls cls) {
  return em.named({v.t, em.as_array({v.t, em.elem(v, cls, false)}, 2)}, "x");
}

Val running(Emitter& em, const std::string& name, const Vals& args, Pos pos) {
  Val v = em.named_value(real_numbers(em, name, args[0], true, pos), "x");
  const int along = args.size() > 1 ? axis(em, args[1], pos) : 0;
  if (v.t.is_scalar() || along > v.t.rank()) return v;
  std::vector<E> list{v.e};
  if (along > 0) list.push_back(E(along));
  return em.value(v.t.without_constant(), em.f->lib(name, list));
}

Val median(Emitter& em, const Vals& args, Pos pos) {
  Val v = em.named_value(real_numbers(em, "median", args[0], false, pos), "x");
  const int along = args.size() > 1 ? axis(em, args[1], pos) : 0;
  if (v.t.is_scalar() || along > v.t.rank()) return v;
  em.guard(em.lib("numel", {v.e}) == E(0), "the median of nothing");
  std::vector<E> list{v.e};
  if (along > 0) list.push_back(E(along));
  return em.value(Type::array(v.t.cls, reduced(v.t, along)), em.f->lib("median", list));
}

/// The value as a row or column of class double, if it is a vector.
Val places(Emitter& em, const E& e, std::vector<int64_t> ext) {
  ir::Type t = e.type();
  t.elem = ir::Elem::Float64;
  return em.value(Type::array(Cls::Double, std::move(ext)), em.f->cast(e, t));
}

/// [u, i, j] = unique(x): positions are columns, of the first of equal elements, or the last.
void unique(Emitter& em, Vals& args, int nargout, Pos pos, Vals& out) {
  bool last = false;
  if (args.size() > 1 && args[1].t.text == "rows" && !em.numeric(args[0], pos).t.is_row()) {
    out = call_version(em, *prelude("vr__unique_rows"), {real_numbers(em, "unique", args[0], true, pos)},
                       std::max(nargout, 1), pos);
    return;
  }
  if (args.size() > 1 && args[1].t.text == "stable" && nargout < 3) {
    const Val v = real_numbers(em, "unique", args[0], true, pos);
    if (!is_vector(v.t)) em.refuse(pos, "'unique' in this order of what is not known to be a vector");
    out = call_version(em, *prelude("vr__unique_stable"), {v}, std::max(nargout, 1), pos);
    return;
  }
  if (args.size() > 1) {
    if (!args[1].t.text || (*args[1].t.text != "first" && *args[1].t.text != "last"))
      em.refuse(pos, "'unique' with this argument");
    last = *args[1].t.text == "last";
  }
  Val v = em.named_value(real_numbers(em, "unique", args[0], true, pos), "x");
  if (v.t.is_scalar()) {
    out.push_back(v);
    for (int k = 1; k < nargout; ++k) out.push_back(em.number(1));
    return;
  }
  if (v.t.rank() > 2) em.refuse(pos, "'unique' of an array of more than two dimensions");
  em.guard(em.lib("numel", {v.e}) == E(0), "'unique' of nothing");
  std::vector<int64_t> ext{kAny, kAny};
  if (v.t.is_row()) ext[0] = 1;
  if (v.t.is_column() || (v.t.ext[0] != 1 && v.t.ext[0] != kAny)) ext[1] = 1;
  if (nargout < 2) return out.push_back(em.value(Type::array(v.t.cls, ext), em.f->lib("unique", {v.e})));
  const ir::Type vector = v.e.type(), index = ir::Type::array(ir::Elem::Int64, 2, ir::Layout::ColMajor, false);
  std::vector<ir::Type> types{vector, index, index};
  std::vector<E> r;
  for (const ir::Type& t : types) r.push_back(em.temp("distinct", t));
  em.f->assign(r, em.f->lib("unique", {v.e}, ir::Type::tuple(types)));
  if (last) {  // later stores win
    const E n = em.lib("numel", {v.e});
    em.f->assign(em.f->index(r[1], {r[2]}), em.lib("reshape", {em.lib("colon", {E(1), n}), n, E(1)}));
  }
  out.push_back(em.value(Type::array(v.t.cls, ext), r[0]));
  for (int k = 1; k < nargout; ++k) {
    const E column = em.lib("reshape", {r[k], em.lib("numel", {r[k]}), E(1)});
    out.push_back(places(em, column, {kAny, 1}));
  }
}

/// [t, k] = ismember(x, set): k is the place in the set of the equal element, or 0. Of equal elements MATLAB gives the
/// first, Octave the last.
void is_member(Emitter& em, Vals& args, int nargout, Pos pos, Vals& out) {
  const Val x = em.named_value(real_numbers(em, "ismember", args[0], true, pos), "x"),
            set = em.named_value(real_numbers(em, "ismember", args[1], true, pos), "set");
  if (x.t.cls != set.t.cls) em.refuse(pos, "'ismember' of different classes");
  const Val member = em.value(Type::array(Cls::Logical, x.t.ext), em.f->lib("isin", {x.e, set.e}));
  if (nargout < 2) return out.push_back(member);
  if (x.t.rank() > 2 || set.t.rank() > 2) em.refuse(pos, "'ismember' of an array of more than two dimensions");
  const ir::Type index = ir::Type::array(ir::Elem::Int64, 2, ir::Layout::ColMajor, false);
  const E all = em.named({set.t, em.as_array(set, 2)}, "set");
  em.guard(em.lib("numel", {all}) == E(0), "'ismember' in nothing");
  std::vector<E> r{em.temp("distinct", all.type()), em.temp("first", index)};
  em.f->assign(r, em.f->lib("unique", {all}, ir::Type::tuple({all.type(), index})));
  em.guard(em.lib("numel", {r[0]}) != em.lib("numel", {all}), "'ismember' with places in a set with equal elements");
  // If x is not in the set, the position is that of another element, or one past the last.
  const E distinct = em.temp("distinct", ir::Type::array(r[0].type().elem, 2, ir::Layout::ColMajor, false));
  em.f->assign(distinct, em.f->index(r[0], {ir::all()}));
  const E found = em.temp("found", index), wanted = em.named({x.t, em.as_array(x, 2)}, "x");
  em.f->assign(found, em.lib("min2", {em.lib("searchsorted", {distinct, wanted}), em.lib("numel", {distinct})}));
  const E first = em.temp("places", index), inside = em.named(member, "inside");
  em.f->assign(first, em.lib("reshape", {em.f->index(r[1], {em.f->index(found, {ir::all()})}), em.f->dim(found, 1),
                                         em.f->dim(found, 2)}));
  out.push_back({member.t, inside});
  const E where = em.lib("where", {inside, first, em.f->int_const(0, ir::i64())});
  out.push_back(places(em, where, x.t.ext));
}

Val convolved(Emitter& em, Vals& args, Pos pos) {
  bool same = false;
  if (args.size() == 3) {
    if (!args[2].t.text || (*args[2].t.text != "same" && *args[2].t.text != "full"))
      em.refuse(pos, "'conv' with this shape");
    same = *args[2].t.text == "same";
  }
  const Val a = real_numbers(em, "conv", args[0], false, pos), b = real_numbers(em, "conv", args[1], false, pos);
  const bool rows = a.t.is_row() && b.t.is_row(), columns = a.t.is_column() && b.t.is_column();
  if ((!rows && !columns) || a.t.is_scalar() || b.t.is_scalar())
    em.refuse(pos, "'conv' of what is not known to be two rows or two columns");
  const Cls cls = a.t.cls == Cls::Single || b.t.cls == Cls::Single ? Cls::Single : Cls::Double;
  const E x = vector_of(em, a, cls), y = vector_of(em, b, cls);
  std::vector<E> list{x, y};
  const E n = em.lib("numel", {x}), m = em.lib("numel", {y});
  em.guard(n * m == E(0), "'conv' of nothing");
  // The runtime takes a row from its first argument, whose one element may be either.
  em.guard(n == E(1), "'conv' of one element");
  if (same) {
    list.push_back(m / E(2));
    list.push_back(n);
  }
  return em.value(Type::array(cls, rows ? std::vector<int64_t>{1, kAny} : std::vector<int64_t>{kAny, 1}),
                  em.f->lib("convolve", list));
}

Val filtered(Emitter& em, Vals& args, Pos pos) {
  const Val b = real_numbers(em, "filter", args[0], false, pos), a = real_numbers(em, "filter", args[1], false, pos);
  const Val x = real_numbers(em, "filter", args[2], false, pos);
  if (!is_vector(a.t) || !is_vector(b.t)) em.refuse(pos, "'filter' by what is not known to be vectors");
  if (x.t.is_scalar() || x.t.rank() > 2) em.refuse(pos, "'filter' of this");
  const bool single = a.t.cls == Cls::Single || b.t.cls == Cls::Single || x.t.cls == Cls::Single;
  const Cls cls = single ? Cls::Single : Cls::Double;
  return em.value(Type::array(cls, x.t.ext),
                  em.f->lib("filter", {vector_of(em, b, cls), vector_of(em, a, cls), vector_of(em, x, cls)}));
}

/// The dimension along which functions of vectors or columns work: the first whose extent is not 1. 0 if that is
/// not known.
int first_dimension(const Type& t) {
  for (int k = 0; k < t.rank(); ++k) {
    if (t.ext[k] == kAny) return 0;
    if (t.ext[k] != 1) return k + 1;
  }
  return 1;
}

/// fft and ifft: (x), (x, n), (x, [], dim), (x, n, dim).
void transform(Emitter& em, const std::string& name, Vals& args, Pos pos, Vals& out) {
  Val v = em.numeric(em.plain(args[0], pos), pos);
  if (!is_floating(v.t.cls)) em.refuse(pos, "'" + name + "' of this class");
  const bool inverse = name == "ifft", sized = args.size() > 1 && !args[1].t.is_empty();
  if (v.t.is_scalar() && !sized) return out.push_back(v);
  int along = args.size() > 2 ? axis(em, args[2], pos) : v.t.is_row() ? 2 : first_dimension(v.t);
  if (args.size() < 3 && v.t.is_column()) along = 1;
  if (along > v.t.rank()) em.refuse(pos, "'" + name + "' along a dimension past the last");
  if (along == 0 && v.t.rank() > 2) em.refuse(pos, "'" + name + "' along a dimension that is not known");
  const E x = em.named({v.t, em.as_array({v.t, em.elem(v, v.t.cls, v.t.complex)}, v.t.rank())}, "signal");
  const Val array{v.t.without_constant(), x};
  E dimension = E(along);
  if (along == 0) {
    dimension = em.temp("dimension", ir::i64());
    em.f->assign(dimension, E(1));
    em.f->if_(em.f->dim(x, 1) == E(1), [&] { em.f->assign(dimension, E(2)); });
  }
  if (sized && args.size() < 3) em.guard(em.lib("numel", {x}) == E(1), "'" + name + "' of one number with a length");
  Type t = Type::array(v.t.cls, v.t.ext, true);
  E n = em.lib("size", {x, dimension});
  if (sized) {
    const Val given = em.scalar_number(args[1], pos, "a length");
    n = given.whole() ? given.e : em.real(given);
    if (along == 0) t.ext = {kAny, kAny};
    if (along > 0) t.ext[along - 1] = given.t.number ? static_cast<int64_t>(*given.t.number) : kAny;
  }
  out.push_back(recovered(em, em.value(t, em.f->lib("fft", {x, dimension, n, E(inverse)}))));
}

/// besselj(n, x) and the like: one order, which is a whole number, of numbers that are not negative.
void bessel(Emitter& em, const std::string& name, Vals& args, Pos pos, Vals& out) {
  const Val order = em.named_value(em.scalar_number(args[0], pos, "an order"), "order");
  const Val v = em.named_value(real_numbers(em, name, args[1], false, pos), "x");
  const ir::Type element = v.e.type().element();
  if (!order.whole() && !order.t.number)
    em.guard(em.lib("floor", {em.real(order)}) != em.real(order), "an order that is no whole number");
  if (order.t.number && *order.t.number != std::floor(*order.t.number))
    em.refuse(pos, "'" + name + "' of an order that is no whole number");
  // For negative numbers Octave's results are complex; NaN and infinities are excluded as well.
  const E outside =
      em.f->binary(ir::Kind::Or, v.e < em.f->float_const(0, element), em.f->not_(em.lib("isfinite", {v.e})));
  em.guard(em.some(outside, v.t.is_scalar() ? 0 : v.t.rank()), name + " of what is negative or not finite");
  const std::string library = std::string("bessel_") + name.back();
  out.push_back(
      em.value(Type::array(v.t.cls, v.t.ext), em.f->lib(library, {v.e, order.whole() ? order.e : em.real(order)})));
}

/// gammainc(x, a) and gammainc(x, a, tail), of numbers and of arrays of one size.
void incomplete_gamma(Emitter& em, Vals& args, Pos pos, Vals& out) {
  const Val x = em.named_value(real_numbers(em, "gammainc", args[0], false, pos), "x");
  const Val a = em.named_value(real_numbers(em, "gammainc", args[1], false, pos), "a");
  bool upper = false;
  if (args.size() > 2) {
    if (!args[2].t.text || (*args[2].t.text != "lower" && *args[2].t.text != "upper"))
      em.refuse(pos, "'gammainc' with this tail");
    upper = *args[2].t.text == "upper";
  }
  const Val& array = x.t.is_scalar() ? a : x;
  if (!x.t.is_scalar() && !a.t.is_scalar() && x.t.rank() != a.t.rank()) em.refuse(pos, "'gammainc' of these sizes");
  // What Octave reports, or defines in a way of its own.
  for (const Val* v : {&x, &a}) {
    const ir::Type element = v->e.type().element();
    const E zero = em.f->float_const(0, element);
    const E outside =
        em.f->binary(ir::Kind::Or, v == &a ? v->e <= zero : v->e < zero, em.f->not_(em.lib("isfinite", {v->e})));
    em.guard(em.some(outside, v->t.is_scalar() ? 0 : v->t.rank()), "gammainc of what is negative, zero or not finite");
  }
  std::vector<E> list{x.e, a.e};
  if (upper) list.push_back(E(true));
  const Cls cls = x.t.cls == Cls::Single || a.t.cls == Cls::Single ? Cls::Single : Cls::Double;
  out.push_back(em.value(Type::array(cls, array.t.ext), em.f->lib("gammainc", list)));
}

/// gradient(y) and gradient(y, h) of a vector, h a number or a place for each element.
void gradient(Emitter& em, Vals& args, Pos pos, Vals& out) {
  const Val v = real_numbers(em, "gradient", args[0], false, pos);
  if (!is_vector(v.t) || v.t.is_scalar()) em.refuse(pos, "'gradient' of what is not known to be a vector");
  std::vector<E> list{vector_of(em, v, v.t.cls), E(v.t.is_row() ? 2 : 1)};
  em.guard(em.lib("numel", {list[0]}) < E(2), "'gradient' of fewer than two elements");
  if (args.size() > 1) {
    const Val h = real_numbers(em, "gradient", args[1], false, pos);
    if (!h.t.is_scalar() && !is_vector(h.t)) em.refuse(pos, "'gradient' with these distances");
    list.push_back(h.t.is_scalar() ? em.real(h) : vector_of(em, h, h.t.cls));
  }
  out.push_back(em.value(Type::array(v.t.cls, v.t.ext), em.f->lib("gradient", list)));
}

/// [a, b, ...] = deal(x, y, ...), or all of them from one.
void deal(Emitter& em, Vals& args, int nargout, Pos pos, Vals& out) {
  const auto n = static_cast<size_t>(std::max(nargout, 1));
  if (args.size() != 1 && args.size() != n) em.refuse(pos, "'deal' with as many results as arguments, or one argument");
  if (args.size() == 1 && args[0].t.has_storage()) args[0] = em.named_value(args[0], "dealt");
  for (size_t k = 0; k < n; ++k) out.push_back(args[args.size() == 1 ? 0 : k]);
}

/// [err, a, b, ...] = common_size (a, b, ...): numbers get the size of the arrays. Where these differ, err is 1 and the
/// arguments stay as they are, which is left to the interpreter.
void common_size(Emitter& em, Vals& args, int nargout, Pos pos, Vals& out) {
  if (nargout > static_cast<int>(args.size()) + 1) em.refuse(pos, "'common_size' with more results than arguments");
  const Val* array = nullptr;
  for (Val& v : args) {
    if (!v.t.has_storage() && !v.t.text) em.refuse(pos, "'common_size' of this class");
    v = em.named_value(em.plain(stored(em, v, pos), pos), "sized");
    const std::vector<int64_t>& ext = v.t.ext;
    if (v.t.is_scalar()) continue;
    if (std::all_of(ext.begin(), ext.end(), [](int64_t n) { return n == 1 || n == kAny; }))
      em.guard(em.elements(v) == E(1), "'common_size' of an array of one element");
    if (array) {
      const int rank = std::max(array->t.rank(), v.t.rank());
      for (int k = 1; k <= rank; ++k)
        em.guard(em.extent(*array, k) != em.extent(v, k), "'common_size' of arrays of different sizes");
    } else {
      array = &v;
    }
  }
  out.push_back(em.number(0));
  for (int k = 1; k < nargout; ++k) {
    const Val& v = args[static_cast<size_t>(k) - 1];
    if (array && v.t.is_scalar())
      out.push_back(call(em, "repmat", {v, size_vector(em, *array, pos)}, 1, pos)[0]);
    else
      out.push_back(v);
  }
}

}  // namespace

bool called(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out) {
  using Args = Vals&;
  struct Row {
    const char* name;
    size_t least, most;
    int results;
    void (*compile)(Emitter&, const std::string&, Args, int, Pos, Args);
  };
#define VR_ROW(call) [](Emitter& e, const std::string& n, Args a, int r, Pos p, Args o) { (void)n, (void)r, call; }
  static constexpr Row rows[] = {
      {"cummax", 1, 2, 1, VR_ROW(o.push_back(running(e, n, a, p)))},
      {"cummin", 1, 2, 1, VR_ROW(o.push_back(running(e, n, a, p)))},
      {"median", 1, 2, 1, VR_ROW(o.push_back(median(e, a, p)))},
      {"unique", 1, 2, 3, VR_ROW(unique(e, a, r, p, o))},
      {"ismember", 2, 2, 2, VR_ROW(is_member(e, a, r, p, o))},
      {"conv", 2, 3, 1, VR_ROW(o.push_back(convolved(e, a, p)))},
      {"filter", 3, 3, 1, VR_ROW(o.push_back(filtered(e, a, p)))},
      {"fft", 1, 3, 1, VR_ROW(transform(e, n, a, p, o))},
      {"ifft", 1, 3, 1, VR_ROW(transform(e, n, a, p, o))},
      {"besselj", 2, 2, 1, VR_ROW(bessel(e, n, a, p, o))},
      {"bessely", 2, 2, 1, VR_ROW(bessel(e, n, a, p, o))},
      {"besseli", 2, 2, 1, VR_ROW(bessel(e, n, a, p, o))},
      {"besselk", 2, 2, 1, VR_ROW(bessel(e, n, a, p, o))},
      {"gammainc", 2, 3, 1, VR_ROW(incomplete_gamma(e, a, p, o))},
      {"gradient", 1, 2, 1, VR_ROW(gradient(e, a, p, o))},
      {"common_size", 1, 15, 16, VR_ROW(common_size(e, a, r, p, o))},
      {"deal", 1, 16, 16, VR_ROW(deal(e, a, r, p, o))},
  };
#undef VR_ROW
  const Row* row = std::find_if(std::begin(rows), std::end(rows), [&](const Row& r) { return name == r.name; });
  if (row == std::end(rows)) return false;
  if (args.size() < row->least || args.size() > row->most || nargout > row->results)
    em.refuse(pos, "'" + name + "' with these arguments and results");
  row->compile(em, name, args, nargout, pos, out);
  return true;
}

}  // namespace vr::matlab
