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
  const std::string what = fmt::format("argument {} of '{}'", k + 1, name);
  return int_of(scalar_of(args.at(k), what.c_str()), what.c_str());
}

std::optional<int> LibraryCall::axis(size_t k, int rank) const {
  if (args.size() <= k) return {};
  const int64_t written = integer(k);
  int64_t n = minus(written, conv().indexing);
  if (!matlab() && n < 0) n += rank;  // NumPy: -1 is the last one
  if (n < 0 || (!matlab() && n >= rank))
    fail(Code::OutOfBounds, fmt::format("'{}' along dimension {} of an array of rank {}", name, written, rank));
  n = std::min<int64_t>(n, VR_MAX_RANK);
  return static_cast<int>(n);
}

Extents LibraryCall::extents(size_t from) const {
  Extents e;
  const std::string what = fmt::format("an extent of '{}'", name);
  if (const ArrayRef* v = args.size() == from + 1 ? args[from].array() : nullptr; v && v->size() != 1) {
    if (stated.is_array() && v->size() != stated.rank) wrong_count(static_cast<size_t>(v->size()));
    for (const Scalar& s : elements(*v, linear_order(ctx))) e.push_back(int_of(s, what.c_str()));
  } else {
    for (size_t k = from; k < args.size(); ++k) e.push_back(int_of(scalar_of(args[k], what.c_str()), what.c_str()));
  }
  return e;
}

void LibraryCall::wrong_count(size_t extents) const {
  fail(Code::ShapeMismatch, fmt::format("'{}' of {} extents for {}", name, extents, stated.text()));
}

Datum call_library(Context& ctx, std::string_view name, std::vector<Datum> args, const ir::Type& stated) {
  const ir::LibFunction* f = ir::find_library(name);
  if (!f) fail(Code::Type, fmt::format("the library has no function '{}'", name));
  if (args.size() < f->min_args || args.size() > f->max_args)
    fail(Code::Type,
         fmt::format("'{}' takes {} to {} arguments, here are {}", name, f->min_args, f->max_args, args.size()));
  for (const Datum& d : args) element_type(d, "an argument");
  const LibraryCall c{ctx, name, args, stated};
  switch (f->sort) {
    case ir::LibSort::FloatMap:
    case ir::LibSort::SameMap:
    case ir::LibSort::RealPart:
    case ir::LibSort::Test:
      return library_map(c);
    case ir::LibSort::Arith:
      return library_arith(c);
    case ir::LibSort::Select:
      return library_select(c);
    case ir::LibSort::Matrix:
      return library_matrix(c);
    case ir::LibSort::Reduce:
      return library_reduce(c);
    case ir::LibSort::Scan:
      return library_scan(c);
    case ir::LibSort::Shape:
      return library_shape(c);
    case ir::LibSort::Make:
      return library_make(c);
    case ir::LibSort::Other:
      break;
  }
  if (name == "copy") {
    if (args[0].scalar()) return args[0];
    const ArrayRef& a = *args[0].array();
    return copy_array(ctx, a, a.elem(), a.complex(), c.layout());
  }
  return library_order(c);
}

}  // namespace vr::interp
