// The CUDA driver on the stand-in for its library, with a stand-in for NVIDIA's OpenCL compiler: what is built is found
// by its text, as in the in-process host device, whose interpreter runs the kernels.
#pragma once
#include "device/cuda/fake_libcuda.hpp"
#include "runtime/device/device.hpp"

namespace vr::test {

/// The devices of the fake library, for two of which there is a compiler.
std::vector<device::Found> fake_cuda_devices();
/// The compilers: OpenCL's devices of the same addresses on the bus.
std::vector<device::Found> fake_compilers();

}  // namespace vr::test
