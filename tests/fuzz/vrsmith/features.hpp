// What the generator leaves out because the targets are known to disagree on it: one line a find that is not repaired
// yet. `vrsmith --all` generates these too.
#pragma once
#include <cstdint>

namespace vr::smith {

enum class Known : uint8_t {
#define VR_KNOWN(Name, text) Name,
#include "known.def"
};

/// Whether the generator may use the feature.
bool allowed(Known feature);
void allow_all();

}  // namespace vr::smith
