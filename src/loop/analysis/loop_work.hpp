// What elementwise loops read and write, and how much they compute (private to src/loop and src/lower).
#pragma once
#include "loop/form.hpp"

namespace vr::lower {

struct LoopWork {
  explicit LoopWork(const Block& b) { block(b); }
  std::set<VarId> read, written;
  std::set<VarId> read_first;  ///< read before anything is written to them
  /// Elementary operations in one iteration: loads, stores and arithmetic; a division counts for 5, a maths function
  /// for
  /// 10. 200,000 take 8 to 17 us (`bench/run threads`).
  int64_t operations = 0;
  bool plain =
      true;  ///< nothing but expressions, stores, branches and loops, of those without a counter only brief ones

 private:
  void expr(ExprP e, bool counted = true);
  void block(const Block& b);
  void inside(const Block& body);

  int inner_ = 0;  ///< loops around a statement, inside of the block
};

/// Whether the block has floating-point divisions, or mathematical functions.
bool has_slow_operations(const Block& b);

}  // namespace vr::lower
