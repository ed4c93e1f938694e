// Defaults that options of several layers share.
#pragma once
#include <cstdint>

namespace vr {

/// Options::parallel_threshold: elementary operations in an array expression that are worth a second thread.
constexpr int64_t default_parallel_threshold = 200000;

/// Elements of an array whose values may choose a version of a region (thesis 6.2.4).
constexpr int64_t most_region_key_elements = 5;

}  // namespace vr
