// Compares the values of two targets.
#include "judge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstring>

namespace vr::smith {

namespace {

template <class T>
bool same_float(const void* a, const void* b, int parts, bool exact) {
  T x[2] = {}, y[2] = {};
  std::memcpy(x, a, sizeof(T) * static_cast<size_t>(parts));
  std::memcpy(y, b, sizeof(T) * static_cast<size_t>(parts));
  const T scale = std::max(std::abs(y[0]), parts == 2 ? std::abs(y[1]) : T(0));
  const T bound = sizeof(T) == 4 ? T(1e-4) : T(1e-11), tiny = sizeof(T) == 4 ? T(1e-36) : T(1e-300);
  for (int k = 0; k < parts; ++k) {
    if (std::isnan(x[k]) && std::isnan(y[k])) continue;
    if (exact || !std::isfinite(x[k]) || !std::isfinite(y[k])) {
      if (exact ? std::memcmp(&x[k], &y[k], sizeof(T)) != 0 : x[k] != y[k]) return false;
    } else if (!(std::abs(x[k] - y[k]) <= bound * scale + tiny)) {
      return false;
    }
  }
  return true;
}

/// The results are rounded to 8 or 11 digits; a small error can round to the adjacent value.
template <class T>
bool same_narrow(const void* a, const void* b, bool exact) {
  T x, y;
  std::memcpy(&x, a, sizeof x);
  std::memcpy(&y, b, sizeof y);
  const auto p = static_cast<float>(x), q = static_cast<float>(y);
  if ((std::isnan(p) && std::isnan(q)) || x.bits == y.bits) return true;
  if (exact || !std::isfinite(p) || !std::isfinite(q)) return !exact && p == q;
  return std::abs(p - q) <= 0x1p-6F * std::max(std::abs(p), std::abs(q)) + 1e-6F;
}

bool same_element(const void* a, const void* b, Elem e, bool complex, bool exact) {
  const int parts = complex ? 2 : 1;
  if (e == Elem::Float32) return same_float<float>(a, b, parts, exact);
  if (e == Elem::Float64) return same_float<double>(a, b, parts, exact);
  if (e == Elem::Float16) return same_narrow<ir::Float16>(a, b, exact);
  if (e == Elem::BFloat16) return same_narrow<ir::BFloat16>(a, b, exact);
  return std::memcmp(a, b, static_cast<size_t>(ir::elem_bytes(e) * parts)) == 0;
}

template <class T>
T part(const void* p, int k) {
  T v;
  std::memcpy(&v, static_cast<const char*>(p) + static_cast<size_t>(k) * sizeof(T), sizeof(T));
  return v;
}
std::string show(const void* p, Elem e, bool complex) {
  std::string text;
  for (int k = 0; k < (complex ? 2 : 1); ++k) {
    if (k) text += " + i ";
    text += ir::visit_elem(e, [&](auto tag) {
      using T = typename decltype(tag)::type;
      if constexpr (tag.kind == ir::ElemKind::Floating) return fmt::format("{}", part<T>(p, k));
      return std::to_string(part<T>(p, k));
    });
  }
  return text;
}

std::string shape(const Array& a) {
  return fmt::format("{}{} {}", a.complex() ? "complex " : "", ir::elem_name(a.elem()), a.extents());
}

}  // namespace

std::string difference(const Value& got, const Value& wanted, bool exact) {
  if (bool(got.array()) != bool(wanted.array())) return "an array on one side only";
  if (!got.array()) {
    const ir::Type &t = got.type(), &w = wanted.type();
    if (!(t == w)) return fmt::format("{}, wanted {}", t.text(), w.text());
    if (same_element(&got.raw(), &wanted.raw(), t.elem, t.complex, exact)) return "";
    return fmt::format("{}, wanted {}", show(&got.raw(), t.elem, t.complex), show(&wanted.raw(), t.elem, t.complex));
  }
  const Array &a = got.array(), &b = wanted.array();
  if (shape(a) != shape(b)) return fmt::format("{}, wanted {}", shape(a), shape(b));
  if (b.size() == 0) return "";
  std::vector<int64_t> at(static_cast<size_t>(b.rank()), 0);
  for (;;) {
    if (!same_element(a.at(at), b.at(at), b.elem(), b.complex(), exact))
      return fmt::format("element {} is {}, wanted {}", at, show(a.at(at), b.elem(), b.complex()),
                         show(b.at(at), b.elem(), b.complex()));
    size_t k = at.size();
    while (k > 0 && ++at[k - 1] == b.extent(static_cast<int>(k - 1))) at[--k] = 0;
    if (k == 0) return "";
  }
}

}  // namespace vr::smith
