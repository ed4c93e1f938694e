// march: several iterations of a kernel's domain along one dimension in each work-item, which share what they load.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Kernels without serial loops whose iterations load elements that neighbours along a slow dimension load too (stencils) get a
/// second version for devices that load vectors (PassOptions::lanes): each work-item runs several consecutive iterations along
/// that dimension, and loads an element that several of them need once (2.5-D blocking: Nguyen et al., SC 2010, without local
/// memory). Two loads are of the same element if their addresses are equal as polynomials (analysis/polynomials.hpp). Each
/// iteration's operations keep their order. The host launches this version if PassOptions::tiles work-items remain.
/// Not changed: kernels with loops, jumps, faults, atomic operations or scratch memory; arrays that the kernel writes; loads that
/// may not be executed, unless another load of the element is certain.
void march(Module& m, const PassOptions& options);

}  // namespace vr::lower
