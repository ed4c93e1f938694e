// Arrays of which an iteration of a kernel uses a row of its own whole, and arrays that serve as tables (private to
// src/loop).
#pragma once
#include "loop/exprs.hpp"

#include <cstdint>
#include <vector>

namespace vr::lower {

/// The trip counts of the loops whose variables are subscripts; their product is the number of elements of a box.
/// Expressions of the kernel; null: a loop that does not begin at 0.
using Box = std::vector<ExprP>;

/// An array of which each iteration of the kernel accesses elements of one row only: its first subscripts are
/// dimensions of the domain, dims[0] the last of them.
struct RowUse {
  ArrayId array = none;
  std::vector<size_t>
      dims;  ///< which dimension is the subscript of each of these axes; the axes behind them are the row's
  bool loaded = false, stored = false;
  /// Disjoint parts of the row. They are the whole row if they have as many elements as it (each complex element counts
  /// as two), and nothing that the program allows is then accessed but these. If the row is stored, each iteration
  /// stores all of them; else it loads them, perhaps under conditions.
  std::vector<Box> boxes;
};

/// An array that is only read, by neighbours at subscripts that follow no pattern.
struct TableUse {
  ArrayId array = none;
  std::vector<Box> lookups;  ///< the loops around each such load
};

/// Both are empty if the kernel has jumps, atomic operations or private arrays. Rows that are stored: only in kernels
/// without faults.
struct RowUses {
  std::vector<RowUse> rows;
  std::vector<TableUse> tables;
};
RowUses row_uses(Exprs& x, const Function& kernel);

}  // namespace vr::lower
