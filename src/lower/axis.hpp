// The axis arguments of library functions, and reductions along an axis.
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

/// The axis argument of a call, counted from 0, checked against an array of `rank` dimensions: OUT_OF_BOUNDS. Under
/// :mindims 1 a negative axis counts from the end; under :mindims 2 it may be past the last one, where extents are 1.
ExprP checked_axis(Lowering& f, Exprs& x, const ir::Conventions& conv, const ir::ExprPtr& axis, int rank);

/// One axis of an array, and what is computed from the elements along it.
struct AlongAxis {
  size_t axis;                ///< may be past the last dimension
  std::vector<ExprP> extent;  ///< of the array
  ExprP n;                    ///< along the axis
  ir::Layout layout;          ///< the result's
  bool scan;
  /// Stores the result for the element at these subscripts of the array. The subscript along the axis is ignored,
  /// except for scans, where it is that of the partial result.
  std::function<void(const std::vector<ExprP>&, ScalarValue)> store;

  /// The other dimensions with a smaller stride than the axis, and those with a larger one, the outermost first.
  std::vector<size_t> nearer() const { return dims(true); }
  std::vector<size_t> further() const { return dims(false); }

 private:
  std::vector<size_t> dims(bool nearer) const;
};

/// The extents of these dimensions.
std::vector<ExprP> pick(const std::vector<ExprP>& from, const std::vector<size_t>& dims);

}  // namespace vr::lower
