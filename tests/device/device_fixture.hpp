// Runs hand-built kernels on the OpenCL device: module -> text -> vr_kernel -> vr_gpu_*.
#pragma once
#include "codegen/opencl/emit.hpp"
#include "device/kernel_builder.hpp"
#include "runtime/accesses.hpp"
#include "runtime/gpu/session.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <vector>

namespace vr::test {

/// Set by a device that interprets lowered kernels (host/). It is called for every program.
extern void (*know_program)(const std::string& source, std::shared_ptr<const Module> module);
/// Set by a driver that replaces that of this machine's device: opens its device.
extern std::unique_ptr<device::Device> (*open_host_device)();

/// The constants that the engine would make of a lowered module. Takes over the module's contents.
class Program {
 public:
  explicit Program(Module& m);
  Program(const Program&) = delete;  // kernels_ points into the rest
  const vr_kernel* operator[](const std::string& name) const { return &kernels_.at(name); }

 private:
  std::vector<codegen::opencl::Program> programs_;
  std::vector<Site> site_texts_;
  std::vector<vr_site> sites_;
  std::map<std::string, std::vector<vr_kernel_param>> params_;
  std::map<std::string, std::vector<int64_t>> accesses_;
  std::map<std::string, vr_kernel> kernels_;
};

/// A descriptor of a contiguous row-major array over `data`.
vr_array describe(void* data, int32_t elem, std::vector<int64_t> extents);
vr_value value(vr_array& a);
vr_value value(double v);
vr_value value(float v);
vr_value value(int32_t v);
vr_value value(int64_t v);
vr_value value(bool v);

/// One session for all tests of the program. Tests are skipped if there is no device.
class DeviceTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;
  /// One section with one launch; returns section_end's status.
  int32_t run(const vr_kernel* kernel, std::vector<int64_t> counts, std::vector<vr_value> args);
  static gpu::Session& session();
  vr_context context;
};

}  // namespace vr::test
