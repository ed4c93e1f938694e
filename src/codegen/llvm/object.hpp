// Objects and archives for programs compiled ahead of time: lowered module -> an object file with C functions. No LLVM
// type appears in it.
#pragma once
#include "loop/form.hpp"
#include "loop/kernel_program.hpp"
#include "loop/plain_function.hpp"

#include <velociraptor/status.hpp>

#include <string>
#include <vector>

namespace vr::codegen::llvm_backend {

struct ObjectOptions {
  int opt_level = 2;  ///< 0..3
  /// "generic" (any processor of this architecture), "native" (this machine's), or a processor that LLVM knows
  /// ("x86-64-v3"); for other machines "aarch64" or "aarch64:cortex-a72". Several: levels of x86-64 ("generic" is the
  /// least), of which each call uses the best that its processor supports.
  std::vector<std::string> targets = {"generic"};
  bool debug = false;  ///< line tables from lower::Module::places
};

/// The functions that have PlainFunction::device, with kernels for accelerated sections.
struct DeviceForm {
  const lower::Module& module;
  const lower::KernelPrograms& programs;
};

/// A relocatable object that defines the functions `plain` and no other global symbol. It calls the functions of
/// runtime/abi.def, the C library and libmvec. `device`: null if no function has a form for devices. Thread-safe.
/// USAGE: there is no such target. INTERNAL: the module is malformed.
Result<std::string> compile_object(const lower::Module& m, const std::vector<lower::PlainFunction>& plain,
                                   const ObjectOptions& options, const DeviceForm* device = nullptr);

/// USAGE, with a list of the valid targets, if compile_object does not know the target.
Status check_target(const std::string& target);
/// The same check for several targets together: they must be different levels of x86-64.
Status check_targets(const std::vector<std::string>& targets);
/// The architecture of a target that check_target accepts, if it is not this machine's: "aarch64"; else empty.
std::string other_architecture(const std::string& target);

/// Whether C, or LLVM's optimiser, knows a function of this name: a program must not define another one.
bool is_c_library_name(const std::string& name);

struct ArchiveMember {
  std::string name;
  std::string object;
};
/// A static library of the objects, with an index of their symbols; the same bytes for the same members.
Result<std::string> make_archive(const std::vector<ArchiveMember>& members);

}  // namespace vr::codegen::llvm_backend
