// Functions with C's calling convention around compiled ones (private to codegen/llvm).
#pragma once
#include "loop/plain_function.hpp"

#include <llvm/IR/Module.h>

#include <vector>

namespace vr::codegen::llvm_backend {

struct HostTarget;

/// Adds the C functions to a module made by emit(), and hides everything else that it defines.
void add_plain_functions(llvm::Module& module, const std::vector<lower::PlainFunction>& plain,
                         const HostTarget& target);

}  // namespace vr::codegen::llvm_backend
