// Which arrays statements load from and store to (private to src/loop).
#pragma once
#include "loop/form.hpp"

#include <set>

namespace vr::lower {

/// The bases of addresses; `none` stands for those that are no variables. Atomic operations store.
struct ArrayUses {
  std::set<VarId> loaded, stored;
  void add(const ArrayUses& o);
};
/// Of all statements in the block, nested ones included, but for vectors and rows.
ArrayUses array_uses(const Block& b);
ArrayUses array_uses(ExprP e);

}  // namespace vr::lower
