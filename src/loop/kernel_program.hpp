// What the kernels of a lowered module need besides machine code: OpenCL programs.
#pragma once
#include <string>
#include <vector>

namespace vr::lower {

/// A program as a device's driver has compiled it.
struct KernelBinary {
  std::string device;  ///< vr_kernel_binary::device
  std::string bytes;
};
struct KernelProgram {
  std::string source;
  std::string options;
  std::vector<KernelBinary> binaries = {};
};
/// The program of each kernel, by its number among the module's functions. Other functions have empty ones; a module
/// without kernels may have none at all.
using KernelPrograms = std::vector<KernelProgram>;

}  // namespace vr::lower
