// private_registers: arrays of a work-item's own become variables.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Devices keep an array of a work-item's own (Scratch) in memory unless all subscripts are constants. In kernels
/// without checks, loops on whose variables the subscripts of such an array depend are unrolled (at most 128 constant
/// iterations, one of them at least 40, which the device's compiler would not unroll; 8000 nodes of expressions
/// together), if all its subscripts are constants then; the array, of at most 512 bytes, becomes a variable for each
/// element (scalar replacement: Callahan, Carr and Kennedy, Improving Register Allocation for Subscripted Variables,
/// 1990). Not changed: arrays with a subscript that is loaded or computed by while loops, elements that overlap others,
/// and kernels whose other loops would be copied.
void private_registers(Module& m, const PassOptions& options);

}  // namespace vr::lower
