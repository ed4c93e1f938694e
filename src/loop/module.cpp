#include "loop/form.hpp"

#include <algorithm>

namespace vr::lower {

int32_t add_function(Module& m, Function::Kind kind, const std::string& name, const std::string& source_name) {
  std::string clean = name;
  for (char& c : clean)
    if (!is_symbol_char(c)) c = '_';
  auto taken = [&](const std::string& n) {
    return std::any_of(m.functions.begin(), m.functions.end(), [&](const auto& f) { return f->name == n; });
  };
  std::string unique = clean;
  for (int k = 1; taken(unique); ++k) unique = clean + std::to_string(k);
  auto f = std::make_unique<Function>();
  f->kind = kind;
  f->name = std::move(unique);
  f->source_name = source_name;
  m.functions.push_back(std::move(f));
  return static_cast<int32_t>(m.functions.size() - 1);
}

}  // namespace vr::lower
