// Settings from the environment: one table (settings.def) defines their names, kinds and meanings.
//
// A value that its kind does not allow is ignored; `faults` describes what is wrong with it. An empty value is ignored, too,
// except for VR_CACHE_DIR, where it means no cache. A process with privileges that its user does not have (set-uid) has no
// settings. Each call reads the environment again; thread-safe as long as nobody changes the environment.
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

/// The value, if it is set and valid for its kind.
std::optional<std::string> text(Name name);
std::optional<int64_t> number(Name name);
bool on(Name name, bool fallback = false);
std::vector<std::string> names(Name name);  ///< of PASSES and STAGES; empty if it is not set

/// Any other variable of the environment (such as HOME), by the same rules. Empty: not set.
std::string variable(const char* name);

/// The names that PASSES accepts, and STAGES besides `loops` and `lower`; empty: not known, so that names are not checked.
using Passes = std::vector<std::string>;
/// A sentence for each VR_... variable of the environment that is not in the table, or whose value is invalid.
std::vector<std::string> faults(const Passes& passes);
/// The same as one warning, once in a process: for hosts.
void warn(const Passes& passes);

/// The table with the values of this process, as text for users; and in the form of docs/settings.md.
std::string as_text(const Passes& passes);
std::string as_markdown();

}  // namespace vr::settings
