// OpenCL objects that release themselves, and failures with the names of call and code.
#pragma once
#include <CL/cl.h>
#include <raijincl/handle.hpp>

#include "runtime/device/device.hpp"

#include <string>
#include <utility>
#include <vector>

namespace vr::device::cl {

/// "CL_INVALID_VALUE", or "CL error -NN" for codes of vendors.
std::string error_name(cl_int code);

/// Throws Failure.
[[noreturn]] void fail(const char* call, cl_int code);
inline void check(cl_int code, const char* call) {
  if (code != CL_SUCCESS) fail(call, code);
}

using raijincl::Handle;
using Context = Handle<cl_context, clReleaseContext>;
using Queue = Handle<cl_command_queue, clReleaseCommandQueue>;
using Program = Handle<cl_program, clReleaseProgram>;
using Kernel = Handle<cl_kernel, clReleaseKernel>;
using Buffer = Handle<cl_mem, clReleaseMemObject>;
using Event = Handle<cl_event, clReleaseEvent>;

/// Text properties of platforms and devices.
std::string platform_text(cl_platform_id platform, cl_platform_info what);
std::string device_text(cl_device_id device, cl_device_info what);
template <class T>
T device_value(cl_device_id device, cl_device_info what) {
  T value{};
  check(clGetDeviceInfo(device, what, sizeof value, &value, nullptr), "clGetDeviceInfo");
  return value;
}

}  // namespace vr::device::cl
