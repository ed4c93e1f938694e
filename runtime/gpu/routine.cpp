#include "runtime/gpu/routine.hpp"

#include <utility>

namespace vr::gpu {

namespace {

/// A kernel object for one launch: a launch keeps the arguments that were set before it.
class Borrowed {
 public:
  Borrowed(Program& program, const char* name) : program_(program), name_(name), kernel_(program.take_kernel(name)) {}
  Borrowed(const Borrowed&) = delete;
  ~Borrowed() { program_.give_kernel(name_, std::move(kernel_)); }
  device::Kernel& get() const { return *kernel_; }

 private:
  Program& program_;
  const char* name_;
  std::unique_ptr<device::Kernel> kernel_;
};

/// Loops are unrolled so that private arrays become registers. Compilers for CPUs turn the code between two barriers
/// into a loop over the work-items, and take seconds for long bodies.
std::string rolled(std::string source) {
  const std::string unroll = "#pragma unroll\n";
  for (size_t at = source.find(unroll); at != source.npos; at = source.find(unroll, at))
    source.erase(at, unroll.size());
  return source;
}

}  // namespace

Routine::Routine(Shared& shared, const std::string& source)
    : shared_(shared),
      program_(shared.programs.get(shared.device.info.is_gpu ? source : rolled(source), "-cl-std=CL1.2")) {}

void Routine::need_group(const char* kernel, size_t items) const {
  const Borrowed borrowed(*program_, kernel);
  const size_t most = borrowed.get().max_group(), local = borrowed.get().group_memory_bytes();
  const DeviceInfo& device = shared_.device.info;
  if (most < items || shared_.device.max_group() < items || device.limits.max_items[0] < items)
    throw Refused{"its work-groups have no " + std::to_string(items) + " work-items"};
  if (int64_t(local) > device.limits.group_memory_bytes)
    throw Refused{"its work-groups have no " + std::to_string(local) + " bytes of local memory"};
}

void enqueue(const std::vector<Step>& steps, device::Queue& queue, device::Waits wait, device::EventPtr* event) {
  for (size_t k = 0; k < steps.size(); ++k) {
    const Step& step = steps[k];
    const Borrowed kernel(*step.routine->program_, step.kernel);
    for (size_t a = 0; a < step.arguments.size(); ++a) {
      const Step::Argument& value = step.arguments[a];
      if (value.buffer)
        kernel.get().set(a, *value.buffer);
      else
        kernel.get().set(a, value.bytes.data(), value.bytes.size());
    }
    device::Grid grid;
    grid.global[0] = step.items;
    grid.local[0] = step.group;
    queue.launch(kernel.get(), grid, k == 0 ? wait : device::Waits(), k + 1 == steps.size() ? event : nullptr);
  }
}

}  // namespace vr::gpu
