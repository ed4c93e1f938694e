#include "interp/cases.hpp"

#include "interp/datum.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

namespace vr::interp {

namespace {

using Json = nlohmann::json;

/// Reads one file; for a malformed part it throws a Fault with the part's path in the file.
class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  CaseFile read(const Json& j) const {
    CaseFile r;
    const Json& name = member(j, "function", "the file");
    if (!name.is_string()) bad("function", "is not a string");
    r.function = name.get<std::string>();
    const Json& cases = member(j, "cases", "the file");
    if (!cases.is_array()) bad("cases", "is not a list");
    for (size_t k = 0; k < cases.size(); ++k) {
      const std::string where = fmt::format("cases[{}]", k);
      r.cases.push_back({values(cases[k], where, "args"), values(cases[k], where, "results")});
    }
    return r;
  }

  [[noreturn]] void bad(const std::string& where, const std::string& what) const {
    fail(Code::Syntax, fmt::format("{}: {} {}", file_, where, what));
  }

 private:
  const Json& member(const Json& j, const char* name, const std::string& where) const {
    if (!j.is_object()) bad(where, "is not an object");
    auto it = j.find(name);
    if (it == j.end()) bad(where, fmt::format("has no \"{}\"", name));
    return *it;
  }

  std::vector<Value> values(const Json& j, const std::string& where, const char* name) const {
    const Json& list = member(j, name, where);
    if (!list.is_array()) bad(fmt::format("{}.{}", where, name), "is not a list");
    std::vector<Value> r;
    for (size_t k = 0; k < list.size(); ++k) r.push_back(value(list[k], fmt::format("{}.{}[{}]", where, name, k)));
    return r;
  }

  Elem element_class(const Json& j, const std::string& where) const {
    // MATLAB's classes. The names of the floating types and of logical are MATLAB's own; those of integers are VRIR's.
    std::string names;
    for (const ir::ElemInfo& e : ir::elem_table) {
      const std::string name = e.elem == Elem::Float64   ? "double"
                               : e.elem == Elem::Float32 ? "single"
                               : e.elem == Elem::Bool    ? "logical"
                                                         : e.name;
      if (j == name) return e.elem;
      names += (names.empty() ? "" : ", ") + name;
    }
    bad(where + ".class", "is not one of " + names);
  }

  Scalar number(const Json& j, Elem e, const std::string& where) const {
    double d;
    if (j.is_number_integer() && !(j.is_number_unsigned() && j.get<uint64_t>() > INT64_MAX)) {
      const int64_t i = j.get<int64_t>();
      const Scalar s = Scalar::integer(i, e);
      if (!s.floating() && (s.re.i != i || (i < 0 && ir::is_unsigned(e)))) bad(where, fmt::format("{} does not fit {}", i, ir::elem_name(e)));
      return s;
    }
    if (j.is_number_unsigned() && e == Elem::UInt64) return Scalar::integer(static_cast<int64_t>(j.get<uint64_t>()), e);
    if (j.is_number()) {
      d = j.get<double>();
    } else if (j.is_boolean()) {
      d = j.get<bool>();
    } else if (j == "nan" || j == "-nan") {
      d = std::numeric_limits<double>::quiet_NaN();
    } else if (j == "inf" || j == "-inf") {
      d = (j == "inf" ? 1 : -1) * std::numeric_limits<double>::infinity();
    } else {
      bad(where, "is not a number");
    }
    const Scalar s = Scalar::real(d, e);
    if (!s.floating() && s.real_part() != d) bad(where, fmt::format("{} does not fit {}", d, ir::elem_name(e)));
    return s;
  }

  std::vector<Scalar> numbers(const Json& j, Elem e, int64_t count, const std::string& where) const {
    // A single number may be written without its list.
    if (!j.is_array()) {
      if (count != 1) bad(where, "is not a list");
      return {number(j, e, where)};
    }
    if (static_cast<int64_t>(j.size()) != count)
      bad(where, fmt::format("has {} elements where dims say {}", j.size(), count));
    std::vector<Scalar> r;
    for (size_t k = 0; k < j.size(); ++k) r.push_back(number(j[k], e, fmt::format("{}[{}]", where, k)));
    return r;
  }

  Value value(const Json& j, const std::string& where) const {
    const Elem e = element_class(member(j, "class", where), where);
    const Json& dims = member(j, "dims", where);
    if (!dims.is_array() || dims.empty() || dims.size() > VR_MAX_RANK)
      bad(where + ".dims", "is not a list of 1 to 16 extents");
    Extents extents;
    for (const Json& d : dims) {
      if (!d.is_number_integer() || d.get<int64_t>() < 0)
        bad(where + ".dims", "has an extent that is no natural number");
      extents.push_back(d.get<int64_t>());
    }
    if (extents.size() == 1) extents.push_back(1);
    int64_t count = 1;
    for (int64_t n : extents)
      if (__builtin_mul_overflow(count, n, &count)) bad(where + ".dims", "are too large");
    std::vector<Scalar> re = numbers(member(j, "re", where), e, count, where + ".re"), im;
    const bool complex = j.contains("im");
    if (complex) im = numbers(j["im"], e, count, where + ".im");
    auto made = Array::zeros(e, extents, Layout::ColMajor, complex);
    if (!made) bad(where, made.error().text());
    size_t k = 0;
    for_each_index(extents, Order::Column, [&](const Extents& i) {
      Scalar v = convert(re[k], e, complex);
      if (complex) v.im = im[k].re;
      store(made->at(i), v);
      ++k;
    });
    return Value(std::move(*made));
  }

  const std::string& file_;
};

Error to_error(const Fault& f) { return make_error(f.record.code, f.record.message); }

}  // namespace

Result<CaseFile> parse_cases(std::string_view text, const std::string& file) {
  try {
    return Reader(file).read(Json::parse(text));
  } catch (const Fault& f) {
    return to_error(f);
  } catch (const nlohmann::json::exception& e) {
    return make_error(Code::Syntax, fmt::format("{}: not JSON: {}", file, e.what()));
  }
}

Result<CaseFile> load_cases(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf())) return make_error(Code::NotFound, fmt::format("cannot read '{}'", path));
  return parse_cases(text.str(), path);
}

namespace {

Datum datum_of(const Value& v) {
  if (v.is_scalar()) return from_value(v);
  if (v.array()) return ArrayRef{v.array(), nullptr, Layout::Strided};
  fail(Code::Type, "the value is neither a number nor a vr::Array");
}

/// The extents of `e` for an array of `rank` dimensions: extents of 1 are added at the end, or omitted, trailing ones
/// first.
std::optional<Extents> fit_rank(Extents e, size_t rank) {
  while (e.size() > rank && e.back() == 1) e.pop_back();
  for (size_t k = e.size(); k-- > 0 && e.size() > rank;)
    if (e[k] == 1) e.erase(e.begin() + static_cast<std::ptrdiff_t>(k));
  if (e.size() > rank) return {};
  e.resize(rank, 1);
  return e;
}

Value fit(const Value& value, const ir::Type& type) {
  const Datum d = datum_of(value);
  const ir::Type is = d.type();
  if (!type.is_numeric()) fail(Code::Unsupported, fmt::format("a parameter of type {} cannot be given", type.text()));
  if (is.complex && !type.complex)
    fail(Code::Type, fmt::format("a complex value for a parameter of type {}", type.text()));
  if (type.is_scalar()) return to_value(convert(scalar_of(d, "the argument"), type));
  Context ctx;
  const Layout layout = type.layout == Layout::RowMajor ? Layout::RowMajor : Layout::ColMajor;
  if (const Scalar* s = d.scalar()) {
    return Value(array_from(ctx, {*s}, type.elem, type.complex, Extents(type.rank, 1), layout, Order::Row).array);
  }
  const ArrayRef& a = *d.array();
  const std::optional<Extents> extents = fit_rank(a.extents(), type.rank);
  if (!extents)
    fail(Code::Type,
         fmt::format("an array of {} for a parameter of type {}", shape_text(a.array.extents()), type.text()));
  if (*extents == a.extents() && a.elem() == type.elem && a.complex() == type.complex &&
      a.array.contiguous(type.layout))
    return value;
  return Value(
      array_from(ctx, elements(a, Order::Column), type.elem, type.complex, *extents, layout, Order::Column).array);
}

Extents comparable_extents(const Datum& d) {
  if (d.scalar()) return {};
  Extents e = d.array()->extents();
  while (!e.empty() && e.back() == 1) e.pop_back();
  return e;
}

std::vector<Scalar> comparable_elements(const Datum& d) {
  if (const Scalar* s = d.scalar()) return {*s};
  return elements(*d.array(), Order::Column);
}

bool close(double a, double b, double tolerance) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::abs(a - b) <= tolerance;
}

std::string text_of(const Scalar& v) {
  std::string s = v.floating() ? fmt::format("{}", v.re.f) : ir::with_integer(v.re.i, v.elem, [](auto i) { return std::to_string(i); });
  if (v.complex) s += fmt::format("{:+}i", v.imag_part());
  return s;
}

double usual_tolerance(Elem e) {
  if (e == Elem::BFloat16) return 1.6e-2;
  if (e == Elem::Float16) return 2e-3;
  return e == Elem::Float32 ? 1e-5 : 1e-12;
}

std::string difference(const Datum& expected, const Datum& got, std::optional<double> rtol) {
  const Extents want = comparable_extents(expected), have = comparable_extents(got);
  if (want != have) {
    auto text = [](const Datum& d) {
      return d.scalar() ? std::string("a number") : shape_text(d.array()->array.extents());
    };
    return fmt::format("shape is {}, expected {}", text(got), text(expected));
  }
  const ir::Type t = expected.type(), u = got.type();
  const bool exact = !ir::is_float(t.elem);
  const double relative = rtol.value_or(std::max(usual_tolerance(t.elem), usual_tolerance(u.elem)));
  const std::vector<Scalar> e = comparable_elements(expected), g = comparable_elements(got);
  double scale = 0;
  for (const Scalar& v : e)
    for (double part : {v.real_part(), v.imag_part()})
      if (std::isfinite(part)) scale = std::max(scale, std::abs(part));
  size_t count = 0;
  std::string first;
  for (size_t k = 0; k < e.size(); ++k) {
    const bool integers = !e[k].floating() && !g[k].floating();
    const double tolerance = exact ? 0 : relative * scale;
    const bool same = integers ? e[k].re.i == g[k].re.i && e[k].imag_part() == g[k].imag_part()
                               : close(e[k].real_part(), g[k].real_part(), tolerance) &&
                                     close(e[k].imag_part(), g[k].imag_part(), tolerance);
    if (!same && count++ == 0)
      first = fmt::format("element {} (column-major) is {}, expected {}", k + 1, text_of(g[k]), text_of(e[k]));
  }
  return count == 0 ? "" : fmt::format("{} ({} of {} elements differ)", first, count, e.size());
}

}  // namespace

Result<Value> fit_argument(const Value& value, const ir::Type& type) {
  try {
    return fit(value, type);
  } catch (const Fault& f) {
    return to_error(f);
  }
}

std::string compare(const Value& expected, const Value& got, std::optional<double> rtol) {
  try {
    return difference(datum_of(expected), datum_of(got), rtol);
  } catch (const Fault& f) {
    return f.record.message;
  }
}

}  // namespace vr::interp
