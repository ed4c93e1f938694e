// How the parts of the runtime library find each other (runtime/parts.def). A part registers itself when it is loaded:
// a shared one by the loader, a static one because the program refers to its marker. Without a part, its functions are
// not there, and no code that needs them was built (src/aot).
#pragma once
#include <cstdint>

#include "runtime/abi.h"
#include "runtime/library/call.hpp"

namespace vr::runtime {

/// The implementation of library function `id` (its index in ir/library.def). Called before main(), or by the loader.
void register_library_function(int32_t id, const char* name, void (*compute)(const LibraryCall&));

/// Parallel loops with threads: run_blocks and running_block of cpu/parallel_for.hpp.
void register_threads(decltype(vr_rt_parallel_for)* run, bool (*inside)());

}  // namespace vr::runtime

/// Defines the marker of a part, which src/aot makes objects refer to.
#define VR_PART_MARKER(name)                                                     \
  extern "C" __attribute__((visibility("default"))) const char vrrt_part_##name; \
  extern "C" const char vrrt_part_##name = 1;
