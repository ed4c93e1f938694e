// OpenCL's functions, those that VRruntime calls. They take the place of the ICD loader's in this program.
#include "device/device_fixture.hpp"
#include "device/host/objects.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

using namespace vr::test::host;

namespace {

using Lock = std::lock_guard<std::recursive_mutex>;
int the_platform, the_device;  // their addresses are the handles
const auto platform = reinterpret_cast<cl_platform_id>(&the_platform);
const auto device_id = reinterpret_cast<cl_device_id>(&the_device);

bool as_cpu() {
  const char* kind = std::getenv("HOST_DEVICE");
  return kind && std::strcmp(kind, "cpu") == 0;
}

cl_int give(const void* value, size_t bytes, size_t size, void* to, size_t* needed) {
  if (needed) *needed = bytes;
  if (to && size < bytes) return CL_INVALID_VALUE;
  if (to) std::memcpy(to, value, bytes);
  return CL_SUCCESS;
}
cl_int give(const char* text, size_t size, void* to, size_t* needed) {
  return give(text, std::strlen(text) + 1, size, to, needed);
}
template <class T>
cl_int give_value(T value, size_t size, void* to, size_t* needed) {
  return give(&value, sizeof value, size, to, needed);
}
template <class T>
T made(T object, cl_int* status) {
  if (status) *status = CL_SUCCESS;
  return object;
}
template <class T>
T refused(cl_int why, cl_int* status) {
  if (status) *status = why;
  return T{};
}

/// The suite's programs become known here, and nothing may be left after the session is closed.
class HostDevice : public ::testing::Environment {
 public:
  HostDevice() { vr::test::know_program = vr::test::host::know_program; }
  ~HostDevice() override {
    // After all environments have been torn down.
    if (live_objects() == 0) return;
    std::fprintf(stderr, "host device: %ld OpenCL objects are left\n", live_objects());
    std::_Exit(1);
  }
};
const auto* const registered = ::testing::AddGlobalTestEnvironment(new HostDevice);

}  // namespace

extern "C" {

cl_int clGetPlatformIDs(cl_uint n, cl_platform_id* ids, cl_uint* count) {
  if (count) *count = 1;
  if (ids && n > 0) ids[0] = platform;
  return CL_SUCCESS;
}
cl_int clGetPlatformInfo(cl_platform_id, cl_platform_info what, size_t size, void* to, size_t* needed) {
  return give(what == CL_PLATFORM_NAME ? "In-process" : "", size, to, needed);
}
cl_int clGetDeviceIDs(cl_platform_id, cl_device_type, cl_uint n, cl_device_id* ids, cl_uint* count) {
  if (count) *count = 1;
  if (ids && n > 0) ids[0] = device_id;
  return CL_SUCCESS;
}
cl_int clGetDeviceInfo(cl_device_id, cl_device_info what, size_t size, void* to, size_t* needed) {
  const size_t items[] = {256, 256, 64};
  switch (what) {
    case CL_DEVICE_NAME:
      return give("Host device", size, to, needed);
    case CL_DEVICE_VERSION:
      return give("OpenCL 1.2 host", size, to, needed);
    case CL_DRIVER_VERSION:
      return give("1", size, to, needed);
    case CL_DEVICE_EXTENSIONS:
      return give("cl_khr_fp64 cl_khr_int64_base_atomics", size, to, needed);
    case CL_DEVICE_TYPE:
      return give_value(cl_device_type(as_cpu() ? CL_DEVICE_TYPE_CPU : CL_DEVICE_TYPE_GPU), size, to, needed);
    case CL_DEVICE_GLOBAL_MEM_SIZE:
      return give_value(cl_ulong{1} << 30, size, to, needed);
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
      return give_value(cl_ulong{1} << 28, size, to, needed);
    case CL_DEVICE_MAX_COMPUTE_UNITS:
      return give_value(cl_uint{4}, size, to, needed);
    case CL_DEVICE_HOST_UNIFIED_MEMORY:
      return give_value(cl_bool(as_cpu() ? CL_TRUE : CL_FALSE), size, to, needed);
    case CL_DEVICE_AVAILABLE:
    case CL_DEVICE_COMPILER_AVAILABLE:
      return give_value(cl_bool{CL_TRUE}, size, to, needed);
    case CL_DEVICE_LOCAL_MEM_TYPE:
      return give_value(static_cast<cl_device_local_mem_type>(as_cpu() ? CL_GLOBAL : CL_LOCAL), size, to, needed);
    case CL_DEVICE_LOCAL_MEM_SIZE:
      return give_value(cl_ulong{1} << 15, size, to, needed);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
      return give_value(size_t{256}, size, to, needed);
    case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS:
      return give_value(cl_uint{3}, size, to, needed);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
      return give(items, sizeof items, size, to, needed);
    case CL_DEVICE_SINGLE_FP_CONFIG:
      return give_value(cl_device_fp_config{CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT}, size, to, needed);
    default:
      return CL_INVALID_VALUE;
  }
}

// ---------------------------------------------------------------- objects
cl_context clCreateContext(const cl_context_properties*, cl_uint, const cl_device_id*,
                           void(CL_CALLBACK*)(const char*, const void*, size_t, void*), void*, cl_int* status) {
  Lock lock(device());
  return made(new _cl_context, status);
}
cl_command_queue clCreateCommandQueue(cl_context, cl_device_id, cl_command_queue_properties, cl_int* status) {
  Lock lock(device());
  return made(new _cl_command_queue, status);
}
cl_mem clCreateBuffer(cl_context, cl_mem_flags flags, size_t bytes, void* host, cl_int* status) {
  Lock lock(device());
  const bool in_place = flags & CL_MEM_USE_HOST_PTR, copied = flags & CL_MEM_COPY_HOST_PTR;
  if (bytes == 0) return refused<cl_mem>(CL_INVALID_BUFFER_SIZE, status);
  if ((in_place || copied) != (host != nullptr)) return refused<cl_mem>(CL_INVALID_HOST_PTR, status);
  auto* m = new _cl_mem;
  m->bytes = bytes;
  if (in_place) {
    m->memory = static_cast<char*>(host);
  } else {
    m->own.assign(bytes, char(0xcb));
    m->memory = m->own.data();
    if (copied) std::memcpy(m->memory, host, bytes);
  }
  return made(m, status);
}
cl_program clCreateProgramWithSource(cl_context, cl_uint, const char** text, const size_t* length, cl_int* status) {
  Lock lock(device());
  auto* p = new _cl_program;
  p->source.assign(text[0], length[0]);
  return made(p, status);
}
cl_program clCreateProgramWithBinary(cl_context, cl_uint, const cl_device_id*, const size_t*, const unsigned char**,
                                     cl_int*, cl_int* status) {
  return refused<cl_program>(CL_INVALID_BINARY, status);
}
cl_int clBuildProgram(cl_program p, cl_uint, const cl_device_id*, const char*, void(CL_CALLBACK*)(cl_program, void*),
                      void*) {
  Lock lock(device());
  p->module = find_program(p->source);
  return p->module ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE;
}
cl_int clGetProgramBuildInfo(cl_program p, cl_device_id, cl_program_build_info, size_t size, void* to, size_t* needed) {
  Lock lock(device());
  return give(("no program of the suite: " + p->source).c_str(), size, to, needed);
}
cl_int clGetProgramInfo(cl_program, cl_program_info, size_t, void*, size_t*) { return CL_INVALID_VALUE; }
cl_kernel clCreateKernel(cl_program p, const char* name, cl_int* status) {
  Lock lock(device());
  for (const auto& f : p->module->functions)
    if (f->kind == vr::lower::Function::Kind::Kernel && f->name == name) {
      auto* k = new _cl_kernel;
      k->program = p;
      k->function = f.get();
      size_t count = f->dims.size() + 1;
      for (const auto& param : f->params)
        count += param.array == vr::lower::none ? (param.im == vr::lower::none ? 1 : 2)
                                                : 2 + 2 * f->arrays[size_t(param.array)].extent.size();
      k->args.resize(count);
      k->buffers.resize(count);
      retain(p);
      return made(k, status);
    }
  return refused<cl_kernel>(CL_INVALID_KERNEL_NAME, status);
}
cl_int clGetKernelInfo(cl_kernel k, cl_kernel_info what, size_t size, void* to, size_t* needed) {
  return what == CL_KERNEL_NUM_ARGS ? give_value(cl_uint(k->args.size()), size, to, needed) : CL_INVALID_VALUE;
}
cl_int clGetKernelWorkGroupInfo(cl_kernel, cl_device_id, cl_kernel_work_group_info, size_t size, void* to,
                                size_t* needed) {
  return give_value(size_t{256}, size, to, needed);
}
cl_int clSetKernelArg(cl_kernel k, cl_uint index, size_t bytes, const void* value) {
  Lock lock(device());
  if (index >= k->args.size()) return CL_INVALID_ARG_INDEX;
  k->args[index].assign(static_cast<const char*>(value), bytes);
  // Any number may look like a handle; it is then as good as one.
  k->buffers[index] = bytes == sizeof(cl_mem) ? buffer_number(*static_cast<const cl_mem*>(value)) : 0;
  return CL_SUCCESS;
}

#define RELEASES(name, type) \
  cl_int name(type o) {      \
    Lock lock(device());     \
    release(o);              \
    return CL_SUCCESS;       \
  }
RELEASES(clReleaseContext, cl_context)
RELEASES(clReleaseCommandQueue, cl_command_queue)
RELEASES(clReleaseMemObject, cl_mem)
RELEASES(clReleaseProgram, cl_program)
RELEASES(clReleaseKernel, cl_kernel)
RELEASES(clReleaseEvent, cl_event)

// ---------------------------------------------------------------- commands
cl_int clFlush(cl_command_queue q) {
  Lock lock(device());
  send_off(q);
  return CL_SUCCESS;
}
cl_int clFinish(cl_command_queue q) {
  Lock lock(device());
  finish(q);
  return CL_SUCCESS;
}
cl_int clWaitForEvents(cl_uint n, const cl_event* events) {
  Lock lock(device());
  for (cl_uint k = 0; k < n; ++k) {
    // Waiting sends the event's queue off.
    if (events[k]->queue) send_off(events[k]->queue);
    finish(events[k]);
  }
  return CL_SUCCESS;
}
cl_int clGetEventInfo(cl_event e, cl_event_info, size_t size, void* to, size_t* needed) {
  return give_value(cl_int{e->ended ? CL_COMPLETE : CL_QUEUED}, size, to, needed);
}
cl_int clGetEventProfilingInfo(cl_event, cl_profiling_info, size_t, void*, size_t*) {
  return CL_PROFILING_INFO_NOT_AVAILABLE;
}

namespace {
bool outside(cl_mem m, size_t offset, size_t bytes) { return offset > m->bytes || bytes > m->bytes - offset; }
/// The buffer lives until the command has run.
std::shared_ptr<_cl_mem> held(cl_mem m) {
  retain(m);
  return {m, [](cl_mem o) { release(o); }};
}
}  // namespace

cl_int clEnqueueWriteBuffer(cl_command_queue q, cl_mem m, cl_bool blocking, size_t offset, size_t bytes,
                            const void* from, cl_uint n, const cl_event* waits, cl_event* event) {
  Lock lock(device());
  if (outside(m, offset, bytes)) return CL_INVALID_VALUE;
  return enqueue(
      q, [b = held(m), offset, bytes, from] { std::memcpy(b->memory + offset, from, bytes); }, n, waits, event,
      blocking);
}
cl_int clEnqueueReadBuffer(cl_command_queue q, cl_mem m, cl_bool blocking, size_t offset, size_t bytes, void* to,
                           cl_uint n, const cl_event* waits, cl_event* event) {
  Lock lock(device());
  if (outside(m, offset, bytes)) return CL_INVALID_VALUE;
  return enqueue(
      q, [b = held(m), offset, bytes, to] { std::memcpy(to, b->memory + offset, bytes); }, n, waits, event, blocking);
}
// Rows of one layer, with the same pitch on both sides: what the runtime asks for.
cl_int clEnqueueWriteBufferRect(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t* at, const size_t* start,
                                const size_t* size, size_t pitch, size_t, size_t host_pitch, size_t, const void* from,
                                cl_uint n, const cl_event* waits, cl_event* event) {
  Lock lock(device());
  const size_t offset = at[0], run = size[0], rows = size[1];
  if (at[1] || at[2] || start[0] || start[1] || start[2] || size[2] != 1 || run == 0 || rows == 0 || pitch < run ||
      pitch != host_pitch || outside(m, offset, (rows - 1) * pitch + run))
    return CL_INVALID_VALUE;
  return enqueue(
      q,
      [b = held(m), offset, run, rows, pitch, from] {
        for (size_t k = 0; k < rows; ++k)
          std::memcpy(b->memory + offset + k * pitch, static_cast<const char*>(from) + k * pitch, run);
      },
      n, waits, event, blocking);
}
cl_int clEnqueueReadBufferRect(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t* at, const size_t* start,
                               const size_t* size, size_t pitch, size_t, size_t host_pitch, size_t, void* to, cl_uint n,
                               const cl_event* waits, cl_event* event) {
  Lock lock(device());
  const size_t offset = at[0], run = size[0], rows = size[1];
  if (at[1] || at[2] || start[0] || start[1] || start[2] || size[2] != 1 || run == 0 || rows == 0 || pitch < run ||
      pitch != host_pitch || outside(m, offset, (rows - 1) * pitch + run))
    return CL_INVALID_VALUE;
  return enqueue(
      q,
      [b = held(m), offset, run, rows, pitch, to] {
        for (size_t k = 0; k < rows; ++k)
          std::memcpy(static_cast<char*>(to) + k * pitch, b->memory + offset + k * pitch, run);
      },
      n, waits, event, blocking);
}
cl_int clEnqueueCopyBuffer(cl_command_queue q, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset,
                           size_t bytes, cl_uint n, const cl_event* waits, cl_event* event) {
  Lock lock(device());
  if (outside(from, from_offset, bytes) || outside(to, to_offset, bytes)) return CL_INVALID_VALUE;
  return enqueue(
      q,
      [a = held(from), b = held(to), from_offset, to_offset, bytes] {
        std::memmove(b->memory + to_offset, a->memory + from_offset, bytes);
      },
      n, waits, event, false);
}
cl_int clEnqueueFillBuffer(cl_command_queue q, cl_mem m, const void* pattern, size_t pattern_bytes, size_t offset,
                           size_t bytes, cl_uint n, const cl_event* waits, cl_event* event) {
  Lock lock(device());
  if (outside(m, offset, bytes) || pattern_bytes == 0 || bytes % pattern_bytes) return CL_INVALID_VALUE;
  return enqueue(
      q,
      [b = held(m), p = std::string(static_cast<const char*>(pattern), pattern_bytes), offset, bytes] {
        for (size_t k = 0; k < bytes; k += p.size()) std::memcpy(b->memory + offset + k, p.data(), p.size());
      },
      n, waits, event, false);
}
cl_int clEnqueueMarkerWithWaitList(cl_command_queue q, cl_uint n, const cl_event* waits, cl_event* event) {
  Lock lock(device());
  return enqueue(q, [] {}, n, waits, event, false);
}
void* clEnqueueMapBuffer(cl_command_queue q, cl_mem m, cl_bool blocking, cl_map_flags, size_t offset, size_t bytes,
                         cl_uint n, const cl_event* waits, cl_event* event, cl_int* status) {
  Lock lock(device());
  if (outside(m, offset, bytes)) return refused<void*>(CL_INVALID_VALUE, status);
  *status = enqueue(q, [b = held(m)] { ++b->maps; }, n, waits, event, blocking);
  return m->memory + offset;
}
cl_int clEnqueueUnmapMemObject(cl_command_queue q, cl_mem m, void*, cl_uint n, const cl_event* waits, cl_event* event) {
  Lock lock(device());
  return enqueue(
      q,
      [b = held(m)] {
        if (--b->maps < 0) violation("a buffer is unmapped too often");
      },
      n, waits, event, false);
}
cl_int clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k, cl_uint, const size_t*, const size_t* global,
                              const size_t* local, cl_uint n, const cl_event* waits, cl_event* event) {
  Lock lock(device());
  for (size_t p = 0; p < k->args.size(); ++p) {
    if (k->args[p].empty()) return CL_INVALID_KERNEL_ARGS;
    if (k->buffers[p] == 0) continue;
    // A driver may have looked up the buffer when the argument was set.
    cl_mem handle;
    std::memcpy(&handle, k->args[p].data(), sizeof handle);
    if (buffer_number(handle) != k->buffers[p])
      violation("argument " + std::to_string(p) + " of kernel '" + k->function->name +
                "' is a buffer that was released");
  }
  if (global[0] == 0) return CL_INVALID_GLOBAL_WORK_SIZE;
  if (global[0] % local[0]) return CL_INVALID_WORK_GROUP_SIZE;
  // Arguments are captured at the launch; the module is kept alive, since the kernel object may be released before it
  // runs.
  return enqueue(
      q, [f = k->function, module = k->program->module, args = k->args] { run_kernel(*f, args); }, n, waits, event,
      false);
}

}  // extern "C"
