#include "ir/library.hpp"

#include <algorithm>
#include <vector>

namespace vr::ir {

const LibFunction* find_library(std::string_view name) {
  static const std::vector<LibFunction> table = [] {
    std::vector<LibFunction> t = {
#define VR_LIB(name, sort, min_args, max_args) {name, LibSort::sort, min_args, max_args},
#include "ir/library.def"
    };
    std::sort(t.begin(), t.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return t;
  }();
  auto it = std::lower_bound(table.begin(), table.end(), name, [](const auto& f, auto n) { return f.name < n; });
  return it != table.end() && it->name == name ? &*it : nullptr;
}

}  // namespace vr::ir
