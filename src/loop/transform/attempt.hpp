// A loop with checks as a loop without faults that says whether one of them failed (private to src/loop).
#pragma once
#include "loop/writer.hpp"

#include <optional>

namespace vr::lower {

struct Attempt {
  Block before;      ///< tests once what holds for all iterations
  CountedLoop loop;  ///< without faults; without iterations if a test failed
  VarId failed;      ///< Bool: a test, or a check in the loop, failed. Its iterations changed nothing but variables
};

/// The loop's iterations without the checks that `before` can make for all of them (analysis/proof.hpp); the others
/// note that they failed, and the rest of that iteration is left out. Subscripts that may count from an array's end are
/// tested to be none. What the loop computes is of use only if nothing failed: else the loop as it was has to run,
/// which finds the first fault. Empty: the loop has no checks, or stores, inner loops or checks under conditions. `out`
/// makes the variables.
std::optional<Attempt> attempt(Writer& out, const CountedLoop& loop);

}  // namespace vr::lower
