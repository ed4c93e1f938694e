#include "tool/show.hpp"

#include "tool/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace vr::tool {

namespace {

/// The shortest text that reads back as the same narrow float.
template <class T>
std::string shortest(T v) {
  const auto wide = static_cast<double>(static_cast<float>(v));
  for (int digits = 1;; ++digits) {
    std::string s = fmt::format("{:.{}g}", wide, digits);
    if (digits == 9 || T(std::strtod(s.c_str(), nullptr)).bits == v.bits) return s;
  }
}

/// precision 0: the shortest text that reads back as the same number.
template <class T>
std::string float_text(T v, int precision) {
  if (std::isnan(v)) return "nan";
  if (std::isinf(v)) return v < 0 ? "-inf" : "inf";
  std::string s;
  if constexpr (std::is_floating_point_v<T>)
    s = precision > 0 ? fmt::format("{:.{}g}", v, precision) : fmt::format("{}", v);
  else
    s = precision > 0 ? fmt::format("{:.{}g}", static_cast<float>(v), precision) : shortest(v);
  if (s.find_first_of(".en") == std::string::npos) s += '.';
  return s;
}

std::string real_text(const void* p, Elem elem, int part, int precision) {
  return ir::visit_elem(elem, [&](auto tag) -> std::string {
    const auto v = load_part<typename decltype(tag)::type>(p, part);
    if constexpr (tag.kind == ir::ElemKind::Logical) return v ? "True" : "False";
    if constexpr (tag.kind == ir::ElemKind::Floating)
      return float_text(v, precision);
    else
      return fmt::format("{}", v);
  });
}

std::string element_text(const void* p, Elem elem, bool complex, int precision) {
  std::string re = real_text(p, elem, 0, precision);
  if (!complex) return re;
  const std::string im = real_text(p, elem, 1, precision);
  return fmt::format("{}{}{}j", re, im[0] == '-' ? "" : "+", im);
}

/// Walks the shown elements in row-major order.
class ArrayPrinter {
 public:
  ArrayPrinter(const Array& a, const ShowOptions& options) : array_(a), options_(options), index_(size_t(a.rank()), 0) {
    abbreviate_ = a.size() > options.threshold;
    visit(0, [&](const std::string& text) { width_ = std::max(width_, text.size()); });
  }

  std::string text() {
    out_.clear();
    print(0);
    return out_;
  }

 private:
  /// Calls f(k) for the subscripts along `dim` that are shown, and gap() where some are omitted.
  template <class F, class G>
  void each(int dim, F&& f, G&& gap) {
    const int64_t n = array_.extent(dim), edge = options_.edge;
    const bool cut = abbreviate_ && n > 2 * edge;
    for (int64_t k = 0; k < n; ++k) {
      if (cut && k == edge) {
        gap();
        k = n - edge;
      }
      f(k);
    }
  }

  std::string element() { return element_text(array_.at(index_), array_.elem(), array_.complex(), options_.precision); }

  template <class F>
  void visit(int dim, F&& f) {
    each(
        dim,
        [&](int64_t k) {
          index_[size_t(dim)] = k;
          if (dim + 1 == array_.rank())
            f(element());
          else
            visit(dim + 1, f);
        },
        [] {});
  }

  void print(int dim) {
    const bool last = dim + 1 == array_.rank();
    bool first = true;
    auto separate = [&] {
      if (!std::exchange(first, false)) out_ += last ? " " : "\n" + std::string(size_t(dim) + 1, ' ');
    };
    out_ += '[';
    each(
        dim,
        [&](int64_t k) {
          separate();
          index_[size_t(dim)] = k;
          if (last)
            out_ += fmt::format("{:>{}}", element(), width_);
          else
            print(dim + 1);
        },
        [&] {
          separate();
          out_ += "...";
        });
    out_ += ']';
  }

  const Array& array_;
  const ShowOptions& options_;
  std::vector<int64_t> index_;
  bool abbreviate_ = false;
  size_t width_ = 0;
  std::string out_;
};

}  // namespace

std::string show(const Array& a, const ShowOptions& options) {
  if (a.size() == 0) return "[]";
  return ArrayPrinter(a, options).text();
}

std::string show(const Value& v, const ShowOptions& options) {
  if (v.array()) return show(v.array(), options);
  if (!v.is_scalar()) return "(no value)";
  const ir::Type& t = v.type();
  const std::string text = element_text(&v.raw(), t.elem, t.complex, options.round_scalars ? options.precision : 0);
  return t.complex ? fmt::format("({})", text) : text;
}

std::string describe(const Array& a) {
  return fmt::format("{}{} ({}{})", a.complex() ? "complex " : "", ir::elem_name(a.elem()),
                     fmt::join(a.extents(), ", "), a.rank() == 1 ? "," : "");
}

std::string describe(const Value& v) { return v.array() ? describe(v.array()) : v.type().text(); }

}  // namespace vr::tool
