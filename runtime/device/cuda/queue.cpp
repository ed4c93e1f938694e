#include "runtime/device/cuda/queue.hpp"

#include "runtime/device/cuda/program.hpp"

#include <algorithm>

namespace vr::device::cuda {

CuBuffer::~CuBuffer() {
  try {
    const Current current = context_->enter();
    context_->api().free(address_);
  } catch (const Failure&) {}  // the context is gone, and its memory with it
}

CUdeviceptr CuBuffer::at(size_t offset, size_t bytes, const char* call) const {
  if (bytes == 0 || offset > bytes_ || bytes > bytes_ - offset)
    throw Failure{Code::Device, std::string(call) + ": " + std::to_string(bytes) + " bytes from " +
                                    std::to_string(offset) + " on are not in a buffer of " + std::to_string(bytes_)};
  return address_ + offset;
}

Stream::~Stream() {
  try {
    const Current current = context->enter();
    context->api().stream_destroy(stream);
  } catch (const Failure&) {}  // the context is gone, and the stream with it
}

// ---------------------------------------------------------------- events
CuEvent::CuEvent(StreamPtr stream) : stream_(std::move(stream)) {
  end_ = stream_->context->take_event(stream_->timed);
  if (!stream_->timed) return;
  try {
    begin_ = stream_->context->take_event(true);
  } catch (...) {
    stream_->context->give_event(end_, true);
    throw;
  }
  enqueued_ = stream_->context->host_ns();
}

CuEvent::~CuEvent() {
  // An event that is recorded again no longer stands for this command; who waits for the command has this object.
  stream_->context->give_event(end_, stream_->timed);
  if (begin_) stream_->context->give_event(begin_, true);
}

void CuEvent::begin() {
  const Api& api = stream_->context->api();
  if (begin_) api.check(api.event_record(begin_, stream_->stream), "cuEventRecord");
}

void CuEvent::end() {
  const Api& api = stream_->context->api();
  api.check(api.event_record(end_, stream_->stream), "cuEventRecord");
}

std::string CuEvent::wait() {
  const Context& context = *stream_->context;
  try {
    const Current current = context.enter();
    const CUresult code = context.api().event_wait(end_);
    return code == success ? "" : context.api().error(code);
  } catch (const Failure& f) {
    return f.message;
  }
}

bool CuEvent::ended() const {
  const Context& context = *stream_->context;
  try {
    const Current current = context.enter();
    return context.api().event_query(end_) == success;
  } catch (const Failure&) {
    return false;
  }
}

/// CUDA measures with single precision: the length of a command exactly, but when it ran only to microseconds, some
/// minutes after the clock was started.
std::optional<Times> CuEvent::times() const {
  if (!begin_) return {};
  const Context& context = *stream_->context;
  try {
    const Current current = context.enter();
    float ms = 0;
    const int64_t at = context.ns_at(end_);
    if (at < 0 || context.api().event_elapsed(&ms, begin_, end_) != success || ms < 0) return {};
    Times t;
    t.ended = at;
    t.started = at - int64_t(double(ms) * 1e6);
    t.enqueued = std::min(enqueued_, t.started);
    return t;
  } catch (const Failure&) {
    return {};
  }
}

// ---------------------------------------------------------------- queues
void CuQueue::wait_for(Waits waits) {
  for (const Event* e : waits) {
    const auto& event = static_cast<const CuEvent&>(*e);
    // The commands of one stream run in order.
    if (event.stream() != stream_.get()) api().check(api().stream_wait(get(), event.get(), 0), "cuStreamWaitEvent");
  }
}

template <class Command>
void CuQueue::enqueue(Waits waits, EventPtr* event, Command&& command) {
  const Current current = stream_->context->enter();
  wait_for(waits);
  std::shared_ptr<CuEvent> made;
  if (event) made = std::make_shared<CuEvent>(stream_);
  try {
    if (made) made->begin();
    command();
    if (made) made->end();
  } catch (...) {
    // The caller takes it that nothing was enqueued, and a part may have been.
    api().stream_finish(get());
    throw;
  }
  if (event) *event = std::move(made);
}

/// One copy for all rows, or one for each if they are further apart than CUDA supports.
template <class Host, class Line>
void CuQueue::rows(const Rows<Host>& r, CUdeviceptr device, bool up, Line&& line) {
  using Byte = std::conditional_t<std::is_const_v<Host>, const char, char>;
  Byte* const host = static_cast<Byte*>(r.memory);
  if (r.rows == 1 || r.stride == r.run) return line(device, host, r.run * r.rows);
  if (r.stride < r.run || r.stride > stream_->context->max_pitch()) {
    for (size_t k = 0; k < r.rows; ++k) line(device + k * r.stride, host + k * r.stride, r.run);
    return;
  }
  Copy2D c;
  c.src_kind = up ? host_memory : device_memory;
  c.dst_kind = up ? device_memory : host_memory;
  c.src_pitch = c.dst_pitch = r.stride;
  c.width = r.run;
  c.height = r.rows;
  if constexpr (std::is_const_v<Host>) {
    c.src_host = host;
    c.dst_device = device;
  } else {
    c.src_device = device;
    c.dst_host = host;
  }
  api().check(api().copy_2d(&c, get()), "cuMemcpy2DAsync");
}

namespace {
template <class Host>
size_t span_of(const Rows<Host>& r) {
  return r.rows == 0 || r.run == 0 ? 0 : (r.rows - 1) * r.stride + r.run;
}
}  // namespace

void CuQueue::copy_up(Buffer& to, const Rows<const void>& from, EventPtr* event) {
  const CUdeviceptr device = static_cast<CuBuffer&>(to).at(from.offset, span_of(from), "cuMemcpyHtoDAsync");
  enqueue({}, event, [&] {
    rows(from, device, true, [&](CUdeviceptr at, const void* host, size_t bytes) {
      api().check(api().copy_up(at, host, bytes, get()), "cuMemcpyHtoDAsync");
    });
  });
}

void CuQueue::start_copy_down(Buffer& from, const Rows<void>& to, EventPtr* event) {
  const CUdeviceptr device = static_cast<CuBuffer&>(from).at(to.offset, span_of(to), "cuMemcpyDtoHAsync");
  enqueue({}, event, [&] {
    rows(to, device, false, [&](CUdeviceptr at, void* host, size_t bytes) {
      api().check(api().copy_down(host, at, bytes, get()), "cuMemcpyDtoHAsync");
    });
  });
}

void CuQueue::copy_down(Buffer& from, const Rows<void>& to) {
  start_copy_down(from, to, nullptr);
  finish();
}

void CuQueue::copy(Buffer& from, size_t from_offset, Buffer& to, size_t to_offset, size_t bytes, Waits waits,
                   EventPtr* event) {
  const CUdeviceptr source = static_cast<CuBuffer&>(from).at(from_offset, bytes, "cuMemcpyDtoDAsync");
  const CUdeviceptr target = static_cast<CuBuffer&>(to).at(to_offset, bytes, "cuMemcpyDtoDAsync");
  if (source < target + bytes && target < source + bytes)
    throw Failure{Code::Device, "cuMemcpyDtoDAsync: source and target overlap"};
  enqueue(waits, event, [&] { api().check(api().copy(target, source, bytes, get()), "cuMemcpyDtoDAsync"); });
}

void CuQueue::fill(Buffer& to, size_t offset, size_t bytes, unsigned char value, EventPtr* event) {
  const CUdeviceptr target = static_cast<CuBuffer&>(to).at(offset, bytes, "cuMemsetD8Async");
  enqueue({}, event, [&] { api().check(api().fill(target, value, bytes, get()), "cuMemsetD8Async"); });
}

namespace {

/// The most groups along the dimensions of a launch; larger grids are divided.
constexpr size_t most_groups[3] = {0x7fffffff, 0xffff, 0xffff};

/// Work-items of a group where the caller leaves them to the driver: a divisor, along the first dimension.
size_t usual_group(size_t items, size_t most) {
  size_t group = std::min({items, most, size_t{256}});
  while (items % group != 0) --group;
  return group;
}

}  // namespace

void CuQueue::launch(Kernel& kernel, const Grid& grid, Waits waits, EventPtr* event) {
  auto& k = static_cast<CuKernel&>(kernel);
  size_t local[3] = {1, 1, 1}, groups[3] = {1, 1, 1};
  Environment environment;
  environment.dims = uint32_t(grid.dims);
  for (size_t d = 0; d < size_t(grid.dims); ++d) {
    if (grid.global[d] == 0) k.refuse("a launch without work-items");
    local[d] = grid.local[0] != 0 ? grid.local[d] : d == 0 ? usual_group(grid.global[0], k.max_group()) : 1;
    if (local[d] == 0 || grid.global[d] % local[d] != 0)
      k.refuse(std::to_string(grid.global[d]) + " work-items are not a multiple of a group's " +
               std::to_string(local[d]));
    groups[d] = grid.global[d] / local[d];
    // Sizes and the first number have 32 bits in NVIDIA's code.
    const size_t last_start = grid.offset[d] + (groups[d] > most_groups[d] ? grid.global[d] : 0);
    if (grid.global[d] > size_t(INT32_MAX) || grid.offset[d] > size_t(INT32_MAX) || last_start > size_t(INT32_MAX))
      k.refuse("more work-items along a dimension, or a larger number of the first one, than 2^31 - 1");
    environment.groups[d] = uint32_t(groups[d]);
  }
  void** const arguments = k.arguments(environment);
  enqueue(waits, event, [&] {
    size_t first[3] = {0, 0, 0};
    do {
      size_t count[3];
      for (size_t d = 0; d < 3; ++d) {
        count[d] = std::min(groups[d] - first[d], most_groups[d]);
        environment.first_group[d] = uint32_t(first[d]);
        environment.first_item[d] = uint32_t(grid.offset[d] + first[d] * local[d]);
      }
      const CUresult code =
          api().launch(k.function(), unsigned(count[0]), unsigned(count[1]), unsigned(count[2]), unsigned(local[0]),
                       unsigned(local[1]), unsigned(local[2]), 0, get(), arguments, nullptr);
      if (code != success) api().fail("kernel '" + k.name() + "': cuLaunchKernel", code);
      // The next part of a grid that is divided: along the second dimension, then along the third.
      size_t d = 0;
      for (; d < 3; ++d) {
        first[d] += count[d];
        if (first[d] < groups[d]) break;
        first[d] = 0;
      }
      if (d == 3) break;
    } while (true);
  });
}

EventPtr CuQueue::marker() {
  EventPtr event;
  enqueue({}, &event, [] {});
  return event;
}

void CuQueue::barrier(Waits waits) {
  if (waits.empty()) return;
  const Current current = stream_->context->enter();
  wait_for(waits);
}

void* CuQueue::map(Buffer&, size_t) { throw Failure{Code::Device, "CUDA: kernels do not use the host's memory"}; }
void CuQueue::unmap(Buffer&, void*) { throw Failure{Code::Device, "CUDA: kernels do not use the host's memory"}; }

void CuQueue::finish() {
  const Current current = stream_->context->enter();
  api().check(api().stream_finish(get()), "cuStreamSynchronize");
}

}  // namespace vr::device::cuda
