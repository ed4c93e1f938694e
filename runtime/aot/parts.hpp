// How the parts of the runtime library find each other (runtime/parts.def). A part registers itself when it is loaded:
// a shared one by the loader, a static one because the program refers to its marker. If a part is not linked, its
// functions are missing; src/aot builds no code that needs them.
#pragma once
#include <velociraptor/aot.h>

#include <atomic>
#include <cstdint>

#include "runtime/abi.h"
#include "runtime/library/call.hpp"

namespace vr::runtime {

/// The implementation of library function `id` (its index in ir/library.def). Called before main(), or by the loader.
void register_library_function(int32_t id, const char* name, void (*compute)(const LibraryCall&));

/// Parallel loops with threads: run_blocks and running_block of cpu/parallel_for.hpp.
void register_threads(decltype(vr_rt_parallel_for)* run, bool (*inside)());

/// Accelerated sections on a device: the part `opencl`.
struct DeviceCalls {
  /// To be called before a call of `function`, which has a version with kernels. Sets context.gpu; if there is no
  /// device, to null, which is recorded for the report. Returns VR_OK or the code of a recorded fault; only after VR_OK
  /// `end` must be called.
  int32_t (*begin)(vr_context& context, const char* function);
  /// To be called after the call; `status` is the code that it returned. Returns the final code of the call.
  int32_t (*end)(vr_context& context, int32_t status);
  size_t (*name)(char* text, size_t size);    ///< vr_aot_device
  size_t (*report)(char* text, size_t size);  ///< vr_aot_report
  void (*use)(vr_aot_use* out);               ///< vr_aot_device_use
};
void register_device(const DeviceCalls& calls);
/// Null: the part is not linked.
const DeviceCalls* device_calls();

/// Operations of sections that the CPU computes if the device cannot (runtime/gpu/cpu_library.hpp): from the parts
/// `blas`, `fft` and `library`.
struct CpuLibrary {
  std::atomic<decltype(vr_rt_mmult)*> mmult{nullptr};
  std::atomic<decltype(vr_rt_sort)*> sort{nullptr};
  std::atomic<decltype(vr_rt_sort_index)*> sort_index{nullptr};
  std::atomic<decltype(vr_rt_library)*> library{nullptr};
};
extern CpuLibrary cpu_library;

}  // namespace vr::runtime

/// Defines the marker of a part, which src/aot makes objects refer to.
#define VR_PART_MARKER(name)                                                     \
  extern "C" __attribute__((visibility("default"))) const char vrrt_part_##name; \
  extern "C" const char vrrt_part_##name = 1;
