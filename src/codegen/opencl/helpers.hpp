// Small functions that the emitted program calls where C's operators differ from VRIR's.
#pragma once
#include "loop/form.hpp"

#include <set>
#include <string>
#include <tuple>

namespace vr::codegen::opencl {

/// Remembers which helpers a program calls and writes just those.
class Helpers {
 public:
  /// Marks a helper of the table (helpers.cpp) as called; returns its name.
  const std::string& use(const std::string& name) { return *used_.insert(name).first; }
  /// The same for an atomic operation; local: on local memory.
  std::string use_atomic(ir::AtomicOp op, lower::Scalar type, bool local = false);
  /// Definitions of the helpers in use, in the table's order.
  std::string text() const;

 private:
  std::set<std::string> used_;
  std::set<std::tuple<ir::AtomicOp, lower::Scalar, bool>> atomics_;
};

}  // namespace vr::codegen::opencl
