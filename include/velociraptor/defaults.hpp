// Defaults that options of several layers share.
#pragma once
#include <cstdint>

namespace vr {

/// Options::parallel_threshold: elementary operations in an array expression that are worth a second thread.
constexpr int64_t default_parallel_threshold = 200000;

}  // namespace vr
