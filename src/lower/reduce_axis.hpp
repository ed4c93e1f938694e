// Reductions and scans along one axis (private to src/lower).
#pragma once
#include "lower/accumulator.hpp"
#include "lower/axis.hpp"
#include "lower/lowering.hpp"

namespace vr::lower {

ArrayGen reduction(Lowering& f, const ir::LibCall& c, int where);
void reduce_along(Lowering& f, const Accumulator& a, const AlongAxis& axis, const Elements& at, bool few);

}  // namespace vr::lower
