#include "lower/lower.hpp"
#include "support/settings.hpp"

#include <algorithm>

namespace vr::lower {

void suit_device(PassOptions& options, const DeviceKind& device) {
  using settings::Name;
  options.tiles = settings::number(Name::VR_KERNEL_TILES).value_or(device.is_gpu ? 32768 : 256);
  options.tile_points = device.is_gpu ? 64 : 32;  // CPUs have fewer vector registers than GPUs
  // With more work-items an iteration more loads are outstanding (softmax of 8192 x 8192 on an H100: 1178 us with 4,
  // 724 with 8, 514 with 16).
  options.team = 4;
  while (device.is_gpu && options.team < 16 && 2 * options.team * row_group <= device.max_group) options.team *= 2;
  // More local memory for each work-group would leave room for fewer work-groups at a time.
  constexpr int64_t most_local_bytes = 36864;
  options.group = device.max_group;
  options.local_bytes = settings::number(Name::VR_KERNEL_LOCAL)
                            .value_or(device.is_gpu ? std::min(device.local_bytes, most_local_bytes) : 0);
  options.lanes = settings::on(Name::VR_KERNEL_LANES, device.is_gpu);
}

}  // namespace vr::lower
