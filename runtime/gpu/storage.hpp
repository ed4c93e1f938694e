// The bytes that an array's elements occupy. No device types here.
#pragma once
#include <velociraptor/descriptor.h>

#include <cstdint>

#include "runtime/cpu/sizes.hpp"

namespace vr::gpu {

/// Bytes [lo, hi) of host memory.
struct Span {
  uintptr_t lo = 0, hi = 0;
  uintptr_t bytes() const { return hi - lo; }
  bool empty() const { return hi <= lo; }
  bool contains(const Span& s) const { return lo <= s.lo && s.hi <= hi; }
  bool overlaps(const Span& s) const { return lo < s.hi && s.lo < hi; }
};

using runtime::element_bytes;

/// The span from the lowest to the highest byte of all elements, for strides of any sign; empty when there is no
/// element.
Span storage_span(const vr_array& a);
/// The bytes as an array, without an owner.
vr_array bytes_of(Span span);
/// Whether the elements cover every byte of the span.
bool is_dense(const vr_array& a);

}  // namespace vr::gpu
