// Lists of names of passes, and the rows of tables with those names.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

namespace vr::pipeline {

inline bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}
/// The row of that name; null if there is none.
template <class Row>
const Row* row_named(const std::vector<Row>& table, const std::string& name) {
  auto it = std::find_if(table.begin(), table.end(), [&](const Row& r) { return r.name == name; });
  return it == table.end() ? nullptr : &*it;
}

}  // namespace vr::pipeline
