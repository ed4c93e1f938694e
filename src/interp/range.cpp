#include "interp/range.hpp"

#include "interp/arithmetic.hpp"
#include "ir/typing.hpp"

#include <cmath>
#include <limits>

namespace vr::interp {

int64_t integer_count(int64_t start_bits, int64_t step_bits, int64_t stop_bits, bool exclude, Elem e) {
  using Wide = __int128;
  auto wide = [e](int64_t bits) { return ir::with_integer(bits, e, [](auto v) { return Wide(v); }); };
  const Wide start = wide(start_bits), step = wide(step_bits), stop = wide(stop_bits);
  if (step == 0) return 0;
  const Wide span = step > 0 ? stop - start : start - stop;
  const Wide size = step > 0 ? step : -step;
  if (span < 0 || (exclude && span == 0)) return 0;
  const Wide count = (exclude ? span - 1 : span) / size + 1;
  return count > std::numeric_limits<int64_t>::max() ? std::numeric_limits<int64_t>::max()
                                                     : static_cast<int64_t>(count);
}

namespace {
int64_t float_count(double start, double step, double stop, bool exclude, bool single) {
  const double eps = single ? 0x1p-23 : 0x1p-52;
  const double q = (stop - start) / step;
  if (step == 0 || !(q >= 0)) return 0;  // also when any of them is NaN
  const double n = std::floor(q * (1 + eps)) + 1;
  if (!(n < 0x1p63)) return std::numeric_limits<int64_t>::max();
  auto count = static_cast<int64_t>(n);
  const double last = start + static_cast<double>(count - 1) * step;
  const double slack = eps * std::fmax(std::abs(start), std::abs(stop));
  if (exclude && (step > 0 ? last >= stop - slack : last <= stop + slack)) --count;
  return count;
}
}  // namespace

Scalar Iteration::value(int64_t k) const {
  const ir::Type t = ir::Type::scalar(elem);
  const Scalar offset = binary(ir::Kind::Mult, convert(Scalar::integer(k), t), step, t);
  return binary(ir::Kind::Plus, start, offset, t);
}

Iteration iterate(const RangeSpec& r, int base) {
  if (!r.stop) fail(Code::Type, "a range without a stop cannot be iterated");
  Elem e = Elem::Bool;
  for (const auto* p : {&r.start, &r.step, &r.stop})
    if (*p) e = ir::common_elem(e, (*p)->elem);
  if (e == Elem::Bool) e = Elem::Int32;
  Iteration it;
  it.elem = e;
  it.start = r.start ? convert(*r.start, e, false) : Scalar::integer(base, e);
  it.step = r.step ? convert(*r.step, e, false) : Scalar::integer(1, e);
  const Scalar stop = convert(*r.stop, e, false);
  it.count = ir::is_float(e) ? float_count(it.start.re.f, it.step.re.f, stop.re.f, r.exclude, e == Elem::Float32)
                             : integer_count(it.start.re.i, it.step.re.i, stop.re.i, r.exclude, e);
  return it;
}

}  // namespace vr::interp
