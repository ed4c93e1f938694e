// The versions of a module's functions that have kernels for accelerated sections (private to src/aot).
#pragma once
#include "aot/aot.hpp"
#include "aot/versions.hpp"
#include "loop/form.hpp"
#include "loop/kernel_program.hpp"
#include "loop/plain_function.hpp"
#include "lower/lower.hpp"

#include <memory>

namespace vr::aot {

bool has_section(const ir::Function& f);

struct DeviceCode {
  std::unique_ptr<lower::Module> module;  ///< null: no function has a section
  lower::KernelPrograms programs;
  std::vector<std::string> remarks;
};

/// Lowers the functions of `plain` that reach a section, and their versions, and sets PlainFunction::device. `how`: the
/// options of the versions without kernels. Errors: those of lowering; DEVICE if BuildOptions::kernel_binaries is set
/// and there is no device.
Result<DeviceCode> lower_for_devices(const Versions& versions, const ir::Conventions& conventions,
                                     const BuildOptions& options, const lower::LowerOptions& how,
                                     std::vector<lower::PlainFunction>& plain);

}  // namespace vr::aot
