// Arrays that a transformation makes for itself in a function of the host.
#pragma once
#include "loop/writer.hpp"

#include <string>
#include <vector>

namespace vr::lower {

/// Whether the function's cleanup gives up references to arrays that may be on a device: new_array() works there.
bool frees_device_arrays(const Function& f);

/// The variables of an array, in `out`'s function. With `owned` also those that only host functions have.
ArrayId array_vars(Writer& out, const std::string& name, Scalar type, size_t rank, bool owned);

/// Writes the allocation of a row-major array (engine memory, elements undefined; a fault when there is no memory), which the
/// cleanup gives up. free_array() does so before. Neither is for functions that run as tasks.
ArrayId new_array(Writer& out, SiteId site, const std::string& name, Scalar type, const std::vector<ExprP>& extents);
void free_array(Writer& out, ArrayId a);

}  // namespace vr::lower
