// Arrays of a kernel that its iterations only add to: histograms, sums by group, scattered sums.
#pragma once
#include "loop/form.hpp"

#include <vector>

namespace vr::lower {

struct Accumulation {
  ArrayId array;
  Scalar type;  ///< of its elements
  /// If not 0: the most by which one iteration changes elements in total. All additions are then of constants and
  /// outside of loops.
  int64_t most = 0;
  /// The array has several axes, and the first subscript of all additions is the kernel's last dimension, which is not
  /// its first: an iteration adds to elements of one slice of the array alone. The stride of that axis; else null.
  ExprP slices = nullptr;
};

/// The array parameters of which all accesses are atomic additions and subtractions whose old values are not used.
/// Their order is free; so is, for integers, how the terms are grouped (sums wrap). Floats are listed only where the
/// kernel may reassociate (ir::fastmath::Reassoc).
std::vector<Accumulation> accumulations(const Function& kernel);

}  // namespace vr::lower
