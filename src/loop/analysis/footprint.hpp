// Which elements of its arrays a kernel accesses, as affine forms of its iterations (constant-stride LMADs,
// jit4GPU 5.2).
#pragma once
#include "loop/form.hpp"
#include "runtime/accesses.hpp"

namespace vr::lower {

/// The accesses of kernel `functions[kernel]`, in the loop form or the lowered form. A superset: conditions and loops
/// that are no affine forms count as if they let every iteration through. A subscript that is none (a product of loop
/// variables, a load, a negative one that wraps) accesses the whole array. A kernel of which several iterations run
/// together (transform/register_tile, transform/stage) accesses what the kernel that it was made of does.
AccessTable footprint(const Module& module, int32_t kernel);

}  // namespace vr::lower
