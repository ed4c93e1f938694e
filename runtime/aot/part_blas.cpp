// BLAS and LAPACK: registers the library functions of the part `blas` (runtime/parts.def).
#define VR_THIS_PART blas
#include "runtime/aot/register.inc"

namespace vr::runtime {
namespace {
struct ForDevices {
  ForDevices() { cpu_library.mmult.store(vr_rt_mmult, std::memory_order_release); }
};
const ForDevices for_devices;
}  // namespace
}  // namespace vr::runtime

VR_PART_MARKER(blas)
