#include "runtime/device/opencl/queue.hpp"

#include "runtime/device/opencl/program.hpp"

#include <type_traits>
#include <utility>

namespace vr::device::opencl {

std::string ClEvent::wait() {
  cl_event event = event_.get();
  cl_int waited = clWaitForEvents(1, &event);
  if (waited == CL_SUCCESS) return "";
  // The wait only reports that an event failed; the event's status says why.
  cl_int status = CL_COMPLETE;
  if (clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr) == CL_SUCCESS &&
      status < 0)
    waited = status;
  return cl::error_name(waited);
}

bool ClEvent::ended() const {
  cl_int status = CL_QUEUED;
  return clGetEventInfo(event_.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr) ==
             CL_SUCCESS &&
         status == CL_COMPLETE;
}

std::optional<Times> ClEvent::times() const {
  cl_ulong queued = 0, begin = 0, end = 0;
  auto get = [&](cl_profiling_info what, cl_ulong& value) {
    return clGetEventProfilingInfo(event_.get(), what, sizeof value, &value, nullptr) == CL_SUCCESS;
  };
  if (!get(CL_PROFILING_COMMAND_QUEUED, queued) || !get(CL_PROFILING_COMMAND_START, begin) ||
      !get(CL_PROFILING_COMMAND_END, end) || begin < queued || end < begin)
    return {};
  return Times{int64_t(queued), int64_t(begin), int64_t(end)};
}

namespace {

/// NVIDIA's driver rejects rectangles if all rows together with their gaps, including the gap after the last row, are
/// longer than the buffer.
template <class T>
bool ends_in_a_gap(cl_mem buffer, const Rows<T>& r) {
  size_t bytes = 0;
  cl::check(clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof bytes, &bytes, nullptr), "clGetMemObjectInfo");
  return r.rows * r.stride > bytes;
}
/// Copies the rows before the last one, and then the last one.
template <class T>
std::pair<Rows<T>, Rows<T>> without_last(Rows<T> r) {
  using Byte = std::conditional_t<std::is_const_v<T>, const char, char>;
  const size_t distance = (r.rows - 1) * r.stride;
  Rows<T> last = r;
  last.memory = static_cast<Byte*>(r.memory) + distance;
  last.offset += distance;
  last.rows = 1;
  --r.rows;
  return {r, last};
}

}  // namespace

void ClQueue::copy_up(Buffer& to, const Rows<const void>& from, EventPtr* event) {
  if (from.rows > 1 && ends_in_a_gap(handle(to), from)) {
    const auto [before, last] = without_last(from);
    copy_up(to, before, nullptr);
    return copy_up(to, last, event);
  }
  EventOut out(event);
  if (from.rows == 1) {
    cl::check(
        clEnqueueWriteBuffer(get(), handle(to), CL_FALSE, from.offset, from.run, from.memory, 0, nullptr, out.place()),
        "clEnqueueWriteBuffer");
  } else {
    const size_t origin[3] = {from.offset, 0, 0}, start[3] = {}, size[3] = {from.run, from.rows, 1};
    cl::check(clEnqueueWriteBufferRect(get(), handle(to), CL_FALSE, origin, start, size, from.stride, 0, from.stride, 0,
                                       from.memory, 0, nullptr, out.place()),
              "clEnqueueWriteBufferRect");
  }
  out.give();
}

void ClQueue::read(Buffer& from, const Rows<void>& to, cl_bool blocking, EventPtr* event) {
  if (to.rows > 1 && ends_in_a_gap(handle(from), to)) {
    const auto [before, last] = without_last(to);
    read(from, before, CL_FALSE, nullptr);
    return read(from, last, blocking, event);
  }
  EventOut out(event);
  if (to.rows == 1) {
    cl::check(clEnqueueReadBuffer(get(), handle(from), blocking, to.offset, to.run, to.memory, 0, nullptr, out.place()),
              "clEnqueueReadBuffer");
  } else {
    const size_t origin[3] = {to.offset, 0, 0}, start[3] = {}, size[3] = {to.run, to.rows, 1};
    cl::check(clEnqueueReadBufferRect(get(), handle(from), blocking, origin, start, size, to.stride, 0, to.stride, 0,
                                      to.memory, 0, nullptr, out.place()),
              "clEnqueueReadBufferRect");
  }
  out.give();
}

void ClQueue::copy(Buffer& from, size_t from_offset, Buffer& to, size_t to_offset, size_t bytes, Waits waits,
                   EventPtr* event) {
  EventOut out(event);
  const WaitList list(waits);
  cl::check(clEnqueueCopyBuffer(get(), handle(from), handle(to), from_offset, to_offset, bytes, list.count(),
                                list.events(), out.place()),
            "clEnqueueCopyBuffer");
  out.give();
}

void ClQueue::fill(Buffer& to, size_t offset, size_t bytes, unsigned char value, EventPtr* event) {
  EventOut out(event);
  cl::check(clEnqueueFillBuffer(get(), handle(to), &value, 1, offset, bytes, 0, nullptr, out.place()),
            "clEnqueueFillBuffer");
  out.give();
}

void ClQueue::launch(Kernel& kernel, const Grid& grid, Waits waits, EventPtr* event) {
  EventOut out(event);
  const WaitList list(waits);
  auto& k = static_cast<ClKernel&>(kernel);
  const bool from_zero = (grid.offset[0] | grid.offset[1] | grid.offset[2]) == 0;
  const cl_int status =
      clEnqueueNDRangeKernel(get(), k.get(), cl_uint(grid.dims), from_zero ? nullptr : grid.offset, grid.global,
                             grid.local[0] ? grid.local : nullptr, list.count(), list.events(), out.place());
  if (status != CL_SUCCESS)
    throw Failure{Code::Device, "kernel '" + k.name() + "': clEnqueueNDRangeKernel failed: " + cl::error_name(status)};
  out.give();
}

EventPtr ClQueue::marker() {
  cl_event event = nullptr;
  cl::check(clEnqueueMarkerWithWaitList(get(), 0, nullptr, &event), "clEnqueueMarkerWithWaitList");
  return std::make_shared<ClEvent>(event);
}

void ClQueue::barrier(Waits waits) {
  const WaitList list(waits);
  if (list.count() == 0) return;
  cl::check(clEnqueueBarrierWithWaitList(get(), list.count(), list.events(), nullptr), "clEnqueueBarrierWithWaitList");
}

void* ClQueue::map(Buffer& buffer, size_t bytes) {
  cl_int status = CL_SUCCESS;
  void* mapped = clEnqueueMapBuffer(get(), handle(buffer), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, nullptr,
                                    nullptr, &status);
  cl::check(status, "clEnqueueMapBuffer");
  return mapped;
}

void ClQueue::unmap(Buffer& buffer, void* mapped) {
  cl::check(clEnqueueUnmapMemObject(get(), handle(buffer), mapped, 0, nullptr, nullptr), "clEnqueueUnmapMemObject");
}

}  // namespace vr::device::opencl
