// Temporary arrays that a transformation makes in a host function.
#pragma once
#include "loop/writer.hpp"

#include <string>
#include <vector>

namespace vr::lower {

/// Whether all releases of the function's cleanup are of arrays that may be on a device: the condition for using
/// new_array() in it.
bool frees_device_arrays(const Function& f);

/// Makes the variables of an array, in `out`'s function. With `owned` also owner and flags, which only host functions have.
ArrayId array_vars(Writer& out, const std::string& name, Scalar type, size_t rank, bool owned);

/// Writes the allocation of a row-major array (engine memory, elements undefined; a fault if there is no memory). The
/// cleanup releases it; free_array() releases it earlier. Neither may be used in functions that run as tasks.
ArrayId new_array(Writer& out, SiteId site, const std::string& name, Scalar type, const std::vector<ExprP>& extents);
void free_array(Writer& out, ArrayId a);

}  // namespace vr::lower
