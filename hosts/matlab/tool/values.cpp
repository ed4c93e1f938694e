#include "values.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace vr::matlab {

using Json = nlohmann::json;

namespace {

double number(const Json& j) {
  if (j.is_number()) return j.get<double>();
  if (j.is_boolean()) return j.get<bool>();
  const std::string s = j.get<std::string>();
  if (s == "nan" || s == "-nan" || s == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (s == "inf" || s == "Inf") return std::numeric_limits<double>::infinity();
  if (s == "-inf" || s == "-Inf") return -std::numeric_limits<double>::infinity();
  throw std::runtime_error("'" + s + "' is no number");
}

std::vector<double> numbers(const Json& j) {
  if (!j.is_array()) return {number(j)};
  std::vector<double> list;
  for (const Json& x : j) list.push_back(number(x));
  return list;
}

// One element at `p`, as and from double.
double load(const void* p, ir::Elem e) {
  return ir::visit_elem(e, [&](auto tag) {
    typename decltype(tag)::type x;
    std::memcpy(&x, p, sizeof x);
    return static_cast<double>(x);
  });
}
void save(void* p, ir::Elem e, double v) {
  ir::visit_elem(e, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T x;
    if constexpr (std::is_integral_v<T>)
      x = static_cast<T>(ir::saturate(v, e));  // the greatest 64-bit integers are no doubles
    else
      x = static_cast<T>(v);
    std::memcpy(p, &x, sizeof x);
  });
}

bool close(double a, double b, double tolerance) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (a == b) return true;
  if (std::isinf(a) || std::isinf(b)) return false;
  return std::abs(a - b) <= tolerance * std::max({std::abs(a), std::abs(b), 1e-3});
}

}  // namespace

Datum datum(const Json& j) {
  Datum d;
  const std::optional<Cls> cls = class_named(j.at("class").get<std::string>());
  if (!cls) throw std::runtime_error("class " + j.at("class").get<std::string>());
  d.cls = *cls;
  if (d.cls == Cls::Char) {
    d.text = j.at("text").get<std::string>();
    d.dims = {d.text.empty() ? 0 : 1, static_cast<int64_t>(d.text.size())};
    return d;
  }
  d.dims = j.at("dims").get<std::vector<int64_t>>();
  d.re = numbers(j.at("re"));
  if (j.contains("im")) {
    d.complex = true;
    d.im = numbers(j.at("im"));
  }
  int64_t n = 1;
  for (int64_t e : d.dims) n *= e;
  if (n != static_cast<int64_t>(d.re.size()) || (d.complex && d.im.size() != d.re.size()))
    throw std::runtime_error("dims do not go with the elements");
  return d;
}

Type type_of(const Datum& d) {
  if (d.cls == Cls::Char) return Type::string(d.text);
  std::vector<int64_t> ext;
  for (int64_t e : d.dims) ext.push_back(e == 1 ? 1 : kNotOne);
  return Type::array(d.cls, ext, d.complex);
}

Value argument(const Datum& d) {
  const ir::Elem e = elem_of(d.cls).value_or(ir::Elem::Float64);
  const size_t bytes = static_cast<size_t>(ir::elem_bytes(e)), step = bytes * (d.complex ? 2 : 1);
  auto put = [&](void* to, size_t k) {
    save(to, e, d.re[k]);
    if (d.complex) save(static_cast<char*>(to) + bytes, e, d.im[k]);
  };
  const Type t = type_of(d);
  if (t.is_scalar()) {
    vr_value v = {};
    put(&v, 0);
    return Value::scalar(e, d.complex, v);
  }
  auto a = Array::zeros(e, d.dims, Layout::ColMajor, d.complex);
  if (!a) throw std::runtime_error(a.error().text());
  for (size_t k = 0; k < d.re.size(); ++k) put(static_cast<char*>(a->data()) + k * step, k);
  return Value(std::move(*a));
}

Datum result(const Value& v, const ResultInfo& info) {
  Datum d;
  d.cls = info.cls;
  d.complex = info.complex;
  const ir::Elem e = elem_of(info.cls).value_or(ir::Elem::Float64);
  const size_t bytes = static_cast<size_t>(ir::elem_bytes(e)), step = bytes * (info.complex ? 2 : 1);
  const char* from = reinterpret_cast<const char*>(&v.raw());
  size_t n = 1;
  Array copy;
  if (!v.is_scalar()) {
    const Array& a = v.array();
    d.dims.assign(a.extents().begin(), a.extents().end());
    while (d.dims.size() > 2 && d.dims.back() == 1) d.dims.pop_back();
    n = static_cast<size_t>(a.size());
    auto c = a.copy(Layout::ColMajor);
    if (!c) throw std::runtime_error(c.error().text());
    copy = *c;
    from = static_cast<const char*>(copy.data());
  }
  bool narrow = true;
  for (size_t k = 0; k < n; ++k) {
    d.re.push_back(load(from + k * step, e));
    if (!d.complex) continue;
    d.im.push_back(load(from + k * step + bytes, e));
    narrow = narrow && d.im.back() == 0;
  }
  if (d.complex && narrow) {
    d.complex = false;
    d.im.clear();
  }
  if (d.cls == Cls::Char)
    for (double c : d.re) d.text += static_cast<char>(c);
  return d;
}

std::string difference(const Datum& got, const Datum& wanted, double tolerance) {
  if (got.cls != wanted.cls) return std::string("class ") + class_name(got.cls) + " for " + class_name(wanted.cls);
  if (got.cls == Cls::Char) return got.text == wanted.text ? "" : text(got) + " for " + text(wanted);
  if (got.dims != wanted.dims || got.complex != wanted.complex) return text(got) + " for " + text(wanted);
  if (!is_floating(got.cls)) tolerance = 0;
  if (got.cls == Cls::Single) tolerance = std::max(tolerance, 1e-5);
  for (size_t k = 0; k < got.re.size(); ++k)
    if (!close(got.re[k], wanted.re[k], tolerance) || (got.complex && !close(got.im[k], wanted.im[k], tolerance)))
      return "element " + std::to_string(k + 1) + ": " + text(got) + " for " + text(wanted);
  return "";
}

std::string text(const Datum& d) {
  if (d.cls == Cls::Char) return "'" + d.text + "'";
  std::string s = std::string(d.complex ? "complex " : "") + class_name(d.cls) + " ";
  for (size_t k = 0; k < d.dims.size(); ++k) s += (k ? "x" : "") + std::to_string(d.dims[k]);
  s += " [";
  char buffer[80];
  for (size_t k = 0; k < d.re.size(); ++k) {
    if (k == 40) return s + " ...]";
    if (d.complex)
      std::snprintf(buffer, sizeof buffer, "%.15g%+.15gi", d.re[k], d.im[k]);
    else
      std::snprintf(buffer, sizeof buffer, "%.15g", d.re[k]);
    s += (k ? " " : "") + std::string(buffer);
  }
  return s + "]";
}

}  // namespace vr::matlab
