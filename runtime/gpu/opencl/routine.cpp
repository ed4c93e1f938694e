#include "runtime/gpu/opencl/routine.hpp"

#include <utility>

namespace vr::gpu {

namespace {

/// A kernel object for one launch: a launch keeps the arguments that were set before it.
class Borrowed {
 public:
  Borrowed(Program& program, const char* name) : program_(program), name_(name), kernel_(program.take_kernel(name)) {}
  Borrowed(const Borrowed&) = delete;
  ~Borrowed() { program_.give_kernel(name_, std::move(kernel_)); }
  cl_kernel get() const { return kernel_.get(); }

 private:
  Program& program_;
  const char* name_;
  cl::Kernel kernel_;
};

/// Loops are unrolled so that private arrays become registers. Compilers for CPUs make a loop over the work-items of
/// what is between barriers, and take seconds for long bodies.
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
  size_t most = 0;
  cl_ulong local = 0;
  cl::check(clGetKernelWorkGroupInfo(borrowed.get(), shared_.device.id, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most,
                                     nullptr),
            "clGetKernelWorkGroupInfo");
  cl::check(clGetKernelWorkGroupInfo(borrowed.get(), shared_.device.id, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local,
                                     nullptr),
            "clGetKernelWorkGroupInfo");
  if (most < items || shared_.device.max_group() < items || shared_.device.max_items[0] < items)
    throw Refused{"its work-groups have no " + std::to_string(items) + " work-items"};
  if (local > cl::device_value<cl_ulong>(shared_.device.id, CL_DEVICE_LOCAL_MEM_SIZE))
    throw Refused{"its work-groups have no " + std::to_string(local) + " bytes of local memory"};
}

void enqueue(const std::vector<Step>& steps, cl_command_queue queue, const std::vector<cl_event>& wait,
             cl_event* event) {
  for (size_t k = 0; k < steps.size(); ++k) {
    const Step& step = steps[k];
    const Borrowed kernel(*step.routine->program_, step.kernel);
    for (cl_uint a = 0; a < step.arguments.size(); ++a) {
      const std::vector<char>& bytes = step.arguments[a];
      cl::check(clSetKernelArg(kernel.get(), a, bytes.size(), bytes.data()), "clSetKernelArg");
    }
    const bool first = k == 0, last = k + 1 == steps.size();
    cl::check(clEnqueueNDRangeKernel(queue, kernel.get(), 1, nullptr, &step.items, step.group ? &step.group : nullptr,
                                     first ? cl_uint(wait.size()) : 0, first && !wait.empty() ? wait.data() : nullptr,
                                     last ? event : nullptr),
              "clEnqueueNDRangeKernel");
  }
}

}  // namespace vr::gpu
