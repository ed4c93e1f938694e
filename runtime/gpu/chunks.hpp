// Launches whose arrays are larger than the device's memory: which parts of the domain run one after the other
// (jit4GPU 5.4).
#pragma once
#include "runtime/gpu/regions/footprint.hpp"

#include <functional>
#include <string>

namespace vr::gpu {

/// A block of host memory, and the part of it that a chunk uses. Its copy on the device has the same distances between
/// elements.
struct Piece {
  Span hull;                    ///< with all that is used
  Region read, write;           ///< old values that are used; bytes that are written
  std::vector<int32_t> params;  ///< whose elements it has
};
struct Chunk {
  int64_t lo = 0, hi = 0;  ///< counts of the launch
  std::vector<Piece> pieces;
};
/// The launch as chunks along one dimension. Elements that a chunk writes are not used by other chunks.
struct Chunks {
  int32_t dim = 0;
  std::vector<Chunk> chunks;
  std::vector<Piece> fixed;  ///< only read, and the same by all chunks
  int slots = 0;             ///< how many chunks are on the device at a time
  int64_t bytes_up = 0;      ///< that all chunks read
  std::string why;           ///< why there is no plan; empty: there is one
};

/// How much device memory a piece of so many bytes takes.
using PieceCost = std::function<int64_t(int64_t bytes)>;

/// The plan that copies the fewest bytes to the device: `slots` chunks at a time (fewer where one iteration of the
/// dimension is large) and the fixed pieces take at most `room` bytes. Counts are positive; the arguments as for
/// vr_gpu_launch. A reduction is cut along its outermost dimension alone, at multiples of `carried_unit`; its partial
/// results (vr_kernel::groups_param) are no part of the plan. max_offset: device::Limits.
Chunks plan_chunks(const AccessTable& table, const vr_kernel& kernel, const int64_t* counts, const vr_value* args,
                   int64_t room, int slots, const PieceCost& cost, int64_t carried_unit = 1,
                   int64_t max_offset = INT64_MAX);

}  // namespace vr::gpu
