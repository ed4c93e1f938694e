#include "ir/library.hpp"

#include <algorithm>

namespace vr::ir {

const std::vector<LibFunction>& all_library() {
  static const std::vector<LibFunction> table = [] {
    std::vector<LibFunction> t = {
#define VR_LIB(name, sort, min_args, max_args) {name, LibSort::sort, min_args, max_args},
#include "ir/library.def"
    };
    std::sort(t.begin(), t.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return t;
  }();
  return table;
}

const LibFunction* find_library(std::string_view name) {
  const auto& table = all_library();
  auto it = std::lower_bound(table.begin(), table.end(), name, [](const auto& f, auto n) { return f.name < n; });
  return it != table.end() && it->name == name ? &*it : nullptr;
}

}  // namespace vr::ir
