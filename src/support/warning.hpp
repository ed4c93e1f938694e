// What a user should know of once, where no caller can be told: a setting that means nothing, a file not to be
// believed.
#pragma once
#include <string_view>

namespace vr {

/// What a warning is about: each is said once in a process.
enum class Warning { Settings, CacheDirectory, CacheEntry, RaijinclProfile, Count };

/// One line on standard error, the first time for `about`; later ones of the same kind are not shown. With VR_TRACE
/// each stands in the trace. Thread-safe, takes no lock.
void warn_once(Warning about, std::string_view text) noexcept;
/// Only into the trace: what is no mistake of anybody's.
void remark(std::string_view text) noexcept;

}  // namespace vr
