// Parallel loops with oneTBB: the part `threads`.
#include "runtime/aot/parts.hpp"
#include "runtime/cpu/parallel_for.hpp"

namespace vr::runtime {

namespace {
struct Register {
  Register() { register_threads(run_blocks, running_block); }
};
const Register at_start;
}  // namespace

}  // namespace vr::runtime

VR_PART_MARKER(threads)
