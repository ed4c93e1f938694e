// The form of a kernel that the CPU runs when the device cannot.
#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Makes for each kernel without one an Entry function (Function::on_host) that does its work over its whole domain: its
/// parameters are the kernel's, then the counts of the kernel's dimensions. Arrays stay the caller's: no references are
/// counted. On a parallel target the slowest dimension is shared among threads. A folding kernel's result stands in the
/// first row of its partial array, the other rows change nothing.
void host_version(Module& m, const PassOptions& options);

}  // namespace vr::lower
