// Warnings that users should see once and that cannot be returned to a caller: an invalid setting, a file that is not
// trusted.
#pragma once
#include <string_view>

namespace vr {

/// The subject of a warning: a process prints one warning of each.
enum class Warning { Settings, CacheDirectory, CacheEntry, RaijinclProfile, Count };

/// Prints one line on standard error for the first warning about this subject; later ones are not shown. With VR_TRACE all
/// of them are in the trace. Thread-safe, takes no lock.
void warn_once(Warning about, std::string_view text) noexcept;
/// Only in the trace: for facts that need no action by the user.
void remark(std::string_view text) noexcept;

}  // namespace vr
