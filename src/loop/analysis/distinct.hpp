// Whether different subscripts of a nest's arrays are different elements, which the dependence analysis assumes.
#pragma once
#include "loop/analysis/dependence.hpp"
#include "loop/writer.hpp"

#include <vector>

namespace vr::lower {

/// A condition under which different subscripts of an array are different elements: each axis steps over all that the
/// faster axes span. Strides of 0 belong to axes without influence. bytes: of an element.
ExprP distinct_axes(Writer& out, const std::vector<ExprP>& extents, const std::vector<ExprP>& strides, int64_t bytes);

/// A condition in front of the nest under which that holds for all arrays of NestDependences::distinct: each axis steps
/// over all that the faster axes span. `out` writes what parts of it share. Null: none was found.
ExprP distinct_elements(Writer& out, const NestDependences& nest);

}  // namespace vr::lower
