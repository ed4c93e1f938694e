// Shapes: size numel length ndims dimvec scalar reshape horzcat vertcat.
#include "interp/elementwise.hpp"
#include "interp/library.hpp"
#include "ir/typing.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace vr::interp {

Datum library_count(const LibraryCall& c) {
  const ArrayRef a = c.array(0);
  if (c.fn.values == ir::LibValue::Elements) return Scalar::integer(a.size());
  if (c.fn.values == ir::LibValue::Rank) return Scalar::integer(a.rank());
  // MATLAB: the longest extent, 0 for an array without elements. NumPy: len(), the first extent.
  if (!c.matlab()) return Scalar::integer(a.extent(0));
  const Extents e = a.extents();
  return Scalar::integer(a.size() == 0 ? 0 : *std::max_element(e.begin(), e.end()));
}

Datum library_sizes(const LibraryCall& c) {
  const ArrayRef a = c.array(0);
  if (auto k = c.axis(1, a.rank())) return Scalar::integer(*k < a.rank() ? a.extent(*k) : 1);
  std::vector<Scalar> r;
  for (int64_t n : a.array.extents()) r.push_back(Scalar::integer(n));
  return vector_from(c.ctx, r, Elem::Int64, false);
}

Datum library_reshape(const LibraryCall& c) {
  const ArrayRef a = c.array(0);
  Extents e = c.extents(1);
  if (e.empty()) fail(Code::ShapeMismatch, "reshape to no dimensions");
  if (c.args.size() == 2 && c.args[1].array() && c.stated.is_array() && e.size() != c.stated.rank)
    c.wrong_count(e.size());
  if (e.size() == 1 && c.matlab()) e.push_back(1);
  for (int64_t n : e)
    if (n < 0) fail(Code::Size, fmt::format("reshape to extent {}", n));
  if (element_count(e) != a.size())
    fail(Code::ShapeMismatch,
         fmt::format("an array of {} cannot become {}", shape_text(a.array.extents()), shape_text(e)));
  const Order order = linear_order(c.ctx);
  return array_from(c.ctx, elements(a, order), a.elem(), a.complex(), e, c.layout(), order);
}

/// Concatenates the arguments along `axis`; the other extents must agree.
Datum library_join(const LibraryCall& c, bool vertical) {
  std::vector<ArrayRef> parts;
  ir::Type t = element_type(c.args[0], "an argument");
  size_t rank = 0;
  for (size_t k = 0; k < c.args.size(); ++k) {
    const ir::Type e = element_type(c.args[k], "an argument");
    t = ir::common_type(t, e);
    parts.push_back(c.array(k));
    rank = std::max(rank, static_cast<size_t>(parts.back().rank()));
  }
  if (vertical) rank = std::max<size_t>(rank, 2);
  // NumPy's hstack concatenates vectors, and vstack stacks them as rows; arrays of more dimensions are concatenated
  // along axis 1 and axis 0.
  const size_t axis = vertical ? 0 : rank == 1 ? 0 : 1;
  std::vector<Extents> shapes;
  for (const ArrayRef& p : parts) {
    Extents e = p.extents();
    while (e.size() < rank) e.insert(c.matlab() ? e.end() : e.begin(), 1);
    shapes.push_back(e);
  }
  // MATLAB: [] can be concatenated with anything; 1 x 0 and 0 x 1 are skipped if they do not match. If all operands are
  // skipped, the result is 0 x 0.
  const bool skips = c.matlab() && rank == 2 && shapes.size() > 1;
  auto nothing = [&](const Extents& e) { return skips && e[0] + e[1] <= 1; };
  auto blank = [&](const Extents& e) { return skips && e[0] + e[1] == 0; };
  auto model = std::find_if_not(shapes.begin(), shapes.end(), nothing);
  const bool all_nothing = model == shapes.end();
  if (all_nothing) model = std::find_if_not(shapes.begin(), shapes.end(), blank);
  const Extents common = model == shapes.end() ? shapes[0] : *model;
  Extents out = common;
  out[axis] = 0;
  bool clash = false;
  for (const Extents& e : shapes) {
    bool fits = true;
    for (size_t k = 0; k < rank; ++k) fits = fits && (k == axis || e[k] == common[k]);
    if (fits) out[axis] += e[axis];
    if (fits || blank(e)) continue;
    if (!nothing(e))
      fail(Code::ShapeMismatch, fmt::format("arrays of {} and {} cannot be joined", shape_text(common), shape_text(e)));
    clash = true;
  }
  if (clash && all_nothing) out.assign(rank, 0);
  ArrayRef r = make_array(c.ctx, t.elem, t.complex, out, c.layout());
  int64_t offset = 0;
  for (size_t k = 0; k < parts.size(); ++k) {
    if (element_count(shapes[k]) == 0) continue;
    const size_t own = static_cast<size_t>(parts[k].rank()), shift = c.matlab() ? 0 : rank - own;
    for_each_index(shapes[k], Order::Row, [&](const Extents& i) {
      const Extents from(i.begin() + static_cast<std::ptrdiff_t>(shift),
                         i.begin() + static_cast<std::ptrdiff_t>(shift + own));
      Extents to = i;
      to[axis] += offset;
      r.put(to, parts[k].at(from));
    });
    offset += shapes[k][axis];
  }
  return r;
}

}  // namespace vr::interp
