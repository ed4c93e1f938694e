// What the sections of a session share on one device.
#pragma once
#include "runtime/gpu/kept.hpp"
#include "runtime/gpu/programs.hpp"
#include "runtime/gpu/staging.hpp"

namespace vr::gpu {

/// State that the sections of a session share.
struct Shared {
  Device device;
  Programs programs{device};
  Pool pool{device};
  Staging staging{device};
  Kept kept{pool};
  Traffic traffic;
  std::atomic<int64_t> sections{0}, launches{0}, on_host{0}, in_chunks{0}, chunks{0}, divided{0};
};

}  // namespace vr::gpu
