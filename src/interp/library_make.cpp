// New arrays: zeros ones empty eye linspace colon range.
#include "interp/arithmetic.hpp"
#include "interp/elementwise.hpp"
#include "interp/library.hpp"
#include "interp/range.hpp"
#include "ir/typing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace vr::interp {

namespace {

Datum filled(const LibraryCall& c, Extents e, int64_t value) {
  const Elem elem = c.stated.is_numeric() ? c.stated.elem : Elem::Float64;
  const bool complex = c.stated.is_numeric() && c.stated.complex;
  if (c.matlab()) {
    if (e.size() == 1) e.push_back(e[0]);              // zeros(n) is square
    for (int64_t& n : e) n = std::max<int64_t>(n, 0);  // negative extents count as 0
  }
  if (c.stated.is_array() && e.size() != c.stated.rank) c.wrong_count(e.size());
  ArrayRef r = make_array(c.ctx, elem, complex, e, c.layout());
  if (value != 0) for_each_index(e, Order::Row, [&](const Extents& i) { r.put(i, Scalar::integer(value)); });
  return r;
}

}  // namespace

Datum library_fill(const LibraryCall& c) { return filled(c, c.extents(0), c.fn.values == ir::LibValue::One); }

Datum library_identity(const LibraryCall& c) {
  Extents e = c.extents(0);
  if (e.size() == 1) e.push_back(e[0]);
  Datum d = filled(c, e, 0);
  for (int64_t k = 0; k < std::min(e[0], e[1]); ++k) d.array()->put(Extents{k, k}, Scalar::integer(1));
  return d;
}

Datum library_linspace(const LibraryCall& c) {
  const Scalar a = scalar_of(c.args[0], "the start"), b = scalar_of(c.args[1], "the end");
  const int64_t n = c.args.size() > 2 ? c.integer(2) : c.matlab() ? 100 : 50;
  if (n < 0 && !c.matlab()) fail(Code::Size, fmt::format("linspace of {} values", n));
  const int64_t count = std::max<int64_t>(n, 0);
  Elem e = ir::common_elem(a.elem, b.elem);
  if (!ir::is_float(e)) e = Elem::Float64;
  const ir::Type t = ir::Type::scalar(e, a.complex || b.complex);
  const Scalar start = convert(a, t), end = convert(b, t);
  ArrayRef r = make_array(c.ctx, t.elem, t.complex, c.matlab() ? Extents{1, count} : Extents{count}, c.layout());
  // Real and imaginary part separately, so that an infinity in one does not affect the other. NumPy's in double,
  // rounded once when the element is stored; Octave's in the arguments' own type.
  const ir::Type real = ir::Type::scalar(Elem::Float64);
  auto opposite = [&](const Scalar& p, const Scalar& q) { return convert(p, real).re.f == -convert(q, real).re.f; };
  const bool symmetric = opposite(start.re_scalar(), end.re_scalar()) &&
                         (!t.complex || opposite(start.im_scalar(), end.im_scalar()));
  const bool single = c.matlab() && e == Elem::Float32;
  auto rounded = [&](double x) { return single ? static_cast<double>(static_cast<float>(x)) : x; };
  auto between = [&](const Scalar& from, const Scalar& to, int64_t k) {
    const Scalar p = convert(from, real), q = convert(to, real);
    const double first = p.re.f, last = q.re.f, steps = static_cast<double>(std::max<int64_t>(count - 1, 1));
    const double distance = rounded(last - first);
    double step = rounded(distance / steps);
    if (!c.matlab()) return Scalar::real(first + static_cast<double>(k) * step);
    // The ends are exact; if their distance overflows, the step is computed in two parts. Points are computed from the
    // nearer end, so that they are symmetric.
    if (k == 0 || first == last) return p;
    const bool far = std::isinf(distance), middle = 2 * k == count - 1;
    if (symmetric && middle) return Scalar::real(0);  // also between infinities
    if (far) step = rounded(rounded(last / steps) - rounded(first / steps));
    if (middle && !far) return Scalar::real(rounded(first + last) * 0.5);
    if (2 * k <= count - 1) return Scalar::real(rounded(first + rounded(static_cast<double>(k) * step)));
    return Scalar::real(rounded(last - rounded(static_cast<double>(count - 1 - k) * step)));
  };
  for (int64_t k = 0; k < count; ++k) {
    Scalar v = convert(between(start.re_scalar(), end.re_scalar(), k), e, t.complex);
    if (t.complex) v.im = convert(between(start.im_scalar(), end.im_scalar(), k), e, false).re;
    if (k == count - 1 && (count > 1 || c.matlab())) v = end;  // exactly
    r.put(c.matlab() ? Extents{0, k} : Extents{k}, v);
  }
  return r;
}

/// colon(start[, step], stop) ends at stop; range(start, stop[, step]) as the module's ranges do.
Datum library_progression(const LibraryCall& c) {
  RangeSpec r;
  auto arg = [&](size_t k) { return scalar_of(c.args[k], "a part of the range"); };
  const bool colon = c.fn.id == ir::Lib::Colon, three = c.args.size() == 3;
  r.start = arg(0);
  r.stop = arg(colon && three ? 2 : 1);
  if (three) r.step = arg(colon ? 1 : 2);
  r.exclude = !colon && c.conv().exclude;
  const Iteration it = iterate(r, c.conv().indexing);
  ArrayRef a = make_array(c.ctx, it.elem, false, c.matlab() ? Extents{1, it.count} : Extents{it.count}, c.layout());
  for (int64_t k = 0; k < it.count; ++k) a.put(c.matlab() ? Extents{0, k} : Extents{k}, it.value(k));
  return a;
}

}  // namespace vr::interp
