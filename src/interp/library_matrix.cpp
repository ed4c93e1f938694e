// Linear algebra: products and transposition; solving is in solve.cpp, norms in norm.cpp.
#include "interp/arithmetic.hpp"
#include "interp/elementwise.hpp"
#include "interp/library.hpp"
#include "interp/linear_algebra.hpp"
#include "ir/typing.hpp"

#include <fmt/format.h>

#include <limits>

namespace vr::interp {

namespace {

using Row = std::vector<Scalar>;

/// Element type of a product, and the type in which its sums are computed: float64 for float32, so that the unspecified order
/// of summation has no visible effect.
struct ProductType {
  ir::Type type, wide;
};
ProductType product_type(const ArrayRef& a, const ArrayRef& b) {
  Elem e = ir::common_elem(a.elem(), b.elem());
  if (e == Elem::Bool) e = Elem::Int32;
  const bool complex = a.complex() || b.complex();
  return {ir::Type::scalar(e, complex), ir::Type::scalar(e == Elem::Float32 ? Elem::Float64 : e, complex)};
}

Scalar inner(const Row& a, const Row& b, const ProductType& t) {
  Scalar r = Scalar::zero(t.wide.elem, t.wide.complex);
  for (size_t k = 0; k < a.size(); ++k)
    r = binary(ir::Kind::Plus, r, binary(ir::Kind::Mult, convert(a[k], t.wide), convert(b[k], t.wide), t.wide), t.wide);
  return convert(r, t.type);
}

[[noreturn]] void disagree(const LibraryCall& c, const ArrayRef& a, const ArrayRef& b) {
  fail(Code::ShapeMismatch,
       fmt::format("'{}' of {} and {}", c.fn.name, shape_text(a.array.extents()), shape_text(b.array.extents())));
}

}  // namespace

Datum library_product(const LibraryCall& c) {
  const ArrayRef a = c.array(0), b = c.array(1);
  const ProductType t = product_type(a, b);
  // MATLAB: a matrix of one element multiplies each element of the other operand.
  if (c.matlab() && (a.size() == 1 || b.size() == 1) && !(a.rank() == 2 && b.rank() == 2 && a.extent(1) == b.extent(0)))
    return apply_binary(c.ctx, ir::Kind::Mult, a.size() == 1 ? Datum(scalar_of(a, "a factor")) : Datum(a),
                        b.size() == 1 ? Datum(scalar_of(b, "a factor")) : Datum(b), c.stated);
  if (a.rank() > 2 || b.rank() > 2) disagree(c, a, b);
  // NumPy: a vector is a row on the left and a column on the right, and its dimension vanishes from the result.
  const bool row = a.rank() == 1, column = b.rank() == 1;
  const int64_t m = row ? 1 : a.extent(0), n = column ? 1 : b.extent(1);
  const int64_t k = a.extent(row ? 0 : 1);
  if (k != b.extent(0)) disagree(c, a, b);
  std::vector<Row> rows, columns;
  for (int64_t i = 0; i < m; ++i) {
    rows.emplace_back();
    for (int64_t p = 0; p < k; ++p) rows.back().push_back(row ? a.at(Extents{p}) : a.at(Extents{i, p}));
  }
  for (int64_t j = 0; j < n; ++j) {
    columns.emplace_back();
    for (int64_t p = 0; p < k; ++p) columns.back().push_back(column ? b.at(Extents{p}) : b.at(Extents{p, j}));
  }
  if (row && column) return inner(rows[0], columns[0], t);
  Extents e;
  if (!row) e.push_back(m);
  if (!column) e.push_back(n);
  std::vector<Scalar> values;
  for (const Row& x : rows)
    for (const Row& y : columns) values.push_back(inner(x, y, t));
  return array_from(c.ctx, values, t.type.elem, t.type.complex, e, c.layout(), Order::Row);
}

/// Transposition without conjugation. A vector of rank 1 is returned unchanged (NumPy).
Datum library_transpose(const LibraryCall& c) {
  if (const Scalar* v = c.args[0].scalar()) return *v;
  const ArrayRef a = c.array(0);
  if (a.rank() == 1) return copy_array(c.ctx, a, a.elem(), a.complex(), c.layout());
  if (a.rank() > 2) fail(Code::Type, fmt::format("'trans' of an array of rank {}", a.rank()));
  ArrayRef r = make_array(c.ctx, a.elem(), a.complex(), {a.extent(1), a.extent(0)}, c.layout());
  for_each_index(a.array.extents(), Order::Row, [&](const Extents& i) { r.put(Extents{i[1], i[0]}, a.at(i)); });
  return r;
}

static Row vector_of(const LibraryCall& c, const ArrayRef& a) {
  int longer = 0;
  for (int64_t n : a.array.extents()) longer += n != 1;
  if (longer > 1)
    fail(Code::ShapeMismatch, fmt::format("'{}' of an array of {}", c.fn.name, shape_text(a.array.extents())));
  return elements(a, Order::Row);
}

/// No conjugation, as NumPy's dot.
Datum library_inner(const LibraryCall& c) {
  const ArrayRef a = c.array(0), b = c.array(1);
  const Row x = vector_of(c, a), y = vector_of(c, b);
  if (x.size() != y.size()) disagree(c, a, b);
  return inner(x, y, product_type(a, b));
}

Datum library_outer(const LibraryCall& c) {
  const ArrayRef a = c.array(0), b = c.array(1);
  const ir::Type t = product_type(a, b).type;
  const Row x = vector_of(c, a), y = vector_of(c, b);
  std::vector<Scalar> values;
  for (const Scalar& p : x)
    for (const Scalar& q : y) values.push_back(binary(ir::Kind::Mult, p, q, t));
  return array_from(c.ctx, values, t.elem, t.complex, {static_cast<int64_t>(x.size()), static_cast<int64_t>(y.size())},
                    c.layout(), Order::Row);
}

Datum library_norm(const LibraryCall& c) {
  const ArrayRef a = c.array(0);
  const Elem e = ir::is_float(a.elem()) ? a.elem() : Elem::Float64;
  double p = 2;
  if (c.args.size() > 1) p = scalar_of(c.args[1], "the norm's order").real_part();
  double r;
  bool vector = a.rank() == 1;
  if (a.rank() == 2 && c.matlab()) vector = a.extent(0) == 1 || a.extent(1) == 1;
  if (vector) {
    std::vector<double> magnitudes;
    for (const Scalar& v : elements(a, Order::Row)) magnitudes.push_back(std::hypot(v.real_part(), v.imag_part()));
    r = vector_norm(magnitudes, p);
  } else if (a.rank() != 2) {
    fail(Code::Type, fmt::format("'norm' of an array of rank {}", a.rank()));
  } else if (!c.matlab() && c.args.size() == 1) {
    // NumPy: the root of the sum of squares, for arrays of any shape.
    std::vector<double> parts;
    for (const Scalar& v : elements(a, Order::Row))
      parts.insert(parts.end(), {std::abs(v.real_part()), std::abs(v.imag_part())});
    r = vector_norm(parts, 2);
  } else {
    r = a.complex() ? matrix_norm(to_dense<std::complex<double>>(a), p) : matrix_norm(to_dense<double>(a), p);
  }
  return Scalar::real(r, e);
}

template <class T>
static Datum divide(const LibraryCall& c, const ArrayRef& a, const ArrayRef& b, Elem e) {
  const bool left = c.fn.rule == ir::LibRule::LeftQuotient;
  const double epsilon =
      e == Elem::Float32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  const Dense<T> x = left ? solve(to_dense<T>(a), to_dense<T>(b, true), epsilon)
                          : transposed(solve(transposed(to_dense<T>(b)), transposed(to_dense<T>(a, false)), epsilon));
  const ArrayRef& shape = left ? b : a;  // the operand that has the result's rank
  Extents extents{x.rows, x.columns};
  if (shape.rank() == 1) extents = {left ? x.rows : x.columns};
  std::vector<Scalar> values;
  for (const T& v : x.values) values.push_back(from_dense(v, e));
  // Dense stores its values column by column.
  return array_from(c.ctx, values, e, std::is_same_v<T, std::complex<double>>, extents, c.layout(), Order::Column);
}

/// mldiv: A \ B, mrdiv: A / B = (B' \ A')'.
Datum library_quotient(const LibraryCall& c) {
  const ArrayRef a = c.array(0), b = c.array(1);
  const bool left = c.fn.rule == ir::LibRule::LeftQuotient;
  const ArrayRef& matrix = left ? a : b;
  if (c.matlab() && matrix.size() == 1) {
    const Datum k = scalar_of(matrix, "the divisor");
    ir::Type t = c.stated;
    if (t.is_numeric() && !ir::is_float(t.elem)) t.elem = Elem::Float64;
    return apply_binary(c.ctx, ir::Kind::Div, left ? b : a, k, t.is_numeric() ? t : ir::Type::scalar(Elem::Float64));
  }
  Elem e = ir::common_elem(a.elem(), b.elem());
  if (!ir::is_float(e)) e = Elem::Float64;
  const ArrayRef& other = left ? b : a;
  if (matrix.rank() != 2 || other.rank() > 2 ||
      matrix.extent(left ? 0 : 1) != other.extent(left || other.rank() == 1 ? 0 : 1))
    disagree(c, a, b);
  return a.complex() || b.complex() ? divide<std::complex<double>>(c, a, b, e) : divide<double>(c, a, b, e);
}

}  // namespace vr::interp
