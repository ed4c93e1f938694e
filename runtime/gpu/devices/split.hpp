// How the domain of a launch is divided among devices: along one dimension, in proportion to their speeds, so that no
// two parts write the same byte.
#pragma once
#include "runtime/gpu/device_section.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace vr::gpu {

struct SplitPart {
  size_t device = 0;
  LaunchPart launch;
};
/// A part in pieces: those at its ends that write what other devices wait for, and the rest.
struct Strips {
  std::vector<LaunchPart> ends;
  LaunchPart rest;
};
/// The parts of a launch, in the order of their iterations. One part is the whole launch.
struct Split {
  std::vector<SplitPart> parts;
  std::string why;  ///< why it is not divided; empty: it is, or it is too small
};
/// How many of the bytes that the part reads and writes are not on its device.
using BytesToMove = std::function<int64_t(const SplitPart&)>;

/// The whole launch as one part. table null: it may access any element of its arrays.
LaunchPart whole_launch(const AccessTable* table, const vr_kernel& kernel, const int64_t* counts, const vr_value* args);

/// The part in pieces, of which the first ones are short and write all blocks. No ends: there are no such pieces.
Strips plan_strips(const AccessTable& table, const vr_kernel& kernel, const int64_t* counts, const vr_value* args,
                   const LaunchPart& part, const Region& blocks);

/// shares: of each device, positive, with the sum 1. A launch of less than `least` iterations is divided only if that
/// moves fewer bytes than running it on one device. counts are positive; fold_group: work-items of a reduction's
/// work-groups; max_offset: the greatest number of a part's first work-item.
Split plan_split(const AccessTable* table, const vr_kernel& kernel, const int64_t* counts, const vr_value* args,
                 std::span<const double> shares, int64_t least, size_t fold_group, int64_t max_offset,
                 const BytesToMove& to_move);

}  // namespace vr::gpu
