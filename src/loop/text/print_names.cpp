#include "loop/text/print_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace vr::lower {

std::string quoted(const std::string& text) {
  std::string s = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') s += '\\';
    if (c == '\n')
      s += "\\n";
    else
      s += c;
  }
  return s + '"';
}

/// The name as parse_loops() reads it: plain, or in quotes.
static std::string word(const std::string& name) {
  static const std::set<std::string> reserved = [] {
    // Words of expressions, and those with which a statement or the end of one begins.
    std::set<std::string> words{"ptr",  "true", "false", "null", "inf",   "nan",      "load", "store", "fence",    "row",    "solo",  "alias", "if",
                                "else", "for",  "loop",  "poll", "break", "continue", "exit", "fail",  "parallel", "launch", "call",  "join"};
    for (const ir::ElemInfo& e : ir::elem_table) words.insert(e.abbreviation);
    return words;
  }();
  auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '#'; };
  const bool as_it_is = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) && name[0] != '.' &&
                        name[0] != '#' && std::all_of(name.begin(), name.end(), plain) && !reserved.count(name);
  return as_it_is ? name : quoted(name);
}

PrintedNames::PrintedNames(const Function& f, bool unique) {
  make(f);
  if (unique) make_unique();
}

void PrintedNames::make(const Function& f) {
  vars_.resize(f.vars.size());
  auto give = [&](VarId v, const std::string& name) {
    if (v >= 0 && static_cast<size_t>(v) < vars_.size()) vars_[static_cast<size_t>(v)] = name;
  };
  std::map<std::string, int> taken;
  for (const ArrayVars& a : f.arrays) {
    int n = taken[a.name]++;
    const std::string& name =
        arrays_.emplace_back(n == 0 && !a.name.empty() ? a.name : fmt::format("{}#{}", a.name, n));
    give(a.data, name + ".data");
    give(a.owner, name + ".owner");
    give(a.flags, name + ".flags");
    for (size_t d = 0; d < a.extent.size(); ++d) give(a.extent[d], fmt::format("{}.extent{}", name, d));
    for (size_t d = 0; d < a.stride.size(); ++d) give(a.stride[d], fmt::format("{}.stride{}", name, d));
  }
  taken.clear();
  for (size_t v = 0; v < vars_.size(); ++v) {
    if (!vars_[v].empty()) continue;
    int n = taken[f.vars[v].name]++;
    vars_[v] = n == 0 && !f.vars[v].name.empty() ? f.vars[v].name : fmt::format("{}#{}", f.vars[v].name, n);
  }
}

void PrintedNames::make_unique() {
  // A variable may have the name of an array, or the name that another variable got.
  std::map<std::string, int> seen;
  for (const std::string& name : arrays_) seen[name] = 1;
  for (std::string& name : vars_) {
    while (seen[name]++) name += "#";
    name = word(name);
  }
  for (std::string& name : arrays_) name = word(name);
}

std::string PrintedNames::var(VarId v) const {
  return v >= 0 && static_cast<size_t>(v) < vars_.size() ? vars_[static_cast<size_t>(v)] : fmt::format("var#{}?", v);
}

std::string PrintedNames::array(ArrayId a) const {
  return a >= 0 && static_cast<size_t>(a) < arrays_.size() ? arrays_[static_cast<size_t>(a)]
                                                           : fmt::format("array#{}?", a);
}

}  // namespace vr::lower
