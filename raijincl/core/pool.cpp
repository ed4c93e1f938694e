#include "core/pool.hpp"

#include "core/error.hpp"

namespace raijincl {
namespace {

bool done(const EventHandle& e) {
  cl_int status = CL_QUEUED;
  if (e) clGetEventInfo(e.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  return !e || status <= CL_COMPLETE;
}
std::size_t size_of(const Pool::Block& b) { return b.bytes + b.width * b.height * 16; }

}  // namespace

// Prefers a block whose last user has finished; takes one still in use if it fits (the caller waits on the device).
bool Pool::take(bool image, std::size_t a, std::size_t b, Block& out) {
  std::lock_guard lock(mutex_);
  auto best = idle_.end();
  for (auto i = idle_.begin(); i != idle_.end(); ++i) {
    const bool fits = image ? i->width == a && i->height == b : i->bytes >= a && i->bytes <= 4 * a && !i->width;
    if (!fits) continue;
    if (best == idle_.end() || size_of(*i) < size_of(*best) || (!done(best->ready) && done(i->ready))) best = i;
  }
  if (best == idle_.end()) return false;
  out = std::move(*best);
  idle_.erase(best);
  if (done(out.ready)) out.ready.reset();
  return true;
}

Status Pool::buffer(std::size_t bytes, Block& out) {
  bytes = (bytes + 255) / 256 * 256;
  if (take(false, bytes, 0, out)) return Status::Ok;
  cl_int err = CL_SUCCESS;
  cl_mem m = clCreateBuffer(context_, CL_MEM_READ_WRITE, bytes, nullptr, &err);
  if (err != CL_SUCCESS) {
    trim();
    m = clCreateBuffer(context_, CL_MEM_READ_WRITE, bytes, nullptr, &err);
  }
  if (err != CL_SUCCESS) return fail_cl("clCreateBuffer", err, Status::OutOfMemory);
  out = Block{MemHandle(m), {}, bytes, 0, 0};
  ++made_;
  bytes_ += bytes;
  return Status::Ok;
}

Status Pool::image(std::size_t width, std::size_t height, Block& out) {
  if (take(true, width, height, out)) return Status::Ok;
  const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT32};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = width;
  desc.image_height = height;
  cl_int err = CL_SUCCESS;
  cl_mem m = clCreateImage(context_, CL_MEM_READ_WRITE, &format, &desc, nullptr, &err);
  if (err != CL_SUCCESS) return fail_cl("clCreateImage", err, Status::OutOfMemory);
  out = Block{MemHandle(m), {}, 0, width, height};
  ++made_;
  bytes_ += size_of(out);
  return Status::Ok;
}

void Pool::give_back(Block&& b, cl_event last) {
  if (!b.mem) return;
  if (last) {
    clRetainEvent(last);
    b.ready = EventHandle(last);
  }
  {
    std::lock_guard lock(mutex_);
    idle_.push_back(std::move(b));
  }
  if (bytes_ > limit_) trim_to(limit_);
}

void Pool::trim() { trim_to(0); }

// OpenCL keeps a memory object alive until the commands that use it have finished: releasing early is safe.
void Pool::trim_to(std::size_t limit) {
  std::lock_guard lock(mutex_);
  for (auto i = idle_.begin(); i != idle_.end() && bytes_ > limit;) {
    bytes_ -= size_of(*i);
    i = idle_.erase(i);
  }
}

}  // namespace raijincl
