// raijincl-tune: lists devices, times and tunes kernels, writes device profiles, draws plots.
#include <cstdio>
#include <cstring>
#include <vector>

#include "tuning/tune.hpp"

using namespace raijincl;

namespace {

std::vector<std::pair<std::string, std::pair<cl_platform_id, cl_device_id>>> devices() {
  std::vector<std::pair<std::string, std::pair<cl_platform_id, cl_device_id>>> out;
  cl_uint platforms = 0;
  if (clGetPlatformIDs(0, nullptr, &platforms) != CL_SUCCESS) return out;
  std::vector<cl_platform_id> ids(platforms);
  clGetPlatformIDs(platforms, ids.data(), nullptr);
  for (cl_platform_id p : ids) {
    cl_uint n = 0;
    if (clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, 0, nullptr, &n) != CL_SUCCESS) continue;
    std::vector<cl_device_id> list(n);
    clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, n, list.data(), nullptr);
    char platform[256] = "";
    clGetPlatformInfo(p, CL_PLATFORM_NAME, sizeof platform, platform, nullptr);
    for (cl_device_id d : list) {
      char device[256] = "";
      clGetDeviceInfo(d, CL_DEVICE_NAME, sizeof device, device, nullptr);
      out.push_back({std::string(platform) + ": " + device, {p, d}});
    }
  }
  return out;
}

int usage() {
  std::fprintf(stderr,
               "raijincl-tune list                                devices\n"
               "raijincl-tune probe FILE [--device PART]          times the parameters in FILE\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return usage();
  const std::string command = argv[1];
  const auto option = [&](const char* name, const char* otherwise) {
    for (int i = 2; i + 1 < argc; ++i) {
      if (!std::strcmp(argv[i], name)) return std::string(argv[i + 1]);
    }
    return std::string(otherwise);
  };
  const auto all = devices();
  if (command == "list") {
    for (const auto& d : all) std::printf("%s\n", d.first.c_str());
    return all.empty();
  }
  const std::string part = option("--device", "");
  for (const auto& [name, ids] : all) {
    if (name.find(part) == std::string::npos) continue;
    cl_int err;
    cl_device_id d = ids.second;
    cl_context c = clCreateContext(nullptr, 1, &d, nullptr, nullptr, &err);
    if (err != CL_SUCCESS) break;
    cl_command_queue q = clCreateCommandQueue(c, d, 0, &err);
    std::unique_ptr<Context> ctx;
    if (Context::create(c, d, ctx) != Status::Ok) {
      std::fprintf(stderr, "raijincl-tune: %s\n", last_error().c_str());
      return 1;
    }
    std::printf("device: %s, driver %s\n", name.c_str(), ctx->device().driver.c_str());
    int status = 2;
    if (command == "probe" && argc >= 3)
      status = probe(ctx->impl(), q, argv[2], std::atof(option("--seconds", "0.1").c_str()));
    else
      status = usage();
    clFinish(q);
    ctx.reset();
    clReleaseCommandQueue(q);
    clReleaseContext(c);
    return status;
  }
  std::fprintf(stderr, "raijincl-tune: no device with '%s' in its name\n", part.c_str());
  return 1;
}
