// An OpenCL layer (OPENCL_LAYERS) that keeps one context for each device: a context that a program makes again is the one
// from before. For each new context PoCL reads its library of nine megabytes of LLVM code once more, and most tests make an
// engine, and with it a context, for every program that they run.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl_layer.h>

#include <cstring>
#include <map>
#include <mutex>

namespace {

cl_icd_dispatch below, layer;
std::mutex mutex;
auto* const contexts = new std::map<cl_device_id, cl_context>;  // kept until the process ends

cl_context CL_API_CALL create_context(const cl_context_properties* properties, cl_uint count,
                                      const cl_device_id* devices,
                                      void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*), void* user,
                                      cl_int* errcode) {
  if (count != 1 || notify) return below.clCreateContext(properties, count, devices, notify, user, errcode);
  const std::lock_guard lock(mutex);
  cl_context& context = (*contexts)[devices[0]];
  if (!context) context = below.clCreateContext(properties, count, devices, notify, user, errcode);
  if (!context) return context;
  const cl_int status = below.clRetainContext(context);
  if (errcode) *errcode = status;
  return status == CL_SUCCESS ? context : nullptr;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

cl_int clGetLayerInfo(cl_layer_info what, size_t size, void* value, size_t* needed) {
  if (what != CL_LAYER_API_VERSION) return CL_INVALID_VALUE;
  const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  if (value && size < sizeof version) return CL_INVALID_VALUE;
  if (value) std::memcpy(value, &version, sizeof version);
  if (needed) *needed = sizeof version;
  return CL_SUCCESS;
}

cl_int clInitLayer(cl_uint entries, const cl_icd_dispatch* target, cl_uint* layer_entries,
                   const cl_icd_dispatch** layer_dispatch) {
  constexpr cl_uint mine = sizeof(cl_icd_dispatch) / sizeof(void*);
  if (!target || !layer_entries || !layer_dispatch || entries < mine) return CL_INVALID_VALUE;
  below = layer = *target;
  layer.clCreateContext = create_context;
  *layer_entries = mine;
  *layer_dispatch = &layer;
  return CL_SUCCESS;
}

}  // extern "C"
#pragma GCC visibility pop
