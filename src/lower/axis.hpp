// The axis arguments of library functions, and reductions along an axis.
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

/// The axis that the call states, from 0, checked against an array of `rank` dimensions: OUT_OF_BOUNDS. Under :mindims
/// 1 a negative one counts from the end; under :mindims 2 it may lie past the last one, where extents are 1.
ExprP checked_axis(Lowering& f, Exprs& x, const ir::Conventions& conv, const ir::ExprPtr& axis, int rank);

/// One axis of an array, and what is made of the elements along it.
struct AlongAxis {
  size_t axis;                ///< may lie past the last dimension
  std::vector<ExprP> extent;  ///< of the array
  ExprP n;                    ///< along the axis
  ir::Layout layout;          ///< the result's
  bool scan;
  /// Puts the result away for the element at these subscripts of the array, that along the axis any (scans: its own).
  std::function<void(const std::vector<ExprP>&, ScalarValue)> store;

  /// The other dimensions that lie nearer than the axis, and those that lie further apart, the outermost first.
  std::vector<size_t> nearer() const { return dims(true); }
  std::vector<size_t> further() const { return dims(false); }

 private:
  std::vector<size_t> dims(bool nearer) const;
};

/// The extents of these dimensions.
std::vector<ExprP> pick(const std::vector<ExprP>& from, const std::vector<size_t>& dims);

}  // namespace vr::lower
