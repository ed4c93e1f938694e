// scan: work-groups share the loops of one iteration that store each state of a reduction.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Kernels that scan a row or a column (running sums, products, extrema: each iteration of a loop adds to a state and
/// stores it) get forms in which `members` work-items share each scan. Each member first reduces consecutive iterations
/// of its own; the members exchange their states through local memory; then each runs its iterations from the state
/// before them (Blelloch, Prefix Sums and Their Applications, 1990, section 1.4: reduce, scan, run again).
/// Rows: the group of 256 work-items runs 2048 iterations after the other, so that neighbours load neighbouring
/// elements. Columns: consecutive iterations of the kernel already do, and each member runs one part of the column.
///
/// This changes the order of the reduction, so that it is limited to those whose order is free (integers; others with
/// the function's permission: carried_reduction). Not changed: kernels with faults, loops that store elements which
/// they, or other statements, access too, and loops with inner loops.
void scan(Module& m, const PassOptions& options);

}  // namespace vr::lower
