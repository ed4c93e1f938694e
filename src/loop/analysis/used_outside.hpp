// Which variables the rest of a function shares with a part of it.
#pragma once
#include "loop/form.hpp"

#include <vector>

namespace vr::lower {

/// Whether statements outside of a part use or assign a variable. Counts the uses of all variables once, so that asking
/// costs nothing.
class UsedOutside {
 public:
  /// whole: the body of the function `fn`, with the loop in it.
  UsedOutside(const Function& fn, const Block& whole, const CountedLoop& loop);
  /// The same for a block that is part of `whole`.
  UsedOutside(const Function& fn, const Block& whole, const Block& part);

  bool operator()(VarId v) const {
    return static_cast<size_t>(v) < times_.size() && times_[static_cast<size_t>(v)] != 0;
  }

 private:
  void count(const Function& fn, const Block& b, int64_t step);
  void count(ExprP e, int64_t step);
  void add(VarId v, int64_t step);

  std::vector<int64_t> times_;  ///< by variable: uses in the whole that are not in the part
};

}  // namespace vr::lower
