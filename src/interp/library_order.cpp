// sort and find.
#include "interp/arithmetic.hpp"
#include "interp/elementwise.hpp"
#include "interp/library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vr::interp {

namespace {

/// Ascending, NaN last.
bool before(const Scalar& a, const Scalar& b) {
  if (a.is_nan() || b.is_nan()) return !a.is_nan() && b.is_nan();
  if (a.floating()) return a.re.f < b.re.f;
  return ir::with_integer(a.re.i, a.elem, [&](auto v) { return v < static_cast<decltype(v)>(b.re.i); });
}

}  // namespace

Datum library_sort(const LibraryCall& c) {
  const bool positions = c.stated.is_tuple() && c.stated.components().size() == 2;
  if (element_type(c.args[0], "the argument").complex) fail(Code::Type, "sort has no meaning for complex numbers");
  if (const Scalar* v = c.args[0].scalar()) {
    c.axis(1, c.conv().mindims);
    if (!positions) return *v;
    return Datum::tuple({*v, Scalar::integer(c.conv().indexing)});
  }
  const ArrayRef a = c.array(0);
  const Layout layout = positions ? wanted_layout(c.ctx, c.stated.components()[0]) : c.layout();
  Extents e = a.extents();
  ArrayRef values = make_array(c.ctx, a.elem(), false, e, layout),
           where = make_array(c.ctx, Elem::Int64, false, e, layout);
  // MATLAB: along the first dimension longer than 1; NumPy: along the last.
  size_t axis = e.size() - 1;
  if (c.matlab()) {
    axis = 0;
    for (size_t k = e.size(); k-- > 0;)
      if (e[k] != 1) axis = k;
  }
  axis = static_cast<size_t>(c.axis(1, a.rank()).value_or(static_cast<int>(axis)));
  const int64_t n = axis < e.size() ? e[axis] : 1;
  if (axis < e.size() && n > 0) e[axis] = 1;
  for_each_index(e, Order::Row, [&](const Extents& at) {
    std::vector<Scalar> line;
    Extents from = at;
    for (int64_t k = 0; k < n; ++k) {
      if (axis < from.size()) from[axis] = k;
      line.push_back(a.at(from));
    }
    std::vector<int64_t> order(line.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int64_t p, int64_t q) {
      return before(line[static_cast<size_t>(p)], line[static_cast<size_t>(q)]);
    });
    for (int64_t k = 0; k < n; ++k) {
      if (axis < from.size()) from[axis] = k;
      values.put(from, line[static_cast<size_t>(order[static_cast<size_t>(k)])]);
      where.put(from, Scalar::integer(order[static_cast<size_t>(k)] + c.conv().indexing));
    }
  });
  if (!positions) return values;
  return Datum::tuple({values, where});
}

/// Positions of the elements that are not zero: linear subscripts, or with several results rows, columns (and values).
/// MATLAB: a row of the argument gives rows of results, everything else columns.
Datum library_find(const LibraryCall& c) {
  const ArrayRef a = c.array(0);
  const size_t results = c.stated.is_tuple() ? c.stated.components().size() : 1;
  const Order order = linear_order(c.ctx);
  const int base = c.conv().indexing;
  std::vector<Scalar> linear, rows, columns, values;
  int64_t k = 0;
  for_each_index(a.array.extents(), order, [&](const Extents& i) {
    const Scalar v = a.at(i);
    if (truth(v)) {
      // Elements of further dimensions count as further columns.
      int64_t column = 0;
      for (size_t d = i.size(); d-- > 1;) column = column * a.extent(static_cast<int>(d)) + i[d];
      linear.push_back(Scalar::integer(k + base));
      rows.push_back(Scalar::integer(i[0] + base));
      columns.push_back(Scalar::integer(column + base));
      values.push_back(v);
    }
    ++k;
  });
  auto vector = [&](const std::vector<Scalar>& list, Elem e, bool complex) -> Datum {
    const auto n = static_cast<int64_t>(list.size());
    Extents extents{n};
    if (c.matlab()) {
      const bool row = a.rank() == 2 && a.extent(0) == 1 && a.extent(1) != 1;
      extents = row ? Extents{1, n} : Extents{n, 1};
      // find of an empty array, or of a single zero, is 0 x 0.
      if (n == 0 && a.rank() == 2 && (a.size() == 1 || (a.extent(0) == 0 && a.extent(1) == 0))) extents = {0, 0};
    }
    return array_from(c.ctx, list, e, complex, extents, c.layout(), Order::Row);
  };
  if (results == 1) return vector(linear, Elem::Int64, false);
  Tuple t{vector(rows, Elem::Int64, false), vector(columns, Elem::Int64, false)};
  if (results == 3) t.push_back(vector(values, a.elem(), a.complex()));
  return Datum::tuple(std::move(t));
}

}  // namespace vr::interp
