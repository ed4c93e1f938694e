// The functions of CUDA's driver library that this driver calls. The library is opened when a CUDA device is asked for;
// there is no toolkit and none of its headers at build time, so the declarations are here: names, types and constants
// as in CUDA's driver interface.
#pragma once
#include "runtime/device/device.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace vr::device::cuda {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = uint64_t;
using CUcontext = struct CUctx_st*;
using CUmodule = struct CUmod_st*;
using CUfunction = struct CUfunc_st*;
using CUstream = struct CUstream_st*;
using CUevent = struct CUevent_st*;

constexpr CUresult success = 0, out_of_memory = 2, not_ready = 600;
constexpr unsigned stream_non_blocking = 1;          // CU_STREAM_NON_BLOCKING
constexpr unsigned event_disable_timing = 2;         // CU_EVENT_DISABLE_TIMING
constexpr unsigned host_portable = 1;                // CU_MEMHOSTALLOC_PORTABLE
constexpr int jit_error_log = 5, jit_log_bytes = 6;  // CU_JIT_ERROR_LOG_BUFFER, .._SIZE_BYTES
enum FunctionAttribute { max_threads = 0, shared_bytes = 1 };
enum DeviceAttribute { max_pitch_bytes = 11 };

/// CUDA_MEMCPY2D.
struct Copy2D {
  size_t src_x = 0, src_y = 0;
  int src_kind = 0;
  const void* src_host = nullptr;
  CUdeviceptr src_device = 0;
  void* src_array = nullptr;
  size_t src_pitch = 0;
  size_t dst_x = 0, dst_y = 0;
  int dst_kind = 0;
  void* dst_host = nullptr;
  CUdeviceptr dst_device = 0;
  void* dst_array = nullptr;
  size_t dst_pitch = 0;
  size_t width = 0, height = 0;
};
enum MemoryKind { host_memory = 1, device_memory = 2 };  // CU_MEMORYTYPE_..

/// Each function as NAME(in this driver, in the library, parameters).
#define VR_CUDA_FUNCTIONS(NAME)                                                                 \
  NAME(init, cuInit, (unsigned))                                                                \
  NAME(driver_version, cuDriverGetVersion, (int*))                                              \
  NAME(error_name, cuGetErrorName, (CUresult, const char**))                                    \
  NAME(error_text, cuGetErrorString, (CUresult, const char**))                                  \
  NAME(device_count, cuDeviceGetCount, (int*))                                                  \
  NAME(device, cuDeviceGet, (CUdevice*, int))                                                   \
  NAME(device_bus, cuDeviceGetPCIBusId, (char*, int, CUdevice))                                 \
  NAME(device_attribute, cuDeviceGetAttribute, (int*, int, CUdevice))                           \
  NAME(context_retain, cuDevicePrimaryCtxRetain, (CUcontext*, CUdevice))                        \
  NAME(context_release, cuDevicePrimaryCtxRelease_v2, (CUdevice))                               \
  NAME(context_current, cuCtxGetCurrent, (CUcontext*))                                          \
  NAME(context_push, cuCtxPushCurrent_v2, (CUcontext))                                          \
  NAME(context_pop, cuCtxPopCurrent_v2, (CUcontext*))                                           \
  NAME(allocate, cuMemAlloc_v2, (CUdeviceptr*, size_t))                                         \
  NAME(free, cuMemFree_v2, (CUdeviceptr))                                                       \
  NAME(allocate_host, cuMemHostAlloc, (void**, size_t, unsigned))                               \
  NAME(free_host, cuMemFreeHost, (void*))                                                       \
  NAME(copy_up, cuMemcpyHtoDAsync_v2, (CUdeviceptr, const void*, size_t, CUstream))             \
  NAME(copy_down, cuMemcpyDtoHAsync_v2, (void*, CUdeviceptr, size_t, CUstream))                 \
  NAME(copy, cuMemcpyDtoDAsync_v2, (CUdeviceptr, CUdeviceptr, size_t, CUstream))                \
  NAME(copy_2d, cuMemcpy2DAsync_v2, (const Copy2D*, CUstream))                                  \
  NAME(fill, cuMemsetD8Async, (CUdeviceptr, unsigned char, size_t, CUstream))                   \
  NAME(stream_create, cuStreamCreate, (CUstream*, unsigned))                                    \
  NAME(stream_destroy, cuStreamDestroy_v2, (CUstream))                                          \
  NAME(stream_wait, cuStreamWaitEvent, (CUstream, CUevent, unsigned))                           \
  NAME(stream_finish, cuStreamSynchronize, (CUstream))                                          \
  NAME(event_create, cuEventCreate, (CUevent*, unsigned))                                       \
  NAME(event_destroy, cuEventDestroy_v2, (CUevent))                                             \
  NAME(event_record, cuEventRecord, (CUevent, CUstream))                                        \
  NAME(event_query, cuEventQuery, (CUevent))                                                    \
  NAME(event_wait, cuEventSynchronize, (CUevent))                                               \
  NAME(event_elapsed, cuEventElapsedTime, (float*, CUevent, CUevent))                           \
  NAME(module_load, cuModuleLoadDataEx, (CUmodule*, const void*, unsigned, const int*, void**)) \
  NAME(module_unload, cuModuleUnload, (CUmodule))                                               \
  NAME(module_function, cuModuleGetFunction, (CUfunction*, CUmodule, const char*))              \
  NAME(function_attribute, cuFuncGetAttribute, (int*, int, CUfunction))                         \
  NAME(launch, cuLaunchKernel,                                                                  \
       (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void**, void**))

/// The opened library. Thread-safe.
struct Api {
#define VR_CUDA_MEMBER(name, symbol, parameters) CUresult(*name) parameters = nullptr;
  VR_CUDA_FUNCTIONS(VR_CUDA_MEMBER)
#undef VR_CUDA_MEMBER

  /// "CUDA_ERROR_INVALID_VALUE (invalid argument)"
  std::string error(CUresult code) const;
  /// Throws NoMemory if the code is that of device memory used up, otherwise Failure. `call`: the function's name, or
  /// more.
  [[noreturn]] void fail(const std::string& call, CUresult code) const;
  void check(CUresult code, const char* call) const {
    if (code != success) fail(call, code);
  }
};

/// Opens the library `file` and initialises it, and keeps it until the process ends. The same file gives the same Api.
/// Throws Failure with the reason: it is absent, too old, lacks a function, or finds no device.
const Api& open_api(const std::string& file);

/// Makes a context current in this thread while it lives. Throws Failure.
class Current {
 public:
  Current(const Api& api, CUcontext context);
  ~Current();
  Current(const Current&) = delete;

 private:
  const Api& api_;
  bool pushed_ = false;
};

}  // namespace vr::device::cuda
