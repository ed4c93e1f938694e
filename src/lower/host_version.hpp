// The form of a kernel that the CPU runs when the device cannot.
#pragma once
#include <cstdint>

namespace vr::lower {

class ModuleLowering;

/// Makes an Entry function that does the work of Module::functions[kernel] over its whole domain: its parameters are
/// the kernel's, then the counts of the kernel's dimensions. Arrays stay the caller's: no references are counted. Where
/// the module has parallel loops the slowest dimension is shared among threads. A folding kernel's result stands in the
/// first row of its partial array, the other rows change nothing. Returns the function's number.
int32_t host_version(ModuleLowering& m, int32_t kernel);

}  // namespace vr::lower
