// What the runtime must know of a kernel to launch it (vr_kernel of runtime/abi.h), for the code generators.
#pragma once
#include "loop/form.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace vr::lower {

/// The fields of vr_kernel_param (runtime/abi.h).
struct KernelParam {
  int32_t kind = 0, elem = 0, rank = 0, written = 0;
  std::string name;
};
/// The fields of vr_kernel (runtime/abi.h), without strings, sites and addresses.
struct KernelRecord {
  int32_t dims = 0;
  std::vector<KernelParam> params;
  bool faults = false;
  bool narrow = false;
  int32_t groups_param = -1, points = 0, group = 0, team = 0;
  std::vector<int64_t> accesses;
};

/// Describes Module::functions[kernel], which must be of Function::Kind::Kernel.
KernelRecord kernel_record(const Module& m, int32_t kernel);

}  // namespace vr::lower
