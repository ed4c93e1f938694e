#include "lower/source_place.hpp"

#include <charconv>
#include <vector>

namespace vr::lower {

Place source_place(const std::string& file, ir::TextPos pos, const std::string& loc) {
  std::string rest = loc;
  std::vector<int> numbers;
  for (size_t colon; numbers.size() < 2 && (colon = rest.rfind(':')) != std::string::npos && colon > 0;) {
    int n = 0;
    auto [end, error] = std::from_chars(rest.data() + colon + 1, rest.data() + rest.size(), n);
    if (error != std::errc() || end != rest.data() + rest.size() || n < 0) break;
    numbers.insert(numbers.begin(), n);
    rest.resize(colon);
  }
  if (numbers.empty()) return {file, pos.line, pos.column};
  return {rest, numbers[0], numbers.size() > 1 ? numbers[1] : 0};
}

}  // namespace vr::lower
