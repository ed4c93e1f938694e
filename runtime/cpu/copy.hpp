// Copying elements between arrays of equal shapes and any strides.
#pragma once
#include <cstdint>

namespace vr::runtime {

/// Copies every element of a strided array to the same subscript of another one. Strides in bytes, any sign, zero
/// allowed on the source; element_bytes is one of 1, 2, 4, 8, 16. The two must be disjoint. rank 0..16; extents >= 0.
void copy_elements(int32_t rank, const int64_t* extents, int64_t element_bytes, char* to, const int64_t* to_strides,
                   const char* from, const int64_t* from_strides) noexcept;

}  // namespace vr::runtime
