// The parts of the runtime library that a program needs, and where they are (private to src/aot).
#pragma once
#include "aot/aot.hpp"
#include "loop/form.hpp"

namespace vr::aot {

/// The parts of the runtime that a build may use.
struct Runtime {
  std::string architecture;  ///< codegen::llvm_backend::other_architecture
  std::filesystem::path folder;
  std::vector<std::string> parts;  ///< in the order of runtime/parts.def
};
/// Finds it. USAGE: a part of the options does not exist; NOT_FOUND: there is no runtime.
Result<Runtime> find_runtime(const BuildOptions& options, const std::string& architecture, bool shared);

/// The parts that the module's code needs, with those that they use, in the order that a linker needs: users first.
/// UNSUPPORTED, with the function and what it calls, if one is not in `runtime`, or the runtime of built libraries does
/// not have it.
Result<std::vector<std::string>> needed_parts(const lower::Module& m, bool parallel, const Runtime& runtime);

}  // namespace vr::aot
