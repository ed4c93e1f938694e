// The iterations of a range: how many values, and which.
#pragma once
#include "interp/datum.hpp"

namespace vr::interp {

/// A range with its trip count; value(k) is start + k * step in the range's element type.
struct Iteration {
  Elem elem = Elem::Int64;
  Scalar start, step;
  int64_t count = 0;
  Scalar value(int64_t k) const;
};

/// The range as a loop runs over it: absent start is the base, absent step 1; a missing stop is a TYPE fault. A step of
/// zero gives no value. Floating ranges have MATLAB's trip count floor((stop - start) / step * (1 + eps)) + 1, one less
/// where stop itself is reached and excluded.
Iteration iterate(const RangeSpec& r, int base);

/// Integer progression start, start + step ... with `count` values that does not pass `stop`.
int64_t integer_count(int64_t start, int64_t step, int64_t stop, bool exclude, Elem e = Elem::Int64);

}  // namespace vr::interp
