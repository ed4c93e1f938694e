// Identifiers of a C-like language from names that may be anything.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace vr::codegen::c_family {

/// Whether the word is a C identifier.
bool is_identifier(std::string_view name);

/// Whether the word is a keyword of C99, other than those that begin with an underscore.
bool is_keyword(std::string_view name);

/// Makes identifiers that differ from each other.
class Names {
 public:
  /// reserved: whether the word has a meaning in the language or in the emitted program.
  explicit Names(bool (*reserved)(std::string_view)) : reserved_(reserved) {}
  /// An identifier close to `wanted`: other characters become '_', a taken or reserved name gets a number.
  std::string unique(std::string_view wanted);

 private:
  bool (*reserved_)(std::string_view);
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, int> numbers_;  ///< of each name: the numbers below are taken or reserved
};

}  // namespace vr::codegen::c_family
