// emit: lowered module -> LLVM module, not yet optimised (private to codegen/llvm).
//
// Every lowered variable is an alloca of the entry block that starts as zero; LLVM's mem2reg turns them into SSA
// values. Bool is i1 in variables and expressions, and a byte in arrays, descriptors and environments, where any
// non-zero byte is true. Array accesses promise no alignment: a host's strides are in bytes and may be anything.
#pragma once
#include "codegen/llvm/jit.hpp"
#include "codegen/llvm/target.hpp"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>

namespace vr::codegen::llvm_backend {

/// The symbol of a lowered function. The prefix keeps programs' names apart from those of the C library, which LLVM
/// knows by name: a program may well have a function called `exp`.
inline std::string symbol_of(const std::string& name) { return "vr." + name; }
/// The variable that holds a region function's vr_region*; null until somebody sets it.
inline std::string region_symbol_of(const std::string& name) { return "vr." + name + ".region"; }

/// What goes into the module besides the program.
struct EmitOptions {
  bool debug = false;  ///< line tables, and frames that debuggers and profilers can walk
  bool optimised = false;
};
/// m must have passed lower::check.
std::unique_ptr<llvm::Module> emit(const lower::Module& m, const KernelProgram& kernels, const HostTarget& target,
                                   llvm::LLVMContext& context, const EmitOptions& options);

}  // namespace vr::codegen::llvm_backend
