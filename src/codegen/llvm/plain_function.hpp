// Functions with C's calling convention around compiled ones (private to codegen/llvm).
#pragma once
#include "loop/plain_function.hpp"

#include <llvm/IR/Module.h>

#include <set>
#include <string>
#include <vector>

namespace vr::codegen::llvm_backend {

struct HostTarget;

/// Adds the C functions to a module made by emit() for the first of the targets; everything else that it defines gets
/// internal linkage. Of several targets, which differ in their processors, the functions choose one at each call; the
/// forms for the later ones, and those with kernels, have version_suffix() behind their names and come from other
/// modules.
void add_plain_functions(llvm::Module& module, const std::vector<lower::PlainFunction>& plain,
                         const std::vector<HostTarget>& targets);
/// target: null for the first target.
std::string version_suffix(const HostTarget* target, bool device);
/// Everything else that the module defines gets internal linkage.
void hide_all_but(llvm::Module& module, const std::set<std::string>& shown);

}  // namespace vr::codegen::llvm_backend
