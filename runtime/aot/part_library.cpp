// Sorting, sets, selection: registers the library functions of the part `library` (runtime/parts.def).
#define VR_THIS_PART library
#include "runtime/aot/register.inc"

namespace vr::runtime {
namespace {
struct ForDevices {
  ForDevices() {
    cpu_library.sort.store(vr_rt_sort, std::memory_order_release);
    cpu_library.sort_index.store(vr_rt_sort_index, std::memory_order_release);
  }
};
const ForDevices for_devices;
}  // namespace
}  // namespace vr::runtime

VR_PART_MARKER(library)
