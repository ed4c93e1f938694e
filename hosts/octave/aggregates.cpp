#include "aggregates.hpp"

#include "function.hpp"
#include "lambdas.hpp"

#include <octave/Cell.h>
#include <octave/oct-map.h>
#include <octave/ov-fcn-handle.h>
#include <octave/parse.h>

namespace vr::octave_host {

using matlab::Cls;

namespace {

constexpr octave_idx_type kMostCells = 64;
constexpr uint64_t kStructCode = uint64_t{1} << 60, kCellCode = uint64_t{1} << 61;
/// An array of structures, or more cells: of unknown length to the compiler.
constexpr uint64_t kLongCode = uint64_t{1} << 62;

struct Part {
  std::string name;  ///< of a field; empty in a cell array
  octave_value value;
};

std::vector<Part> parts_of(const octave_value& v) {
  std::vector<Part> parts;
  if (v.iscell()) {
    const Cell c = v.cell_value();
    for (octave_idx_type k = 0; k < c.numel(); ++k) parts.push_back({"", c(k)});
    return parts;
  }
  const octave_scalar_map m = v.scalar_map_value();
  const string_vector names = m.fieldnames();
  for (octave_idx_type k = 0; k < names.numel(); ++k) parts.push_back({names(k), m.contents(names(k))});
  return parts;
}

bool plain_text(const octave_value& v) {
  return v.ndims() == 2 && v.rows() <= 1 && (v.rows() == 1) == (v.columns() > 0);
}

/// The end of the step that begins at `from`.
size_t step_end(const std::string& path, size_t from) {
  return std::min(path.find_first_of(".{@", from + 1), path.size());
}

}  // namespace

namespace {

using Extents = std::vector<int64_t>;

Extents vector_of(const octave_value& v) {
  return v.columns() == 1 && v.rows() > 1 ? Extents{matlab::kAny, 1} : Extents{1, matlab::kAny};
}

bool is_structure(const octave_value& v) { return v.isstruct() && !v.isobject() && v.ndims() == 2 && v.numel() == 1; }
bool is_nothing(const octave_value& v) {
  return v.is_double_type() && v.ndims() == 2 && v.rows() == 0 && v.columns() == 0;
}

/// The values of a field of the structures in the cells.
Cell field_of(const Cell& structures, const std::string& name) {
  Cell c(structures.dims());
  for (octave_idx_type k = 0; k < c.numel(); ++k) c(k) = structures(k).scalar_map_value().contents(name);
  return c;
}

/// The type of cells whose elements are of one class, or are structures with the same fields.
std::optional<matlab::Type> column_type(const Cell& cells, const Extents& ext, std::string& why) {
  const octave_idx_type n = cells.numel();
  matlab::Type t = matlab::Type::scalar(Cls::List);
  t.ext = ext;
  if (n > 0 && is_structure(cells(0))) {
    t.cls = Cls::Structs;
    const string_vector names = cells(0).scalar_map_value().fieldnames();
    for (octave_idx_type k = 0; k < n; ++k) {
      const bool fits = is_structure(cells(k)) && cells(k).scalar_map_value().nfields() == names.numel();
      for (octave_idx_type i = 0; fits && i < names.numel(); ++i)
        if (cells(k).scalar_map_value().fieldnames()(i) != names(i)) return std::nullopt;
      if (!fits || names.numel() == 0) return why = "structures with different fields", std::nullopt;
    }
    for (octave_idx_type i = 0; i < names.numel(); ++i) {
      auto column = column_type(field_of(cells, names(i)), ext, why);
      if (!column) return column;
      t.fields.push_back(names(i));
      t.parts.push_back(std::move(*column));
    }
    return t;
  }
  std::optional<matlab::Type> one;
  for (octave_idx_type k = 0; k < n; ++k) {
    const octave_value& v = cells(k);
    if (v.is_defined() && is_nothing(v)) continue;
    const uint64_t code = v.is_defined() && v.ndims() == 2 ? type_code(v) : 0;
    if (!code || is_handle(code)) return why = "cells or fields with elements that are no matrices", std::nullopt;
    const matlab::Type e = type_of(code);
    if (!one) one = e;
    if (one->cls != e.cls || one->complex != e.complex)
      return why = "cells or fields with elements of several classes", std::nullopt;
    for (size_t i = 0; i < 2; ++i)
      if (one->ext[i] != e.ext[i]) one->ext[i] = matlab::kAny;
  }
  const matlab::Type numbers = matlab::Type::array(Cls::Double, {1, matlab::kAny});
  t.fields = {"data", "ends", "rows"};
  t.parts = {numbers, numbers, numbers};
  if (one) {
    t.element = one->ext;
    t.parts[0] = matlab::Type::array(one->cls, {1, matlab::kAny}, one->complex);
  }
  return t;
}

/// The type of a value of unknown length.
std::optional<matlab::Type> long_type(const octave_value& v, std::string& why) {
  if (v.iscell()) return column_type(v.cell_value(), vector_of(v), why);
  matlab::Type t = matlab::Type::scalar(Cls::Structs);
  t.ext = vector_of(v);
  const octave_map m = v.map_value();
  const string_vector names = m.fieldnames();
  for (octave_idx_type i = 0; i < names.numel(); ++i) {
    auto column = column_type(m.contents(names(i)), t.ext, why);
    if (!column) return column;
    t.fields.push_back(names(i));
    t.parts.push_back(std::move(*column));
  }
  return t;
}

/// One of the three arrays that hold cells of unknown length.
octave_value list_part(const Cell& cells, const std::string& part) {
  const octave_idx_type n = cells.numel();
  if (part != "data") {
    NDArray a(dim_vector(1, n));
    double end = 0;
    for (octave_idx_type k = 0; k < n; ++k) {
      end += static_cast<double>(cells(k).numel());
      a(k) = part == "ends" ? end : is_nothing(cells(k)) ? -1.0 : static_cast<double>(cells(k).rows());
    }
    return a;
  }
  octave_value_list rows;
  bool text = false;
  for (octave_idx_type k = 0; k < n; ++k) {
    if (is_nothing(cells(k))) continue;
    text = text || cells(k).is_string();
    rows.append(cells(k).reshape(dim_vector(1, cells(k).numel())));
  }
  if (rows.empty()) return NDArray(dim_vector(1, 0));
  const octave_value all = rows.length() == 1 ? rows(0) : octave::feval("horzcat", rows, 1)(0);
  if (!text) return all;
  const charNDArray c = all.char_array_value();
  uint8NDArray bytes(dim_vector(1, c.numel()));
  for (octave_idx_type k = 0; k < c.numel(); ++k) bytes(k) = octave_uint8(static_cast<unsigned char>(c(k)));
  return bytes;
}

}  // namespace

uint64_t aggregate_code(const octave_value& v) {
  if (v.ndims() != 2 || v.isobject()) return 0;
  const bool vector = v.rows() <= 1 || v.columns() <= 1;
  if (v.iscell()) return v.numel() <= kMostCells ? kCellCode : vector ? kLongCode : 0;
  if (!v.isstruct()) return 0;
  return v.numel() == 1 ? kStructCode : vector && v.nfields() > 0 ? kLongCode : 0;
}
bool is_aggregate(uint64_t code) { return code == kStructCode || code == kCellCode || code == kLongCode; }

bool add_parts(std::string& key, const octave_value& v) {
  if (aggregate_code(v) == kLongCode) {
    std::string why;
    const auto type = long_type(v, why);
    if (type) key += type->text_form();
    return type.has_value();
  }
  key += v.iscell() ? "{" + std::to_string(v.rows()) + "x" + std::to_string(v.columns()) : std::string("(");
  for (const Part& p : parts_of(v)) {
    key += "," + p.name + ":";
    if (aggregate_code(p.value)) {
      if (!add_parts(key, p.value)) return false;
      continue;
    }
    const uint64_t code = p.value.is_defined() ? type_code(p.value) : 0;
    if (!code || (is_text(code) && !plain_text(p.value))) return false;
    key += std::to_string(code);
    if (is_text(code)) key += text_key(p.value);
    if (is_handle(code)) key += handle_key(*const_cast<octave_value&>(p.value).fcn_handle_value());
  }
  key += ";";
  return true;
}

std::optional<matlab::Type> aggregate_type(const octave_value& v, Program& program, std::set<std::string>& texts,
                                           std::string& why) {
  if (aggregate_code(v) == kLongCode) return long_type(v, why);
  matlab::Type t = matlab::Type::scalar(v.iscell() ? Cls::Cell : Cls::Struct);
  if (v.iscell()) t.ext = {v.rows(), v.columns()};
  for (const Part& p : parts_of(v)) {
    const uint64_t code = type_code(p.value);
    std::optional<matlab::Type> type;
    if (aggregate_code(p.value)) {
      type = aggregate_type(p.value, program, texts, why);
    } else if (is_text(code)) {
      type = text_type(p.value);
      texts.insert(p.value.string_value());
    } else if (is_handle(code)) {
      type = handle_type(*const_cast<octave_value&>(p.value).fcn_handle_value(), program, why);
    } else {
      type = type_of(code);
    }
    if (!type) return std::nullopt;
    if (!v.iscell()) t.fields.push_back(p.name);
    t.parts.push_back(std::move(*type));
  }
  return t;
}

octave_value at_path(const octave_value& given, const std::string& path, bool& is_list) {
  octave_value v = given;
  is_list = false;
  for (size_t from = 0; from < path.size();) {
    const size_t end = step_end(path, from);
    const std::string step = path.substr(from + 1, end - from - 1);
    if (path[from] == '@')
      v = captured_by(*v.fcn_handle_value()).at(step);
    else if (path[from] == '{')
      v = octave_value(v.cell_value()(std::stol(step) - 1));
    else if (v.iscell() && v.numel() > 0 && is_structure(v.cell_value()(0)))
      v = octave_value(field_of(v.cell_value(), step));
    else if (v.iscell())
      v = list_part(v.cell_value(), step), is_list = true;
    else if (v.numel() != 1)
      v = octave_value(v.map_value().contents(step));
    else
      v = octave_value(v.scalar_map_value().contents(step));
    from = end;
  }
  return v;
}

namespace {
/// A cell array of unknown length: its elements behind each other, where each ends, and their rows (-1: never
/// assigned).
octave_value listed(const std::vector<Value>& results, size_t& next, const matlab::ResultInfo& info) {
  const octave_value data = result(results[next], info.parts[0]);
  const NDArray ends = result(results[next + 1], info.parts[1]).array_value();
  const NDArray rows = result(results[next + 2], info.parts[2]).array_value();
  next += 3;
  const octave_idx_type n = ends.numel();
  Cell c = info.rows == 1 ? Cell(1, n) : Cell(n, 1);
  for (octave_idx_type k = 0; k < n; ++k) {
    const auto from = static_cast<octave_idx_type>(k ? ends(k - 1) : 0), to = static_cast<octave_idx_type>(ends(k));
    const auto height = static_cast<octave_idx_type>(rows(k));
    if (height < 0) continue;
    RowVector places(to - from);
    for (octave_idx_type i = from; i < to; ++i) places(i - from) = static_cast<double>(i) + 1;
    const octave_value part = octave_value(data).index_op(octave_value_list(octave_value(places)));
    c(k) = part.reshape(dim_vector(height, height ? (to - from) / height : 0));
  }
  return c;
}
}  // namespace

size_t leaves(const matlab::ResultInfo& info) {
  if (info.cls < Cls::Cell) return 1;
  size_t n = 0;
  for (const matlab::ResultInfo& p : info.parts) n += leaves(p);
  return n;
}

namespace {
/// An array of structures: the values of each field are a cell array.
octave_map structures(const std::vector<Value>& results, size_t& next, const matlab::ResultInfo& info) {
  octave_map m;
  for (size_t k = 0; k < info.parts.size(); ++k) {
    Cell column;
    if (info.parts[k].cls == Cls::List) {
      column = listed(results, next, info.parts[k]).cell_value();
    } else {
      const octave_map inner = structures(results, next, info.parts[k]);
      column = Cell(inner.dims());
      for (octave_idx_type i = 0; i < inner.numel(); ++i)
        column(i) = octave_value(octave_scalar_map(inner.checkelem(i)));
    }
    if (k == 0) m = octave_map(column.dims());
    m.setfield(info.fields[k], column);
  }
  return m;
}
}  // namespace

octave_value whole_result(const std::vector<Value>& results, size_t& next, const matlab::ResultInfo& info) {
  if (info.cls == Cls::Structs) {
    const octave_map m = structures(results, next, info);
    return m.numel() == 1 ? octave_value(octave_scalar_map(m.checkelem(0))) : octave_value(m);
  }
  if (info.cls == Cls::Struct) {
    octave_scalar_map m;
    for (size_t k = 0; k < info.parts.size(); ++k)
      m.setfield(info.fields[k], whole_result(results, next, info.parts[k]));
    return m;
  }
  if (info.cls == Cls::Cell) {
    const auto n = static_cast<octave_idx_type>(info.parts.size()), rows = static_cast<octave_idx_type>(info.rows);
    Cell c(rows, rows ? n / rows : 0);
    for (octave_idx_type k = 0; k < n; ++k) c(k) = whole_result(results, next, info.parts[static_cast<size_t>(k)]);
    return c;
  }
  if (info.cls == Cls::List) return listed(results, next, info);
  return result(results[next++], info);
}

}  // namespace vr::octave_host
