// emit: lowered module -> LLVM module, not yet optimised (private to codegen/llvm).
//
// Every lowered variable is an alloca of the entry block, initialised with zero; LLVM's mem2reg turns them into SSA
// values. Bool is i1 in variables and expressions, and a byte in arrays, descriptors and environments, where any
// non-zero byte is true. Array accesses assume no alignment: a host's strides are arbitrary numbers of bytes.
#pragma once
#include "codegen/llvm/jit.hpp"
#include "codegen/llvm/target.hpp"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>

namespace vr::codegen::llvm_backend {

/// The symbol of a lowered function. The prefix separates programs' names from those of the C library, which LLVM
/// recognises: a program may have a function called `exp`.
inline std::string symbol_of(const std::string& name) { return "vr." + name; }
/// The variable that holds a region function's vr_region*; null until it is set.
inline std::string region_symbol_of(const std::string& name) { return "vr." + name + ".region"; }

/// Options for the module besides the program itself.
struct EmitOptions {
  bool debug = false;  ///< line tables, and frames that debuggers and profilers can walk
  bool optimised = false;
};
/// m must have passed lower::check.
std::unique_ptr<llvm::Module> emit(const lower::Module& m, const KernelPrograms& kernels, const HostTarget& target,
                                   llvm::LLVMContext& context, const EmitOptions& options);

}  // namespace vr::codegen::llvm_backend
