// Arrays of structures of unknown length: for each field the values of all elements, a cell array of unknown length
// (emit_list.cpp), or again such an array for a field that holds structures.
#include "emit.hpp"
#include "prelude.hpp"

#include <algorithm>

namespace vr::matlab {

using ir::E;

namespace {

Val structs_value(std::vector<int64_t> ext, std::vector<std::string> fields, Vals columns) {
  Val v{Type::scalar(Cls::Structs)};
  v.t.ext = std::move(ext);
  v.t.fields = std::move(fields);
  for (const Val& c : columns) v.t.parts.push_back(c.t);
  v.parts = std::move(columns);
  return v;
}

size_t field_number(const Type& t, const std::string& name) {
  return static_cast<size_t>(std::find(t.fields.begin(), t.fields.end(), name) - t.fields.begin());
}

const Val* first_list(const Val& v) {
  if (v.t.cls == Cls::List) return &v;
  return v.parts.empty() ? nullptr : first_list(v.parts[0]);
}
/// Where each element of the first field ends, which is as many numbers as there are structures; nothing without
/// fields.
std::optional<Val> ends_of(const Val& s) {
  const Val* list = first_list(s);
  return list ? std::optional(list->parts[1]) : std::nullopt;
}
E count_of(Emitter& em, const Val& s) {
  const auto ends = ends_of(s);
  return ends ? em.lib("numel", {em.named(*ends, "elements")}) : E(0);
}

/// The same of each list.
template <class F>
Val each_list(const Val& v, const F& f) {
  if (v.t.cls == Cls::List) return f(v);
  Val r = v;
  for (size_t k = 0; k < r.parts.size(); ++k) {
    r.parts[k] = each_list(v.parts[k], f);
    r.t.parts[k] = r.parts[k].t;
  }
  return r;
}

Val empty_column(Emitter& em, const Val& value, const std::vector<int64_t>& ext) {
  return value.t.cls == Cls::Struct || value.t.cls == Cls::Structs ? structs_value(ext, {}, {}) : empty_list(em, ext);
}

/// The column with element k. Of structures the fields have to be those that are there.
Val put(Emitter& em, const Val& column, const Val& k, const Val& v, Pos pos) {
  if (column.t.cls == Cls::List) return with_element(em, column, k, v, pos);
  if (v.t.cls != Cls::Struct) em.refuse(pos, "a field that is a structure in one element and none in another");
  Val r = column;
  const bool first = r.parts.empty();
  if (!first && (r.t.fields.size() != v.t.fields.size() ||
                 !std::is_permutation(r.t.fields.begin(), r.t.fields.end(), v.t.fields.begin())))
    em.refuse(pos, "an array of structures with other fields");
  if (v.t.fields.empty()) em.refuse(pos, "an array of structures without fields");
  for (size_t i = 0; i < v.t.fields.size(); ++i) {
    const size_t at = first ? i : field_number(r.t, v.t.fields[i]);
    if (first) {
      r.t.fields.push_back(v.t.fields[i]);
      r.parts.push_back(empty_column(em, v.parts[i], r.t.ext));
      r.t.parts.push_back(r.parts.back().t);
    }
    r.parts[at] = put(em, r.parts[at], k, v.parts[i], pos);
    r.t.parts[at] = r.parts[at].t;
  }
  return r;
}

Val element(Emitter& em, const Val& column, const Val& k, Pos pos) {
  if (column.t.cls == Cls::List) return element_at(em, column, k, pos);
  Val s{Type::scalar(Cls::Struct)};
  s.t.fields = column.t.fields;
  for (const Val& c : column.parts) {
    s.parts.push_back(kept(em, element(em, c, k, pos), "field"));
    s.t.parts.push_back(s.parts.back().t);
  }
  return s;
}

std::optional<Val> subscript_of(Emitter& em, const Expr& e, const Val& s) {
  const std::optional<Val> k = cell_number(em, e, ends_of(s), s.t.ext);
  return k ? std::optional(em.named_value(*k, "element")) : k;
}

/// The name of a field: s.x, or s.(name).
std::string field_text(Emitter& em, const Expr& e) {
  if (e.args.size() < 2) return e.text;
  const Val name = expr(em, e.args[1]);
  if (!name.t.text) em.refuse(e.pos, "a field whose name is computed");
  return *name.t.text;
}

/// The variable that s.x.y is, where all of it are names; else empty.
std::string field_path(const Expr& e) {
  if (e.kind == ExprKind::Name) return e.text;
  if (e.kind != ExprKind::Field || e.args.size() > 1) return {};
  const std::string base = field_path(*e.args[0]);
  return base.empty() ? base : base + "." + e.text;
}
bool is_structs(const Emitter& em, const std::string& name) {
  auto it = em.env.find(name);
  return it != em.env.end() && it->second.t.cls == Cls::Structs && it->second.t.lost.empty();
}

/// s(k).x: the column of x, and k.
struct Place {
  Val column, k;
};
std::optional<Place> place_of(Emitter& em, const Expr& e) {
  if (e.kind == ExprKind::Field) {
    std::optional<Place> p = place_of(em, *e.args[0]);
    if (!p) return p;
    if (p->column.t.cls != Cls::Structs) em.refuse(e.pos, "a field of what is no structure");
    const std::string field = field_text(em, e);
    const size_t at = field_number(p->column.t, field);
    if (at == p->column.parts.size()) em.refuse(e.pos, "a field '" + field + "' that is not there");
    return Place{Val(p->column.parts[at]), p->k};
  }
  if (e.kind != ExprKind::Index) return std::nullopt;
  const Expr& base = *e.args[0];
  if (base.kind != ExprKind::Name && base.kind != ExprKind::Field) return std::nullopt;
  if (!is_structs(em, field_path(base))) return std::nullopt;
  const Val s = expr(em, base);
  if (s.t.cls != Cls::Structs) return std::nullopt;
  const std::optional<Val> k = subscript_of(em, e, s);
  if (!k) return std::nullopt;
  return Place{s, *k};
}

void settle_named(Emitter& em, const std::string& name) {
  auto it = em.env.find(name);
  if (it != em.env.end() && it->second.fresh) settle_fields(em, it->second);
}

/// Makes the variable an array of structures, if it is none; false where it is something else. `end` asks for a
/// variable that is there; a structure is not stored into [] as an element.
bool begin_structs(Emitter& em, const std::string& name, bool element, bool asks_end, Pos pos) {
  auto it = em.env.find(name);
  if (it == em.env.end()) {
    if (asks_end) em.refuse(pos, "'end' of a variable that is not there yet");
    em.set(name, structs_value({1, kAny}, {}, {}));
    return true;
  }
  Var& var = it->second;
  if (!var.t.lost.empty()) em.refuse(pos, "'" + name + "': " + var.t.lost);
  if (var.t.cls == Cls::Structs) {
    if (!var.maybe) return true;
    if (element || (asks_end && !var.or_nothing)) return em.read(name, pos), true;
    const E fresh = em.temp("fresh", ir::boolean());
    em.f->assign(fresh, !em.flag(name));
    if (!begin_aggregate(em, name)) return em.read(name, pos), true;
    Var& begun = em.env.at(name);
    begun.fresh = fresh;
    begun.fresh_fields = 0;
    return true;
  }
  const bool nothing = !var.maybe && var.t.cls == Cls::Double && var.t.ext == std::vector<int64_t>{0, 0};
  if (nothing) {
    if (element) em.refuse(pos, "a structure as an element of []");
    em.set(name, structs_value({1, kAny}, {}, {}));
    return true;
  }
  if (var.maybe) return em.read(name, pos), begin_structs(em, name, element, asks_end, pos);
  if (var.t.cls != Cls::Struct) return false;
  const std::optional<Val> s = as_structs(em, em.read(name, pos), pos);
  if (!s) em.refuse(pos, "an array of structures with such a field");
  em.set(name, *s);
  return true;
}

/// The field gets its place among those of a variable that begins here, which may lack it.
void count_field(Emitter& em, const std::string& name, size_t at) {
  Var& var = em.env.at(name);
  if (!var.fresh || at < var.fresh_fields) return;
  if (at > var.fresh_fields) return settle_fields(em, var);
  if (++var.fresh_fields == var.t.fields.size()) var.fresh.reset();
}

/// The variable of the column of a field, which is made when it is not there yet.
std::string column(Emitter& em, const std::string& name, const std::string& field, const Val& v) {
  const Type t = em.env.at(name).t;
  const std::string path = name + "." + field;
  if (field_number(t, field) < t.fields.size()) return path;
  settle_named(em, name);
  em.env.at(name).t.fields.push_back(field);
  em.set(path, empty_column(em, v, t.ext));
  return path;
}

/// The lists below a variable get as many cells as are asked for.
void fill_up(Emitter& em, const std::string& name, const Val& cells, Pos pos) {
  for (auto it = em.env.lower_bound(name); it != em.env.end() && it->first.compare(0, name.size(), name) == 0; ++it) {
    const bool below = it->first.size() == name.size() || it->first[name.size()] == '.';
    if (!below || it->second.t.cls != Cls::List) continue;
    const std::string list = it->first;
    const Val ends = em.read(list + ".ends", pos), rows = em.read(list + ".rows", pos);
    const Vals r = call_version(em, *prelude("vr__list_upto"), {ends, rows, cells}, 2, pos);
    em.f->assign(ends.e, em.convert(r[0], ends.t));
    em.f->assign(rows.e, em.convert(r[1], rows.t));
  }
}

}  // namespace

void settle_fields(Emitter& em, Var& var) {
  const E fresh = *var.fresh;
  var.fresh.reset();
  em.guard(fresh, "an array of structures that does not have all of its fields yet");
}

bool begin_aggregate(Emitter& em, const std::string& name) {
  std::vector<std::string> parts;
  for (auto it = em.env.lower_bound(name); it != em.env.end() && it->first.rfind(name, 0) == 0; ++it) {
    const char next = it->first.size() > name.size() ? it->first[name.size()] : '.';
    if (next != '.' && next != '{') continue;
    const Type& t = it->second.t;
    if (!t.lost.empty() || it->second.lost_in || t.cls == Cls::Cell || t.cls == Cls::Struct) return false;
    if (t.has_storage() && (!t.is_row() || t.is_scalar())) return false;
    parts.push_back(it->first);
  }
  em.f->if_(!em.flag(name), [&] {
    for (const std::string& part : parts) {
      const Type& t = em.env.at(part).t;
      if (t.has_storage()) em.f->assign(em.slot(part, t), em.f->zeros(storage(t), {E(1), E(0)}));
    }
  });
  for (const std::string& part : parts) em.env.at(part).maybe = false;
  return true;
}

std::optional<Val> as_structs(Emitter& em, const Val& v, Pos pos) {
  if (v.t.cls == Cls::Structs) return v;
  if (v.t.cls != Cls::Struct || v.t.fields.empty()) return std::nullopt;
  std::function<bool(const Val&)> fits = [&](const Val& x) {
    if (x.t.cls == Cls::Struct) return !x.parts.empty() && std::all_of(x.parts.begin(), x.parts.end(), fits);
    return x.t.lost.empty() && !x.t.is_aggregate() && x.t.cls != Cls::Handle && !x.t.mixed && x.t.rank() <= 2;
  };
  if (!fits(v)) return std::nullopt;
  return put(em, structs_value({1, kAny}, {}, {}), em.number(1), v, pos);
}

Val repeated(Emitter& em, const Val& structure, const Val& count, bool down, Pos pos) {
  const std::optional<Val> one = as_structs(em, structure, pos);
  if (!one) em.refuse(pos, "an array of structures with such a field");
  const Val n = em.scalar_number(count, pos, "a number of structures");
  const Val ones = call(em, "ones", {em.number(1), n}, 1, pos)[0];
  const std::vector<int64_t> ext = down ? std::vector<int64_t>{kAny, 1} : std::vector<int64_t>{1, kAny};
  std::function<Val(Val)> turned = [&](Val v) {
    v.t.ext = ext;
    for (size_t k = 0; k < v.parts.size() && v.t.cls == Cls::Structs; ++k) {
      v.parts[k] = turned(v.parts[k]);
      v.t.parts[k] = v.parts[k].t;
    }
    return v;
  };
  return turned(each_list(*one, [&](const Val& list) { return picked(em, list, ones, pos); }));
}

Val structs_of(Emitter& em, const Vals& args, Pos pos) {
  std::optional<size_t> n;
  std::vector<int64_t> ext{1, kAny};
  for (size_t k = 1; k < args.size(); k += 2) {
    const Val& v = args[k];
    if (v.t.cls == Cls::List) em.refuse(pos, "'struct' with a cell array of unknown length");
    if (v.t.cls != Cls::Cell || v.parts.size() == 1) continue;
    if (n && *n != v.parts.size()) em.refuse(pos, "'struct' with cell arrays of different lengths");
    n = v.parts.size();
    if (v.t.ext[0] > 1 && v.t.ext[1] > 1) em.refuse(pos, "a matrix of structures");
    if (v.t.ext[0] > 1) ext = {kAny, 1};
  }
  Val s = structs_value(ext, {}, {});
  for (size_t k = 0; k + 1 < args.size(); k += 2) {
    if (!args[k].t.text) em.refuse(pos, "a field whose name is computed");
    if (field_number(s.t, *args[k].t.text) < s.t.fields.size()) em.refuse(pos, "'struct' with a field twice");
    const bool cells = args[k + 1].t.cls == Cls::Cell;
    Val column;
    bool first = true;
    for (size_t i = 0; i < *n; ++i) {
      const Val& v = !cells ? args[k + 1] : args[k + 1].parts[args[k + 1].parts.size() == 1 ? 0 : i];
      if (first) column = empty_column(em, v, {1, kAny});
      first = false;
      column = put(em, column, em.number(static_cast<double>(i) + 1), v, pos);
    }
    if (first) column = empty_list(em, ext);
    std::function<void(Val&)> turn = [&](Val& v) {
      v.t.ext = ext;
      for (size_t i = 0; i < v.parts.size() && v.t.cls == Cls::Structs; ++i) {
        turn(v.parts[i]);
        v.t.parts[i] = v.parts[i].t;
      }
    };
    turn(column);
    s.t.fields.push_back(*args[k].t.text);
    s.t.parts.push_back(column.t);
    s.parts.push_back(std::move(column));
  }
  return s;
}

namespace {

/// Where the elements of the variable end. It is not read as a whole, since it may lack fields yet.
std::optional<Val> ends_of(Emitter& em, const std::string& name, Pos pos) {
  for (auto it = em.env.lower_bound(name + "."); it != em.env.end() && it->first.rfind(name + ".", 0) == 0; ++it)
    if (it->second.t.cls == Cls::List) return em.read(it->first + ".ends", pos);
  return std::nullopt;
}

void store_field(Emitter& em, const std::string& name, const std::vector<std::string>& path, const Val& k, const Val& v,
                 const E& n, Pos pos) {
  std::string at = name, made;
  for (size_t i = 0; i < path.size(); ++i) {
    const Type& t = em.env.at(at).t;
    if (t.cls != Cls::Structs) em.refuse(pos, "a field of what is no structure");
    if (at == name && field_number(t, path[i]) < t.fields.size()) count_field(em, name, field_number(t, path[i]));
    const bool is_new = field_number(t, path[i]) == t.fields.size();
    at = column(em, at, path[i], i + 1 < path.size() ? Val{Type::scalar(Cls::Struct)} : v);
    if (is_new && made.empty()) made = at;
  }
  em.set(at, put(em, em.read(at, pos), k, v, pos));
  if (!made.empty()) fill_up(em, made, em.whole(n), pos);
  if (em.env.at(name).t.fields.size() < 2 && path.size() < 2) return;
  em.f->if_(em.real(k) > em.real(em.whole(n)), [&] { fill_up(em, name, k, pos); });
}

void store_element(Emitter& em, const std::string& name, const Val& k, const Val& v, Pos pos) {
  const Type t = em.env.at(name).t;
  if (t.fields.empty()) return em.set(name, put(em, em.read(name, pos), k, v, pos));
  if (t.fields.size() != v.t.fields.size() ||
      !std::is_permutation(t.fields.begin(), t.fields.end(), v.t.fields.begin()))
    em.refuse(pos, "an array of structures with other fields");
  if (t.fields == v.t.fields) em.env.at(name).fresh.reset();
  settle_named(em, name);
  for (size_t i = 0; i < v.parts.size(); ++i) {
    const std::string path = name + "." + v.t.fields[i];
    em.set(path, put(em, em.read(path, pos), k, v.parts[i], pos));
  }
}

/// s(k).x(i) = v: the element becomes a variable that no program can name, is stored to, and goes back.
bool store_within(Emitter& em, const Expr& target, const Val& v) {
  if (target.kind != ExprKind::Index || target.args[0]->kind != ExprKind::Field) return false;
  const std::optional<Place> p = place_of(em, *target.args[0]);
  if (!p) return false;
  if (p->column.t.cls != Cls::List) em.refuse(target.pos, "a store into a structure in an array of them");
  auto name = std::make_shared<Expr>();
  name->kind = ExprKind::Name;
  name->pos = target.pos;
  name->text = "#element";
  em.set(name->text, element(em, p->column, p->k, target.pos));
  Expr part = target;
  part.args[0] = name;
  store(em, part, v);
  const Val changed = em.read(name->text, target.pos);
  em.env.erase(name->text);
  return store_in_structs(em, *target.args[0], changed);
}

}  // namespace

bool store_in_structs(Emitter& em, const Expr& target, const Val& v) {
  std::vector<std::string> path;
  const Expr* e = &target;
  for (; e->kind == ExprKind::Field; e = e->args[0].get()) path.insert(path.begin(), field_text(em, *e));
  if (e->kind != ExprKind::Index) return false;
  if (path.empty() && v.t.cls != Cls::Struct) return store_within(em, target, v);
  const Expr& base = *e->args[0];
  if (base.kind != ExprKind::Name && base.kind != ExprKind::Field) return false;
  only_serial(em);
  const std::string name = base.kind == ExprKind::Name ? base.text : place(em, base);
  if (!begin_structs(em, name, path.empty(), uses_end(em, *e), target.pos)) return false;
  const std::optional<Val> ends = ends_of(em, name, target.pos);
  const std::vector<int64_t> ext = ends ? em.env.at(name).t.ext : std::vector<int64_t>{1, 0};
  const std::optional<Val> k = cell_number(em, *e, ends, ext);
  if (!k) em.refuse(target.pos, "a store into several structures");
  const Val number = em.named_value(*k, "element");
  if (path.empty()) {
    store_element(em, name, number, v, target.pos);
  } else {
    const E n = ends ? em.named(em.whole(em.lib("numel", {em.named(*ends, "elements")})), "count") : E(0);
    store_field(em, name, path, number, v, n, target.pos);
  }
  return true;
}

namespace {
/// Subscripts that may be several, as numbers.
Val numbers(Emitter& em, const Expr& e, const std::optional<Val>& ends) {
  if (e.kind == ExprKind::Colon) em.refuse(e.pos, "all elements of an array of structures or of cells");
  const E array = ends ? em.named(*ends, "elements") : E(0L);
  const EndScope end(em.ends, {array, ends ? ends->t.without_constant() : Type::array(Cls::Double, {1, 0}), 0, 1});
  Val i = expr(em, e);
  if (i.t.cls == Cls::Logical) i = call(em, "find", {i}, 1, e.pos)[0];
  if (i.t.rank() > 2 || i.t.complex || !i.t.lost.empty() || i.t.cls == Cls::Char || i.t.is_aggregate())
    em.refuse(e.pos, "these subscripts of an array of structures or of cells");
  return em.named_value(em.numeric(i, e.pos), "numbers");
}
}  // namespace

bool erase_elements(Emitter& em, const Expr& target) {
  const std::string name = field_path(*target.args[0]);
  auto it = em.env.find(name);
  if (it == em.env.end() || !it->second.t.lost.empty()) return false;
  if (it->second.t.cls != Cls::List && it->second.t.cls != Cls::Structs) return false;
  if (target.args.size() != 2) em.refuse(target.pos, "deletion by two subscripts");
  only_serial(em);
  const Val s = em.read(name, target.pos);
  const std::optional<Val> ends = ends_of(s);
  const Val i = numbers(em, *target.args[1], ends);
  const E n = em.named(em.whole(count_of(em, s)), "count");
  // Of a column of one element a row is left.
  if (s.t.ext[0] != 1) em.guard(n <= E(1), "deletion from a column of one element");
  const Val stays = call_version(em, *prelude("vr__others"), {em.whole(n), i}, 1, target.pos)[0];
  em.set(name, each_list(s, [&](const Val& list) { return picked(em, list, stays, target.pos); }));
  return true;
}

std::optional<Val> structs_field(Emitter& em, const Expr& e) {
  const std::optional<Place> p = place_of(em, e);
  if (!p) return std::nullopt;
  return element(em, p->column, p->k, e.pos);
}

Val structure_at(Emitter& em, const Val& s, const Val& k, Pos pos) { return element(em, s, k, pos); }

Val structs_element(Emitter& em, const Val& s, const Expr& e) {
  if (s.t.cls == Cls::Structs)
    if (const std::optional<Val> k = subscript_of(em, e, s)) return element(em, s, *k, e.pos);
  if (e.args.size() != 2) em.refuse(e.pos, "two subscripts of an array of structures or of cells");
  const Val i = numbers(em, *e.args[1], ends_of(s));
  // A list of one element has the direction of the subscripts, else that of what is subscripted.
  const bool same = s.t.ext[0] == 1 ? i.t.is_row() : i.t.is_column();
  if (!same || i.t.is_scalar()) em.guard(count_of(em, s) == E(1), "several subscripts of one element");
  if (s.t.ext[0] != 1) em.guard(em.elements(i) == E(0), "no elements of a column");
  return each_list(s, [&](const Val& list) { return picked(em, list, i, e.pos); });
}

std::optional<Val> all_of_field(Emitter& em, const Expr& e) {
  if (e.kind != ExprKind::Field) return std::nullopt;
  const Expr& base = *e.args[0];
  std::optional<Val> s;
  if (base.kind == ExprKind::Index && is_structs(em, field_path(*base.args[0]))) {
    s = expr(em, base);
    if (s->t.cls != Cls::Structs) return std::nullopt;
  } else {
    if (!is_structs(em, field_path(base))) return std::nullopt;
    s = expr(em, base);
  }
  const std::string field = field_text(em, e);
  const size_t at = field_number(s->t, field);
  if (at == s->parts.size()) em.refuse(e.pos, "a field '" + field + "' that is not there");
  if (s->parts[at].t.cls != Cls::List) em.refuse(e.pos, "all structures of a field");
  Val list = s->parts[at];
  list.t.ext = {1, kAny};
  return list;
}

Val join_aggregates(Emitter& em, Vals parts, Pos pos) {
  parts.erase(std::remove_if(parts.begin(), parts.end(),
                             [](const Val& v) {
                               return v.t.cls == Cls::Double && !v.t.text && v.t.ext == std::vector<int64_t>{0, 0};
                             }),
              parts.end());
  const bool cells = std::any_of(parts.begin(), parts.end(),
                                 [](const Val& v) { return v.t.cls == Cls::Cell || v.t.cls == Cls::List; });
  std::optional<Val> all;
  if (cells && std::all_of(parts.begin(), parts.end(),
                           [](const Val& v) { return v.t.cls == Cls::Cell && (v.parts.empty() || v.t.ext[0] == 1); })) {
    all = Val{Type::scalar(Cls::Cell)};
    for (const Val& v : parts) {
      all->parts.insert(all->parts.end(), v.parts.begin(), v.parts.end());
      all->t.parts.insert(all->t.parts.end(), v.t.parts.begin(), v.t.parts.end());
    }
    if (all->parts.empty() || all->parts.size() > 256) em.refuse(pos, "cell arrays in a matrix");
    all->t.ext = {1, static_cast<int64_t>(all->parts.size())};
    return *all;
  }
  for (const Val& v : parts) {
    if (!v.t.lost.empty()) em.refuse(pos, v.t.lost);
    if (cells && v.t.cls == Cls::Cell && v.parts.empty()) continue;
    const std::optional<Val> next = !v.t.is_aggregate() ? std::nullopt
                                    : cells             ? as_list(em, v, pos)
                                                        : as_structs(em, v, pos);
    if (!next || (next->t.cls == Cls::List) != cells || next->t.ext[0] != 1)
      em.refuse(pos, aggregate_name(v.t.is_aggregate() ? v.t : parts[0].t) + " in a matrix");
    if (!all) {
      all = next;
      continue;
    }
    std::function<Val(const Val&, const Val&)> join = [&](const Val& a, const Val& b) {
      if (a.t.cls != b.t.cls) em.refuse(pos, "a field that is a structure in one element and none in another");
      if (a.t.cls == Cls::List) return joined_lists(em, a, b, pos);
      if (a.t.fields.size() != b.t.fields.size()) em.refuse(pos, "an array of structures with other fields");
      Val r = a;
      for (size_t k = 0; k < a.parts.size(); ++k) {
        const size_t at = field_number(b.t, a.t.fields[k]);
        if (at == b.parts.size()) em.refuse(pos, "an array of structures with other fields");
        r.parts[k] = join(a.parts[k], b.parts[at]);
        r.t.parts[k] = r.parts[k].t;
      }
      return r;
    };
    all = join(*all, *next);
  }
  if (!all) em.refuse(pos, "cell arrays without cells in a matrix");
  return *all;
}

bool structs(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out) {
  if ((name == "arrayfun" || name == "cellfun") && args.size() >= 2) {
    const Type& over = args[1].t;
    const bool together = args.size() == 2;
    const bool cells = args.size() == 4 && args[2].t.text == "UniformOutput" && args[3].t.number == 0.0;
    if ((together && over.cls == Cls::Structs) || (cells && name == "arrayfun" && !over.is_aggregate()) ||
        (cells && over.cls == (name == "arrayfun" ? Cls::Structs : Cls::List))) {
      if (nargout > 1) em.refuse(pos, "'" + name + "' with several results");
      if (over.cls == Cls::Structs || over.cls == Cls::List ? over.ext[0] != 1 : !over.is_row())
        em.refuse(pos, "'" + name + "' of what is not known to be a row");
      Val f = args[0];
      if (f.t.text) {
        auto named = std::make_shared<Closure>();
        named->name = *f.t.text;
        f = {Type::scalar(Cls::Handle)};
        f.t.closure = named;
      }
      if (!f.t.closure) em.refuse(pos, "'" + name + "' of a function that is not known");
      const char* loop = together ? "vr__for_each" : name == "arrayfun" ? "vr__cells_for_each" : "vr__cells_of_cells";
      const Val over_what = args[1];
      if (!over.is_aggregate()) em.guard(em.elements(over_what) == E(0), "'" + name + "' of nothing");
      out = call_version(em, *prelude(loop), {f, over_what}, 1, pos);
      return true;
    }
  }
  if (name == "repmat" && args.size() == 3 && args[0].t.cls == Cls::Struct &&
      (args[1].t.number == 1.0 || args[2].t.number == 1.0)) {
    const bool down = args[1].t.number != 1.0;
    return out.push_back(repeated(em, args[0], args[down ? 1 : 2], down, pos)), true;
  }
  if (std::none_of(args.begin(), args.end(), [](const Val& v) { return v.t.cls == Cls::Structs; })) return false;
  const Val& s = args[0];
  if (s.t.cls != Cls::Structs) em.refuse(pos, "'" + name + "' of an array of structures");
  const bool row = s.t.ext[0] == 1;
  const E n = count_of(em, s);
  if ((name == "isfield" || name == "rmfield") && args.size() == 2 && args[1].t.text) {
    const size_t at = field_number(s.t, *args[1].t.text);
    if (name == "isfield") return out.push_back(em.truth(at < s.t.fields.size())), true;
    if (at == s.t.fields.size()) em.refuse(pos, "a field '" + *args[1].t.text + "' that is not there");
    if (s.t.fields.size() == 1) em.refuse(pos, "an array of structures without fields");
    Val less = s;
    const auto k = static_cast<std::ptrdiff_t>(at);
    less.t.fields.erase(less.t.fields.begin() + k);
    less.t.parts.erase(less.t.parts.begin() + k);
    less.parts.erase(less.parts.begin() + k);
    return out.push_back(less), true;
  }
  if (name == "size" && args.size() <= 2 && nargout <= 2) {
    em.guard(n == E(0), "the size of an array without structures");
    Vals both{em.number(1), em.whole(n)};
    if (!row) std::swap(both[0], both[1]);
    if (args.size() == 2) {
      if (args[1].t.number != 1.0 && args[1].t.number != 2.0) em.refuse(pos, "'size' along this dimension");
      out.push_back(both[args[1].t.number == 1.0 ? 0 : 1]);
    } else if (nargout == 2) {
      out = both;
    } else {
      out.push_back(join_arrays(em, true, std::move(both), pos));
    }
    return true;
  }
  if (args.size() == 1 && nargout <= 1) {
    if (name == "numel" || name == "length" || name == (row ? "columns" : "rows"))
      return out.push_back(em.whole(n)), true;
    if (name == "isempty") return out.push_back({Type::scalar(Cls::Logical), n == E(0)}), true;
    if (name == "isscalar") return out.push_back({Type::scalar(Cls::Logical), n == E(1)}), true;
    if (name == "isstruct") return out.push_back(em.truth(true)), true;
    static const std::set<std::string> no = {"iscell",    "isnumeric", "ischar",   "islogical",
                                             "isreal",    "iscellstr", "isfloat",  "is_function_handle",
                                             "isinteger", "isbool",    "iscomplex"};
    if (no.count(name)) return out.push_back(em.truth(false)), true;
    if (name == "class") return out.push_back({Type::string("struct")}), true;
    if (name == "ndims") return out.push_back(em.number(2)), true;
    if (name == "numfields") return out.push_back(em.number(static_cast<double>(s.t.fields.size()))), true;
    if (name == "fieldnames") {
      Val names{Type::scalar(Cls::Cell)};
      names.t.ext = {static_cast<int64_t>(s.t.fields.size()), 1};
      for (const std::string& f : s.t.fields) {
        names.parts.push_back({Type::string(f)});
        names.t.parts.push_back(names.parts.back().t);
      }
      return out.push_back(names), true;
    }
  }
  em.refuse(pos, "'" + name + "' of an array of structures");
}

}  // namespace vr::matlab
