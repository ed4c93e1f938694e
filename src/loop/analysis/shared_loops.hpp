// How the work-items of a group can share the work of one iteration of a kernel (private to src/loop).
#pragma once
#include "loop/analysis/polynomials.hpp"

#include <optional>
#include <set>
#include <vector>

namespace vr::lower {

/// What the members of a group, work-items that run one iteration of a kernel together, do with a statement.
struct SharePlan {
  enum class Kind : uint8_t {
    All,     ///< each executes it, with the same values: it stores nothing
    One,     ///< one of them executes it: it stores and cannot fail, and nothing uses what it assigns
    Share,   ///< a loop whose iterations are independent: they share these
    Rows,    ///< the same; rows of members share the iterations, and the members of a row those of loops in it
    Serial,  ///< a loop that each executes, with plans for its body
    Choice,  ///< a condition that is the same for all, with plans for both branches
    Gone,    ///< an array of the work-item's own becomes one that the members share
  };
  Kind kind;
  std::vector<std::vector<SharePlan>> parts = {};  ///< for Rows, Serial and Choice: of the blocks in the statement
};

/// The plans of the kernel's statements. The kernel gains if its serial loops contain loops of which it does not matter
/// in which order the iterations run: between them, the group's work-items meet at barriers. It also gains if shared
/// loops count or add up by subscripts (Atomic) in memory of the group. Empty: a part of the work
/// cannot be shared, nothing of it is worthwhile, or the kernel has reductions or forms of its own.
std::optional<std::vector<SharePlan>> plan_shares(Exprs& x, const Function& kernel);
/// Whether shared loops are inside of serial ones.
bool in_serial_loops(const std::vector<SharePlan>& plans);

}  // namespace vr::lower
