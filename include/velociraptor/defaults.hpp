// Defaults that options of several layers share.
#pragma once
#include <cstdint>

namespace vr {

/// Options::parallel_threshold: number of elementary operations in an array expression from which threads share it.
constexpr int64_t default_parallel_threshold = 200000;

/// The most elements that an array may have whose values select a version of a region (thesis 6.2.4).
constexpr int64_t most_region_key_elements = 5;

}  // namespace vr
