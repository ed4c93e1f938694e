#include "types.hpp"

#include "emitter.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace vr::matlab {

namespace {
constexpr const char* names[] = {"double",          "single", "logical", "char",   "int8",   "int16",
                                 "int32",           "int64",  "uint8",   "uint16", "uint32", "uint64",
                                 "function_handle", "cell",   "struct",  "cell",   "struct"};

bool same_number(const std::optional<double>& a, const std::optional<double>& b) {
  if (!a || !b) return !a && !b;
  return (std::isnan(*a) && std::isnan(*b)) || (*a == *b && std::signbit(*a) == std::signbit(*b));
}
}  // namespace

const char* class_name(Cls c) { return names[static_cast<int>(c)]; }

std::optional<Cls> class_named(const std::string& name) {
  for (int k = 0; k <= static_cast<int>(Cls::Struct); ++k)
    if (name == names[k]) return static_cast<Cls>(k);
  return std::nullopt;
}

Type Type::scalar(Cls c, bool complex) {
  Type t;
  t.cls = c;
  t.complex = complex;
  return t;
}
Type Type::array(Cls c, std::vector<int64_t> ext, bool complex) {
  Type t = scalar(c, complex);
  while (ext.size() > 2 && ext.back() == 1) ext.pop_back();
  t.ext = std::move(ext);
  return t;
}
Type Type::constant(double v) {
  Type t;
  t.number = v;
  return t;
}
Type Type::string(std::string s, Quotes quotes) {
  Type t = scalar(Cls::Char);
  t.quotes = quotes;
  t.ext = {s.empty() ? 0 : 1, static_cast<int64_t>(s.size())};
  t.text = std::move(s);
  return t;
}

bool Type::is_scalar() const {
  return std::all_of(ext.begin(), ext.end(), [](int64_t n) { return n == 1; });
}
bool Type::is_empty() const {
  return std::any_of(ext.begin(), ext.end(), [](int64_t n) { return n == 0; });
}
int64_t Type::count() const {
  int64_t n = 1;
  for (int64_t e : ext) {
    if (e == 0) return 0;
    if (e < 0 || __builtin_mul_overflow(n, e, &n)) return kAny;
  }
  return n;
}
Type Type::without_constant() const {
  Type t = *this;
  t.number.reset();
  t.sizes.clear();
  return t;
}

std::string Type::text_form() const {
  if (!lost.empty()) return lost;
  if (text) return quotes == Quotes::Double ? '"' + *text + '"' : "'" + *text + "'";
  if (is_aggregate()) {
    std::string list;
    for (size_t k = 0; k < parts.size(); ++k)
      list += (k ? ", " : "") + (k < fields.size() ? fields[k] + ": " : "") + parts[k].text_form();
    if (cls == Cls::List)
      return "list " + Type::array(Cls::Double, ext).text_form() + " of " +
             (element.empty() ? "nothing" : Type::array(Cls::Double, element).text_form()) + " (" + list + ")";
    if (cls == Cls::Structs) return "structs " + Type::array(Cls::Double, ext).text_form() + " (" + list + ")";
    return cls == Cls::Struct ? "struct (" + list + ")"
                              : "{" + std::to_string(ext[0]) + "x" + std::to_string(ext[1]) + ": " + list + "}";
  }
  std::string s = std::string(complex ? "complex " : "") + class_name(cls);
  if (number) return s + " " + std::to_string(*number);
  if (is_scalar()) return s;
  s += " ";
  for (size_t k = 0; k < ext.size(); ++k)
    s += (k ? "x" : "") + (ext[k] >= 0 ? std::to_string(ext[k]) : std::string(ext[k] == kNotOne ? "N" : "?"));
  return s;
}

bool operator==(const Type& a, const Type& b) {
  return a.cls == b.cls && a.complex == b.complex && a.ext == b.ext && same_number(a.number, b.number) &&
         a.text == b.text && a.quotes == b.quotes && a.sizes == b.sizes && a.fields == b.fields && a.parts == b.parts &&
         a.element == b.element && same_closure(a.closure.get(), b.closure.get()) && a.mixed == b.mixed &&
         a.kept_complex == b.kept_complex && a.special == b.special && a.lost == b.lost;
}

std::optional<ir::Elem> elem_of(Cls c) {
  // Integer classes have the names of VRIR's elements.
  static const auto table = [] {
    std::map<Cls, ir::Elem> m = {{Cls::Double, ir::Elem::Float64},
                                 {Cls::Single, ir::Elem::Float32},
                                 {Cls::Logical, ir::Elem::Bool},
                                 {Cls::Char, ir::Elem::UInt8}};
    for (const ir::ElemInfo& e : ir::elem_table)
      if (auto c = class_named(e.name); c && is_integer(*c)) m[*c] = e.elem;
    return m;
  }();
  auto it = table.find(c);
  return it == table.end() ? std::nullopt : std::optional(it->second);
}

ir::Type storage(const Type& t) {
  const ir::Elem e = elem_of(t.cls).value_or(ir::Elem::Float64);
  if (t.is_scalar()) return ir::Type::scalar(e, t.complex);
  return ir::Type::array(e, t.rank(), ir::Layout::ColMajor, t.complex);
}

Type join(const Type& a, const Type& b) {
  if (a == b) return a;
  Type t;
  if (!a.lost.empty() || !b.lost.empty()) {
    t.lost = !a.lost.empty() ? a.lost : b.lost;
    return t;
  }
  const bool numbers =
      (a.cls == Cls::Double || a.cls == Cls::Logical) && (b.cls == Cls::Double || b.cls == Cls::Logical);
  if (a.cls != b.cls && !numbers) {
    t.lost = std::string("it is ") + class_name(std::min(a.cls, b.cls)) + " on one way and " +
             class_name(std::max(a.cls, b.cls)) + " on another";
    return t;
  }
  if (a.cls == Cls::List) {
    t = a;
    for (size_t k = 0; k < t.ext.size(); ++k) t.ext[k] = a.ext[k] == b.ext[k] ? a.ext[k] : kAny;
    if (t.ext[0] == kAny && t.ext[1] == kAny) {
      t = Type();
      t.lost = "it is a row of cells on one way and a column on another";
      return t;
    }
    t.element = a.element.empty() ? b.element : a.element;
    if (!a.element.empty() && !b.element.empty())
      t.element = join(Type::array(Cls::Double, a.element), Type::array(Cls::Double, b.element)).ext;
    for (size_t k = 0; k < a.parts.size(); ++k) t.parts[k] = join(a.parts[k], b.parts[k]);
    return t;
  }
  if (a.is_aggregate()) {
    if (a.fields != b.fields || a.ext != b.ext || a.parts.size() != b.parts.size()) {
      t.lost = a.cls == Cls::Cell ? "it is a cell array of a size that is not known"
                                  : "it is a structure whose fields are not the same on all paths";
      return t;
    }
    t = a;
    for (size_t k = 0; k < a.parts.size(); ++k) t.parts[k] = join(a.parts[k], b.parts[k]);
    return t;
  }
  if (a.cls == Cls::Handle) {
    if (same_closure(a.closure.get(), b.closure.get())) return a;
    t.lost = "it is a function handle that is not the same on all paths";
    return t;
  }
  t.cls = a.cls == b.cls ? a.cls : Cls::Double;
  t.mixed = a.mixed || b.mixed || a.cls != b.cls;
  t.complex = a.complex || b.complex;
  t.kept_complex = a.kept_complex || b.kept_complex;
  t.special = a.special | b.special;
  if (same_number(a.number, b.number)) t.number = a.number;
  if (a.sizes == b.sizes) t.sizes = a.sizes;
  t.ext.assign(std::max(a.ext.size(), b.ext.size()), 1);
  for (size_t k = 0; k < t.ext.size(); ++k) {
    const int64_t x = k < a.ext.size() ? a.ext[k] : 1, y = k < b.ext.size() ? b.ext[k] : 1;
    t.ext[k] = x == y ? x : x != 1 && y != 1 && x != kAny && y != kAny ? kNotOne : kAny;
  }
  return t;
}

std::optional<std::vector<int64_t>> broadcast(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  std::vector<int64_t> r(std::max(a.size(), b.size()), 1);
  for (size_t k = 0; k < r.size(); ++k) {
    const int64_t x = k < a.size() ? a[k] : 1, y = k < b.size() ? b[k] : 1;
    if (x == 1 || y == 1) {
      r[k] = x == 1 ? y : x;
    } else if (x >= 0 && y >= 0) {
      if (x != y) return std::nullopt;
      r[k] = x;
    } else if (x >= 0 || y >= 0) {
      r[k] = std::max(x, y);
    } else {
      r[k] = x == kNotOne || y == kNotOne ? kNotOne : kAny;
    }
  }
  return r;
}

std::optional<Cls> arithmetic_class(Cls a, Cls b) {
  for (Cls c : {a, b})
    if (c >= Cls::Handle) return std::nullopt;
  if (is_integer(a) && is_integer(b)) return a == b ? std::optional(a) : std::nullopt;
  if (is_integer(a)) return a;
  if (is_integer(b)) return b;
  return a == Cls::Single || b == Cls::Single ? Cls::Single : Cls::Double;
}

}  // namespace vr::matlab
