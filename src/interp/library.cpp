#include "interp/library.hpp"

#include "interp/elementwise.hpp"
#include "ir/library.hpp"
#include "ir/typing.hpp"

#include <fmt/format.h>

namespace vr::interp {

Layout LibraryCall::layout() const { return wanted_layout(ctx, stated); }

ArrayRef LibraryCall::array(size_t k) const {
  if (const ArrayRef* a = args.at(k).array()) return *a;
  const Scalar v = scalar_of(args.at(k), "an argument");
  return array_from(ctx, {v}, v.elem, v.complex, Extents(static_cast<size_t>(conv().mindims), 1), layout(), Order::Row);
}

int64_t LibraryCall::integer(size_t k) const {
  const std::string what = fmt::format("argument {} of '{}'", k + 1, fn.name);
  return int_of(scalar_of(args.at(k), what.c_str()), what.c_str());
}

std::optional<int> LibraryCall::axis(size_t k, int rank) const {
  if (args.size() <= k) return {};
  const int64_t written = integer(k);
  int64_t n = minus(written, conv().indexing);
  if (!matlab() && n < 0) n += rank;  // NumPy: -1 is the last one
  if (n < 0 || (!matlab() && n >= rank))
    fail(Code::OutOfBounds, fmt::format("'{}' along dimension {} of an array of rank {}", fn.name, written, rank));
  n = std::min<int64_t>(n, VR_MAX_RANK);
  return static_cast<int>(n);
}

Extents LibraryCall::extents(size_t from) const {
  Extents e;
  const std::string what = fmt::format("an extent of '{}'", fn.name);
  if (const ArrayRef* v = args.size() == from + 1 ? args[from].array() : nullptr; v && v->size() != 1) {
    if (stated.is_array() && v->size() != stated.rank) wrong_count(static_cast<size_t>(v->size()));
    for (const Scalar& s : elements(*v, linear_order(ctx))) e.push_back(int_of(s, what.c_str()));
  } else {
    for (size_t k = from; k < args.size(); ++k) e.push_back(int_of(scalar_of(args[k], what.c_str()), what.c_str()));
  }
  return e;
}

void LibraryCall::wrong_count(size_t extents) const {
  fail(Code::ShapeMismatch, fmt::format("'{}' of {} extents for {}", fn.name, extents, stated.text()));
}

Datum call_library(Context& ctx, const ir::LibFunction& f, std::vector<Datum> args, const ir::Type& stated) {
  if (args.size() < f.min_args || args.size() > f.max_args)
    fail(Code::Type,
         fmt::format("'{}' takes {} to {} arguments, but got {}", f.name, f.min_args, f.max_args, args.size()));
  for (const Datum& d : args) element_type(d, "an argument");
  const LibraryCall c{ctx, f, args, stated};
  using ir::LibRule;
  switch (f.rule) {
    case LibRule::Elementwise:
      return library_map(c);
    case LibRule::Product:
      return library_product(c);
    case LibRule::LeftQuotient:
    case LibRule::RightQuotient:
      return library_quotient(c);
    case LibRule::Transposed:
      return library_transpose(c);
    case LibRule::Inner:
      return library_inner(c);
    case LibRule::Norm:
      return library_norm(c);
    case LibRule::Outer:
      return library_outer(c);
    case LibRule::Reduced:
      return library_reduce(c);
    case LibRule::Scanned:
      return library_scan(c);
    case LibRule::Count:
      return library_count(c);
    case LibRule::Sizes:
      return library_sizes(c);
    case LibRule::Reshaped:
      return library_reshape(c);
    case LibRule::Element:
      return scalar_of(args[0], "the argument of scalar");
    case LibRule::SideBySide:
      return library_join(c, false);
    case LibRule::Stacked:
      return library_join(c, true);
    case LibRule::Progression:
      return library_progression(c);
    case LibRule::Linspace:
      return library_linspace(c);
    case LibRule::Identity:
      return library_identity(c);
    case LibRule::Filled:
      return library_fill(c);
    case LibRule::Copied: {
      if (args[0].scalar()) return args[0];
      const ArrayRef& a = *args[0].array();
      return copy_array(ctx, a, a.elem(), a.complex(), c.layout());
    }
    case LibRule::Sorted:
      return library_sort(c);
    case LibRule::Found:
      return library_find(c);
    case LibRule::Called:
      return library_called(c);
  }
  fail(Code::Unsupported, fmt::format("the interpreter has no '{}'", f.name));
}

}  // namespace vr::interp
