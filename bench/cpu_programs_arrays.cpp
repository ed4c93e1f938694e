// Programs of array operators and library calls, recursive ones, and those that a MATLAB compiler emitted.
#include "cpu_programs.hpp"

namespace bench {
namespace {
const std::vector<Factory> factories = {};
}  // namespace

std::span<const Factory> array_programs() { return factories; }

}  // namespace bench
