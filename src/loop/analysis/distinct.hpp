// Whether different subscripts of a nest's arrays are different elements, which the dependence analysis assumes.
#pragma once
#include "loop/analysis/dependence.hpp"
#include "loop/writer.hpp"

namespace vr::lower {

/// A condition in front of the nest under which that holds for all arrays of NestDependences::distinct: each axis steps
/// over all that the faster axes span. `out` writes what parts of it share. Null: none was found.
ExprP distinct_elements(Writer& out, const NestDependences& nest);

}  // namespace vr::lower
