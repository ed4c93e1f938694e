// Buffers, events and queues (streams) of CUDA.
#pragma once
#include "runtime/device/cuda/context.hpp"
#include "runtime/device/cuda/ptx.hpp"

#include <optional>

namespace vr::device::cuda {

class CuBuffer final : public Buffer {
 public:
  CuBuffer(ContextPtr context, CUdeviceptr address, size_t bytes)
      : context_(std::move(context)), address_(address), bytes_(bytes) {}
  ~CuBuffer() override;
  CUdeviceptr address() const { return address_; }
  /// Throws unless the buffer has `bytes` (at least one) from `offset` on.
  CUdeviceptr at(size_t offset, size_t bytes, const char* call) const;

 private:
  ContextPtr context_;
  CUdeviceptr address_;
  size_t bytes_;
};

/// A stream; events keep it, for they record on it when they are created alone, and compare it with their waiter's.
struct Stream {
  Stream(ContextPtr c, CUstream s, bool t) : context(std::move(c)), stream(s), timed(t) {}
  Stream(const Stream&) = delete;
  ~Stream();
  ContextPtr context;
  CUstream stream;
  bool timed;
};
using StreamPtr = std::shared_ptr<const Stream>;

class CuEvent final : public Event {
 public:
  /// Takes the events from the context's pool. The context is current. `begin`: recorded before the command.
  explicit CuEvent(StreamPtr stream);
  ~CuEvent() override;
  /// Records the start of a command, if the queue records times; and its end.
  void begin();
  void end();
  std::string wait() override;
  bool ended() const override;
  std::optional<Times> times() const override;
  CUevent get() const { return end_; }
  const Stream* stream() const { return stream_.get(); }

 private:
  StreamPtr stream_;
  CUevent begin_ = nullptr, end_ = nullptr;
  int64_t enqueued_ = 0;
};

class CuQueue final : public Queue {
 public:
  explicit CuQueue(StreamPtr stream) : stream_(std::move(stream)) {}
  void copy_up(Buffer& to, const Rows<const void>& from, EventPtr* event) override;
  void copy_down(Buffer& from, const Rows<void>& to) override;
  void start_copy_down(Buffer& from, const Rows<void>& to, EventPtr* event) override;
  void copy(Buffer& from, size_t from_offset, Buffer& to, size_t to_offset, size_t bytes, Waits waits,
            EventPtr* event) override;
  void fill(Buffer& to, size_t offset, size_t bytes, unsigned char value, EventPtr* event) override;
  void launch(Kernel& kernel, const Grid& grid, Waits waits, EventPtr* event) override;
  EventPtr marker() override;
  void barrier(Waits waits) override;
  void* map(Buffer& buffer, size_t bytes) override;
  void unmap(Buffer& buffer, void* mapped) override;
  /// A stream starts its commands by itself.
  void flush() override {}
  void finish() override;

 private:
  const Api& api() const { return stream_->context->api(); }
  CUstream get() const { return stream_->stream; }
  void wait_for(Waits waits);
  /// Enqueues by `command`, between the records of the event.
  template <class Command>
  void enqueue(Waits waits, EventPtr* event, Command&& command);
  template <class Host, class Line>
  void rows(const Rows<Host>& rows, CUdeviceptr device, bool up, Line&& line);

  StreamPtr stream_;
};

}  // namespace vr::device::cuda
