// Builtins that the runtime computes: sets, medians, running extremes, signals.
#include "emit.hpp"

#include <algorithm>

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

/// As a matrix of rank 2 in elements of a class, in a variable of its own.
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

Val unique(Emitter& em, const Vals& args, Pos pos) {
  Val v = em.named_value(real_numbers(em, "unique", args[0], true, pos), "x");
  if (v.t.is_scalar()) return v;
  if (v.t.rank() > 2) em.refuse(pos, "'unique' of an array of more than two dimensions");
  em.guard(em.lib("numel", {v.e}) == E(0), "'unique' of nothing");
  std::vector<int64_t> ext{kAny, kAny};
  if (v.t.is_row()) ext[0] = 1;
  if (v.t.is_column() || (v.t.ext[0] != 1 && v.t.ext[0] != kAny)) ext[1] = 1;
  return em.value(Type::array(v.t.cls, ext), em.f->lib("unique", {v.e}));
}

Val is_member(Emitter& em, const Vals& args, Pos pos) {
  const Val x = real_numbers(em, "ismember", args[0], true, pos),
            set = real_numbers(em, "ismember", args[1], true, pos);
  if (x.t.cls != set.t.cls) em.refuse(pos, "'ismember' of different classes");
  return em.value(Type::array(Cls::Logical, x.t.ext), em.f->lib("isin", {x.e, set.e}));
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

}  // namespace

bool called(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out) {
  struct Row {
    const char* name;
    size_t least, most;
    Val (*compile)(Emitter&, const std::string&, Vals&, Pos);
  };
  static constexpr Row rows[] = {
      {"cummax", 1, 2, [](Emitter& e, const std::string& n, Vals& a, Pos p) { return running(e, n, a, p); }},
      {"cummin", 1, 2, [](Emitter& e, const std::string& n, Vals& a, Pos p) { return running(e, n, a, p); }},
      {"median", 1, 2, [](Emitter& e, const std::string&, Vals& a, Pos p) { return median(e, a, p); }},
      {"unique", 1, 1, [](Emitter& e, const std::string&, Vals& a, Pos p) { return unique(e, a, p); }},
      {"ismember", 2, 2, [](Emitter& e, const std::string&, Vals& a, Pos p) { return is_member(e, a, p); }},
      {"conv", 2, 3, [](Emitter& e, const std::string&, Vals& a, Pos p) { return convolved(e, a, p); }},
      {"filter", 3, 3, [](Emitter& e, const std::string&, Vals& a, Pos p) { return filtered(e, a, p); }},
  };
  const Row* row = std::find_if(std::begin(rows), std::end(rows), [&](const Row& r) { return name == r.name; });
  if (row == std::end(rows)) return false;
  if (args.size() < row->least || args.size() > row->most || nargout > 1)
    em.refuse(pos, "'" + name + "' with these arguments and results");
  out.push_back(row->compile(em, name, args, pos));
  return true;
}

}  // namespace vr::matlab
