// host_version: a CPU function for each kernel, which runs when the device cannot run the kernel.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Makes, for each kernel that has none, an Entry function (Function::on_host) that does the kernel's work over its whole
/// domain: its parameters are the kernel's, then the counts of the kernel's dimensions. Array arguments remain the caller's:
/// no references are counted. On a parallel target the slowest dimension is shared among threads. The result of a reduction
/// kernel goes into the first row of its partial array; the other rows get the identity element.
void host_version(Module& m, const PassOptions& options);

}  // namespace vr::lower
