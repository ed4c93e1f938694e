// OpenCL objects for the hand-written kernels of the device benchmarks: a separate context on the device that the
// engine uses.
#pragma once
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <velociraptor/array.hpp>

#include <CL/cl.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

/// Prints the message and ends the process.
[[noreturn]] inline void die(const std::string& why) { throw std::runtime_error(why); }

inline void check(cl_int status, const std::string& what) {
  if (status != CL_SUCCESS) die(what + " failed: " + std::to_string(status));
}

template <class T>
void set(cl_kernel k, cl_uint at, T v) {
  check(clSetKernelArg(k, at, sizeof v, &v), "clSetKernelArg");
}

/// Rounds up to a multiple.
inline size_t up(int64_t n, size_t to) { return (size_t(n) + to - 1) / to * to; }

/// A device with one in-order queue. Errors are thrown as std::runtime_error. Not thread-safe.
class Peers {
 public:
  /// Opens the device whose name `device_text` begins with.
  explicit Peers(const std::string& device_text) {
    cl_uint platforms = 0;
    check(clGetPlatformIDs(0, nullptr, &platforms), "clGetPlatformIDs");
    std::vector<cl_platform_id> ids(platforms);
    check(clGetPlatformIDs(platforms, ids.data(), nullptr), "clGetPlatformIDs");
    for (cl_platform_id p : ids) {
      cl_uint count = 0;
      if (clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS) continue;
      std::vector<cl_device_id> devices(count);
      check(clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr), "clGetDeviceIDs");
      for (cl_device_id d : devices) {
        char name[512] = {};
        clGetDeviceInfo(d, CL_DEVICE_NAME, sizeof name - 1, name, nullptr);
        if (!device_ && device_text.rfind(name, 0) == 0) device_ = d;
      }
    }
    if (!device_) die("the peers do not find '" + device_text + "'");
    cl_int status = CL_SUCCESS;
    context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &status);
    check(status, "clCreateContext");
    queue_ = clCreateCommandQueue(context_, device_, 0, &status);
    check(status, "clCreateCommandQueue");
  }
  ~Peers() {
    clReleaseCommandQueue(queue_);
    clReleaseContext(context_);
  }
  Peers(const Peers&) = delete;

  /// The build option with which float32 quotients and square roots are rounded correctly, if the device has it: the
  /// rule of the language and of CUDA's compilers, but not of OpenCL's.
  std::string rounded() const {
    cl_device_fp_config config = 0;
    clGetDeviceInfo(device_, CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config, nullptr);
    return config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT ? " -cl-fp32-correctly-rounded-divide-sqrt" : "";
  }

  static int64_t bytes(const vr::Array& a) { return a.size() * a.element_bytes(); }
  /// Creates a kernel, which the caller releases.
  cl_mem buffer(const vr::Array& a) { return buffer(size_t(bytes(a)), a.data_as<void>()); }
  /// Creates a buffer with these contents, or with undefined contents for a null pointer.
  cl_mem buffer(size_t size, void* contents = nullptr) {
    cl_int status = CL_SUCCESS;
    cl_mem m =
        clCreateBuffer(context_, CL_MEM_READ_WRITE | (contents ? CL_MEM_COPY_HOST_PTR : 0), size, contents, &status);
    check(status, "clCreateBuffer of " + std::to_string(size) + " bytes");
    return m;
  }
  /// The caller releases the result.
  cl_program build(const std::string& source, const std::string& options) {
    cl_int status = CL_SUCCESS;
    const char* text = source.c_str();
    cl_program p = clCreateProgramWithSource(context_, 1, &text, nullptr, &status);
    check(status, "clCreateProgramWithSource");
    if (clBuildProgram(p, 1, &device_, options.c_str(), nullptr, nullptr) != CL_SUCCESS) {
      std::string log(65536, 0);
      clGetProgramBuildInfo(p, device_, CL_PROGRAM_BUILD_LOG, log.size() - 1, log.data(), nullptr);
      die("a hand-written program does not build:\n" + std::string(log.c_str()));
    }
    return p;
  }
  /// The caller releases the result.
  cl_kernel kernel(cl_program program, const std::string& name) {
    cl_int status = CL_SUCCESS;
    cl_kernel k = clCreateKernel(program, name.c_str(), &status);
    check(status, "clCreateKernel of " + name);
    return k;
  }
  void launch(cl_kernel k, const std::vector<size_t>& global, const std::vector<size_t>& local) {
    check(clEnqueueNDRangeKernel(queue_, k, cl_uint(global.size()), nullptr, global.data(), local.data(), 0, nullptr,
                                 nullptr),
          "clEnqueueNDRangeKernel");
  }
  void finish() { check(clFinish(queue_), "clFinish"); }
  void read(cl_mem m, void* to, size_t size) {
    check(clEnqueueReadBuffer(queue_, m, CL_TRUE, 0, size, to, 0, nullptr, nullptr), "clEnqueueReadBuffer");
  }

 private:
  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
};

}  // namespace bench
