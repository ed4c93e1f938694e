#include "loop/analysis/team_memory.hpp"

#include "loop/walk.hpp"

#include <algorithm>

namespace vr::lower {

int32_t joined_bytes(const Function& kernel) {
  size_t most = 0;
  any_statement(kernel.body, [&](const Stmt& s) {
    if (auto* n = std::get_if<CountedLoop>(&s.node); n && n->reduction)
      most = std::max(most, n->reduction->vars.size());
    return false;
  });
  return state_bytes * static_cast<int32_t>(most);
}

int32_t fixed_group(const Function& kernel) {
  if (kernel.group != 0) return kernel.group;
  const bool rows =
      has_blocks(kernel) && std::any_of(kernel.rows.begin(), kernel.rows.end(), [](const Row& r) { return !r.common; });
  return rows ? block_group : 0;
}

bool adds_to_slices(const Function& kernel) {
  if (kernel.team || kernel.rows.empty() || has_blocks(kernel)) return false;
  auto* at = kernel.body.empty() ? nullptr : std::get_if<RowAt>(&kernel.body[0].node);
  return at && !is_int(at->offset, 0);
}

}  // namespace vr::lower
