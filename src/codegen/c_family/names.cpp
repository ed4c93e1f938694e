#include "codegen/c_family/names.hpp"

#include <cctype>

namespace vr::codegen::c_family {

bool is_identifier(std::string_view name) {
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) return false;
  for (char c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') return false;
  return true;
}

bool is_keyword(std::string_view name) {
  static const std::unordered_set<std::string_view> words = {
      "auto",   "break",    "case",     "char",     "const", "continue", "default", "do",     "double",
      "else",   "enum",     "extern",   "float",    "for",   "goto",     "if",      "inline", "int",
      "long",   "register", "restrict", "return",   "short", "signed",   "sizeof",  "static", "struct",
      "switch", "typedef",  "union",    "unsigned", "void",  "volatile", "while",
  };
  return words.count(name) != 0;
}

std::string Names::unique(std::string_view wanted) {
  std::string name;
  for (char c : wanted) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) || name[0] == '_' || name.starts_with("vr_"))
    name = "v" + name;
  std::string candidate = reserved_(name) ? name + "_v" : name;
  while (reserved_(candidate) || !taken_.insert(candidate).second)
    candidate = name + "_v" + std::to_string(++numbers_[name]);
  return candidate;
}

}  // namespace vr::codegen::c_family
