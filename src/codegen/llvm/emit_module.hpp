// ModuleEmitter: types, constants and declarations that the functions of one module share (private to codegen/llvm).
#pragma once
#include "codegen/llvm/debug_info.hpp"
#include "codegen/llvm/emit.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>

#include <map>
#include <string>
#include <vector>

namespace vr::codegen::llvm_backend {

class ModuleEmitter {
 public:
  ModuleEmitter(const lower::Module& m, const KernelPrograms& kernels, const HostTarget& target,
                llvm::LLVMContext& context, const EmitOptions& options);
  std::unique_ptr<llvm::Module> run();

  const lower::Module& lowered() const { return lowered_; }
  const HostTarget& target() const { return target_; }
  llvm::LLVMContext& context() const { return context_; }
  llvm::Module& module() const { return *module_; }
  DebugInfo* debug() const { return debug_.get(); }  ///< null without line tables

  /// The type of values: Bool is i1.
  llvm::Type* value_type(lower::Scalar s) const;
  /// The type of stored elements: Bool is i8.
  llvm::Type* memory_type(lower::Scalar s) const;

  /// A NUL-terminated string constant; equal texts share one.
  llvm::Constant* text(const std::string& s);
  /// Address of the vr_site in the module's constant table.
  llvm::Constant* site(lower::SiteId id);
  /// Address of a constant vr_kernel for Module::functions[id].
  llvm::Constant* kernel(int32_t id);
  llvm::Function* function(int32_t id) const { return functions_[id]; }
  /// Declaration of the runtime function with this number (runtime/abi.def).
  llvm::Function* runtime(int32_t fn);
  /// The variable of a region function's dispatcher.
  llvm::GlobalVariable* region(int32_t function) const;
  /// The function that computes fn on `type` (float or double): an intrinsic where LLVM has one, else the C library's.
  llvm::Function* math(lower::MathFn fn, llvm::Type* type);
  /// Allows libmvec's versions of the call in vectorised loops. This is an attribute of the call, not an entry in LLVM's table of
  /// vector functions, because that table applies to the whole module and would change the results of strict functions too.
  void allow_vector_math(llvm::CallInst* call, lower::MathFn fn);

 private:
  void declare_functions();
  void set_common_attributes(llvm::Function* f) const;
  llvm::GlobalVariable* constant(llvm::Constant* init, const char* name);
  llvm::Constant* site_table();
  llvm::Constant* binaries(const KernelProgram& program);

  const lower::Module& lowered_;
  const KernelPrograms& kernels_;
  const HostTarget& target_;
  llvm::LLVMContext& context_;
  std::unique_ptr<llvm::Module> module_;
  std::unique_ptr<DebugInfo> debug_;
  std::vector<llvm::Function*> functions_;
  std::map<std::string, llvm::Constant*> texts_;
  std::map<int32_t, llvm::Constant*> kernel_constants_;
  std::map<std::pair<int, llvm::Type*>, std::vector<std::string>> vector_variants_;
  llvm::GlobalVariable* sites_ = nullptr;
  llvm::StructType *site_type_, *kernel_type_, *kernel_param_type_;
};

}  // namespace vr::codegen::llvm_backend
