// Along which dimensions of its domain a kernel's accesses have unit stride.
#pragma once
#include "loop/analysis/runs.hpp"

#include <vector>

namespace vr::lower {

constexpr int64_t loop_weight = 16;  // assumed for a loop whose trip count is not known

/// For each dimension of the kernel, how many loads and stores of its text have unit stride along it: iterations that
/// are consecutive in the dimension access consecutive elements. Accesses in loops of the body count `loop_weight`
/// times for each.
std::vector<int64_t> unit_stride_accesses(Exprs& x, const Function& kernel);
/// The same, and how many accesses are further apart, or at places that do not follow a pattern.
struct StrideCounts {
  int64_t unit, apart;
};
std::vector<StrideCounts> stride_counts(Exprs& x, const Function& kernel);
/// Of those along dims[1], the ones that differ along dims[0]: not numbers that are the same for a whole row.
int64_t column_accesses(Exprs& x, const Function& kernel);

/// Whether the Int64 expression is a dimension of the kernel plus or minus something that is the same for all iterations, or
/// the maximum of that and a constant. The statements of `before` define variables that it may name.
bool is_unit_of_a_dim(Exprs& x, const Function& kernel, const Block& before, ExprP e);

/// Whether consecutive iterations of the kernel along dims[0] access neighbouring elements by the run, which one of its
/// loops makes.
bool is_column(Exprs& x, const Function& kernel, const DimDependence& dims, const Run& run);

}  // namespace vr::lower
