// LLVM values of the lowered form's expressions (private to codegen/llvm).
#pragma once
#include "codegen/llvm/access_metadata.hpp"
#include "codegen/llvm/emit_module.hpp"
#include "codegen/llvm/frame.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>

#include <utility>

namespace vr::codegen::llvm_backend {

class Expressions {
 public:
  Expressions(ModuleEmitter& module, llvm::IRBuilder<>& b, Variables& variables, const AccessMetadata& accesses)
      : module_(module), b_(b), variables_(variables), accesses_(accesses) {}

  llvm::Value* eval(lower::ExprP e);
  llvm::Value* address(lower::ExprP base, lower::ExprP offset);
  /// To be called before each statement: variables and memory may have changed.
  void forget() { values_.clear(); }
  /// Whether the current loop contains a step of a reduction that may associate, as far as it has been emitted. `seen`
  /// becomes the value for the loop that is current from now on.
  bool exchange_any_order(bool seen) { return std::exchange(any_order_, seen); }

 private:
  using Value = llvm::Value*;

  Value eval_new(lower::ExprP e);
  Value unary(const lower::Expr& e);
  Value binary(const lower::Expr& e);
  Value compare(const lower::Expr& e, Value a, Value b);
  /// A float converted to an integer: toward zero, saturating, 0 for NaN.
  Value nearest_integer(lower::Scalar to, Value v);
  Value convert(lower::Scalar from, lower::Scalar to, Value v);
  Value math(const lower::Expr& e);
  Value load(const lower::Expr& e);

  ModuleEmitter& module_;
  llvm::IRBuilder<>& b_;
  Variables& variables_;
  const AccessMetadata& accesses_;
  llvm::DenseMap<lower::ExprP, Value> values_;  ///< of the current statement's expressions, because trees may share nodes
  bool any_order_ = false;
};

}  // namespace vr::codegen::llvm_backend
