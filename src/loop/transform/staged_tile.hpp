// Tiles of a work-group in local memory (private to src/loop).
#pragma once
#include "loop/analysis/dim_dependence.hpp"
#include "loop/exprs.hpp"
#include "loop/transform/tile_domain.hpp"

#include <optional>

namespace vr::lower {

/// Iterations along dims[0] and dims[1] of a group of work-items.
struct StagedShape {
  int32_t group;    ///< work-items
  int64_t columns;  ///< as many as there are work-items
  int64_t rows;     ///< at most as many
  int64_t side;     ///< 4 or 8: iterations of a work-item along either dimension
  int64_t extent(size_t d) const { return d == 0 ? columns : rows; }
  int64_t points() const { return side * side; }     ///< iterations of a work-item
  int64_t across() const { return columns / side; }  ///< work-items along dims[0]
};
struct StagedTile {
  Function kernel;
  StagedShape shape;
  ExprP trips;  ///< of the loop whose elements are staged, in terms of the plain kernel's variables
};

/// Which shape: `Wide` for domains of 256 columns and more, `Half` of 128 and for parts of a grid, `Narrow` of 64.
/// `Many`: for domains that are too small to occupy the device otherwise, work-items with a quarter of the iterations.
enum class StagedWidth : uint8_t { Many, Narrow, Half, Wide };
StagedShape staged_shape(StagedWidth width);

/// The version of `plain` for work-groups that load the elements which a serial loop needs along either dimension into
/// local memory, a number of the loop's iterations at a time, where all their work-items read them (Volkov and Demmel
/// 2008, section 4). None if the kernel has no such loop, if the elements take more than `local_bytes`, or if the group
/// has more than `group` work-items. domain: of `plain`; dims: of domain.open. Parameters: those of `plain`,
/// then the counts of the first two dimensions. unroll: by how much the loop over elements in local memory is.
/// Iterations keep the order of their operations.
std::optional<StagedTile> staged_tile(Exprs& x, const Function& plain, const TileDomain& domain,
                                      const DimDependence& dims, StagedWidth width, int64_t group, int64_t local_bytes,
                                      int64_t unroll);

}  // namespace vr::lower
