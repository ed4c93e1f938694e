// Reductions of arrays of any rank, over all elements or along one axis. T and errors as in vector.hpp.
#pragma once
#include <complex>
#include <span>

#include "raijincl/context.hpp"

namespace raijincl {

enum class Reduction { Sum, Product, Min, Max };
enum class ArgReduction { Min, Max };
inline constexpr std::size_t kAllAxes = static_cast<std::size_t>(-1);

// out (at out_offset, dense, the shape without `axis`; one element for kAllAxes) = the reduction of the dense row-major
// array at in_offset. Complex numbers have Sum and Product only. Min and Max skip NaNs unless all elements are NaN.
// If there are no elements Sum gives 0, Product 1, the others InvalidDimension. `axis` out of range: InvalidDimension.
template <class T>
Status reduce(Context&, const Launch&, Reduction, std::span<const std::size_t> extents, std::size_t axis, cl_mem in,
              std::size_t in_offset, cl_mem out, std::size_t out_offset);
// The same for an array with a stride of strides[i] elements along axis i (0: the same element for all indices); as many
// strides as extents. Unsupported: more than 8 axes remain besides the reduced one after merging contiguous ones.
template <class T>
Status reduce(Context&, const Launch&, Reduction, std::span<const std::size_t> extents,
              std::span<const std::size_t> strides, std::size_t axis, cl_mem in, std::size_t in_offset, cl_mem out,
              std::size_t out_offset);
// out has elements of type cl_ulong: the index, along the axis or among all elements in row-major order, of the least
// or greatest element; of equal ones the first. NaNs are skipped; 0 if all are NaN. T: float or double.
template <class T>
Status arg_reduce(Context&, const Launch&, ArgReduction, std::span<const std::size_t> extents, std::size_t axis,
                  cl_mem in, std::size_t in_offset, cl_mem out, std::size_t out_offset);
template <class T>
Status arg_reduce(Context&, const Launch&, ArgReduction, std::span<const std::size_t> extents,
                  std::span<const std::size_t> strides, std::size_t axis, cl_mem in, std::size_t in_offset, cl_mem out,
                  std::size_t out_offset);

}  // namespace raijincl
