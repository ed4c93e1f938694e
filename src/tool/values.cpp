#include "tool/values.hpp"

#include "tool/npy.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <optional>

namespace vr::tool {

namespace {

Error bad(std::string message) { return make_error(Code::Type, std::move(message)); }

/// One element during its conversion: exact for all integers and for double.
struct Element {
  bool integer = false;
  __int128 i = 0;
  double re = 0, im = 0;
  double real() const { return integer ? double(i) : re; }
};

Element load_element(const void* p, Elem elem, bool complex) {
  return ir::visit_elem(elem, [&](auto tag) -> Element {
    using T = typename decltype(tag)::type;
    const double im = complex ? static_cast<double>(load_part<T>(p, 1)) : 0;
    if constexpr (tag.kind == ir::ElemKind::Floating)
      return {false, 0, load_part<T>(p), im};
    else
      return {true, load_part<T>(p), 0, im};
  });
}

/// Integers wrap, floats saturate: VRIR's own rules (docs/vrir.md).
void store_element(void* p, const Element& e, Elem elem, bool complex) {
  ir::visit_elem(elem, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T parts[2];
    if constexpr (tag.kind == ir::ElemKind::Floating) {
      parts[0] = static_cast<T>(e.real()), parts[1] = static_cast<T>(e.im);
    } else {
      parts[0] = static_cast<T>(e.integer ? ir::wrap(static_cast<int64_t>(e.i), elem) : ir::saturate(e.re, elem));
      parts[1] = static_cast<T>(ir::saturate(e.im, elem));
    }
    std::memcpy(p, parts, complex ? sizeof parts : sizeof(T));
  });
}

// ---------------------------------------------------------------- numbers

/// Parses a real number at the start of `s` and removes it from `s`. Integers are exact.
std::optional<Element> take_real(std::string_view& s) {
  bool negative = false;
  std::string_view rest = s;
  if (!rest.empty() && (rest[0] == '+' || rest[0] == '-')) {
    negative = rest[0] == '-';
    rest.remove_prefix(1);
    if (!rest.empty() && (rest[0] == '+' || rest[0] == '-')) return {};
  }
  double d = 0;
  auto [p, ec] = std::from_chars(rest.data(), rest.data() + rest.size(), d);
  if (ec != std::errc()) return {};
  const std::string_view digits(rest.data(), size_t(p - rest.data()));
  Element e{false, 0, negative ? -d : d, 0};
  int64_t i = 0;
  const std::string signed_digits = (negative ? "-" : "") + std::string(digits);
  auto [q, ec2] = std::from_chars(signed_digits.data(), signed_digits.data() + signed_digits.size(), i);
  uint64_t u = 0;
  if (ec2 == std::errc() && q == signed_digits.data() + signed_digits.size())
    e = {true, i, 0, 0};
  else if (auto [r, ec3] = std::from_chars(digits.data(), digits.data() + digits.size(), u);
           !negative && ec3 == std::errc() && r == digits.data() + digits.size())
    e = {true, u, 0, 0};
  rest.remove_prefix(digits.size());
  s = rest;
  return e;
}

/// `3`, `2.5`, `-1e9`, `2i`, `1+2i`, `1-2j`, `true`, `false`; no value if the text is not a number.
std::optional<Element> parse_number(std::string_view s, bool* complex) {
  *complex = false;
  if (s == "true") return Element{true, 1, 0, 0};
  if (s == "false") return Element{true, 0, 0, 0};
  auto imaginary = [](std::string_view t) { return t == "i" || t == "j"; };
  auto first = take_real(s);
  if (!first) return {};
  if (s.empty()) return first;
  *complex = true;
  if (imaginary(s)) return Element{false, 0, 0, first->real()};
  if (s[0] != '+' && s[0] != '-') return {};
  auto second = take_real(s);
  if (!second || !imaginary(s)) return {};
  return Element{false, 0, first->real(), second->real()};
}

/// A number converted to the scalar type; an error if the type cannot represent it.
Result<Value> scalar_value(const Element& e, bool complex, const ir::Type& type, const std::string& text) {
  if (complex && !type.complex) return bad(fmt::format("'{}' is complex, the parameter is {}", text, type.text()));
  const bool wants_integer = !ir::is_float(type.elem);
  const bool whole = e.integer || (std::trunc(e.re) == e.re && std::abs(e.re) < 0x1p64);
  const __int128 i = e.integer ? e.i : whole ? static_cast<__int128>(e.re) : 0;
  auto number = [&](int64_t bits) { return ir::with_integer(bits, type.elem, [](auto v) { return __int128{v}; }); };
  const bool fits = ir::is_float(type.elem) || i == number(ir::wrap(static_cast<int64_t>(i), type.elem));
  if (wants_integer && (!whole || !fits)) {
    return bad(fmt::format("'{}' does not fit the parameter's type {}", text, type.text()));
  }
  vr_value raw = {};
  const Element exact = wants_integer ? Element{true, i, 0, e.im} : e;
  store_element(&raw, exact, type.elem, type.complex);
  return Value::scalar(type.elem, type.complex, raw);
}

// ---------------------------------------------------------------- generated arrays

/// splitmix64: short, well distributed, and the same on all machines.
struct Random {
  uint64_t state;
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  double uniform() { return double(next() >> 11) * 0x1p-53; }  ///< [0, 1)
  double normal() {                                            ///< Box-Muller
    const double u = 1.0 - uniform(), v = uniform();
    return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
  }
};

/// An element type as in arguments of the tool: i32, f64. c128 is complex float64; the number counts bits, as in
/// NumPy's names.
struct ElemName {
  std::string text;
  Elem elem;
  bool complex;
};
const std::vector<ElemName>& elem_names() {
  static const std::vector<ElemName> names = [] {
    std::vector<ElemName> all;
    for (const ir::ElemInfo& e : ir::elem_table) all.push_back({e.abbreviation, e.elem, false});
    for (const ir::ElemInfo& e : ir::elem_table)
      if (ir::is_float(e.elem) && !ir::is_narrow_float(e.elem))
        all.push_back({fmt::format("c{}", 16 * e.bytes), e.elem, true});
    return all;
  }();
  return names;
}

}  // namespace

std::string element_names() {
  std::string text;
  for (const ElemName& n : elem_names()) text += (text.empty() ? "" : " ") + n.text;
  return text;
}

namespace {

enum class Generate { Rand, Randn, Zeros, Ones, Arange, Eye };
constexpr std::pair<std::string_view, Generate> generators[] = {
    {"rand", Generate::Rand}, {"randn", Generate::Randn},   {"zeros", Generate::Zeros},
    {"ones", Generate::Ones}, {"arange", Generate::Arange}, {"eye", Generate::Eye}};

std::optional<std::vector<int64_t>> parse_extents(std::string_view s) {
  std::vector<int64_t> extents;
  while (true) {
    int64_t n = 0;
    auto [p, ec] = std::from_chars(s.data(), s.data() + s.size(), n);
    if (ec != std::errc() || n < 0) return {};
    extents.push_back(n);
    s.remove_prefix(size_t(p - s.data()));
    if (s.empty()) return extents;
    if (s[0] != 'x') return {};
    s.remove_prefix(1);
  }
}

/// `WHAT:ELEM:EXTENTS`; nullopt if WHAT is not the name of a generator.
std::optional<Result<Array>> generate(std::string_view text, Layout layout, uint64_t seed) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return {};
  std::optional<Generate> what;
  for (auto& [name, g] : generators) {
    if (text.substr(0, colon) == name) what = g;
  }
  if (!what) return {};
  auto malformed = [&](std::string_view why) {
    return Result<Array>(bad(fmt::format("'{}': {}; write for example rand:f64:100x200", text, why)));
  };
  const size_t second = text.find(':', colon + 1);
  if (second == std::string_view::npos) return malformed("element type and extents are missing");
  const std::string_view elem_text = text.substr(colon + 1, second - colon - 1);
  const ElemName* type = nullptr;
  for (const ElemName& n : elem_names()) {
    if (n.text == elem_text) type = &n;
  }
  if (!type) return malformed("the element type is not one of " + element_names());
  const auto extents = parse_extents(text.substr(second + 1));
  if (!extents) return malformed("the extents are not numbers with x between");
  if (extents->size() > VR_MAX_RANK) return malformed("at most 16 dimensions are possible");
  if (*what == Generate::Eye && extents->size() != 2) return malformed("eye has two dimensions");

  auto made = Array::zeros(type->elem, *extents, layout, type->complex);
  if (!made) return Result<Array>(bad(fmt::format("'{}': {}", text, made.error().text())));
  Array& a = *made;
  if (*what == Generate::Zeros || a.size() == 0) return made;
  Random random{seed};
  const bool floats = ir::is_float(type->elem);
  std::vector<int64_t> index(extents->size(), 0);
  int64_t n = 0;
  // Values are generated in the order of subscripts, not of memory, so that they do not depend on the layout.
  do {
    Element e;
    switch (*what) {
      case Generate::Rand:
        if (floats)
          e = {false, 0, random.uniform(), type->complex ? random.uniform() : 0};
        else
          e = {true, int64_t(random.next() % (type->elem == Elem::Bool ? 2 : 100)), 0, 0};
        break;
      case Generate::Randn:
        e = {false, 0, random.normal(), type->complex ? random.normal() : 0};
        break;
      case Generate::Arange:
        e = {true, n, 0, 0};
        break;
      case Generate::Eye:
        e = {true, index[0] == index[1], 0, 0};
        break;
      case Generate::Ones:
        e = {true, 1, 0, 0};
        break;
      case Generate::Zeros:
        break;
    }
    store_element(a.at(index), e, type->elem, type->complex);
    ++n;
  } while (next_index(index, *extents));
  return made;
}

bool ends_with_npy(std::string_view s) { return s.size() > 4 && s.substr(s.size() - 4) == ".npy"; }

Result<Value> array_argument(const Array& a, const ir::Type& type, const std::string& text) {
  if (a.rank() != type.rank) {
    return bad(fmt::format("'{}' has {} dimension{}, the parameter is {}", text, a.rank(), a.rank() == 1 ? "" : "s",
                           type.text()));
  }
  auto converted = convert_array(a, type.elem, type.complex, type.layout);
  if (!converted) return bad(fmt::format("'{}': {}", text, converted.error().text()));
  return Value(std::move(*converted));
}

}  // namespace

bool next_index(std::vector<int64_t>& index, std::span<const int64_t> extents) {
  for (size_t k = extents.size(); k-- > 0;) {
    if (++index[k] < extents[k]) return true;
    index[k] = 0;
  }
  return false;
}

Number read_element(const void* address, Elem elem, bool complex) {
  const Element e = load_element(address, elem, complex);
  return {e.real(), e.im};
}

Result<Array> convert_array(const Array& a, Elem elem, bool complex, Layout layout) {
  const bool fits = layout == Layout::Strided || a.contiguous(layout);
  if (a.elem() == elem && a.complex() == complex && fits) return a;
  const Layout order = layout != Layout::Strided        ? layout
                       : a.contiguous(Layout::ColMajor) ? Layout::ColMajor
                                                        : Layout::RowMajor;
  auto made = Array::empty(elem, a.extents(), order, complex);
  if (!made || a.size() == 0) return made;
  std::vector<int64_t> index(size_t(a.rank()), 0);
  do {
    const Element e = load_element(a.at(index), a.elem(), a.complex());
    if (e.im != 0 && !complex) return bad("complex values for a real parameter");
    store_element(made->at(index), e, elem, complex);
  } while (next_index(index, a.extents()));
  return made;
}

Result<std::vector<Value>> copy_values(const std::vector<Value>& values) {
  std::vector<Value> copies;
  for (const Value& v : values) {
    if (!v.array()) {
      copies.push_back(v);
      continue;
    }
    const Array& a = v.array();
    auto copy =
        a.copy(a.contiguous(Layout::ColMajor) && !a.contiguous(Layout::RowMajor) ? Layout::ColMajor : Layout::RowMajor);
    if (!copy) return copy.error();
    copies.emplace_back(a.read_only() ? copy->read_only_view() : std::move(*copy));
  }
  return copies;
}

Result<Value> parse_argument(const Io& io, const std::string& text, const ir::Type& type, uint64_t seed) {
  constexpr std::string_view read_only = "ro:";
  if (type.is_array() && text.starts_with(read_only)) {
    auto v = parse_argument(io, text.substr(read_only.size()), type, seed);
    if (!v) return v;
    return Value(v->array().read_only_view());
  }
  if (!type.is_scalar() && !type.is_array()) {
    return make_error(Code::Unsupported,
                      fmt::format("a parameter of type {} cannot be given on the command line", type.text()));
  }
  bool complex = false;
  const auto number = parse_number(text, &complex);
  if (number) {
    if (type.is_scalar()) return scalar_value(*number, complex, type, text);
    return bad(fmt::format("'{}' is a number, the parameter is {}", text, type.text()));
  }
  const Layout layout = type.is_array() && type.layout == Layout::ColMajor ? Layout::ColMajor : Layout::RowMajor;
  if (auto made = generate(text, layout, seed)) {
    if (!*made) return made->error();
    if (type.is_scalar()) return bad(fmt::format("'{}' is an array, the parameter is {}", text, type.text()));
    return array_argument(**made, type, text);
  }
  if (ends_with_npy(text)) {
    auto bytes = read_file(io, text);
    if (!bytes) return bytes.error();
    bool is_scalar = false;
    auto array = read_npy(*bytes, text, &is_scalar);
    if (!array) return array.error();
    if (type.is_array()) return array_argument(*array, type, text);
    if (!is_scalar) return bad(fmt::format("'{}' is an array, the parameter is {}", text, type.text()));
    return scalar_value(load_element(array->data(), array->elem(), array->complex()), array->complex(), type, text);
  }
  return bad(fmt::format("'{}' is no number, no FILE.npy and nothing generated like rand:f64:100x200", text));
}

Result<std::vector<Value>> parse_arguments(const Io& io, const std::vector<std::string>& texts,
                                           const ir::Type& function, uint64_t seed) {
  const auto& params = function.components();
  if (texts.size() != params.size()) {
    return bad(fmt::format("the function takes {} argument{} ({}), {} given", params.size(),
                           params.size() == 1 ? "" : "s", function.text(), texts.size()));
  }
  std::vector<Value> values;
  for (size_t k = 0; k < texts.size(); ++k) {
    auto v = parse_argument(io, texts[k], params[k], seed + k);
    if (!v) return make_error(v.error().code, fmt::format("argument {}: {}", k + 1, v.error().text()));
    values.push_back(std::move(*v));
  }
  return values;
}

}  // namespace vr::tool
