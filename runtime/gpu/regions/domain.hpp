// Iterations of a loop nest whose bounds are numbers, as boxes (private to runtime/gpu/regions).
#pragma once
#include "runtime/accesses.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace vr::gpu {

using Number = std::optional<int64_t>;  ///< empty: not known, or past 62 bits

/// base + sum of factor * counter of the loop; factors are not 0.
struct AffineNumber {
  int64_t base = 0;
  std::vector<std::pair<int64_t, int64_t>> factors;  ///< (loop, factor)
};
/// Empty: a value is not known, or a number needs more than 62 bits.
std::optional<AffineNumber> evaluate(const AccessForm& form, const std::vector<Number>& values);

/// A box of iterations.
struct Domain {
  struct Range {
    int64_t lo, hi;  ///< both included
  };
  std::vector<std::pair<int64_t, Range>> ranges;  ///< (loop, its counter), outermost first
  bool exact = true;                              ///< all iterations of the box are iterations of the nest
  Range of(int64_t loop) const;
};

/// Boxes that contain the iterations of the loops in which all forms of `where` are 0 or more: none if there is no
/// iteration, one for a nest of constant bounds; where bounds depend on outer loops (triangles), one for each strip of
/// an outer loop. No value: a number is not known.
std::optional<std::vector<Domain>> split_domain(const std::vector<int64_t>& loops, const std::vector<AccessForm>& where,
                                                const AccessTable& table, const std::vector<Number>& values);

/// Whether the limit holds in all iterations of the nest; false as well if that is not known.
bool holds(const AccessLimit& limit, const AccessTable& table, const std::vector<Number>& values);

}  // namespace vr::gpu
