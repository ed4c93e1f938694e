// Features that the generator omits because the targets are known to disagree on them: one line for each unrepaired
// failure. `vrsmith --all` generates them, too.
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
