// Programs compiled for devices of this machine, to be put into libraries.
#include "runtime/gpu/opencl/programs.hpp"

namespace vr::gpu {

Result<std::vector<DeviceBinaries>> compile_programs(const std::vector<ProgramText>& programs) {
  std::vector<DeviceBinaries> all;
  try {
    for (const Device& device : open_devices()) {
      Programs here(device);
      DeviceBinaries made{device.info, {}};
      for (const ProgramText& p : programs) {
        try {
          made.programs.emplace_back(here.compile(p.source, p.options));
        } catch (const cl::Failure& f) {
          made.programs.emplace_back(make_error(f.code, f.message));
        }
      }
      all.push_back(std::move(made));
    }
  } catch (const cl::Failure& f) {
    return make_error(f.code, f.message);
  }
  return all;
}

}  // namespace vr::gpu
