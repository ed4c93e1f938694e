// Stores to single elements in loops of accelerated sections (private to src/lower).
//
// `u[0] = u[1]` between kernels that work on `u` (boundaries of a simulation, a diagonal element of a factorisation) is
// serial code. On the host it would move the array from the device and back in each iteration of the loop. It becomes a
// kernel of one iteration instead, which keeps the array where it is; so does `count[0] = u[n - 1]`, which needs an
// element of it.
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

/// The variables of arrays that parallel loops and array expressions in the body of a loop work on.
std::set<ir::SymbolId> arrays_of_kernels(const ir::Body& loop);

/// How many statements from b[first] on store to single elements, of f.section.arrays or computed from elements of
/// those, and can form a kernel together.
size_t element_stores(Lowering& f, const ir::Body& b, size_t first);

/// The statements as a parallel loop without a domain: it has one iteration.
ir::StmtPtr one_iteration(const ir::Body& b, size_t first, size_t count);

}  // namespace vr::lower
