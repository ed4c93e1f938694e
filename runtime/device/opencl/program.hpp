// OpenCL programs and kernels.
#pragma once
#include "runtime/device/opencl/cl.hpp"

namespace vr::device::opencl {

class ClKernel final : public Kernel {
 public:
  ClKernel(cl::Kernel kernel, cl_device_id device, std::string name)
      : kernel_(std::move(kernel)), device_(device), name_(std::move(name)) {}
  size_t argument_count() const override;
  size_t max_group() const override;
  size_t group_memory_bytes() const override;
  void set(size_t index, const void* value, size_t bytes) override;
  void set(size_t index, Buffer& buffer) override;
  cl_kernel get() const { return kernel_.get(); }
  const std::string& name() const { return name_; }

 private:
  cl::Kernel kernel_;
  cl_device_id device_;
  std::string name_;
};

class ClProgram final : public Program {
 public:
  ClProgram(cl::Program program, cl_device_id device) : program_(std::move(program)), device_(device) {}
  std::unique_ptr<Kernel> kernel(const std::string& name) override;
  std::string binary() const override;

 private:
  cl::Program program_;
  cl_device_id device_;
};

/// A program for Device::build and Device::load. `on`: the device's name, for messages.
std::unique_ptr<Program> build_program(cl_context context, cl_device_id device, const std::string& source,
                                       const std::string& options, const std::string& on);
std::unique_ptr<Program> load_program(cl_context context, cl_device_id device, const std::string& binary,
                                      const std::string& options);

}  // namespace vr::device::opencl
