#include "runtime/gpu/opencl/staging.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>

namespace vr::gpu {
namespace {

/// One core does not keep up with the bus.
void copy(char* to, const char* from, size_t bytes) {
  constexpr size_t part = size_t{1} << 20;
  const size_t parts = (bytes + part - 1) / part;
  if (parts < 2) {
    std::memcpy(to, from, bytes);
    return;
  }
  tbb::parallel_for(size_t{0}, parts,
                    [&](size_t k) { std::memcpy(to + k * part, from + k * part, std::min(part, bytes - k * part)); });
}

/// The event goes only when its command has ended.
void wait_for(cl::Event& event) {
  if (!event) return;
  const cl_event e = event.get();
  cl::check(clWaitForEvents(1, &e), "clWaitForEvents");
  event = {};
}

}  // namespace

Staging::~Staging() {
  for (cl::Event& e : busy_)
    if (e) {
      const cl_event event = e.get();
      clWaitForEvents(1, &event);
    }
  if (!memory_) return;
  clEnqueueUnmapMemObject(queue_.get(), pinned_.get(), memory_, 0, nullptr, nullptr);
  clFinish(queue_.get());
}

/// False: pinned memory is not available; it is not requested again.
bool Staging::open() {
  if (memory_ || failed_) return memory_ != nullptr;
  failed_ = true;
  const size_t bytes = chunks * device_.staging_chunk;
  cl_int status = CL_SUCCESS;
  cl::Queue queue(clCreateCommandQueue(device_.context.get(), device_.id, 0, &status));
  if (status != CL_SUCCESS) return false;
  cl::Buffer pinned(
      clCreateBuffer(device_.context.get(), CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, nullptr, &status));
  if (status != CL_SUCCESS) return false;
  void* memory = clEnqueueMapBuffer(queue.get(), pinned.get(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0,
                                    nullptr, nullptr, &status);
  if (status != CL_SUCCESS) return false;
  failed_ = false;
  queue_ = std::move(queue);
  pinned_ = std::move(pinned);
  memory_ = static_cast<char*>(memory);
  return true;
}

cl::Event Staging::upload(cl_command_queue queue, cl_mem buffer, size_t offset, const void* from, size_t bytes) {
  std::unique_lock lock(mutex_, std::defer_lock);
  cl_event event = nullptr;
  if (!takes(bytes) || !lock.try_lock() || !open()) {
    cl::check(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, offset, bytes, from, 0, nullptr, &event),
              "clEnqueueWriteBuffer");
    return cl::Event(event);
  }
  const size_t chunk = device_.staging_chunk;
  size_t k = 0;
  for (size_t done = 0; done < bytes; done += chunk, k = (k + 1) % chunks) {
    const size_t n = std::min(chunk, bytes - done);
    char* const place = memory_ + k * chunk;
    wait_for(busy_[k]);
    copy(place, static_cast<const char*>(from) + done, n);
    event = nullptr;
    cl::check(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, offset + done, n, place, 0, nullptr, &event),
              "clEnqueueWriteBuffer");
    busy_[k] = cl::Event(event);
    cl::check(clFlush(queue), "clFlush");
  }
  cl::check(clRetainEvent(event), "clRetainEvent");
  return cl::Event(event);
}

void Staging::download(cl_command_queue queue, cl_mem buffer, size_t offset, void* to, size_t bytes) {
  std::unique_lock lock(mutex_, std::defer_lock);
  if (!takes(bytes) || !lock.try_lock() || !open()) {
    cl::check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, offset, bytes, to, 0, nullptr, nullptr),
              "clEnqueueReadBuffer");
    return;
  }
  const size_t chunk = device_.staging_chunk, count = (bytes + chunk - 1) / chunk;
  for (cl::Event& e : busy_) wait_for(e);
  auto bytes_of = [&](size_t k) { return std::min(chunk, bytes - k * chunk); };
  auto start = [&](size_t k) {
    cl_event event = nullptr;
    cl::check(clEnqueueReadBuffer(queue, buffer, CL_FALSE, offset + k * chunk, bytes_of(k),
                                  memory_ + k % chunks * chunk, 0, nullptr, &event),
              "clEnqueueReadBuffer");
    busy_[k % chunks] = cl::Event(event);
    cl::check(clFlush(queue), "clFlush");
  };
  for (size_t k = 0; k < std::min(chunks, count); ++k) start(k);
  for (size_t k = 0; k < count; ++k) {
    wait_for(busy_[k % chunks]);
    copy(static_cast<char*>(to) + k * chunk, memory_ + k % chunks * chunk, bytes_of(k));
    if (k + chunks < count) start(k + chunks);
  }
}

// Rows of a buffer are the host's, at the same distances.
cl::Event Staging::upload(cl_command_queue queue, cl_mem buffer, size_t offset, const Rows& from) {
  const auto* memory = reinterpret_cast<const void*>(from.base);
  if (from.rows == 1) return upload(queue, buffer, offset, memory, size_t(from.run));
  const size_t origin[3] = {offset, 0, 0}, start[3] = {}, size[3] = {size_t(from.run), size_t(from.rows), 1};
  cl_event event = nullptr;
  cl::check(clEnqueueWriteBufferRect(queue, buffer, CL_FALSE, origin, start, size, size_t(from.stride), 0,
                                     size_t(from.stride), 0, memory, 0, nullptr, &event),
            "clEnqueueWriteBufferRect");
  return cl::Event(event);
}

void Staging::download(cl_command_queue queue, cl_mem buffer, size_t offset, const Rows& to) {
  auto* memory = reinterpret_cast<void*>(to.base);
  if (to.rows == 1) return download(queue, buffer, offset, memory, size_t(to.run));
  const size_t origin[3] = {offset, 0, 0}, start[3] = {}, size[3] = {size_t(to.run), size_t(to.rows), 1};
  cl::check(clEnqueueReadBufferRect(queue, buffer, CL_TRUE, origin, start, size, size_t(to.stride), 0,
                                    size_t(to.stride), 0, memory, 0, nullptr, nullptr),
            "clEnqueueReadBufferRect");
}

}  // namespace vr::gpu
