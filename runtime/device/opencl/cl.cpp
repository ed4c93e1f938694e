#include "runtime/device/opencl/cl.hpp"

namespace vr::device::cl {

std::string error_name(cl_int code) {
#define VR_CL(name) \
  case name:        \
    return #name
  switch (code) {
    VR_CL(CL_SUCCESS);
    VR_CL(CL_DEVICE_NOT_FOUND);
    VR_CL(CL_DEVICE_NOT_AVAILABLE);
    VR_CL(CL_COMPILER_NOT_AVAILABLE);
    VR_CL(CL_MEM_OBJECT_ALLOCATION_FAILURE);
    VR_CL(CL_OUT_OF_RESOURCES);
    VR_CL(CL_OUT_OF_HOST_MEMORY);
    VR_CL(CL_PROFILING_INFO_NOT_AVAILABLE);
    VR_CL(CL_MEM_COPY_OVERLAP);
    VR_CL(CL_BUILD_PROGRAM_FAILURE);
    VR_CL(CL_MAP_FAILURE);
    VR_CL(CL_MISALIGNED_SUB_BUFFER_OFFSET);
    VR_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    VR_CL(CL_COMPILE_PROGRAM_FAILURE);
    VR_CL(CL_LINKER_NOT_AVAILABLE);
    VR_CL(CL_LINK_PROGRAM_FAILURE);
    VR_CL(CL_INVALID_VALUE);
    VR_CL(CL_INVALID_DEVICE_TYPE);
    VR_CL(CL_INVALID_PLATFORM);
    VR_CL(CL_INVALID_DEVICE);
    VR_CL(CL_INVALID_CONTEXT);
    VR_CL(CL_INVALID_QUEUE_PROPERTIES);
    VR_CL(CL_INVALID_COMMAND_QUEUE);
    VR_CL(CL_INVALID_HOST_PTR);
    VR_CL(CL_INVALID_MEM_OBJECT);
    VR_CL(CL_INVALID_BINARY);
    VR_CL(CL_INVALID_BUILD_OPTIONS);
    VR_CL(CL_INVALID_PROGRAM);
    VR_CL(CL_INVALID_PROGRAM_EXECUTABLE);
    VR_CL(CL_INVALID_KERNEL_NAME);
    VR_CL(CL_INVALID_KERNEL_DEFINITION);
    VR_CL(CL_INVALID_KERNEL);
    VR_CL(CL_INVALID_ARG_INDEX);
    VR_CL(CL_INVALID_ARG_VALUE);
    VR_CL(CL_INVALID_ARG_SIZE);
    VR_CL(CL_INVALID_KERNEL_ARGS);
    VR_CL(CL_INVALID_WORK_DIMENSION);
    VR_CL(CL_INVALID_WORK_GROUP_SIZE);
    VR_CL(CL_INVALID_WORK_ITEM_SIZE);
    VR_CL(CL_INVALID_GLOBAL_OFFSET);
    VR_CL(CL_INVALID_EVENT_WAIT_LIST);
    VR_CL(CL_INVALID_EVENT);
    VR_CL(CL_INVALID_OPERATION);
    VR_CL(CL_INVALID_BUFFER_SIZE);
    VR_CL(CL_INVALID_GLOBAL_WORK_SIZE);
    VR_CL(CL_INVALID_PROPERTY);
    case -1001:
      return "CL_PLATFORM_NOT_FOUND_KHR";
    default:
      return "CL error " + std::to_string(code);
  }
#undef VR_CL
}

void fail(const char* call, cl_int code) {
  throw Failure{Code::Device, std::string(call) + " failed: " + error_name(code)};
}

namespace {
// Drivers pad some texts with blanks and end them with a NUL.
std::string trimmed(std::string s) {
  while (!s.empty() && (s.back() == '\0' || s.back() == ' ')) s.pop_back();
  const size_t start = s.find_first_not_of(' ');
  return start == std::string::npos ? "" : s.substr(start);
}
}  // namespace

std::string platform_text(cl_platform_id platform, cl_platform_info what) {
  size_t bytes = 0;
  check(clGetPlatformInfo(platform, what, 0, nullptr, &bytes), "clGetPlatformInfo");
  std::string s(bytes, '\0');
  check(clGetPlatformInfo(platform, what, bytes, s.data(), nullptr), "clGetPlatformInfo");
  return trimmed(std::move(s));
}

std::string device_text(cl_device_id device, cl_device_info what) {
  size_t bytes = 0;
  check(clGetDeviceInfo(device, what, 0, nullptr, &bytes), "clGetDeviceInfo");
  std::string s(bytes, '\0');
  check(clGetDeviceInfo(device, what, bytes, s.data(), nullptr), "clGetDeviceInfo");
  return trimmed(std::move(s));
}

}  // namespace vr::device::cl
