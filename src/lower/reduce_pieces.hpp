// Reductions of long rows along an axis on a device, in chunks (private to src/lower).
#pragma once
#include "lower/accumulator.hpp"
#include "lower/axis.hpp"
#include "lower/lowering.hpp"

namespace vr::lower {

void reduce_on_device(Lowering& f, const Accumulator& a, const AlongAxis& axis, const Elements& at);

}  // namespace vr::lower
