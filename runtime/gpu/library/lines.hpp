// The lines of two arrays of the same extents along an axis: what scans and sorting work on.
#pragma once
#include <velociraptor/descriptor.h>

#include <cstdint>
#include <optional>

namespace vr::gpu {

/// Lines of `n` elements, numbered from 0. Line number k has the subscripts k % extent[0], k / extent[0] % extent[1]
/// and k / extent[0] / extent[1] along the dimensions besides the axis, of which the first has the smallest stride in
/// the source. Strides and steps are in bytes.
struct Lines {
  struct Side {
    int64_t step = 0;  ///< from one element of a line to the next
    int64_t stride[3] = {0, 0, 0};
    int64_t offset(const int64_t* extent, int64_t line) const {
      return line % extent[0] * stride[0] + line / extent[0] % extent[1] * stride[1] +
             line / extent[0] / extent[1] * stride[2];
    }
  };
  int64_t n = 1, count = 1;
  int64_t extent[3] = {1, 1, 1};
  Side from, to;
};

/// The lines of `from` and `to`, arrays of equal extents, along `axis`; an axis past the last one has extent 1. nullopt
/// if more than three dimensions are left beside the axis after those that lie without gaps in both arrays were joined.
std::optional<Lines> lines_along(const vr_array& from, const vr_array& to, int32_t axis);
/// Why a device rejects arrays for which lines_along() returns nullopt.
inline constexpr const char* no_lines = "more than three dimensions besides the axis are not contiguous in memory";
/// All elements of `from`, which is contiguous in row-major order, and the vector `to`, as one line.
Lines one_line(const vr_array& from, const vr_array& to);

}  // namespace vr::gpu
