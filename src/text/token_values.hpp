// Values of tokens for the rule that ends: attributes, numbers, strings, words.
#pragma once
#include <text/partial_tree.hpp>

#include <fmt/format.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

namespace vr::text {

/// The value of an attribute; null if it is absent.
const Value* find(PartialTree& tree, size_t attr);
/// The same; reports an error if it is absent.
const Value* need(PartialTree& tree, size_t attr);

int64_t integer(PartialTree& tree, const Value& v, int64_t low, int64_t high);
/// A uint64, as its bits; a negative int64 is converted modulo 2^64.
int64_t unsigned_integer(PartialTree& tree, const Value& v);
int32_t id(PartialTree& tree, size_t attr);
double number(PartialTree& tree, const Value& v);
std::string text_of(PartialTree& tree, const Value& v);
std::string text_of(PartialTree& tree, size_t attr);
bool boolean(const Value& v);
std::optional<bool> optional_bool(PartialTree& tree, size_t attr);
/// The source location given by the front end (`:loc`); "" if there is none.
std::string loc(PartialTree& tree);

template <class T>
T word_value(PartialTree& tree, const Value& v, const char* what,
             std::initializer_list<std::pair<const char*, T>> words) {
  std::string word = text_of(tree, v), all;
  for (auto& [name, value] : words) {
    if (word == name) return value;
    all += (all.empty() ? "" : ", ") + std::string(name);
  }
  tree.errors.add(v.pos, fmt::format("unknown {} '{}'", what, word), fmt::format("known are {}", all));
  return words.begin()->second;
}

}  // namespace vr::text
