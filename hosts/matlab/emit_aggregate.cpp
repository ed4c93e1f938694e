// Cell arrays and structures of known length (scalar replacement): each part is a variable of its own, and fields and
// numbers of elements are known when the function is compiled. Loops whose body needs their number are unrolled.
#include "emit.hpp"

#include <algorithm>
#include <cmath>

namespace vr::matlab {

using ir::E;

namespace {

constexpr int64_t kMostParts = 256;

/// A cell array with these extents and parts; the parts are in column-major order.
Val cell_of(std::vector<int64_t> ext, Vals parts) {
  Val v{Type::scalar(Cls::Cell)};
  v.t.ext = std::move(ext);
  for (const Val& p : parts) v.t.parts.push_back(p.t);
  v.parts = std::move(parts);
  return v;
}
Val empty_array(Emitter& em, Pos pos) { return join_arrays(em, false, {}, pos); }

/// The name of a field: s.x, or s.(name) where the text is known.
std::string field_name(Emitter& em, const Expr& e) {
  if (e.args.size() < 2) return e.text;
  const Val name = expr(em, e.args[1]);
  if (!name.t.text) em.refuse(e.pos, "a field whose name is computed");
  return *name.t.text;
}

/// The variable that an expression denotes, if it is a variable or a part of one: s, s.x, c{2}.
std::optional<std::string> path_of(Emitter& em, const Expr& e);

/// The positions, from 1 to `whole`, that a subscript selects.
std::vector<int64_t> selected(Emitter& em, const Expr& e, const Type& t, size_t k, size_t n, int64_t whole) {
  std::vector<int64_t> list;
  if (e.kind == ExprKind::Colon) {
    for (int64_t i = 1; i <= whole; ++i) list.push_back(i);
    return list;
  }
  std::vector<std::optional<double>> bounds;
  {
    const EndScope end(em.ends, {E(0L), Type::array(Cls::Double, t.ext), k, n});
    if (e.kind == ExprKind::Range)
      for (const ExprPtr& a : e.args) bounds.push_back(expr(em, a).t.number);
    else
      bounds.push_back(expr(em, e).t.number);
  }
  for (const auto& b : bounds)
    if (!b || *b != std::floor(*b) || std::abs(*b) > 1e6)
      em.refuse(e.pos, "an element of a cell array whose number is not known when the function is compiled");
  if (bounds.size() == 1) return {static_cast<int64_t>(*bounds[0])};
  const double step = bounds.size() == 3 ? *bounds[1] : 1;
  if (step == 0) return list;
  for (double v = *bounds[0]; step > 0 ? v <= *bounds.back() : v >= *bounds.back(); v += step) {
    if (static_cast<int64_t>(list.size()) > kMostParts) em.refuse(e.pos, "too many elements of a cell array");
    list.push_back(static_cast<int64_t>(v));
  }
  return list;
}

struct Selection {
  std::vector<int64_t> numbers;  ///< of parts, from 1
  std::vector<int64_t> ext;      ///< of what is selected
};

Selection selection(Emitter& em, const Expr& e, const Type& t) {
  const size_t n = e.args.size() - 1;
  if (n == 1) {
    Selection s{selected(em, *e.args[1], t, 0, 1, t.count()), {}};
    const auto count = static_cast<int64_t>(s.numbers.size());
    const bool down = e.args[1]->kind == ExprKind::Colon || (t.ext[1] == 1 && t.ext[0] > 1);
    s.ext = down ? std::vector<int64_t>{count, 1} : std::vector<int64_t>{1, count};
    return s;
  }
  if (n != 2) em.refuse(e.pos, "more than two subscripts of a cell array");
  const auto rows = selected(em, *e.args[1], t, 0, 2, t.ext[0]), columns = selected(em, *e.args[2], t, 1, 2, t.ext[1]);
  Selection s{{}, {static_cast<int64_t>(rows.size()), static_cast<int64_t>(columns.size())}};
  for (int64_t j : columns)
    for (int64_t i : rows) {
      if (i < 1 || i > t.ext[0] || j < 1 || j > t.ext[1])
        em.refuse(e.pos, "an element of a cell array that is not there");
      s.numbers.push_back(i + (j - 1) * t.ext[0]);
    }
  return s;
}

std::optional<std::string> path_of(Emitter& em, const Expr& e) {
  if (e.kind == ExprKind::Name) return em.is_variable(e.text) ? std::optional(e.text) : std::nullopt;
  if (e.kind != ExprKind::Field && e.kind != ExprKind::Brace) return std::nullopt;
  const auto base = path_of(em, *e.args[0]);
  if (!base) return std::nullopt;
  const Var& var = em.env.at(*base);
  if (var.maybe || !var.t.lost.empty()) return std::nullopt;
  std::string path;
  if (e.kind == ExprKind::Field) {
    if (var.t.cls != Cls::Struct) return std::nullopt;
    path = *base + "." + field_name(em, e);
  } else {
    if (var.t.cls != Cls::Cell) return std::nullopt;
    const Type t = var.t;
    const Selection s = selection(em, e, t);
    if (s.numbers.size() != 1) return std::nullopt;
    path = *base + "{" + std::to_string(s.numbers[0]) + "}";
  }
  return em.is_variable(path) ? std::optional(path) : std::nullopt;
}

Val part(Emitter& em, const Val& v, int64_t k, Pos pos) {
  if (k < 1 || k > static_cast<int64_t>(v.parts.size())) em.refuse(pos, "an element of a cell array that is not there");
  return v.parts[static_cast<size_t>(k) - 1];
}

}  // namespace

Val cell_value(Emitter& em, const Expr& e) {
  if (e.rows.size() == 1 && e.rows[0].size() == 1)
    if (const std::optional<Val> all = all_of_field(em, *e.rows[0][0])) return *all;
  std::vector<Vals> rows;
  for (const auto& row : e.rows) {
    Vals parts;
    for (const ExprPtr& x : row) {
      if (x->kind == ExprKind::Brace)
        for (Val& each : several(em, *x, 1)) parts.push_back(std::move(each));
      else
        parts.push_back(expr(em, x));
    }
    for (const Val& v : parts)
      if (!v.t.lost.empty()) em.refuse(e.pos, v.t.lost);
    if (!parts.empty()) rows.push_back(std::move(parts));
  }
  if (rows.empty()) return cell_of({0, 0}, {});
  Vals all;
  for (size_t j = 0; j < rows[0].size(); ++j)
    for (const Vals& row : rows) {
      if (row.size() != rows[0].size()) em.refuse(e.pos, "rows of a cell array of different lengths");
      all.push_back(row[j]);
    }
  if (static_cast<int64_t>(all.size()) > kMostParts) em.refuse(e.pos, "a cell array of more than 256 elements");
  return cell_of({static_cast<int64_t>(rows.size()), static_cast<int64_t>(rows[0].size())}, std::move(all));
}

Val field_value(Emitter& em, const Expr& e) {
  if (const auto path = path_of(em, e)) return em.read(*path, e.pos);
  if (const auto field = structs_field(em, e)) return *field;
  const Val v = expr(em, e.args[0]);
  if (!v.t.lost.empty()) em.refuse(e.pos, v.t.lost);
  if (v.t.cls != Cls::Struct) em.refuse(e.pos, "a field of what is no structure");
  const std::string name = field_name(em, e);
  for (size_t k = 0; k < v.t.fields.size(); ++k)
    if (v.t.fields[k] == name) return v.parts[k];
  em.refuse(e.pos, "a field '" + name + "' that is not there");
}

// c{...}: the elements, each a value.
std::vector<Val> cell_elements(Emitter& em, const Expr& e) {
  if (const std::optional<Val> v = variable_element(em, e)) return {*v};
  if (const auto path = path_of(em, e)) return {em.read(*path, e.pos)};
  const Val v = expr(em, e.args[0]);
  if (!v.t.lost.empty()) em.refuse(e.pos, v.t.lost);
  if (v.t.cls == Cls::List) return {*list_element(em, v, e)};
  if (v.t.cls != Cls::Cell) em.refuse(e.pos, "braces behind what is no cell array");
  std::vector<Val> out;
  for (int64_t k : selection(em, e, v.t).numbers) out.push_back(part(em, v, k, e.pos));
  return out;
}

// c(...): a cell array; s(1): the structure.
Val sub_aggregate(Emitter& em, const Val& v, const Expr& e) {
  if (e.args.size() == 1) return v;
  if (v.t.cls == Cls::List || v.t.cls == Cls::Structs) return structs_element(em, v, e);
  if (v.t.cls == Cls::Struct) {
    for (int64_t k : selection(em, e, Type::array(Cls::Double, {1, 1})).numbers)
      if (k != 1) em.refuse(e.pos, "an array of structures");
    return v;
  }
  const Selection s = selection(em, e, v.t);
  Vals parts;
  for (int64_t k : s.numbers) parts.push_back(part(em, v, k, e.pos));
  return cell_of(s.ext, std::move(parts));
}

bool erase_cells(Emitter& em, const Expr& target) {
  const auto path = path_of(em, *target.args[0]);
  if (!path || em.env.at(*path).t.cls != Cls::Cell || em.env.at(*path).maybe || !em.env.at(*path).t.lost.empty())
    return false;
  only_serial(em);
  Val v = em.read(*path, target.pos);
  if (target.args.size() != 2 || (v.t.ext[0] != 1 && v.t.ext[1] != 1)) em.refuse(target.pos, "deletion of these cells");
  const Expr& which = *target.args[1];
  if (which.kind == ExprKind::Colon) em.refuse(target.pos, "deletion of all cells");
  std::vector<int64_t> gone = selection(em, target, v.t).numbers;
  std::sort(gone.begin(), gone.end());
  gone.erase(std::unique(gone.begin(), gone.end()), gone.end());
  const auto n = static_cast<int64_t>(v.parts.size());
  for (auto k = gone.rbegin(); k != gone.rend(); ++k) {
    if (*k < 1 || *k > n) em.refuse(target.pos, "deletion of a cell that is not there");
    v.parts.erase(v.parts.begin() + (*k - 1));
    v.t.parts.erase(v.t.parts.begin() + (*k - 1));
  }
  const auto left = static_cast<int64_t>(v.parts.size());
  v.t.ext = v.t.ext[0] == 1 ? std::vector<int64_t>{1, left} : std::vector<int64_t>{left, 1};
  em.set(*path, v);
  return true;
}

namespace {

/// The aggregate variable of which the target is a part; a new, empty one if it does not exist yet.
std::string container(Emitter& em, const Expr& e, Cls cls) {
  std::string name;
  if (e.kind == ExprKind::Name) {
    name = e.text;
  } else if (e.kind == ExprKind::Field || e.kind == ExprKind::Brace) {
    name = place(em, e);
  } else {
    em.refuse(e.pos, cls == Cls::Struct ? "an array of structures" : "a store into something else than a variable");
  }
  only_serial(em);
  auto it = em.env.find(name);
  const bool nothing = it != em.env.end() && !it->second.maybe && it->second.t.cls == Cls::Double &&
                       it->second.t.lost.empty() && it->second.t.ext == std::vector<int64_t>{0, 0};
  if (it == em.env.end() || nothing) {
    Val v{Type::scalar(cls)};
    if (cls == Cls::Cell) v.t.ext = {0, 0};
    em.set(name, v);
    it = em.env.find(name);
  }
  Var& var = it->second;
  if (!var.t.lost.empty()) em.refuse(e.pos, "'" + name + "': " + var.t.lost);
  if (var.t.cls != cls)
    em.refuse(e.pos, cls == Cls::Cell ? "braces behind what is no cell array" : "a field of what is no structure");
  if (var.maybe) {
    em.guard(!em.flag(name), "'" + name + "' undefined");
    em.env.at(name).maybe = false;
  }
  return name;
}

}  // namespace

std::string place(Emitter& em, const Expr& target) {
  if (target.kind == ExprKind::Field) {
    const std::string field = field_name(em, target), name = container(em, *target.args[0], Cls::Struct);
    std::vector<std::string>& fields = em.env.at(name).t.fields;
    if (std::find(fields.begin(), fields.end(), field) == fields.end()) fields.push_back(field);
    return name + "." + field;
  }
  if (target.args.size() < 2) em.refuse(target.pos, "a store without subscripts");
  if (uses_end(em, target) && !path_of(em, *target.args[0]))
    em.refuse(target.pos, "'end' of a variable that is not there yet");
  const std::string name = container(em, *target.args[0], Cls::Cell);
  const Type t = em.env.at(name).t;
  const Selection s = selection(em, target, t);
  if (s.numbers.size() != 1 || s.numbers[0] < 1) em.refuse(target.pos, "a store into several elements of a cell array");
  const int64_t k = s.numbers[0], had = t.count();
  if (k > kMostParts) em.refuse(target.pos, "a cell array of more than 256 elements");
  for (int64_t i = had; i < k; ++i) {
    if (i + 1 < k) em.set(name + "{" + std::to_string(i + 1) + "}", empty_array(em, target.pos));
    em.env.at(name).t.ext =
        t.ext[1] == 1 && t.ext[0] > 1 ? std::vector<int64_t>{i + 1, 1} : std::vector<int64_t>{1, i + 1};
  }
  if (k > had && t.ext[0] > 1 && t.ext[1] != 1) em.refuse(target.pos, "a cell array with rows that grows");
  return name + "{" + std::to_string(k) + "}";
}

// ---------------------------------------------------------------- builtins

namespace {

Val structure(Emitter& em, Vals& args, Pos pos) {
  Val s{Type::scalar(Cls::Struct)};
  if (args.size() % 2) em.refuse(pos, "'struct' with an odd number of arguments");
  for (size_t k = 1; k < args.size(); k += 2)
    if (args[k].t.cls == Cls::List || (args[k].t.cls == Cls::Cell && args[k].parts.size() != 1))
      return structs_of(em, args, pos);
  for (size_t k = 0; k < args.size(); k += 2) {
    if (!args[k].t.text) em.refuse(pos, "a field whose name is computed");
    Val v = args[k + 1];
    if (v.t.cls == Cls::Cell) {
      if (v.parts.size() != 1) em.refuse(pos, "an array of structures");
      v = Val(v.parts[0]);
    }
    const auto same = std::find(s.t.fields.begin(), s.t.fields.end(), *args[k].t.text);
    if (same != s.t.fields.end()) em.refuse(pos, "'struct' with a field twice");
    s.t.fields.push_back(*args[k].t.text);
    s.t.parts.push_back(v.t);
    s.parts.push_back(std::move(v));
  }
  return s;
}

/// One array of scalars, one for each cell.
Val uniform(Emitter& em, const std::vector<int64_t>& ext, Vals parts, Pos pos) {
  const int64_t rows = ext[0], columns = ext[1];
  if (parts.empty())
    return em.value(Type::array(Cls::Double, ext),
                    em.f->zeros(ir::f64_array(2, ir::Layout::ColMajor),
                                {E(static_cast<long>(rows)), E(static_cast<long>(columns))}));
  for (Val& v : parts) {
    if (v.t.is_aggregate() || v.t.cls == Cls::Char || v.t.cls == Cls::Handle || v.t.mixed)
      em.refuse(pos, "'cellfun' whose results are no numbers");
    if (v.t.cls != parts[0].t.cls) em.refuse(pos, "'cellfun' with results of several classes");
    if (v.t.complex) em.refuse(pos, "'cellfun' with complex results");
    v = em.scalar_number(v, pos, "a result of the function");
  }
  Val all = join_arrays(em, true, std::move(parts), pos);
  if (rows == 1) return all;
  all.t.ext = {rows, columns};
  return {all.t, em.f->lib("reshape", {all.e, E(static_cast<long>(rows)), E(static_cast<long>(columns))})};
}

bool cellfun(Emitter& em, Vals args, int nargout, Pos pos, Vals& out) {
  if (args.size() < 2) em.refuse(pos, "'cellfun' with these arguments");
  if (args.size() == 3 && args[0].t.text == "isclass" && args[1].t.cls == Cls::Cell && args[2].t.text) {
    Vals truths;
    for (const Val& p : args[1].parts) {
      if (!p.t.lost.empty() || p.t.mixed) em.refuse(pos, "'cellfun' of a class that is not known");
      truths.push_back(em.truth(*args[2].t.text == class_name(p.t.cls)));
    }
    if (truths.empty()) em.refuse(pos, "'cellfun' of no cells");
    return out.push_back(uniform(em, args[1].t.ext, std::move(truths), pos)), true;
  }
  bool together = true;
  while (args.size() >= 4 && args[args.size() - 2].t.cls == Cls::Char) {
    const Type &option = args[args.size() - 2].t, &value = args.back().t;
    if (option.text != "UniformOutput" || !value.number) em.refuse(pos, "an option of 'cellfun'");
    together = *value.number != 0;
    args.resize(args.size() - 2);
  }
  for (size_t k = 1; k < args.size(); ++k)
    if (args[k].t.cls != Cls::Cell || args[k].t.ext != args[1].t.ext)
      em.refuse(pos, "'cellfun' of what is no cell array, or of several that differ in size");
  const auto wanted = static_cast<size_t>(std::max(nargout, 1));
  std::vector<Vals> results(wanted);
  for (size_t i = 0; i < args[1].parts.size(); ++i) {
    Vals given;
    for (size_t k = 1; k < args.size(); ++k) given.push_back(args[k].parts[i]);
    Vals r;
    if (args[0].t.closure)
      r = call_closure(em, args[0].t.closure, std::move(given), static_cast<int>(wanted), pos);
    else if (args[0].t.text)
      r = call(em, *args[0].t.text, std::move(given), static_cast<int>(wanted), pos);
    else
      em.refuse(pos, "'cellfun' of a function that is not known");
    if (!em.alive) throw NotYet{};
    if (r.size() < wanted) em.refuse(pos, "'cellfun' of a function without so many results");
    for (size_t k = 0; k < wanted; ++k) results[k].push_back(kept(em, r[k], "each"));
  }
  for (Vals& each : results)
    out.push_back(together ? uniform(em, args[1].t.ext, std::move(each), pos)
                           : cell_of(args[1].t.ext, std::move(each)));
  return true;
}

}  // namespace

bool aggregates(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out) {
  const bool is_struct = !args.empty() && args[0].t.cls == Cls::Struct;
  const bool is_cell = !args.empty() && args[0].t.cls == Cls::Cell;
  if (structs(em, name, args, nargout, pos, out) || lists(em, name, args, nargout, pos, out)) return true;
  if (name == "struct") return out.push_back(structure(em, args, pos)), true;
  if (name == "cell") {
    std::vector<int64_t> ext;
    for (const Val& a : args) {
      if (!a.t.number || *a.t.number != std::floor(*a.t.number) || *a.t.number > static_cast<double>(kMostParts))
        em.refuse(pos, "a cell array of a size that is not known when the function is compiled");
      ext.push_back(std::max<int64_t>(0, static_cast<int64_t>(*a.t.number)));
    }
    if (ext.size() == 1) ext.push_back(ext[0]);
    if (ext.empty()) ext = {0, 0};
    if (ext.size() > 2 || ext[0] * ext[1] > kMostParts) em.refuse(pos, "a cell array of more than 256 elements");
    Vals parts;
    for (int64_t k = 0; k < ext[0] * ext[1]; ++k) {
      parts.push_back(empty_array(em, pos));
      parts.back().t.special = kNewCell;
    }
    return out.push_back(cell_of(ext, std::move(parts))), true;
  }
  if (name == "repmat" && is_cell && (args.size() == 2 || args.size() == 3)) {
    for (size_t k = 1; k < args.size(); ++k)
      if (!args[k].t.number || *args[k].t.number != std::floor(*args[k].t.number) || *args[k].t.number > 256)
        em.refuse(pos, "'repmat' of a cell array by numbers that are not known");
    const auto down = std::max<int64_t>(0, static_cast<int64_t>(*args[1].t.number)),
               across = std::max<int64_t>(0, static_cast<int64_t>(*args.back().t.number));
    const std::vector<int64_t> ext = args[0].t.ext;
    if (ext[0] * down * ext[1] * across > kMostParts) em.refuse(pos, "a cell array of more than 256 elements");
    Vals parts;
    for (int64_t j = 0; j < ext[1] * across; ++j)
      for (int64_t i = 0; i < ext[0] * down; ++i)
        parts.push_back(args[0].parts[static_cast<size_t>(i % ext[0] + (j % ext[1]) * ext[0])]);
    return out.push_back(cell_of({ext[0] * down, ext[1] * across}, std::move(parts))), true;
  }
  if (name == "cellfun") return cellfun(em, args, nargout, pos, out);
  if (name == "iscellstr" && args.size() == 1) {
    const bool texts = is_cell && std::all_of(args[0].t.parts.begin(), args[0].t.parts.end(),
                                              [](const Type& t) { return t.cls == Cls::Char; });
    return out.push_back(em.truth(texts)), true;
  }
  if ((name == "isfield" || name == "getfield") && args.size() == 2 && args[1].t.text) {
    if (!args[0].t.lost.empty()) em.refuse(pos, args[0].t.lost);
    const std::vector<std::string>& fields = args[0].t.fields;
    const auto it = std::find(fields.begin(), fields.end(), *args[1].t.text);
    if (name == "isfield") return out.push_back(em.truth(it != fields.end())), true;
    if (it == fields.end()) em.refuse(pos, "a field '" + *args[1].t.text + "' that is not there");
    return out.push_back(Val(args[0].parts[static_cast<size_t>(it - fields.begin())])), true;
  }
  if ((name == "fieldnames" || name == "numfields" || name == "struct2cell") && is_struct && args.size() == 1) {
    if (name == "numfields") return out.push_back(em.number(static_cast<double>(args[0].t.fields.size()))), true;
    Vals parts = args[0].parts;
    for (size_t k = 0; name == "fieldnames" && k < parts.size(); ++k) parts[k] = {Type::string(args[0].t.fields[k])};
    const auto n = static_cast<int64_t>(parts.size());
    return out.push_back(cell_of({n, 1}, std::move(parts))), true;
  }
  if (name == "rmfield" && is_struct && args.size() == 2 && args[1].t.text) {
    Val s = args[0];
    const auto it = std::find(s.t.fields.begin(), s.t.fields.end(), *args[1].t.text);
    if (it == s.t.fields.end()) em.refuse(pos, "a field '" + *args[1].t.text + "' that is not there");
    const auto k = it - s.t.fields.begin();
    s.t.fields.erase(it);
    s.t.parts.erase(s.t.parts.begin() + k);
    s.parts.erase(s.parts.begin() + k);
    return out.push_back(s), true;
  }
  if (name == "cell2mat" && is_cell && args.size() == 1 && !args[0].parts.empty()) {
    Vals rows;
    const std::vector<int64_t>& ext = args[0].t.ext;
    for (const Val& v : args[0].parts)
      if (!v.t.has_storage() || v.t.cls != args[0].parts[0].t.cls || v.t.cls == Cls::Char)
        em.refuse(pos, "'cell2mat' of these elements");
    for (int64_t i = 0; i < ext[0]; ++i) {
      Vals row;
      for (int64_t j = 0; j < ext[1]; ++j) row.push_back(args[0].parts[static_cast<size_t>(i + j * ext[0])]);
      rows.push_back(join_arrays(em, true, std::move(row), pos));
    }
    return out.push_back(join_arrays(em, false, std::move(rows), pos)), true;
  }
  if ((name == "strcmp" || name == "strcmpi") && args.size() == 2 && (is_cell || args[1].t.cls == Cls::Cell)) {
    const Val &list = is_cell ? args[0] : args[1], &one = is_cell ? args[1] : args[0];
    if (one.t.cls == Cls::Cell || !one.t.lost.empty()) em.refuse(pos, "'" + name + "' of two cell arrays");
    if (list.parts.empty()) {
      const Type t = Type::array(Cls::Logical, list.t.ext);
      return out.push_back(
                 {t, em.f->zeros(storage(t), {E(static_cast<long>(t.ext[0])), E(static_cast<long>(t.ext[1]))})}),
             true;
    }
    Vals truths;
    for (const Val& p : list.parts) {
      Vals two{p, one}, r;
      if (!queries(em, name, two, 1, pos, r)) return false;
      truths.push_back(r[0]);
    }
    return out.push_back(uniform(em, list.t.ext, std::move(truths), pos)), true;
  }
  return false;
}

// ---------------------------------------------------------------- unrolled loops

namespace {

/// Whether a part of an aggregate is selected by a subscript that is not a literal, so that the loop must be unrolled.
bool selects(const Expr& e) {
  if (e.kind == ExprKind::Field && e.args.size() > 1) return true;
  if (e.kind == ExprKind::Brace)
    for (size_t k = 1; k < e.args.size(); ++k) {
      const ExprKind kind = e.args[k]->kind;
      if (kind != ExprKind::Number && kind != ExprKind::Colon) return true;
    }
  for (const ExprPtr& a : e.args)
    if (a && selects(*a)) return true;
  for (const auto& row : e.rows)
    for (const ExprPtr& a : row)
      if (selects(*a)) return true;
  return false;
}
bool selects(const Body& b) {
  for (const StmtPtr& s : b) {
    if (s->value && selects(*s->value)) return true;
    for (const auto* list : {&s->targets, &s->tests})
      for (const ExprPtr& e : *list)
        if (e && selects(*e)) return true;
    for (const Body& inner : s->bodies)
      if (selects(inner)) return true;
  }
  return false;
}

/// break or continue of the loop itself.
bool leaves(const Body& b) {
  for (const StmtPtr& s : b) {
    if (s->kind == StmtKind::Break || s->kind == StmtKind::Continue) return true;
    if (s->kind == StmtKind::For || s->kind == StmtKind::While || s->kind == StmtKind::DoUntil) continue;
    for (const Body& inner : s->bodies)
      if (leaves(inner)) return true;
  }
  return false;
}

int64_t trips(const Val& start, const Val& step, const Val& stop) {
  for (const Val* v : {&start, &step, &stop})
    if (!v->t.number || v->t.cls != Cls::Double || *v->t.number != std::floor(*v->t.number) ||
        std::abs(*v->t.number) > 1e6)
      return -1;
  if (*step.t.number == 0) return -1;
  return std::max<int64_t>(0,
                           static_cast<int64_t>(std::floor((*stop.t.number - *start.t.number) / *step.t.number)) + 1);
}

}  // namespace

bool unrolls(Emitter& em, const Stmt& s, const Val& start, const Val& step, const Val& stop) {
  const int64_t n = trips(start, step, stop), most = em.unrolled.empty() ? 40 : 10;
  return n >= 0 && n <= most && em.unrolled.size() < 2 && em.parallel == 0 && !em.version.function->part &&
         selects(s.bodies[0]) && !leaves(s.bodies[0]);
}

void for_elements(Emitter& em, const Stmt& s, const Val& over) {
  const std::string& name = s.targets[0]->text;
  auto one_cell = [](Val v) { return cell_of({1, 1}, {std::move(v)}); };
  if (over.t.cls == Cls::Struct) {
    E counter = em.temp((name + "_count").c_str(), ir::i64());
    const Val v = kept(em, over, "over");
    return count(em, s, counter, ir::range_to(E(1), E(1)), [&] { em.set(name, v); });
  }
  if (over.t.ext[0] != 1) em.refuse(s.value->pos, "a loop over cells or structures that are no row");
  if (over.t.cls == Cls::Cell) {
    if (over.parts.size() > 40 || em.unrolled.size() > 1 || em.parallel > 0 || leaves(s.bodies[0]) ||
        em.version.function->part)
      em.refuse(s.value->pos, "a loop over so many cells, or which it leaves");
    const Val v = kept(em, over, "over");
    forget_parts(em, name);
    em.env.erase(name);
    for (size_t k = 0; k < v.parts.size() && em.alive; ++k) {
      em.unrolled.push_back(static_cast<int>(k));
      em.set(name, one_cell(v.parts[k]));
      body(em, s.bodies[0]);
      em.unrolled.pop_back();
    }
    return;
  }
  const Val v = kept(em, over, "over");
  const Val* list = &v;
  while (list->t.cls != Cls::List) {
    if (list->parts.empty()) em.refuse(s.value->pos, "a loop over structures without fields");
    list = &list->parts[0];
  }
  E counter = em.temp((name + "_count").c_str(), ir::i64());
  forget_parts(em, name);
  count(em, s, counter, ir::range_to(E(1), em.lib("numel", {list->parts[1].e})), [&] {
    const Val k = em.whole(counter);
    em.set(name, v.t.cls == Cls::List ? one_cell(element_at(em, v, k, s.pos)) : structure_at(em, v, k, s.pos));
  });
}

void unroll(Emitter& em, const Stmt& s, const Val& start, const Val& step, const Val& stop) {
  const std::string& name = s.targets[0]->text;
  const int64_t n = trips(start, step, stop);
  forget_parts(em, name);
  em.env.erase(name);  // as behind a loop that never ran
  for (int64_t k = 0; k < n && em.alive; ++k) {
    em.unrolled.push_back(static_cast<int>(k));
    em.set(name, em.number(*start.t.number + static_cast<double>(k) * *step.t.number));
    body(em, s.bodies[0]);
    em.unrolled.pop_back();
  }
}

}  // namespace vr::matlab
