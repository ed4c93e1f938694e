// One LLVM module while it is compiled (private to codegen/llvm).
#pragma once
#include <velociraptor/status.hpp>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>

namespace llvm {
class DiagnosticInfo;
}

namespace vr::codegen::llvm_backend {

/// The module with its context. The context reports errors here; by default LLVM would print them and end the process.
struct Compilation {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  std::string errors;

  Compilation();
  static void report(const llvm::DiagnosticInfo* info, void* self);
};

/// What is wrong in the compiler itself: "compiling module 'm': ...".
Error internal_error(const std::string& module, const std::string& what);

/// Whether LLVM's verifier runs over the generated IR: in debug builds, and where VR_VERIFY_LLVM asks for it.
bool must_verify();

}  // namespace vr::codegen::llvm_backend
