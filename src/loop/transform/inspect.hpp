// Inspectors: subscripts that are read from arrays are checked for all iterations before the loop (part of version).
#pragma once
#include "loop/analysis/proof.hpp"

#include <optional>

namespace vr::lower {

/// The checks of a loop that a loop of their own can make before it: what they look at is computed from what stays, the
/// loop's variable, and elements at places within bounds of arrays that the loop does not store to and that are disjoint
/// from those that it does.
struct Inspection {
  struct Look {
    const If* check;
    std::vector<const SetVar*> slice;  ///< what its condition is made of, in order
    bool varies;                       ///< with the loop's variable
  };
  std::vector<Look> looks;
};
/// Of the open checks of a proof; nothing when one of them cannot be made before the loop, or when the loop would not be
/// vectorised without them either (a value is carried from one iteration to the next).
std::optional<Inspection> inspection(const Function& f, const CountedLoop& loop, const Disjoint& disjoint,
                                     const Proof& proof);

/// Writes the inspector, to run when `guard` holds; the result says that it did and that no check failed.
ExprP write_inspector(Writer& out, const CountedLoop& loop, const Inspection& inspection, ExprP guard);

}  // namespace vr::lower
