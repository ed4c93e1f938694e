// Line tables: which statement of the program an instruction comes from (private to codegen/llvm).
#pragma once
#include "loop/form.hpp"

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/Module.h>

#include <map>
#include <string>

namespace vr::codegen::llvm_backend {

/// The DWARF of one module. The source locations are those of Module::places: of the front end's source if it gave them
/// (`:loc`), else of the VRIR text. Variables are not described.
class DebugInfo {
 public:
  DebugInfo(llvm::Module& module, const lower::Module& lowered, bool optimised);
  /// Starts a function; its first line is the location of instructions that belong to no statement.
  llvm::DebugLoc begin(llvm::Function* function, const lower::Function& source);
  /// A statement of the function started last. `place` is one of Module::places.
  llvm::DebugLoc at(int32_t place);
  /// Must be called once, after the last function.
  void finish() { builder_.finalize(); }

 private:
  llvm::DIFile* file(const std::string& name);

  llvm::LLVMContext& context_;
  const lower::Module& lowered_;
  llvm::DIBuilder builder_;
  bool optimised_;
  std::map<std::string, llvm::DIFile*> files_;
  llvm::DISubprogram* function_ = nullptr;
  std::map<llvm::DIFile*, llvm::DIScope*> scopes_;  ///< of the function: one for each file that its statements are from
};

}  // namespace vr::codegen::llvm_backend
