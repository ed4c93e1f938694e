// Loads of a loop that walk along memory: an iteration may load what the one before it has loaded (private to
// src/loop).
#pragma once
#include "loop/analysis/dim_dependence.hpp"
#include "loop/analysis/polynomials.hpp"

#include <cstdint>
#include <vector>

namespace vr::lower {

/// A load that every iteration of a loop makes, of an array that the kernel does not write: in iteration k, of the
/// loop's variable, from `start` + k * `step` bytes on. Both are the same in all iterations; `step` is not 0.
struct SlidingLoad {
  size_t statement;  ///< its position in the loop's body
  ExprP load;
  Polynomial start, step;
};

/// Loads of elements that lie whole numbers of steps from each other.
struct SlidingGroup {
  struct Member {
    size_t load;       ///< index into Sliding::loads
    int64_t position;  ///< in iteration k it loads what a load at position 0 loads in iteration k + position
  };
  std::vector<Member> members;  ///< by position, which begin at 0
  int64_t span = 1;             ///< the largest position plus one
};

/// The loads of a loop without inner loops, which is statement `s` of a kernel. values: in front of the loop.
class Sliding {
 public:
  Sliding(Exprs& x, const DimDependence& dims, const Stmt& s, const Polynomials& values);

  std::vector<SlidingLoad> loads;

  /// The loads of which one iteration makes at least two in a window of `most_span` steps: at different positions.
  std::vector<SlidingGroup> groups(int64_t most_span) const;

 private:
  void find(const DimDependence& dims, size_t statement, ExprP e);
  void take(size_t statement, ExprP load);

  Polynomials values_;     ///< in an iteration, at the statement that is looked at
  int32_t invariant_ = 0;  ///< values with smaller numbers are the same in all iterations
  int32_t iteration_ = 0;  ///< the value of the loop's variable
};

/// How many loads of the kernel's innermost loops slide along the dimension: the loads of an iteration of the kernel
/// are those of the next one along dims[d] in the loop's next iteration. Loops inside of conditions are not counted.
int64_t loads_that_slide(Exprs& x, const Function& kernel, const DimDependence& dims, size_t d);

}  // namespace vr::lower
