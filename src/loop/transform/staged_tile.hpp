// Tiles of a work-group in local memory (private to src/loop).
#pragma once
#include "loop/analysis/dim_dependence.hpp"
#include "loop/exprs.hpp"
#include "loop/transform/tile_domain.hpp"

#include <optional>

namespace vr::lower {

/// Iterations along dims[0] and dims[1] of a group of `staged_group` work-items, each of which runs 8 x 8 of them.
constexpr int64_t staged_columns = 256, staged_rows = 64;
constexpr int32_t staged_group = 256;

/// The version of `plain` for work-groups that load the elements which a serial loop needs along either dimension into
/// local memory, a number of the loop's iterations at a time, where all their work-items read them (Volkov and Demmel
/// 2008, section 4). None if the kernel has no such loop, or if
/// the elements take more than `local_bytes`. domain: of `plain`; dims: of domain.open. Parameters: those of `plain`,
/// then the counts of the first two dimensions. unroll: by how much the loop over elements in local memory is.
/// Iterations keep the order of their operations.
std::optional<Function> staged_tile(Exprs& x, const Function& plain, const TileDomain& domain,
                                    const DimDependence& dims, int64_t local_bytes, int64_t unroll);

}  // namespace vr::lower
