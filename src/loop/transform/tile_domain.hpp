// The domain of a kernel as a part of its grid (private to src/loop).
#pragma once
#include "loop/analysis/dim_dependence.hpp"

namespace vr::lower {

/// A kernel whose domain is a part of its grid (a triangle): all its work is under one condition, and this is the last
/// statement.
struct TileDomain {
  Function open;           ///< the kernel without the condition
  size_t before = 0;       ///< statements of its body that the condition needs
  ExprP inside = nullptr;  ///< the condition; null: there is none
};

TileDomain tile_domain(const Function& kernel, const DimDependence& dims);

}  // namespace vr::lower
