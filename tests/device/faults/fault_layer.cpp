// An OpenCL layer (OPENCL_LAYERS) that makes the Nth call fail, and counts the existing objects. Calls that release
// objects, and queries of the available devices, never fail.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl_layer.h>

#include <atomic>
#include <cstring>

namespace {

cl_icd_dispatch below, layer;
std::atomic<long> calls{0}, fails_at{0}, live{0};
std::atomic<bool> for_ever{false};

bool fails() {
  const long at = fails_at.load(), call = ++calls;
  return at > 0 && (for_ever ? call >= at : call == at);
}

constexpr cl_int error = CL_OUT_OF_RESOURCES;

// A call that returns a status.
#define STATUS(name, params, args) \
  cl_int CL_API_CALL l_##name params { return fails() ? error : below.name args; }
// A call that waits. A device of which all calls fail has stopped: nothing is in flight when its error is returned.
#define WAITS(name, params, args)         \
  cl_int CL_API_CALL l_##name params {    \
    if (!fails()) return below.name args; \
    if (for_ever) below.name args;        \
    return error;                         \
  }
// A call that makes an object.
#define MAKES(type, name, params, args) \
  type CL_API_CALL l_##name params {    \
    if (fails()) {                      \
      if (errcode) *errcode = error;    \
      return nullptr;                   \
    }                                   \
    type made = below.name args;        \
    if (made) ++live;                   \
    return made;                        \
  }
// A release.
#define DROPS(name, type)               \
  cl_int CL_API_CALL l_##name(type o) { \
    --live;                             \
    return below.name(o);               \
  }

MAKES(cl_context, clCreateContext,
      (const cl_context_properties* p, cl_uint n, const cl_device_id* d,
       void(CL_CALLBACK* f)(const char*, const void*, size_t, void*), void* u, cl_int* errcode),
      (p, n, d, f, u, errcode))
MAKES(cl_command_queue, clCreateCommandQueue,
      (cl_context c, cl_device_id d, cl_command_queue_properties p, cl_int* errcode), (c, d, p, errcode))
MAKES(cl_mem, clCreateBuffer, (cl_context c, cl_mem_flags f, size_t s, void* h, cl_int* errcode), (c, f, s, h, errcode))
MAKES(cl_program, clCreateProgramWithSource,
      (cl_context c, cl_uint n, const char** s, const size_t* l, cl_int* errcode), (c, n, s, l, errcode))
MAKES(cl_kernel, clCreateKernel, (cl_program p, const char* n, cl_int* errcode), (p, n, errcode))
DROPS(clReleaseContext, cl_context)
DROPS(clReleaseCommandQueue, cl_command_queue)
DROPS(clReleaseMemObject, cl_mem)
DROPS(clReleaseProgram, cl_program)
DROPS(clReleaseKernel, cl_kernel)
DROPS(clReleaseEvent, cl_event)

STATUS(clGetDeviceInfo, (cl_device_id d, cl_device_info i, size_t s, void* v, size_t* r), (d, i, s, v, r))
STATUS(clBuildProgram,
       (cl_program p, cl_uint n, const cl_device_id* d, const char* o, void(CL_CALLBACK* f)(cl_program, void*),
        void* u),
       (p, n, d, o, f, u))
STATUS(clSetKernelArg, (cl_kernel k, cl_uint i, size_t s, const void* v), (k, i, s, v))
STATUS(clGetKernelInfo, (cl_kernel k, cl_kernel_info i, size_t s, void* v, size_t* r), (k, i, s, v, r))
STATUS(clGetKernelWorkGroupInfo,
       (cl_kernel k, cl_device_id d, cl_kernel_work_group_info i, size_t s, void* v, size_t* r), (k, d, i, s, v, r))
WAITS(clWaitForEvents, (cl_uint n, const cl_event* e), (n, e))
STATUS(clFlush, (cl_command_queue q), (q))
WAITS(clFinish, (cl_command_queue q), (q))

// Commands: an event counts as an object.
cl_int noted(cl_int status, const cl_event* event) {
  if (status == CL_SUCCESS && event && *event) ++live;
  return status;
}
cl_int CL_API_CALL l_clRetainEvent(cl_event e) {
  return fails() ? error : noted(below.clRetainEvent(e), &e);
}
cl_int CL_API_CALL l_clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k, cl_uint d, const size_t* o,
                                            const size_t* g, const size_t* l, cl_uint n, const cl_event* w,
                                            cl_event* e) {
  return fails() ? error : noted(below.clEnqueueNDRangeKernel(q, k, d, o, g, l, n, w, e), e);
}
cl_int CL_API_CALL l_clEnqueueReadBuffer(cl_command_queue q, cl_mem m, cl_bool b, size_t o, size_t s, void* p,
                                         cl_uint n, const cl_event* w, cl_event* e) {
  return fails() ? error : noted(below.clEnqueueReadBuffer(q, m, b, o, s, p, n, w, e), e);
}
cl_int CL_API_CALL l_clEnqueueWriteBuffer(cl_command_queue q, cl_mem m, cl_bool b, size_t o, size_t s, const void* p,
                                          cl_uint n, const cl_event* w, cl_event* e) {
  return fails() ? error : noted(below.clEnqueueWriteBuffer(q, m, b, o, s, p, n, w, e), e);
}
cl_int CL_API_CALL l_clEnqueueReadBufferRect(cl_command_queue q, cl_mem m, cl_bool b, const size_t* o, const size_t* h,
                                             const size_t* r, size_t br, size_t bs, size_t hr, size_t hs, void* p,
                                             cl_uint n, const cl_event* w, cl_event* e) {
  return fails() ? error : noted(below.clEnqueueReadBufferRect(q, m, b, o, h, r, br, bs, hr, hs, p, n, w, e), e);
}
cl_int CL_API_CALL l_clEnqueueWriteBufferRect(cl_command_queue q, cl_mem m, cl_bool b, const size_t* o, const size_t* h,
                                              const size_t* r, size_t br, size_t bs, size_t hr, size_t hs,
                                              const void* p, cl_uint n, const cl_event* w, cl_event* e) {
  return fails() ? error : noted(below.clEnqueueWriteBufferRect(q, m, b, o, h, r, br, bs, hr, hs, p, n, w, e), e);
}
cl_int CL_API_CALL l_clEnqueueFillBuffer(cl_command_queue q, cl_mem m, const void* v, size_t z, size_t o, size_t s,
                                         cl_uint n, const cl_event* w, cl_event* e) {
  return fails() ? error : noted(below.clEnqueueFillBuffer(q, m, v, z, o, s, n, w, e), e);
}
cl_int CL_API_CALL l_clEnqueueMarkerWithWaitList(cl_command_queue q, cl_uint n, const cl_event* w, cl_event* e) {
  return fails() ? error : noted(below.clEnqueueMarkerWithWaitList(q, n, w, e), e);
}
cl_int CL_API_CALL l_clEnqueueCopyBuffer(cl_command_queue q, cl_mem s, cl_mem d, size_t so, size_t o, size_t z,
                                         cl_uint n, const cl_event* w, cl_event* e) {
  return fails() ? error : noted(below.clEnqueueCopyBuffer(q, s, d, so, o, z, n, w, e), e);
}
cl_int CL_API_CALL l_clEnqueueUnmapMemObject(cl_command_queue q, cl_mem m, void* p, cl_uint n, const cl_event* w,
                                             cl_event* e) {
  return fails() ? error : noted(below.clEnqueueUnmapMemObject(q, m, p, n, w, e), e);
}
void* CL_API_CALL l_clEnqueueMapBuffer(cl_command_queue q, cl_mem m, cl_bool b, cl_map_flags f, size_t o, size_t s,
                                       cl_uint n, const cl_event* w, cl_event* e, cl_int* errcode) {
  if (fails()) {
    if (errcode) *errcode = error;
    return nullptr;
  }
  cl_int status = CL_SUCCESS;
  void* p = below.clEnqueueMapBuffer(q, m, b, f, o, s, n, w, e, &status);
  if (errcode) *errcode = status;
  noted(status, e);
  return p;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

// ---- the interface for the test: which call fails, counted from now (0: none), and whether all later calls fail, too
void vr_fault_layer_set(long at, int ever) {
  calls = 0;
  for_ever = ever != 0;
  fails_at = at;
}
long vr_fault_layer_calls() { return calls; }
long vr_fault_layer_live() { return live; }

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
#define USE(name) layer.name = l_##name
  USE(clCreateContext);
  USE(clCreateCommandQueue);
  USE(clCreateBuffer);
  USE(clCreateProgramWithSource);
  USE(clCreateKernel);
  USE(clReleaseContext);
  USE(clReleaseCommandQueue);
  USE(clReleaseMemObject);
  USE(clReleaseProgram);
  USE(clReleaseKernel);
  USE(clReleaseEvent);
  USE(clRetainEvent);
  USE(clGetDeviceInfo);
  USE(clBuildProgram);
  USE(clSetKernelArg);
  USE(clGetKernelInfo);
  USE(clGetKernelWorkGroupInfo);
  USE(clWaitForEvents);
  USE(clFlush);
  USE(clFinish);
  USE(clEnqueueNDRangeKernel);
  USE(clEnqueueReadBuffer);
  USE(clEnqueueWriteBuffer);
  USE(clEnqueueReadBufferRect);
  USE(clEnqueueWriteBufferRect);
  USE(clEnqueueFillBuffer);
  USE(clEnqueueMarkerWithWaitList);
  USE(clEnqueueCopyBuffer);
  USE(clEnqueueUnmapMemObject);
  USE(clEnqueueMapBuffer);
  *layer_entries = mine;
  *layer_dispatch = &layer;
  return CL_SUCCESS;
}

}  // extern "C"
#pragma GCC visibility pop
