// Programs compiled for the devices of this machine, which are embedded into libraries.
#include "runtime/gpu/programs.hpp"

namespace vr::gpu {

Result<std::vector<DeviceBinaries>> compile_programs(const std::vector<ProgramText>& programs) {
  std::vector<DeviceBinaries> all;
  try {
    for (const Device& opened : open_matching_devices()) {
      Programs here(opened);
      DeviceBinaries made{opened.info, {}};
      for (const ProgramText& p : programs) {
        try {
          made.programs.emplace_back(here.compile(p.source, p.options));
        } catch (const device::Failure& f) {
          made.programs.emplace_back(make_error(f.code, f.message));
        }
      }
      all.push_back(std::move(made));
    }
  } catch (const device::Failure& f) {
    return make_error(f.code, f.message);
  }
  return all;
}

}  // namespace vr::gpu
