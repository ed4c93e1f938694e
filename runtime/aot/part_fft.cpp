// Fourier transforms: registers the library functions of the part `fft` (runtime/parts.def).
#define VR_THIS_PART fft
#include "runtime/aot/register.inc"

namespace vr::runtime {
namespace {
struct ForDevices {
  ForDevices() { cpu_library.library.store(vr_rt_library, std::memory_order_release); }
};
const ForDevices for_devices;
}  // namespace
}  // namespace vr::runtime

VR_PART_MARKER(fft)
