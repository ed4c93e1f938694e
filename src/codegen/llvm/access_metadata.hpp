// LLVM metadata for loads and stores: which alias sets are disjoint, which loops' iterations are independent
// (private to codegen/llvm).
#pragma once
#include "loop/form.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Metadata.h>

#include <map>
#include <vector>

namespace vr::codegen::llvm_backend {

class AccessMetadata {
 public:
  /// Makes the scopes of the alias sets used in the function.
  AccessMetadata(const lower::Function& source, llvm::LLVMContext& context);

  /// Must be called for every access to elements.
  void annotate(llvm::Instruction* access, int32_t alias_set) const;
  /// Declares the scopes of a group of alias sets at the current position.
  void declare_scopes(llvm::IRBuilder<>& b, int32_t group) const;

  /// From here to leave_independent_loop() accesses also belong to an independent loop; returns the loop's access group.
  llvm::MDNode* enter_independent_loop();
  void leave_independent_loop() { access_groups_.pop_back(); }

 private:
  struct Scopes {
    llvm::MDNode *scope, *noalias;
  };
  struct Group {
    llvm::MDNode* domain = nullptr;
    std::vector<llvm::Metadata*> scopes;
  };

  llvm::LLVMContext& context_;
  std::map<int32_t, Scopes> scopes_;            ///< of alias sets
  std::map<int32_t, Group> groups_;             ///< of alias sets of one group
  std::vector<llvm::Metadata*> access_groups_;  ///< of the enclosing independent loops
};

}  // namespace vr::codegen::llvm_backend
