// How large the loops and arrays are that the members of a group share (private to src/loop).
#pragma once
#include "loop/analysis/launch_intervals.hpp"
#include "loop/analysis/shared_loops.hpp"

#include <map>
#include <optional>
#include <vector>

namespace vr::lower {

/// A part of an array that one iteration of a kernel accesses, and no other iteration: the box of these subscripts.
struct OwnBox {
  struct Axis {
    ExprP lo,
        hi;  ///< not greater than the least, and not less than the greatest subscript: simple expressions of the host
    ExprP extent;  ///< of the array; the box may be larger
  };
  VarId data;
  Scalar type;                ///< of all accesses
  std::vector<ExprP> fixed;   ///< the first subscripts, of the kernel: the same in all accesses
  std::vector<ExprP> stride;  ///< of all axes, of the kernel
  std::vector<Axis> axes;     ///< of the others
};

struct SharedSizes {
  ExprP most = nullptr;        ///< iterations of the largest shared loop or nest, a simple expression of the host
  std::optional<int64_t> row;  ///< of the largest inner loop of a nest, at most most_row
  /// Iterations of loops that each member, or one of them, runs whole: a simple expression of the host; null: unknown.
  ExprP alone = nullptr;
  bool rows = false;           ///< there are such nests
  bool known = true;           ///< false: the host does not know the number of iterations of all shared loops
  std::map<VarId, int64_t> bounds =
      {};                          ///< the most iterations of shared loops, by their variables, if it is a constant
  std::vector<OwnBox> boxes = {};  ///< of arrays that serial loops store and access
  static constexpr int64_t most_row = 32;
};

/// at: with the kernel's inputs and single values.
SharedSizes shared_sizes(LaunchIntervals& at, Exprs& x, const Function& kernel, const std::vector<SharePlan>& plans);

}  // namespace vr::lower
