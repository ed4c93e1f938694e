// The bytes that an array's elements take (private to src/lower).
#pragma once
#include "loop/writer.hpp"

namespace vr::lower {

using ByteRange = std::pair<ExprP, ExprP>;  ///< addresses: first byte, behind the last one

/// Of all elements that an array of these extents and strides (bytes) can have.
ByteRange byte_range(Writer& out, ExprP data, const std::vector<ExprP>& extent, const std::vector<ExprP>& stride,
                     int64_t bytes);
ExprP disjoint(Writer& out, const ByteRange& a, const ByteRange& b);

}  // namespace vr::lower
