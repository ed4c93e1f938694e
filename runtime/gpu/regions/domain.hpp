// Iterations of a loop nest whose bounds are numbers, as boxes (private to runtime/gpu/regions).
#pragma once
#include "runtime/accesses.hpp"

#include "support/inline_vector.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace vr::gpu {

using Number = std::optional<int64_t>;  ///< empty: not known, or past 62 bits

/// Nothing is known about the accesses of deeper nests. A bound mentions the outer loops and its own.
constexpr size_t most_loops = 12;

/// base + sum of factor * counter of the loop; factors are not 0.
struct AffineNumber {
  int64_t base = 0;
  struct Term {
    int64_t loop, factor;
  };
  InlineVector<Term, most_loops> factors;
};
/// Empty: a value is not known, a number needs more than 62 bits, or there are too many loops.
std::optional<AffineNumber> evaluate(const AccessForm& form, const std::vector<Number>& values);

/// A box of iterations.
struct Domain {
  struct Range {
    int64_t lo, hi;  ///< both included
  };
  struct Counter {
    int64_t loop;
    Range range;
  };
  InlineVector<Counter, most_loops> ranges;  ///< outermost first
  bool exact = true;                         ///< all iterations of the box are iterations of the nest
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
