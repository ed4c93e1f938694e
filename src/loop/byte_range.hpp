// The range of memory that an array's elements occupy (private to src/loop and src/lower).
#pragma once
#include "loop/writer.hpp"

namespace vr::lower {

using ByteRange = std::pair<ExprP, ExprP>;  ///< addresses: the first byte, and one past the last byte

/// The range of all elements of an array with these extents and strides (bytes; of any sign).
ByteRange byte_range(Writer& out, ExprP data, const std::vector<ExprP>& extent, const std::vector<ExprP>& stride,
                     int64_t bytes);
ExprP disjoint(Writer& out, const ByteRange& a, const ByteRange& b);

}  // namespace vr::lower
