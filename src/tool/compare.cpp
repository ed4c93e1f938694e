#include "tool/compare.hpp"

#include "tool/show.hpp"
#include "tool/values.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

namespace vr::tool {

namespace {

bool close(double a, double b, double rtol, double scale) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return std::abs(a - b) <= rtol * std::max(std::abs(b), scale);
}

/// Calls f(index) for all elements in row-major order.
template <class F>
void each_element(const Array& a, F&& f) {
  if (a.size() == 0) return;
  std::vector<int64_t> index(size_t(a.rank()), 0);
  do f(index);
  while (next_index(index, a.extents()));
}

bool same_element(const void* a, const void* b, Elem elem, bool complex, double rtol, double scale) {
  if (!ir::is_float(elem)) return std::memcmp(a, b, size_t(ir::elem_bytes(elem)) * (complex ? 2 : 1)) == 0;
  const Number x = read_element(a, elem, complex), y = read_element(b, elem, complex);
  return close(x.re, y.re, rtol, scale) && close(x.im, y.im, rtol, scale);
}

std::string array_difference(const Array& got, const Array& wanted, const Tolerance& tolerance) {
  if (describe(got) != describe(wanted)) return fmt::format("{}, wanted {}", describe(got), describe(wanted));
  const double rtol = tolerance.of(got.elem());
  double scale = 0;
  if (ir::is_float(got.elem())) {
    each_element(wanted, [&](const std::vector<int64_t>& index) {
      const Number n = read_element(wanted.at(index), wanted.elem(), wanted.complex());
      if (std::isfinite(n.re)) scale = std::max(scale, std::abs(n.re));
      if (std::isfinite(n.im)) scale = std::max(scale, std::abs(n.im));
    });
  }
  int64_t count = 0;
  std::string first;
  each_element(wanted, [&](const std::vector<int64_t>& index) {
    if (same_element(got.at(index), wanted.at(index), got.elem(), got.complex(), rtol, scale)) return;
    if (count++ == 0) {
      const Number g = read_element(got.at(index), got.elem(), got.complex());
      const Number w = read_element(wanted.at(index), got.elem(), got.complex());
      first = fmt::format("element ({}) is {}", fmt::join(index, ", "), g.re);
      if (got.complex()) first += fmt::format("{:+}j", g.im);
      first += fmt::format(", wanted {}", w.re);
      if (got.complex()) first += fmt::format("{:+}j", w.im);
    }
  });
  return count == 0 ? "" : fmt::format("{} ({} of {} elements differ)", first, count, wanted.size());
}

}  // namespace

double Tolerance::of(Elem e) const {
  if (e == Elem::Float16) return rtol_float16;
  if (e == Elem::BFloat16) return rtol_bfloat16;
  return e == Elem::Float32 ? rtol_single : rtol_double;
}

std::string difference(const Value& got, const Value& wanted, const Tolerance& tolerance) {
  if (bool(got.array()) != bool(wanted.array())) return fmt::format("{}, wanted {}", describe(got), describe(wanted));
  if (got.array()) return array_difference(got.array(), wanted.array(), tolerance);
  if (got.type() != wanted.type()) return fmt::format("{}, wanted {}", describe(got), describe(wanted));
  if (!got.is_scalar()) return "";
  const ir::Type& t = got.type();
  const double rtol = tolerance.of(t.elem);
  if (same_element(&got.raw(), &wanted.raw(), t.elem, t.complex, rtol, 0)) return "";
  return fmt::format("{}, wanted {}", show(got), show(wanted));
}

std::string difference(const std::vector<Value>& got, const std::vector<Value>& wanted, const Tolerance& tolerance) {
  if (got.size() != wanted.size()) return fmt::format("{} results, wanted {}", got.size(), wanted.size());
  for (size_t k = 0; k < got.size(); ++k) {
    const std::string d = difference(got[k], wanted[k], tolerance);
    if (!d.empty()) return fmt::format("result {}: {}", k + 1, d);
  }
  return "";
}

}  // namespace vr::tool
