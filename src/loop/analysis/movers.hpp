// Which code may leave the newest elements of arrays on the device (private to src/loop).
#pragma once
#include "loop/form.hpp"

namespace vr::lower {

class Movers {
 public:
  explicit Movers(const Module& m);
  const Module& module() const { return m_; }
  bool moves(const Block& b) const;
  /// The statement itself, without nested statements.
  bool moves(const Stmt& s) const;
  bool function_moves(int32_t function) const { return movers_[static_cast<size_t>(function)]; }

 private:
  const Module& m_;
  std::vector<bool> movers_;  ///< functions that contain such code, or call a function that does
};

}  // namespace vr::lower
