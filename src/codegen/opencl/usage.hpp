// What a kernel's body uses: decides which variables are declared and passed, and what the device must have.
#pragma once
#include "loop/form.hpp"

#include <unordered_set>
#include <vector>

namespace vr::codegen::opencl {

struct Usage {
  std::unordered_set<lower::VarId> read, assigned;
  bool fp64 = false;           ///< a double occurs in an expression or a scalar parameter
  bool fp32_divide = false;    ///< float32 division or square root
  bool int64_atomics = false;  ///< atomic operations on elements of 8 bytes
  bool fails = false;          ///< a Fail occurs
  /// Pointers into scratch memory, which is a work-item's own: another address space than that of arrays.
  std::unordered_set<lower::VarId> to_private;
  std::vector<lower::Scratch> scratch;  ///< where the pointers come from
  bool uses(lower::VarId v) const { return read.count(v) || assigned.count(v); }
  bool is_private(lower::ExprP pointer) const;
  /// "__private" or "__global".
  const char* space(lower::ExprP pointer) const { return is_private(pointer) ? "__private" : "__global"; }
};
Usage find_usage(const lower::Function& kernel);
/// Of statements of the kernel alone.
Usage find_usage(const lower::Function& kernel, const lower::Block& b);

}  // namespace vr::codegen::opencl
