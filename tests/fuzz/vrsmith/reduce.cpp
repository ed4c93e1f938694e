#include "reduce.hpp"
namespace vr::smith {
int reduce_program(uint64_t, const RunOptions&) { return 1; }
}  // namespace vr::smith
