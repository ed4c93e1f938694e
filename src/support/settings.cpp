#include "support/settings.hpp"

#include "support/warning.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <sstream>

extern char** environ;

namespace vr::settings {

namespace {

constexpr Setting all[] = {
#define VR_SETTING(name, kind, fallback, least, most, meaning) {#name, Kind::kind, fallback, least, most, meaning},
#include "support/settings.def"
};

// Variables of OpenVR, which is another project.
constexpr std::string_view others[] = {"VR_OVERRIDE", "VR_CONFIG_PATH", "VR_LOG_PATH", "VR_PATHREG_OVERRIDE"};

const Setting& of(Name name) { return all[static_cast<size_t>(name)]; }

/// The variable as it is in the environment.
std::optional<std::string> given(const Setting& s) {
  const char* value = secure_getenv(s.name);
  if (!value || (!*value && s.kind != Kind::FOLDER)) return {};
  return std::string(value);
}

std::optional<int64_t> whole(std::string_view text) {
  int64_t v = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return v;
}

std::vector<std::string> parts(const std::string& text) {
  std::vector<std::string> list;
  std::stringstream s(text);
  for (std::string n; std::getline(s, n, ',');)
    if (!n.empty()) list.push_back(n);
  return list;
}

std::string range(const Setting& s) {
  switch (s.kind) {
    case Kind::COUNT:
    case Kind::BYTES:
      return s.most == INT64_MAX ? fmt::format("a whole number from {} on", s.least)
                                 : fmt::format("a whole number from {} to {}", s.least, s.most);
    case Kind::SWITCH:
      return "0 or 1";
    case Kind::PASSES:
      return "names of passes, with commas between";
    case Kind::STAGES:
      return "names of passes, `loops`, `lower`, with commas between";
    case Kind::TEXT:
      return "text";
    case Kind::FILE:
      return "a path";
    case Kind::FOLDER:
      return "an absolute path, or empty";
  }
  return "";
}

/// Describes what is wrong with the value; empty: it is valid.
std::string wrong(const Setting& s, const std::string& value, const Passes& passes) {
  switch (s.kind) {
    case Kind::COUNT:
    case Kind::BYTES:
    case Kind::SWITCH:
      if (const auto v = whole(value); v && *v >= s.least && *v <= s.most) return "";
      break;
    case Kind::PASSES:
    case Kind::STAGES:
      for (const std::string& name : parts(value))
        if (!(s.kind == Kind::STAGES && (name == "loops" || name == "lower")) && !passes.empty() &&
            std::find(passes.begin(), passes.end(), name) == passes.end())
          return fmt::format("there is no pass '{}'; there is {}", name, fmt::join(passes, ", "));
      return "";
    case Kind::FOLDER:
      if (value.empty() || value[0] == '/') return "";
      break;
    case Kind::TEXT:
    case Kind::FILE:
      return "";
  }
  return "it is not " + range(s);
}

std::string fault(const Setting& s, const std::string& value, const Passes& passes) {
  const std::string why = wrong(s, value, passes);
  return why.empty() ? "" : fmt::format("{}='{}': {}", s.name, value, why);
}

}  // namespace

std::span<const Setting> table() { return all; }

std::optional<std::string> text(Name name) {
  auto value = given(of(name));
  if (value && !wrong(of(name), *value, {}).empty()) return {};
  return value;
}
std::optional<int64_t> number(Name name) {
  const auto value = text(name);
  return value ? whole(*value) : std::nullopt;
}
bool on(Name name, bool fallback) { return number(name).value_or(fallback) != 0; }
std::vector<std::string> names(Name name) { return parts(text(name).value_or("")); }

std::string variable(const char* name) {
  const char* value = secure_getenv(name);
  return value ? value : "";
}

std::vector<std::string> faults(const Passes& passes) {
  std::vector<std::string> list;
  for (const Setting& s : all)
    if (const auto value = given(s))
      if (std::string f = fault(s, *value, passes); !f.empty()) list.push_back(std::move(f));
  for (char** v = environ; v && *v; ++v) {
    const std::string_view entry(*v), name = entry.substr(0, entry.find('='));
    if (!name.starts_with("VR_") || std::find(std::begin(others), std::end(others), name) != std::end(others)) continue;
    const bool known = std::any_of(std::begin(all), std::end(all), [&](const Setting& s) { return s.name == name; });
    if (!known) list.push_back(fmt::format("{}: there is no such setting (`vrir settings` lists them)", name));
  }
  return list;
}

void warn(const Passes& passes) {
  const std::vector<std::string> list = faults(passes);
  if (!list.empty())
    warn_once(Warning::Settings,
              fmt::format("{}; {} not used", fmt::join(list, "; "), list.size() > 1 ? "they are" : "it is"));
}

std::string as_text(const Passes& passes) {
  std::string out;
  for (const Setting& s : all) {
    const auto value = given(s);
    const std::string f = value ? fault(s, *value, passes) : "";
    out += fmt::format("{:<21}{}\n", s.name,
                       value ? "= '" + *value + "'" + (f.empty() ? "" : "  (not used: not " + range(s) + ")")
                             : fmt::format("not set{}{}", *s.fallback ? "; default: " : "", s.fallback));
    out += fmt::format("{:<21}{}: {}\n", "", range(s), s.meaning);
  }
  for (const std::string& f : faults(passes))
    if (f.find('=') == std::string::npos) out += f + "\n";
  return out;
}

std::string as_markdown() {
  std::string out = "| variable | value | default | meaning |\n|---|---|---|---|\n";
  for (const Setting& s : all)
    out += fmt::format("| `{}` | {} | {} | {} |\n", s.name, range(s), *s.fallback ? s.fallback : "not set", s.meaning);
  return out;
}

}  // namespace vr::settings
