#include "text/short/convention_words.hpp"

#include "text/short/scope.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <initializer_list>
#include <optional>
#include <utility>

namespace vr::text::brief {

namespace {

using ir::ConventionAttrs;

template <class T>
struct Word {
  const char* name;
  T value;
};
constexpr Word<int> bases[] = {{"0", 0}, {"1", 1}};
constexpr Word<int> ranks[] = {{"1", 1}, {"2", 2}};
constexpr Word<bool> truths[] = {{"false", false}, {"true", true}};
constexpr Word<ir::AssignMode> assigns[] = {{"share", ir::AssignMode::Share}, {"copy", ir::AssignMode::Copy}};
constexpr Word<ir::SliceMode> slices[] = {{"view", ir::SliceMode::View}, {"copy", ir::SliceMode::Copy}};
constexpr Word<ir::NanMode> nans[] = {{"propagate", ir::NanMode::Propagate}, {"omit", ir::NanMode::Omit}};
constexpr Word<ir::MemoryMode> memories[] = {{"refcount", ir::MemoryMode::Refcount}, {"boehm", ir::MemoryMode::Boehm}};
constexpr Word<ir::BroadcastMode> broadcasts[] = {{"trailing", ir::BroadcastMode::Trailing},
                                                  {"leading", ir::BroadcastMode::Leading},
                                                  {"none", ir::BroadcastMode::None}};
constexpr Word<ir::Promote> promotes[] = {{"vrir", ir::Promote::Vrir}, {"numpy2", ir::Promote::Numpy2}};
constexpr Word<ir::OverflowMode> overflows[] = {
    {"wrap", ir::OverflowMode::Wrap}, {"saturate", ir::OverflowMode::Saturate}, {"fault", ir::OverflowMode::Fault}};
constexpr Word<uint8_t> flags[] = {
    {"none", ir::fastmath::None},         {"all", ir::fastmath::All},   {"reassoc", ir::fastmath::Reassoc},
    {"contract", ir::fastmath::Contract}, {"arcp", ir::fastmath::Arcp}, {"nnan", ir::fastmath::Nnan},
    {"ninf", ir::fastmath::Ninf},         {"nsz", ir::fastmath::Nsz},   {"afn", ir::fastmath::Afn}};

/// Calls f(key, attribute, words) for each attribute whose value is one word.
template <class Attrs, class F>
void each(Attrs& a, F f) {
  f("indexing", a.indexing, bases);
  f("exclude", a.exclude, truths);
  f("flatten", a.flatten, truths);
  f("grow", a.grow, truths);
  f("assign", a.assign, assigns);
  f("slices", a.slices, slices);
  f("nan", a.nan, nans);
  f("memory", a.memory, memories);
  f("mindims", a.mindims, ranks);
  f("broadcast", a.broadcast, broadcasts);
  f("promote", a.promote, promotes);
  f("overflow", a.overflow, overflows);
}

std::string fast_math_word(uint8_t value) {
  std::string s;
  for (const auto& w : flags) {
    if (w.value == value) return w.name;
    if (w.value != ir::fastmath::All && (value & w.value)) s += (s.empty() ? "" : "+") + std::string(w.name);
  }
  return s;
}

/// The words for the attributes that differ from those of `base`. No value if `a` lacks an attribute of `base`, because
/// no word expresses that.
std::optional<std::vector<std::string>> difference(const ConventionAttrs& a, const ConventionAttrs& base) {
  std::vector<std::pair<const char*, std::string>> before, now;
  auto list = [](const ConventionAttrs& of, auto& to) {
    each(of, [&](const char* key, const auto& value, const auto& words) {
      std::string text;
      for (const auto& w : words)
        if (value == w.value) text = w.name;
      to.emplace_back(key, text);
    });
    to.emplace_back("fastmath", of.fast_math ? fast_math_word(*of.fast_math) : "");
  };
  list(base, before);
  list(a, now);
  std::vector<std::string> words;
  for (size_t k = 0; k < now.size(); ++k) {
    if (now[k].second == before[k].second) continue;
    if (now[k].second.empty()) return {};
    words.push_back(fmt::format("{}={}", now[k].first, now[k].second));
  }
  return words;
}

}  // namespace

std::vector<std::string> convention_words(const ConventionAttrs& a) {
  std::vector<std::string> best = *difference(a, {});
  for (auto [name, conventions] :
       {std::pair("numpy", ir::Conventions::numpy()), std::pair("matlab", ir::Conventions::matlab())}) {
    auto words = difference(a, preset(conventions));
    if (!words || words->size() + 1 >= best.size()) continue;
    words->insert(words->begin(), name);
    best = std::move(*words);
  }
  return best;
}

WordFault set_convention(ConventionAttrs& a, std::string_view key, const std::vector<std::string>& values,
                         std::string& known) {
  bool found = false, valid = false;
  std::vector<std::string> keys = {"vrir"};
  auto names = [&](const auto& words) {
    known.clear();
    for (const auto& w : words) known += (known.empty() ? "" : ", ") + std::string(w.name);
  };
  each(a, [&](const char* name, auto& to, const auto& words) {
    keys.push_back(name);
    if (key != name) return;
    found = true;
    names(words);
    for (const auto& w : words)
      if (values.size() == 1 && values[0] == w.name) {
        to = w.value;
        valid = true;
      }
  });
  keys.push_back("fastmath");
  if (key == "fastmath") {
    found = valid = true;
    names(flags);
    uint8_t all = ir::fastmath::None;
    for (const std::string& v : values) {
      bool is_flag = false;
      for (const auto& w : flags)
        if (v == w.name) {
          all |= w.value;
          is_flag = true;
        }
      valid = valid && is_flag;
    }
    a.fast_math = all;
  }
  if (!found) known = fmt::format("{}", fmt::join(keys, ", "));
  return !found ? WordFault::UnknownKey : valid ? WordFault::None : WordFault::UnknownValue;
}

}  // namespace vr::text::brief
