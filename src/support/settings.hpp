// Settings from the environment: one table (settings.def) says which there are, of which kind, and what they mean.
//
// A value that its kind does not allow counts as not given; `faults` says what is wrong with it. An empty value counts
// as not given too, but of VR_CACHE_DIR, where it means none. A process with rights that its user does not have
// (set-uid) has no settings. Read anew by each call; thread-safe while nobody changes the environment.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vr::settings {

enum class Name {
#define VR_SETTING(name, kind, fallback, least, most, meaning) name,
#include "support/settings.def"
};

enum class Kind { COUNT, BYTES, SWITCH, PASSES, STAGES, TEXT, FILE, FOLDER };

struct Setting {
  const char* name;
  Kind kind;
  const char* fallback;  ///< the default, for people
  int64_t least, most;
  const char* meaning;
};
std::span<const Setting> table();

/// The value, if there is one and it is of its kind.
std::optional<std::string> text(Name name);
std::optional<int64_t> number(Name name);
bool on(Name name, bool fallback = false);
std::vector<std::string> names(Name name);  ///< of PASSES and STAGES; none when it is not given

/// Any other variable of the environment (HOME), by the same rules. Empty: not there.
std::string variable(const char* name);

/// What PASSES may name, and STAGES besides `loops` and `lower`; empty: not known, and nothing is said of them.
using Passes = std::vector<std::string>;
/// A sentence for each VR_... variable of the environment that is none of the table, or whose value is not of its kind.
std::vector<std::string> faults(const Passes& passes);
/// The same as one warning, once in a process: for hosts.
void warn(const Passes& passes);

/// The table with the values of this process, for people; or as it stands in docs/settings.md.
std::string as_text(const Passes& passes);
std::string as_markdown();

}  // namespace vr::settings
