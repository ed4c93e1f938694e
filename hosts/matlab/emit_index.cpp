// Subscripts: elements, slices, selections, stores, growth, deletion.
#include "emit.hpp"

#include <algorithm>
#include <cmath>

namespace vr::matlab {

using ir::E;

namespace {
bool vector_shape(const std::vector<int64_t>& ext) { return ext.size() == 2 && (ext[0] == 1 || ext[1] == 1); }
// A logical number as a subscript: false selects nothing, for which the code bails out.
void settle(Emitter& em, std::vector<Sub>& subs) {
  for (Sub& s : subs) {
    if (s.when) em.guard(!*s.when, "false as a subscript");
    s.when.reset();
  }
}
bool is_matrix(const std::vector<int64_t>& ext) {
  return ext.size() > 2 || (ext[0] != 1 && ext[0] != kAny && ext[1] != 1 && ext[1] != kAny);
}
}  // namespace

bool uses_end(const Emitter& em, const Expr& e) {
  if (e.kind == ExprKind::End) return true;
  if (e.kind == ExprKind::Index && e.args[0]->kind == ExprKind::Name && em.is_variable(e.args[0]->text)) return false;
  return std::any_of(e.args.begin(), e.args.end(), [&](const ExprPtr& a) { return uses_end(em, *a); });
}

// `end`: the extent of the innermost array that is being subscripted, at this place of its subscripts.
Val end_value(Emitter& em, Pos pos) {
  if (em.ends.empty()) em.refuse(pos, "'end' outside of subscripts");
  const EndOf& at = em.ends.back();
  const Val a{at.t, at.array};
  if (at.count == 1) {
    const int64_t n = at.t.count();
    return n >= 0 ? em.number(static_cast<double>(n)) : em.whole(em.elements(a));
  }
  auto one = [&](int k) { return k <= at.t.rank() ? at.t.ext[k - 1] : int64_t{1}; };
  const int k = static_cast<int>(at.position) + 1;
  if (at.position + 1 < at.count || k >= at.t.rank())
    return one(k) >= 0 ? em.number(static_cast<double>(one(k))) : em.whole(em.extent(a, k));
  E n = em.extent(a, k);
  for (int i = k + 1; i <= at.t.rank(); ++i) n = n * em.extent(a, i);
  return em.whole(n);
}

Sub value_subscript(Emitter& em, const Val& given, Pos pos) {
  Sub s;
  if (given.t.cls == Cls::Char && given.t.text && *given.t.text == ":") {
    s.colon = true;
    s.e = ir::all();
    s.ext = {kAny, 1};
    return s;
  }
  Val v = em.numeric(em.plain(given, pos), pos);
  if (v.t.complex) em.refuse(pos, "a complex subscript");
  if (v.t.number) s.number = *v.t.number;
  if (v.t.cls == Cls::Logical) {
    if (v.t.is_scalar()) {
      if (v.t.number && *v.t.number == 0) em.refuse(pos, "false as a subscript");
      if (!v.t.number) s.when = em.named(v, "selected");
      s.scalar = true;
      s.e = E(1);
      s.number = 1;
      return s;
    }
    s.mask = true;
    s.e = v.e;
    s.ext = v.t.ext;
    return s;
  }
  s.ext = v.t.ext;
  if (v.t.is_scalar()) {
    s.scalar = true;
    if (s.number && *s.number == std::floor(*s.number) && std::abs(*s.number) < kExact)
      s.e = E(static_cast<long>(*s.number));
    else
      s.e = v.e;
    return s;
  }
  s.e = v.e;
  return s;
}

Sub subscript(Emitter& em, const Expr& e, const E& array, const Type& t, size_t k, size_t n) {
  if (e.kind == ExprKind::Colon) {
    Sub s;
    s.colon = true;
    s.e = ir::all();
    return s;
  }
  const EndScope end(em.ends, {array, t, k, n});
  Sub s;
  // A range within subscripts needs no array, when it counts in whole numbers.
  bool plain_range = e.kind == ExprKind::Range;
  if (plain_range) {
    std::vector<Val> parts;
    for (const ExprPtr& a : e.args) parts.push_back(range_part(em, a));
    auto known_whole = [&](const Val& v) {
      return v.whole() || is_integer(v.t.cls) ||
             (v.t.number && *v.t.number == std::floor(*v.t.number) && std::abs(*v.t.number) < kExact);
    };
    const std::optional<double> step = parts.size() == 3 ? parts[1].t.number : std::optional<double>(1);
    if (step && *step == std::floor(*step) && *step != 0 && std::abs(*step) < kExact) {
      auto part = [&](const Val& v, bool stop) -> E {
        if (v.t.number && known_whole(v)) return E(static_cast<long>(*v.t.number));
        if (known_whole(v)) return em.elem(v, Cls::Int64, false);
        E x = em.named({Type::scalar(Cls::Double), em.real(v)}, "bound");
        if (stop) {
          em.guard(!(em.lib("abs", {x}) <= E(kExact)), "a range without bounds");
          clear_bound(em, x);
          return em.f->cast(em.lib(*step > 0 ? "floor" : "ceil", {x}), ir::i64());
        }
        em.guard(x != em.lib("floor", {x}), "a subscript with a fraction");
        return em.f->cast(x, ir::i64());
      };
      E from = part(parts[0], false), to = part(parts.back(), true);
      s.e = *step == 1 ? ir::range_to(from, to) : ir::range_to(from, E(static_cast<long>(*step)), to);
      if (*step > 0) s.last = to;
      s.ext = {1, kAny};
      if (parts[0].t.number && parts.back().t.number)
        s.ext[1] = std::max<int64_t>(
            0, static_cast<int64_t>(std::floor((*parts.back().t.number - *parts[0].t.number) / *step)) + 1);
    } else {
      s = value_subscript(em, range_value(em, e), e.pos);
    }
  } else {
    s = value_subscript(em, expr(em, e), e.pos);
  }
  return s;
}

// Extents of what the subscripts select.
std::vector<int64_t> gathered(const Type& t, const std::vector<Sub>& subs) {
  auto listed = [](const Sub& s) { return s.mask ? kAny : s.count(); };
  if (subs.size() > 1) {
    std::vector<int64_t> ext;
    for (size_t k = 0; k < subs.size(); ++k) {
      int64_t whole = k < t.ext.size() ? t.ext[k] : 1;
      if (k + 1 == subs.size())
        for (size_t i = k + 1; i < t.ext.size(); ++i) whole = whole == 1 ? t.ext[i] : t.ext[i] == 1 ? whole : kAny;
      ext.push_back(subs[k].colon ? whole : subs[k].scalar ? 1 : listed(subs[k]));
    }
    return ext;
  }
  const Sub& s = subs[0];
  if (s.colon)
    return {t.count() >= 0 ? t.count() : t.is_column() || t.is_row() ? (t.is_column() ? t.ext[0] : t.ext[1]) : kAny, 1};
  if (s.scalar) return {1, 1};
  const int64_t n = listed(s);
  const bool row_list = s.ext.size() == 2 && s.ext[0] == 1, column_list = s.ext.size() == 2 && s.ext[1] == 1;
  if (s.mask && is_matrix(s.ext)) {
    // A logical matrix selects a row from a row, and a column from any other array.
    if (is_matrix(t.ext) || t.is_column()) return {n, 1};
    return {kAny, kAny};
  }
  if (t.is_scalar()) return s.mask ? std::vector<int64_t>{kAny, kAny} : s.ext;
  if (s.mask && !row_list && !column_list) return {kAny, kAny};
  if (!row_list && !column_list) return is_matrix(s.ext) ? s.ext : std::vector<int64_t>(s.ext.size(), kAny);
  // A list of a vector has the vector's direction. What may be a single number has that of the list.
  if (t.is_row())
    return row_list || t.ext[1] == kNotOne || t.ext[1] > 1 ? std::vector<int64_t>{1, n}
                                                           : std::vector<int64_t>{kAny, kAny};
  if (t.is_column())
    return column_list || t.ext[0] == kNotOne || t.ext[0] > 1 ? std::vector<int64_t>{n, 1}
                                                              : std::vector<int64_t>{kAny, kAny};
  if (is_matrix(t.ext)) return s.mask ? (row_list ? std::vector<int64_t>{1, n} : std::vector<int64_t>{n, 1}) : s.ext;
  return {kAny, kAny};
}

std::vector<ir::Subscript> subscripts(const std::vector<Sub>& subs, bool grow) {
  std::vector<ir::Subscript> list;
  for (const Sub& s : subs) {
    ir::Subscript x;
    x.value = s.e.node();
    if (!grow) x.grow = false;
    list.push_back(std::move(x));
  }
  return list;
}

Val gather(Emitter& em, const E& array, const Type& t, const std::vector<Sub>& given, Pos pos) {
  std::vector<Sub> subs = given;
  while (subs.size() > static_cast<size_t>(t.rank()) && subs.size() > 1) {
    // A(i, j, 1) of a matrix.
    const Sub& last = subs.back();
    if (last.colon || (last.number && *last.number == 1)) {
      subs.pop_back();
    } else if (last.scalar) {
      em.guard(last.e != em.f->int_const(1), "a subscript past the last dimension");
      subs.pop_back();
    } else {
      em.refuse(pos, "a list of subscripts past the last dimension");
    }
  }
  Type r = Type::array(t.cls, gathered(t, subs), t.complex);
  std::vector<ir::Subscript> list;
  for (const Sub& s : subs) {
    ir::Subscript x;
    x.value = s.e.node();
    list.push_back(std::move(x));
  }
  return em.value(r, em.f->index(array, std::move(list)));
}

namespace {
Val indexed(Emitter& em, const Val& base, const std::vector<ExprPtr>& exprs, Pos pos) {
  if (exprs.empty()) return base;
  if (base.t.text) {
    // An element of known text at a known place.
    std::vector<Sub> subs;
    for (size_t k = 0; k < exprs.size(); ++k) subs.push_back(subscript(em, *exprs[k], E(0L), base.t, k, exprs.size()));
    if (subs.size() == 1 && subs[0].number && *subs[0].number >= 1 &&
        *subs[0].number <= static_cast<double>(base.t.text->size()))
      return {Type::string(std::string(1, (*base.t.text)[static_cast<size_t>(*subs[0].number) - 1]))};
  }
  Val v = stored(em, base, pos);
  const bool mixed = v.t.mixed;
  if (v.t.is_scalar()) {
    // A number is a 1 x 1 array: x(1) is x.
    std::vector<Sub> subs;
    v = {v.t, em.elem(v, v.t.cls, v.t.complex)};
    for (size_t k = 0; k < exprs.size(); ++k) subs.push_back(subscript(em, *exprs[k], v.e, v.t, k, exprs.size()));
    settle(em, subs);
    bool all_scalar = true;
    for (const Sub& s : subs) all_scalar = all_scalar && (s.scalar || (s.colon && (subs.size() > 1 || true)));
    if (all_scalar) {
      for (const Sub& s : subs)
        if (s.scalar && !(s.number && *s.number == 1))
          em.guard(s.e != em.f->int_const(1), "a subscript outside of a number");
      return v;
    }
    E array = em.temp("one", ir::Type::array(v.e.type().elem, 2, ir::Layout::ColMajor, v.t.complex));
    em.f->assign(array, em.as_array(v, 2));
    Val r = gather(em, array, v.t, subs, pos);
    r.t.mixed = mixed;
    return r;
  }
  E array = em.named(v, "base");
  Type t = v.t.without_constant();
  std::vector<Sub> subs;
  for (size_t k = 0; k < exprs.size(); ++k) subs.push_back(subscript(em, *exprs[k], array, t, k, exprs.size()));
  settle(em, subs);
  Val r = gather(em, array, t, subs, pos);
  r.t.mixed = mixed;
  return r;
}
}  // namespace

Val index(Emitter& em, const Val& base, const std::vector<ExprPtr>& exprs, Pos pos) {
  Val r = indexed(em, base, exprs, pos);
  r.t.special = r.t.is_scalar() ? 0 : exprs.empty() ? base.t.special : base.t.special & kMatrixForm;
  return r;
}

// ---------------------------------------------------------------- stores

// The type of the variable after the store.
Type stored_type(Emitter& em, const Type& t, const Val& v, const std::vector<Sub>& subs, Pos pos) {
  // An array keeps its class, whatever is stored in it.
  Type r = t.without_constant();
  const bool nothing = t.count() == 0;
  if (t.cls == Cls::Logical && v.t.cls == Cls::Single) em.refuse(pos, "a single number is stored in a logical array");
  if (v.t.complex && !is_floating(t.cls)) em.refuse(pos, "a complex number is stored in an array of another class");
  if (t.mixed && v.t.cls != Cls::Logical)
    em.refuse(pos, "a store into what is double on one way and logical on another");
  r.complex = t.complex || v.t.complex;
  r.kept_complex = false;
  if (em.parallel > 0) return r;
  auto fits = [](const Sub& s, int64_t n) { return n >= 0 && s.number && *s.number <= static_cast<double>(n); };
  if (subs.size() == 1) {
    const Sub& s = subs[0];
    if (s.colon || fits(s, t.count())) return r;
    if (s.mask && t.ext == s.ext && t.count() >= 0) return r;
    if (t.is_scalar() || (t.rank() == 2 && t.ext[0] == 0 && t.ext[1] == 0) || t.is_row()) {
      const int64_t had = t.is_scalar() ? 1 : t.is_row() ? t.ext[1] : 0;
      int64_t now = kAny;
      if (had >= 0 && s.scalar && s.number) now = std::max<int64_t>(had, static_cast<int64_t>(*s.number));
      r.ext = {1, now};
      return r;
    }
    if (t.is_column()) {
      r.ext = {t.ext[0] > 0 ? kNotOne : kAny, 1};
      if (t.ext[0] == 0) r.ext = {kAny, kAny};
      if (t.ext[0] == 1) r.ext = {1, kAny};
      return r;
    }
    if (t.rank() > 2 || (t.ext[0] > 1 && t.ext[1] > 1)) return r;  // a matrix does not grow so: a fault
    r.ext = {kAny, kAny};
    return r;
  }
  r.ext.resize(std::max(subs.size(), t.ext.size()), 1);
  for (size_t k = 0; k < subs.size(); ++k) {
    const Sub& s = subs[k];
    const int64_t n = r.ext[k];
    if (fits(s, n)) continue;
    if (s.colon) {
      if (nothing || n == kAny || n == kNotOne || n == 0) r.ext[k] = kAny;
      continue;
    }
    if (s.mask && s.count() == n && n >= 0) continue;
    r.ext[k] = n > 1 ? kNotOne : kAny;
  }
  return r;
}

namespace {
// x(k) = v in a loop or a branch, where x may not be there yet: it begins as []. Its type is that of what such stores
// have made.
void begin_array(Emitter& em, const std::string& name, const Expr& target, const Val& v) {
  Var& var = em.env.at(name);
  const Type& t = var.t;
  if (!var.maybe || var.lost_in || !var.slot || !t.lost.empty() || !t.has_storage()) return;
  if (em.parallel > 0 || t.cls != v.t.cls || t.complex != v.t.complex || t.mixed || v.t.mixed) return;
  const size_t rank = t.ext.size();
  const bool row = t.ext[0] == 1 && rank == 2, open = t.ext[1] < 0 && (row || t.ext[0] < 0) && rank == 2;
  if (row ? target.args.size() != 2 : !open && target.args.size() != rank + 1) return;
  for (size_t k = 1; k < target.args.size(); ++k)
    if (uses_end(em, *target.args[k]) || (row && target.args[k]->kind == ExprKind::Colon)) return;
  Type begun = t.without_constant();
  begun.ext.assign(rank, kAny);
  if (row) begun.ext[0] = 1;
  const E to = em.slot(name, begun), there = em.flag(name);
  std::vector<E> nothing(rank, E(0));
  if (row) nothing[0] = E(1);
  auto begin = [&] { em.f->assign(to, em.f->zeros(storage(begun), nothing)); };
  if (to.id() == var.slot->id())
    em.f->if_(!there, begin);
  else
    em.f->if_(there, [&] { em.f->assign(to, em.convert({t, *var.slot}, begun)); }, begin);
  var.slot = to;
  var.t = begun;
  var.maybe = false;
}
}  // namespace

void store(Emitter& em, const Expr& target, const Val& given) {
  const Expr& base = *target.args[0];
  const Pos pos = target.pos;
  if (base.kind != ExprKind::Name && base.kind != ExprKind::Field && base.kind != ExprKind::Brace)
    em.refuse(pos, "a store into something else than a variable");
  if (target.args.size() == 1) em.refuse(pos, "a store without subscripts");
  const std::string name = base.kind == ExprKind::Name ? base.text : place(em, base);
  if (name != base.text) only_serial(em);
  Val v = stored(em, given, pos);
  Val a;
  if (em.is_variable(name)) {
    begin_array(em, name, target, v);
    a = stored(em, em.read(name, base.pos), pos);
    if ((a.t.cls == Cls::Char) != (v.t.cls == Cls::Char)) em.refuse(pos, "numbers and text in one array");
    a.e = em.elem(a, a.t.cls, a.t.complex);
  } else {
    if (em.parallel > 0) em.refuse(pos, "an array that begins within a parallel loop");
    for (size_t k = 1; k < target.args.size(); ++k)
      if (uses_end(em, *target.args[k])) em.refuse(pos, "'end' of a variable that is not there yet");
    a = join_arrays(em, false, {}, pos);  // what is stored to begins as []
    a.t.cls = v.t.cls;
    a.t.mixed = v.t.mixed;
    a.t.complex = v.t.complex;
    ir::Type s = storage(a.t);
    a.e = em.f->zeros(s, {E(0), E(0)});
  }
  const size_t n = target.args.size() - 1;
  std::vector<Sub> subs;
  // `end` needs the variable; a constant number is stored in one.
  E before = a.t.is_scalar() ? a.e : em.named(a, name.c_str());
  a.e = before;
  v = em.named_value(v, "stored");
  for (size_t k = 0; k < n; ++k) subs.push_back(subscript(em, *target.args[k + 1], before, a.t, k, n));
  // A number that is replaced where a test holds; of other arrays what is selected has to be there.
  if (n != 1 || !a.t.is_scalar() || !v.t.is_scalar() || !em.is_variable(name)) settle(em, subs);
  for (Sub& s : subs)
    if (s.mask) s.e = em.named({Type::array(Cls::Logical, s.ext), s.e}, "mask");
  while (subs.size() > 2 && subs.size() > static_cast<size_t>(a.t.rank()) &&
         ((subs.back().number && *subs.back().number == 1) ||
          (subs.back().colon && v.t.rank() < static_cast<int>(subs.size()))))
    subs.pop_back();
  Type t = stored_type(em, a.t, v, subs, pos);
  if (t.rank() > 16) em.refuse(pos, "an array of more than 16 dimensions");
  bool all_scalar = true, all_one = true;
  for (const Sub& s : subs) {
    all_scalar = all_scalar && s.scalar;
    all_one = all_one && ((s.number && *s.number == 1) || s.colon);
  }
  if (all_scalar && !v.t.is_scalar()) {
    if (v.t.is_empty() || v.t.count() > 1) em.refuse(pos, "an array is stored into one element");
    v = em.scalar_number({Type::array(v.t.cls, v.t.ext), v.e}, pos, "what is stored");
  }
  if (em.parallel > 0) {
    const Var& var = em.env.at(name);
    if (!(storage(t) == storage(var.t)))
      em.refuse(pos, "a parallel loop changes the class of '" + name + "'", "give it its class before the loop");
  }
  if (t.cls == Cls::Logical && v.t.cls != Cls::Logical && !(v.t.number && (*v.t.number == 0 || *v.t.number == 1))) {
    // Octave stores it as true, with a warning.
    E other = em.f->binary(ir::Kind::And, v.e != em.f->int_const(0, v.e.type().element()),
                           v.e != em.f->int_const(1, v.e.type().element()));
    em.guard(em.some(other, v.t.is_scalar() ? 0 : v.t.rank()), "a number that is stored in a logical array");
  }
  E from = is_integer(t.cls) ? em.to_integer(v.e, t.cls) : em.elem(v, t.cls, t.complex);
  if (t.is_scalar()) {
    if (!all_one) {  // what a parallel loop does to a number
      for (const Sub& s : subs)
        if (s.scalar && !s.number) em.guard(s.e != em.f->int_const(1), "a subscript outside of a number");
    }
    Val one = em.value(Type::scalar(t.cls, t.complex), from);
    if (subs[0].when) {
      E r = em.temp(name.c_str(), one.e.type());
      em.f->assign(r, em.elem(a, t.cls, t.complex));
      em.f->if_(*subs[0].when, [&] { em.f->assign(r, one.e); });
      one.e = r;
    }
    return em.set(name, one);
  }
  // A column of one row or none grows to a row, which its type here does not allow for.
  if (subs.size() == 1 && !subs[0].colon && a.t.is_column() && a.t.ext[0] < 0 && em.parallel == 0) {
    E rows = em.extent({a.t, before}, 1);
    E grows = rows <= E(1);
    if (subs[0].scalar || subs[0].last)
      grows = em.f->binary(ir::Kind::And, grows, (subs[0].scalar ? subs[0].e : *subs[0].last) > rows);
    em.guard(grows, "a short column that grows");
  }
  t.special = a.t.special & kMatrixForm;
  E to = em.slot(name, t);
  if (before.id() != to.id()) em.f->assign(to, em.convert({a.t, before}, t));
  em.f->assign(em.f->index(to, subscripts(subs, em.parallel == 0)), from);
  Var var;
  var.t = t;
  var.slot = to;
  em.env[name] = std::move(var);
}

namespace {
// A(i) = [] of an array that is a row or a column when the code runs: the elements that stay, in its direction.
void erase_of_vector(Emitter& em, const std::string& name, const Val& a, const Sub& s, Pos pos) {
  for (const int64_t n : a.t.ext)
    if (n == 0 || n > 1) em.refuse(pos, "deletion from an array that is not known to be a row or a column");
  const E rows = em.named({Type::scalar(Cls::Double), em.extent(a, 1)}, "rows");
  em.guard(em.f->binary(ir::Kind::And, rows != E(1), em.extent(a, 2) != E(1)),
           "deletion from an array that is neither a row nor a column");
  const E count = em.named({Type::scalar(Cls::Double), em.lib("numel", {a.e})}, "count");
  const E keep = em.temp("keep", ir::Type::array(ir::Elem::Bool, 2, ir::Layout::ColMajor));
  em.f->assign(keep, em.f->ones(keep.type(), {E(1), count}));
  if (s.mask) em.guard(em.lib("numel", {s.e}) > count, "deletion of elements that are not there");
  em.f->assign(em.f->index(keep, subscripts({s}, false)), E(false));
  const E line = em.temp("line", a.e.type()), rest = em.temp("rest", a.e.type());
  em.f->assign(line, em.lib("reshape", {a.e, E(1), count}));
  em.f->assign(rest, em.f->index(line, {ir::all(), keep}));
  em.f->if_(rows != E(1), [&] { em.f->assign(rest, em.lib("reshape", {rest, em.lib("numel", {rest}), E(1)})); });
  Type t = a.t.without_constant();
  t.ext = {kAny, kAny};
  em.set(name, em.value(t, rest));
}
}  // namespace

// A(i) = [], A(:, j) = []: what stays is selected.
void erase(Emitter& em, const Expr& target) {
  if (erase_elements(em, target) || erase_cells(em, target)) return;
  const Expr& base = *target.args[0];
  const Pos pos = target.pos;
  const bool part = base.kind == ExprKind::Field || base.kind == ExprKind::Brace;
  const std::string name = part ? place(em, base) : base.text;
  if ((base.kind != ExprKind::Name && !part) || !em.is_variable(name))
    em.refuse(pos, "deletion from something else than a variable");
  if (em.parallel > 0) em.refuse(pos, "deletion within a parallel loop");
  Val a = stored(em, em.read(name, base.pos), pos);
  if (a.t.is_scalar()) a = {a.t.without_constant(), em.as_array({a.t, em.elem(a, a.t.cls, a.t.complex)}, 2)};
  const size_t n = target.args.size() - 1;
  if (a.t.rank() > 2 || n > 2 || n == 0) em.refuse(pos, "deletion from an array of more than two dimensions");
  E array = em.named(a, "array");
  std::vector<Sub> subs;
  for (size_t k = 0; k < n; ++k) subs.push_back(subscript(em, *target.args[k + 1], array, a.t, k, n));
  settle(em, subs);
  size_t along = 0;
  if (n == 1) {
    if (subs[0].colon) em.refuse(pos, "deletion of all elements", "assign zeros(0, 0)");
    if (!vector_shape(a.t.ext)) return erase_of_vector(em, name, {a.t, array}, subs[0], pos);
    along = a.t.is_row() ? 1 : 0;
  } else {
    if (subs[0].colon == subs[1].colon) em.refuse(pos, "deletion by two subscripts, none of which is ':'");
    along = subs[0].colon ? 1 : 0;
  }
  const Sub& s = subs[n == 1 ? 0 : along];
  E count = em.extent({a.t, array}, static_cast<int>(along) + 1);
  E keep = em.temp("keep", ir::Type::array(ir::Elem::Bool, 2, ir::Layout::ColMajor));
  em.f->assign(keep, em.f->ones(keep.type(), {E(1), count}));
  if (s.mask) em.guard(em.lib("numel", {s.e}) > count, "deletion of elements that are not there");
  em.f->assign(em.f->index(keep, subscripts({s}, false)), E(false));
  Type t = a.t.without_constant();
  t.number.reset();
  t.ext[along] = kAny;
  // Of a single element a row is left, which the type of a column does not allow for.
  if (n == 1 && along == 0 && a.t.ext[0] == kAny) em.guard(count == E(1), "deletion from a column of one element");
  E rest = along == 0 ? em.f->index(array, {keep, ir::all()}) : em.f->index(array, {ir::all(), keep});
  em.set(name, em.value(t, rest));
}

}  // namespace vr::matlab
