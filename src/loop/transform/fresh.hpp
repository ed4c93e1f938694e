// fresh: launches say which arrays are new and have no contents yet.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Where an array was allocated without contents and nothing has accessed its elements since, a launch that writes it gets it with
/// VR_ARRAY_UNDEFINED among its flags: the runtime does not copy its elements to the device. The flag is removed after the launch.
/// For CPU functions of targets with a device; other launches are unchanged.
void fresh(Module& m, const PassOptions& options);

}  // namespace vr::lower
