// Inspectors: loops in front of a loop that check, for all its iterations, the subscripts it reads from arrays (part of version).
#pragma once
#include "loop/analysis/proof.hpp"

#include <optional>

namespace vr::lower {

/// The checks that an inspector can make. Their conditions are computed from loop invariants, the loop's variable, and
/// elements that are read within bounds, from arrays that the loop does not store to and that are disjoint from those to
/// which it stores.
struct Inspection {
  struct Look {
    const If* check;
    std::vector<const SetVar*> slice;  ///< the assignments that its condition depends on, in order
    bool varies;                       ///< depends on the loop's variable
  };
  std::vector<Look> looks;
};
/// For the open checks of a proof. No value if one of them cannot be made before the loop, or if the loop could not be
/// vectorised without them anyway (a value is carried from one iteration to the next).
std::optional<Inspection> inspection(const Function& f, const CountedLoop& loop, const Disjoint& disjoint,
                                     const Proof& proof);

/// Writes the inspector, which runs if `guard` holds; the result is true if it ran and no check failed.
ExprP write_inspector(Writer& out, const CountedLoop& loop, const Inspection& inspection, ExprP guard);

}  // namespace vr::lower
