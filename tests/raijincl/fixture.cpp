#include "fixture.hpp"

#include <cstdlib>

namespace rj {
namespace {

std::string name_of(cl_platform_id p, cl_device_id d) {
  char a[256] = "", b[256] = "";
  clGetPlatformInfo(p, CL_PLATFORM_NAME, sizeof a, a, nullptr);
  clGetDeviceInfo(d, CL_DEVICE_NAME, sizeof b, b, nullptr);
  return std::string(a) + " " + b;
}

}  // namespace

Device& Device::get() {
  static Device d = [] {
    Device out;
    const char* wanted = std::getenv("VR_DEVICE");
    cl_uint platforms = 0;
    if (clGetPlatformIDs(0, nullptr, &platforms) != CL_SUCCESS) return out;
    std::vector<cl_platform_id> ids(platforms);
    clGetPlatformIDs(platforms, ids.data(), nullptr);
    for (cl_platform_id p : ids) {
      cl_uint count = 0;
      if (clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS) continue;
      std::vector<cl_device_id> devices(count);
      clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr);
      for (cl_device_id dev : devices) {
        if (out.id || (wanted && name_of(p, dev).find(wanted) == std::string::npos)) continue;
        out.id = dev;
      }
    }
    if (!out.id) return out;
    cl_int err;
    out.context = clCreateContext(nullptr, 1, &out.id, nullptr, nullptr, &err);
    out.queue = clCreateCommandQueue(out.context, out.id, 0, &err);
    if (raijincl::Context::create(out.context, out.id, out.lib) != Status::Ok) {
      ADD_FAILURE() << raijincl::last_error();
      out.context = nullptr;
    }
    return out;
  }();
  return d;
}

// OpenCL objects must be released before main returns, because drivers are unloaded after that.
struct Release : ::testing::Environment {
  void TearDown() override {
    Device& d = Device::get();
    if (!d.context) return;
    clFinish(d.queue);
    d.lib.reset();
    clReleaseCommandQueue(d.queue);
    clReleaseContext(d.context);
    d.context = nullptr;
  }
};
const auto* const release = ::testing::AddGlobalTestEnvironment(new Release);

}  // namespace rj
