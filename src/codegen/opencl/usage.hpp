// What a kernel's body uses: determines which variables are declared and passed, and what the device must support.
#pragma once
#include "loop/form.hpp"

#include <unordered_set>
#include <vector>

namespace vr::codegen::opencl {

struct Usage {
  std::unordered_set<lower::VarId> read, assigned;
  bool fp64 = false;           ///< a double occurs in an expression or a scalar parameter
  /// Division or square root of floats. Compilers narrow those of float64 whose operands and result are float32.
  bool divides = false;
  bool int64_atomics = false;  ///< atomic operations on elements of 8 bytes
  bool fails = false;          ///< a Fail occurs
  /// Pointers into scratch memory, which is private to a work-item: its address space is not that of arrays.
  std::unordered_set<lower::VarId> to_private;
  std::vector<lower::Scratch> scratch;  ///< the statements that make the pointers
  std::unordered_set<lower::VarId> to_local;  ///< Row::data
  bool uses(lower::VarId v) const { return read.count(v) || assigned.count(v); }
  bool is_private(lower::ExprP pointer) const;
  bool is_local(lower::ExprP pointer) const { return pointer->kind == lower::Expr::Kind::Var && to_local.count(pointer->var); }
  /// "__private", "__local" or "__global".
  const char* space(lower::ExprP pointer) const {
    return is_private(pointer) ? "__private" : is_local(pointer) ? "__local" : "__global";
  }
};
Usage find_usage(const lower::Function& kernel);
/// The same for only these statements of the kernel.
Usage find_usage(const lower::Function& kernel, const lower::Block& b);

}  // namespace vr::codegen::opencl
