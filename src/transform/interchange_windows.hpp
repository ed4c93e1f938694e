// interchange_windows: interchanges a loop over a moving window with the loop that moves it (possible for known shapes;
// past thesis 6.7).
#pragma once
#include "analysis/region_facts.hpp"

#include <velociraptor/ir/nodes.hpp>

#include <functional>

namespace vr::transform {

/// Proves facts about a changed function: returns it with those checks turned off that never fail.
using Prove = std::function<ir::FunctionPtr(const ir::FunctionPtr&)>;

/// In
///   for j in range(lo, hi):
///     before                                       # x = ...
///     for ii in ...:                               # or none
///       for jj in range(max(j + a, C), min(j + b, D)):
///         if c(i, j, ii, jj) > x: x = ...; count += 1
///     after                                        # A[j] = x
/// each iteration of the loop over jj depends on the previous one, and the bounds differ from one j to the next. If lo,
/// hi, a, b, C, D are known numbers this becomes
///   for j: before; xs[j] = x
///   for ii: for t in range(a, b): for j in range(max(lo, C - t), min(hi, D - t)): jj = j + t; x = xs[j]; ...; xs[j] =
///   x for j: x = xs[j]; after
/// where the innermost loop's iterations do not depend on each other and have no branches, so that it is vectorised.
/// For each j the operations have the same order as before; results are equal to the bit.
///
/// Applied if it gains time (the window's work has square roots, divisions or similar operations) and nothing in the
/// loops can fail. `f` is a specialised function; `prove` decides whether statements that an `if` guarded can run
/// without it. Returns `f` itself if there is no such loop. Safe to call from several threads.
ir::FunctionPtr interchange_windows(const ir::FunctionPtr& f, const ir::Module& module,
                                    const ir::Conventions& conventions, const analysis::RegionFacts& facts,
                                    const Prove& prove);

}  // namespace vr::transform
