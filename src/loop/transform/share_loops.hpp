// share_loops: work-groups share loops inside of the serial loops of one iteration, and meet at barriers between them.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Kernels whose iterations contain serial loops around loops that are independent (factorisations of small matrices,
/// transforms of rows, networks that sort blocks) get forms in which the work-items of a group, its members, run one
/// iteration: they share the independent loops, each executes what is around these, and one stores what is stored
/// there. Barriers separate statements that access elements of one array, if one of them stores. Arrays of a
/// work-item's own move to local memory. Of nests of two such loops rows of members share the outer one.
///
/// A member that meets a fault in a shared loop records it and leaves the loop; all leave the kernel after the loop.
/// Not changed: kernels of which a part of the work is not shared (plan_shares).
void share_loops(Module& m, const PassOptions& options);

}  // namespace vr::lower
