#include "runtime/device/opencl/program.hpp"

#include "runtime/device/opencl/queue.hpp"

namespace vr::device::opencl {

size_t ClKernel::argument_count() const {
  cl_uint declared = 0;
  cl::check(clGetKernelInfo(get(), CL_KERNEL_NUM_ARGS, sizeof declared, &declared, nullptr), "clGetKernelInfo");
  return declared;
}

size_t ClKernel::max_group() const {
  size_t group = 1;
  cl::check(clGetKernelWorkGroupInfo(get(), device_, CL_KERNEL_WORK_GROUP_SIZE, sizeof group, &group, nullptr),
            "clGetKernelWorkGroupInfo");
  return group;
}

size_t ClKernel::group_memory_bytes() const {
  cl_ulong local = 0;
  cl::check(clGetKernelWorkGroupInfo(get(), device_, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local, nullptr),
            "clGetKernelWorkGroupInfo");
  return size_t(local);
}

void ClKernel::set(size_t index, const void* value, size_t bytes) {
  const cl_int status = clSetKernelArg(get(), cl_uint(index), bytes, value);
  if (status != CL_SUCCESS)
    throw Failure{Code::Device, "kernel '" + name_ + "': clSetKernelArg of argument " + std::to_string(index) +
                                    " failed: " + cl::error_name(status)};
}

void ClKernel::set(size_t index, Buffer& buffer) {
  const cl_mem b = handle(buffer);
  set(index, &b, sizeof b);
}

std::unique_ptr<Kernel> ClProgram::kernel(const std::string& name) {
  cl_int status = CL_SUCCESS;
  cl::Kernel kernel(clCreateKernel(program_.get(), name.c_str(), &status));
  if (status != CL_SUCCESS)
    throw Failure{Code::Device, "kernel '" + name + "': clCreateKernel failed: " + cl::error_name(status)};
  return std::make_unique<ClKernel>(std::move(kernel), device_, name);
}

std::string ClProgram::binary() const {
  size_t size = 0;
  if (clGetProgramInfo(program_.get(), CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) != CL_SUCCESS || size == 0)
    return {};
  std::string binary(size, '\0');
  auto* bytes = reinterpret_cast<unsigned char*>(binary.data());
  if (clGetProgramInfo(program_.get(), CL_PROGRAM_BINARIES, sizeof bytes, &bytes, nullptr) != CL_SUCCESS) return {};
  return binary;
}

std::unique_ptr<Program> build_program(cl_context context, cl_device_id device, const std::string& source,
                                       const std::string& options, const std::string& on) {
  const char* text = source.c_str();
  const size_t length = source.size();
  cl_int status = CL_SUCCESS;
  cl::Program program(clCreateProgramWithSource(context, 1, &text, &length, &status));
  cl::check(status, "clCreateProgramWithSource");
  status = clBuildProgram(program.get(), 1, &device, options.c_str(), nullptr, nullptr);
  if (status == CL_SUCCESS) return std::make_unique<ClProgram>(std::move(program), device);
  std::string log;
  size_t bytes = 0;
  if (clGetProgramBuildInfo(program.get(), device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes) == CL_SUCCESS) {
    log.resize(bytes);
    clGetProgramBuildInfo(program.get(), device, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr);
    while (!log.empty() && (log.back() == '\0' || log.back() == '\n')) log.pop_back();
  }
  const std::string why =
      "clBuildProgram failed on " + on + ": " + cl::error_name(status) + (log.empty() ? "" : "\n" + log);
  if (status == CL_BUILD_PROGRAM_FAILURE) throw BuildRefused{{Code::Device, why}};
  throw Failure{Code::Device, why};
}

std::unique_ptr<Program> load_program(cl_context context, cl_device_id device, const std::string& binary,
                                      const std::string& options) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
  const size_t length = binary.size();
  cl_int taken = CL_SUCCESS, status = CL_SUCCESS;
  cl::Program program(clCreateProgramWithBinary(context, 1, &device, &length, &bytes, &taken, &status));
  if (status != CL_SUCCESS || taken != CL_SUCCESS ||
      clBuildProgram(program.get(), 1, &device, options.c_str(), nullptr, nullptr) != CL_SUCCESS)
    return nullptr;
  return std::make_unique<ClProgram>(std::move(program), device);
}

}  // namespace vr::device::opencl
