// Cell arrays of unknown length, whose elements are matrices of one class: three arrays (prelude_lists.cpp), which are
// the parts of a value of class List.
#include "emit.hpp"
#include "prelude.hpp"

#include <algorithm>

namespace vr::matlab {

using ir::E;

namespace {

const Type kNumbers = Type::array(Cls::Double, {1, kAny});

Val row_of_none(Emitter& em, Cls cls, bool complex) {
  const Type t = Type::array(cls, {1, kAny}, complex);
  return {t, em.f->zeros(storage(t), {E(1), E(0)})};
}

/// The value as an argument of a prelude function; text is passed as bytes.
Val bytes(Val v) {
  if (v.t.cls == Cls::Char) v.t.cls = Cls::Uint8;
  v.t.special = 0;
  return v;
}
Val as_class(Val v, Cls cls) {
  v.t.cls = cls;
  return v;
}
/// A row, also where it has one element.
Val row(Emitter& em, const Val& v) {
  Type t = Type::array(v.t.cls, {1, kAny}, v.t.complex);
  const E x = em.named({v.t, em.as_array({v.t, em.elem(v, v.t.cls, v.t.complex)}, 2)}, "element");
  return {t, em.lib("reshape", {x, E(1), em.lib("numel", {x})})};
}

/// Why a value cannot be an element; "" when it can.
std::string unfit(const Type& t) {
  if (!t.lost.empty()) return t.lost;
  if (t.is_aggregate() || t.cls == Cls::Handle) return "a cell array of unknown length whose elements are no matrices";
  if (t.mixed) return "an element that is double on one way and logical on another";
  if (t.rank() > 2) return "an element of more than two dimensions";
  return "";
}
bool nothing(const Type& t) { return t.cls == Cls::Double && !t.text && t.ext == std::vector<int64_t>{0, 0}; }

std::vector<int64_t> joined(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  return join(Type::array(Cls::Double, a), Type::array(Cls::Double, b)).ext;
}

std::vector<int64_t> element_extents(const Type& t) {
  std::vector<int64_t> ext = t.ext;
  for (int64_t& n : ext)
    if (n >= 0 && n != 1) n = kNotOne;
  return ext;
}

Val new_list(Emitter& em, const Val& n, std::vector<int64_t> ext, Pos pos) {
  const Vals r = call_version(em, *prelude("vr__list_new"), {n}, 2, pos);
  return list_of(row_of_none(em, Cls::Double, false), r[0], r[1], std::move(ext), {});
}

std::optional<Val> cell_number(Emitter& em, const Expr& e, const Val& cells) {
  return cell_number(em, e, cells.t.cls == Cls::List ? std::optional(cells.parts[1]) : std::nullopt, cells.t.ext);
}

}  // namespace

std::optional<Val> cell_number(Emitter& em, const Expr& e, const std::optional<Val>& ends,
                               const std::vector<int64_t>& ext) {
  const EndScope end(em.ends,
                     {ends ? em.named(*ends, "cells") : E(0L), ends ? kNumbers : Type::array(Cls::Double, ext), 0, 1});
  if (e.args.size() == 3) {
    // c{1, k} of a row, c{k, 1} of a column
    const bool down = ext[0] != 1;
    const Val other = expr(em, e.args[down ? 2 : 1]);
    if (other.t.number != 1.0) return std::nullopt;
    return em.scalar_number(expr(em, e.args[down ? 1 : 2]), e.pos, "the number of a cell");
  }
  if (e.args.size() != 2 || e.args[1]->kind == ExprKind::Colon || e.args[1]->kind == ExprKind::Range)
    return std::nullopt;
  const Val k = expr(em, e.args[1]);
  if (!k.t.is_scalar() || !k.t.has_storage() || k.t.cls == Cls::Logical) return std::nullopt;
  return em.scalar_number(k, e.pos, "the number of a cell");
}

Val list_of(const Val& data, const Val& ends, const Val& rows, std::vector<int64_t> ext, std::vector<int64_t> element) {
  Val v{Type::scalar(Cls::List)};
  v.t.ext = std::move(ext);
  v.t.element = std::move(element);
  v.t.fields = {"data", "ends", "rows"};
  v.parts = {data, ends, rows};
  v.t.parts = {data.t, ends.t, rows.t};
  return v;
}

/// The list with element k.
Val with_element(Emitter& em, const Val& list, const Val& k, const Val& given, Pos pos) {
  if (const std::string why = unfit(given.t); !why.empty()) em.refuse(pos, why);
  Val v = em.named_value(stored(em, given, pos), "element");
  Val data = list.parts[0];
  if (list.t.element.empty()) data = row_of_none(em, v.t.cls, v.t.complex);
  if (data.t.cls != v.t.cls || data.t.complex != v.t.complex)
    em.refuse(pos, "a cell array of unknown length with elements of several classes");
  const E rows = em.named({Type::scalar(Cls::Double), em.extent(v, 1)}, "rows");
  if (v.t.ext[0] != 1 && v.t.ext[1] != 1)
    em.guard(em.f->binary(ir::Kind::And, rows == E(0), em.extent(v, 2) != E(0)), "an element without rows");
  Vals args{
      bytes(data), list.parts[1], list.parts[2], k, bytes(row(em, v)), em.whole(rows), em.truth(list.t.ext[0] != 1)};
  const Vals r = call_version(em, *prelude("vr__list_put"), std::move(args), 3, pos);
  return list_of(as_class(r[0], data.t.cls), r[1], r[2], list.t.ext, joined(list.t.element, element_extents(v.t)));
}

Val empty_list(Emitter& em, std::vector<int64_t> ext) {
  const Val none = row_of_none(em, Cls::Double, false);
  return list_of(none, none, none, std::move(ext), {});
}

Val element_at(Emitter& em, const Val& list, const Val& k, Pos pos) {
  if (list.t.element.empty()) em.refuse(pos, "an element of a cell array to which nothing was assigned");
  const Type t = Type::array(list.parts[0].t.cls, list.t.element, list.parts[0].t.complex);
  const char* function = t.is_row() ? "vr__list_get" : "vr__list_shaped";
  Vals args{bytes(list.parts[0]), list.parts[1], list.parts[2], k};
  const Val r = call_version(em, *prelude(function), std::move(args), 1, pos)[0];
  Val v = em.value(t, r.e);
  if (!t.is_scalar()) v.t.special = kRangeForm | kMatrixForm;
  return v;
}

// The cells with these numbers.
Val picked(Emitter& em, const Val& list, const Val& numbers, Pos pos) {
  Vals args{bytes(list.parts[0]), list.parts[1], list.parts[2], numbers};
  const Vals r = call_version(em, *prelude("vr__list_pick"), std::move(args), 3, pos);
  return list_of(as_class(r[0], list.parts[0].t.cls), r[1], r[2], list.t.ext, list.t.element);
}

Val joined_lists(Emitter& em, const Val& a, const Val& b, Pos pos) {
  Val x = a, y = b;
  for (auto [one, other] : {std::pair(&x, &y), std::pair(&y, &x)})
    if (one->t.element.empty() && !other->t.element.empty()) {
      one->parts[0] = row_of_none(em, other->parts[0].t.cls, other->parts[0].t.complex);
      one->t.parts[0] = one->parts[0].t;
    }
  if (x.parts[0].t.cls != y.parts[0].t.cls || x.parts[0].t.complex != y.parts[0].t.complex)
    em.refuse(pos, "a cell array of unknown length with elements of several classes");
  Vals args{bytes(x.parts[0]), x.parts[1], x.parts[2], bytes(y.parts[0]), y.parts[1], y.parts[2]};
  const Vals r = call_version(em, *prelude("vr__list_join"), std::move(args), 3, pos);
  return list_of(as_class(r[0], x.parts[0].t.cls), r[1], r[2], x.t.ext, joined(x.t.element, y.t.element));
}

std::optional<Val> as_list(Emitter& em, const Val& cells, Pos pos) {
  if (cells.t.cls == Cls::List) return cells;
  const std::vector<int64_t>& ext = cells.t.ext;
  if (cells.t.cls != Cls::Cell || (ext[0] > 1 && ext[1] > 1)) return std::nullopt;
  const Type* known = nullptr;
  for (const Val& p : cells.parts) {
    if (!unfit(p.t).empty()) return std::nullopt;
    if (nothing(p.t)) continue;
    if (known && (known->cls != p.t.cls || known->complex != p.t.complex)) return std::nullopt;
    known = &p.t;
  }
  const bool down = ext[0] > 1;
  const auto n = static_cast<double>(cells.parts.size());
  Val list =
      n > 0 ? new_list(em, em.number(n), down ? std::vector<int64_t>{kNotOne, 1} : std::vector<int64_t>{1, kAny}, pos)
            : list_of(row_of_none(em, Cls::Double, false), row_of_none(em, Cls::Double, false),
                      row_of_none(em, Cls::Double, false), {1, kAny}, {});
  // A [] that was written is an element among numbers; one that cell() made is a cell that was not assigned to.
  const bool numbers = known && known->cls == Cls::Double && !known->complex;
  for (size_t k = 0; k < cells.parts.size(); ++k)
    if (!nothing(cells.parts[k].t) || (numbers && !(cells.parts[k].t.special & kNewCell)))
      list = with_element(em, list, em.number(static_cast<double>(k) + 1), cells.parts[k], pos);
  return list;
}

std::set<std::string> match_lists(Emitter& em, Join& j) {
  // s = [] before a loop that stores structures: as if it had not been assigned to.
  std::set<std::string> none;
  for (auto& [name, var] : em.env) {
    auto it = j.vars.find(name);
    if (it == j.vars.end() || var.lost_in || !var.t.lost.empty()) continue;
    Join::Entry& known = it->second;
    if (known.t.cls == Cls::Structs && nothing(var.t)) none.insert(name);
    if (var.t.cls == Cls::Structs && nothing(known.t) && known.t.lost.empty()) {
      known.t = var.t;
      known.maybe = true;
      em.program.changed_here();
    }
  }
  for (const std::string& name : none) em.env.erase(name);
  std::vector<std::string> names;
  for (const auto& [name, var] : em.env)
    if (var.t.is_aggregate() && var.t.lost.empty() && !var.maybe && !var.lost_in && j.vars.count(name))
      names.push_back(name);
  auto is_part = [](const std::string& part, const std::string& name) {
    return part.size() > name.size() && part.compare(0, name.size(), name) == 0 &&
           (part[name.size()] == '.' || part[name.size()] == '{');
  };
  auto take_over = [&](const std::string& name) {  // what is known there becomes what is here
    for (auto it = j.vars.lower_bound(name); it != j.vars.end() && it->first.compare(0, name.size(), name) == 0;)
      it = is_part(it->first, name) ? j.vars.erase(it) : std::next(it);
    j.vars[name].t = em.env.at(name).t;
    for (const auto& [part, var] : em.env)
      if (is_part(part, name)) j.vars[part].t = var.t;
    em.program.changed_here();
  };
  for (const std::string& name : names) {
    Join::Entry& known = j.vars.at(name);
    const Type here = em.env.at(name).t;
    if (!known.t.lost.empty() || known.maybe) continue;
    if (here.cls == Cls::Struct && known.t.cls == Cls::Structs)
      if (const std::optional<Val> one = as_structs(em, em.read(name, em.here), em.here)) em.set(name, *one);
    if (here.cls == Cls::Structs && known.t.cls == Cls::Struct) take_over(name);
    if (known.t.cls != Cls::Cell && known.t.cls != Cls::List) continue;
    if (known.t.cls == Cls::Cell && here.cls == Cls::Cell && known.t.ext == here.ext) continue;
    if (here.cls == Cls::Cell) {
      const std::optional<Val> list = as_list(em, em.read(name, em.here), em.here);
      if (!list) continue;
      em.set(name, *list);
    }
    if (known.t.cls == Cls::Cell || (known.t.element.empty() && !em.env.at(name).t.element.empty())) {
      take_over(name);
    } else if (em.env.at(name).t.element.empty() && !known.t.element.empty()) {
      const Type& data = j.vars.at(name + ".data").t;
      if (data.lost.empty()) em.set(name + ".data", row_of_none(em, data.cls, data.complex));
    }
  }
  return none;
}

bool store_in_list(Emitter& em, const Expr& target, const Val& v) {
  if (target.kind != ExprKind::Brace || target.args[0]->kind != ExprKind::Name) return false;
  const std::string& name = target.args[0]->text;
  auto it = em.env.find(name);
  if (it == em.env.end()) {  // it begins here, as an array of unknown length where k is not known
    if (uses_end(em, target)) return false;
    const std::optional<Val> k = cell_number(em, target, std::nullopt, {1, 0});
    if (!k || k->t.number) return false;
    only_serial(em);
    em.set(name, empty_list(em, {1, kAny}));
    it = em.env.find(name);
  }
  if (!it->second.t.lost.empty()) return false;
  if (it->second.t.cls != Cls::List && it->second.t.cls != Cls::Cell) return false;
  only_serial(em);
  if (it->second.maybe && uses_end(em, target)) return false;
  if (it->second.maybe && (it->second.t.cls != Cls::List || !begin_aggregate(em, name))) return false;
  const Val cells = em.read(name, target.pos);
  const std::optional<Val> k = cell_number(em, target, cells);
  if (cells.t.cls == Cls::Cell && (!k || (k->t.number && *k->t.number <= 256))) return false;
  if (!k) em.refuse(target.pos, "a store into several elements of a cell array");
  const std::optional<Val> list = as_list(em, cells, target.pos);
  if (!list)
    em.refuse(target.pos, "an element of a cell array whose number is not known when the function is compiled");
  em.set(name, with_element(em, *list, em.named_value(*k, "cell"), v, target.pos));
  return true;
}

bool store_one_cell(Emitter& em, const Expr& target, const Val& v) {
  if (v.t.cls != Cls::Cell || v.parts.size() != 1 || target.args[0]->kind != ExprKind::Name) return false;
  auto it = em.env.find(target.args[0]->text);
  if (it == em.env.end() || !it->second.t.lost.empty()) return false;
  if (it->second.t.cls != Cls::Cell && it->second.t.cls != Cls::List) return false;
  auto braces = std::make_shared<Expr>(target);
  braces->kind = ExprKind::Brace;
  assign_to(em, braces, v.parts[0]);
  return true;
}

bool store_within_list(Emitter& em, const Expr& target, const Val& v) {
  const Expr& cell = *target.args[0];
  if (cell.kind != ExprKind::Brace || cell.args[0]->kind != ExprKind::Name) return false;
  auto it = em.env.find(cell.args[0]->text);
  if (it == em.env.end() || it->second.maybe || it->second.t.cls != Cls::List) return false;
  // The element is copied to a hidden variable, which is stored to and copied back.
  auto name = std::make_shared<Expr>();
  name->kind = ExprKind::Name;
  name->pos = cell.pos;
  name->text = "#element";
  em.set(name->text, *list_element(em, em.read(cell.args[0]->text, cell.pos), cell));
  Expr part = target;
  part.args[0] = name;
  store(em, part, v);
  const Val changed = em.read(name->text, cell.pos);
  em.env.erase(name->text);
  return store_in_list(em, cell, changed);
}

std::optional<Val> variable_element(Emitter& em, const Expr& e) {
  if (e.args[0]->kind != ExprKind::Name || e.args.size() < 2) return std::nullopt;
  const std::string& name = e.args[0]->text;
  auto it = em.env.find(name);
  if (it == em.env.end() || it->second.maybe || !it->second.t.lost.empty() || it->second.t.cls != Cls::Cell)
    return std::nullopt;
  const Val cells = em.read(name, e.pos);
  const std::optional<Val> k = cell_number(em, e, cells);
  if (!k || k->t.number) return std::nullopt;
  const std::optional<Val> list = as_list(em, cells, e.pos);
  if (!list) return std::nullopt;
  if (em.parallel == 0) em.set(name, *list);
  return list_element(em, em.parallel == 0 ? em.read(name, e.pos) : *list, e);
}

std::optional<Val> list_element(Emitter& em, const Val& list, const Expr& e) {
  const std::optional<Val> k = cell_number(em, e, list);
  if (!k) em.refuse(e.pos, "several elements of a cell array of unknown length");
  return element_at(em, list, *k, e.pos);
}

namespace {
Val joined_data(Emitter& em, const Val& list, Pos pos) {
  if (list.t.element.empty() || list.t.element[0] != 1)
    em.refuse(pos, "elements of a cell array of unknown length that are no rows");
  const E rows = em.named(list.parts[2], "rows");
  em.guard(em.some(rows != E(1.0), 2), "a cell that was never assigned to");
  em.guard(em.lib("numel", {rows}) == E(0), "no cells");
  return list.parts[0];
}
}  // namespace

std::optional<Val> joined_elements(Emitter& em, const Expr& e) {
  if (const std::optional<Val> all = all_of_field(em, e)) return joined_data(em, *all, e.pos);
  if (e.kind != ExprKind::Brace || e.args.size() != 2 || e.args[1]->kind != ExprKind::Colon ||
      e.args[0]->kind != ExprKind::Name || !em.is_variable(e.args[0]->text))
    return std::nullopt;
  const Val list = em.read(e.args[0]->text, e.pos);
  if (list.t.cls != Cls::List) return std::nullopt;
  return joined_data(em, list, e.pos);
}

bool lists(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out) {
  if (name == "cell" && args.size() == 2) {
    const bool row = args[0].t.number == 1.0, column = args[1].t.number == 1.0;
    const Val& n = args[row ? 1 : 0];
    if ((!row && !column) || (n.t.number && *n.t.number <= 256)) return false;
    const Val count = em.named_value(em.scalar_number(n, pos, "a number of cells"), "cells");
    return out.push_back(new_list(em, count, row ? std::vector<int64_t>{1, kAny} : std::vector<int64_t>{kAny, 1}, pos)),
           true;
  }
  if (std::none_of(args.begin(), args.end(), [](const Val& v) { return v.t.cls == Cls::List; })) return false;
  const bool of_function = name == "cellfun" && args.size() == 2 && args[1].t.cls == Cls::List;
  if (!of_function && args[0].t.cls != Cls::List) em.refuse(pos, "'" + name + "' of a cell array of unknown length");
  const Val& list = args[of_function ? 1 : 0];
  const E n = em.lib("numel", {em.named(list.parts[1], "cells")});
  const bool row = list.t.ext[0] == 1;
  if (args.size() == 1 && nargout <= 1) {
    if (name == "numel" || name == "length" || name == (row ? "columns" : "rows"))
      return out.push_back(em.whole(n)), true;
    if (name == (row ? "rows" : "columns")) {
      em.guard(n == E(0), "the size of an empty cell array");
      return out.push_back(em.number(1)), true;
    }
    if (name == "size") {
      em.guard(n == E(0), "the size of an empty cell array");
      Vals both{em.number(1), em.whole(n)};
      if (!row) std::swap(both[0], both[1]);
      return out.push_back(join_arrays(em, true, std::move(both), pos)), true;
    }
    if (name == "isempty") return out.push_back({Type::scalar(Cls::Logical), n == E(0)}), true;
    if (name == "iscell" || name == "ismatrix") return out.push_back(em.truth(true)), true;
    if (name == "ischar" || name == "isnumeric" || name == "isstruct" || name == "islogical" || name == "isreal" ||
        name == "is_function_handle")
      return out.push_back(em.truth(false)), true;
    if (name == "class") return out.push_back({Type::string("cell")}), true;
    if (name == "ndims") return out.push_back(em.number(2)), true;
    if (name == "cell2mat" && !list.t.element.empty() && list.t.element[0] == 1 && row &&
        list.parts[0].t.cls != Cls::Char) {
      const E rows = em.named(list.parts[2], "rows");
      em.guard(em.some(rows != E(1.0), 2), "a cell that was never assigned to");
      em.guard(n == E(0), "no cells");
      return out.push_back(list.parts[0]), true;
    }
  }
  if ((name == "fliplr" || name == "flipud" || name == "flip") && args.size() == 1 && nargout <= 1) {
    if (name != "flip" && (name == "fliplr") != row) return out.push_back(list), true;
    const Type numbers = Type::array(Cls::Double, {1, kAny});
    const E upwards = em.f->cast(em.lib("reshape", {em.lib("colon", {E(1), n}), E(1), n}), storage(numbers));
    const Val places = binary(em, Op::Minus, em.whole(n + E(1)), {numbers, em.named({numbers, upwards}, "cells")}, pos);
    return out.push_back(picked(em, list, places, pos)), true;
  }
  const std::string of = of_function ? args[0].t.closure ? args[0].t.closure->name : args[0].t.text.value_or("") : "";
  if ((of == "numel" || of == "length" || of == "isempty") && nargout <= 1 && !em.program.unit->find(of) &&
      (of != "length" || list.t.element == std::vector<int64_t>{1, 1} ||
       (!list.t.element.empty() && list.t.element[0] == 1))) {
    const Val counts = call_version(em, *prelude("vr__list_counts"), {list.parts[1], list.parts[2]}, 1, pos)[0];
    em.guard(n == E(0), "no cells");
    Val r = of == "isempty" ? compare(em, Op::Eq, counts, em.number(0), pos) : counts;
    if (!row) r = transpose(em, r, false, pos);
    return out.push_back(r), true;
  }
  if (name == "size" && (nargout == 2 || (args.size() == 2 && (args[1].t.number == 1.0 || args[1].t.number == 2.0)))) {
    em.guard(n == E(0), "the size of an empty cell array");
    Vals both{em.number(1), em.whole(n)};
    if (!row) std::swap(both[0], both[1]);
    if (args.size() == 1)
      out = both;
    else
      out.push_back(both[args[1].t.number == 1.0 ? 0 : 1]);
    return true;
  }
  em.refuse(pos, "'" + name + "' of a cell array of unknown length");
}

}  // namespace vr::matlab
