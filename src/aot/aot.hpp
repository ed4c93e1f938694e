// Ahead-of-time compilation: verified modules -> a library with a plain C interface and its header; the library needs
// no compiler at run time (docs/ahead-of-time.md).
#pragma once
#include <velociraptor/ir/nodes.hpp>
#include <velociraptor/status.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace vr::aot {

/// One module: verified, with the conventions in force in it.
struct Source {
  ir::ModulePtr module;
  ir::Conventions conventions;
  std::string name;  ///< of its object in the library, without an ending
};

struct BuildOptions {
  std::vector<std::string> functions;  ///< the functions to export; empty: all of all modules
  /// The targets, separated by commas, as in codegen::llvm_backend::ObjectOptions::targets.
  std::string target = "generic";
  /// Versions of functions for given arguments: "A=[100,200] m=3", in the syntax of analysis::parse_region_facts, with
  /// extents and whole numbers only; each for all exported functions that have arguments of these names.
  std::vector<std::string> regions;
  int opt_level = 2;      ///< 0..3
  bool parallel = false;  ///< loops may use threads: needs the part `threads`
  /// Accelerated sections become kernels, for calls that have an OpenCL device: needs the part `opencl`. The value is
  /// the kind of device that kernels are optimised for; they run on other devices as well. Off: sections run on the
  /// CPU.
  enum class Kernels { Off, Gpu, Cpu } kernels = Kernels::Off;
  /// The library also contains kernels as the drivers of this machine's devices compile them; VR_DEVICE chooses among
  /// these.
  bool kernel_binaries = false;
  bool force_checks = false;  ///< every bounds check on
  bool debug = false;         ///< line tables; in C `#line`
  std::string prefix;         ///< before the C name of each function
  /// The parts of the runtime that may be used (runtime/parts.def); no value: those that are in `runtime`.
  std::optional<std::vector<std::string>> parts;
  /// Folder of libvrrt; empty: beside this program or library, for another architecture in a folder ARCH-linux-gnu
  /// there.
  std::filesystem::path runtime;
  bool static_runtime = false;  ///< shared libraries contain the runtime
  /// The C compiler that links shared libraries; empty: cc, for another architecture ARCH-linux-gnu-gcc.
  std::string linker;
};

/// What to write. The kind of library follows from its ending: .o (one module), .a or .so, or .c (one module): C99
/// instead of machine code, for which `target` and `opt_level` have no meaning.
struct Output {
  std::filesystem::path library;
  std::filesystem::path header;  ///< empty: none; .hpp, .hh, .hxx: with typed functions for C++
};

/// Compiles the modules and writes the files: all of them, or none. Returns notes for the user, one per line.
/// Thread-safe. USAGE: no such function, target, part or ending; names that clash or are not valid in C; a file that
/// cannot be written; no linker. DEVICE: no device for kernel_binaries. UNSUPPORTED: a function that cannot be called
/// from C, or needs what the runtime does not have.
Result<std::vector<std::string>> build(const std::vector<Source>& sources, const BuildOptions& options,
                                       const Output& output);

}  // namespace vr::aot
