// OpenCL buffers, events and queues.
#pragma once
#include "runtime/device/opencl/cl.hpp"

namespace vr::device::opencl {

class ClBuffer final : public Buffer {
 public:
  explicit ClBuffer(cl::Buffer buffer) : buffer_(std::move(buffer)) {}
  cl_mem get() const { return buffer_.get(); }

 private:
  cl::Buffer buffer_;
};
inline cl_mem handle(const Buffer& b) { return static_cast<const ClBuffer&>(b).get(); }

class ClEvent final : public Event {
 public:
  explicit ClEvent(cl_event event) : event_(event) {}
  std::string wait() override;
  bool ended() const override;
  std::optional<Times> times() const override;
  cl_event get() const { return event_.get(); }

 private:
  cl::Event event_;
};

class ClQueue final : public Queue {
 public:
  explicit ClQueue(cl::Queue queue) : queue_(std::move(queue)) {}
  void copy_up(Buffer& to, const Rows<const void>& from, EventPtr* event) override;
  void copy_down(Buffer& from, const Rows<void>& to) override { read(from, to, CL_TRUE, nullptr); }
  void start_copy_down(Buffer& from, const Rows<void>& to, EventPtr* event) override {
    read(from, to, CL_FALSE, event);
  }
  void copy(Buffer& from, size_t from_offset, Buffer& to, size_t to_offset, size_t bytes, Waits waits,
            EventPtr* event) override;
  void fill(Buffer& to, size_t offset, size_t bytes, unsigned char value, EventPtr* event) override;
  void launch(Kernel& kernel, const Grid& grid, Waits waits, EventPtr* event) override;
  EventPtr marker() override;
  void barrier(Waits waits) override;
  void* map(Buffer& buffer, size_t bytes) override;
  void unmap(Buffer& buffer, void* mapped) override;
  void flush() override { cl::check(clFlush(queue_.get()), "clFlush"); }
  void finish() override { cl::check(clFinish(queue_.get()), "clFinish"); }
  cl_command_queue get() const { return queue_.get(); }

 private:
  void read(Buffer& from, const Rows<void>& to, cl_bool blocking, EventPtr* event);
  cl::Queue queue_;
};

/// Events in the form that OpenCL functions take: a count, and a list that is null if there are none.
class WaitList {
 public:
  explicit WaitList(Waits waits) {
    for (const Event* e : waits) {
      if (count_ == few) more_.assign(some_, some_ + few);
      if (count_ >= few)
        more_.push_back(static_cast<const ClEvent*>(e)->get());
      else
        some_[count_] = static_cast<const ClEvent*>(e)->get();
      ++count_;
    }
  }
  cl_uint count() const { return cl_uint(count_); }
  const cl_event* events() const { return count_ == 0 ? nullptr : count_ > few ? more_.data() : some_; }

 private:
  static constexpr size_t few = 8;
  cl_event some_[few];
  std::vector<cl_event> more_;
  size_t count_ = 0;
};

/// The place for a command's event: `event`, unless that is null.
class EventOut {
 public:
  explicit EventOut(EventPtr* event) : to_(event) {}
  EventOut(const EventOut&) = delete;
  cl_event* place() { return to_ ? &event_ : nullptr; }
  void give() {
    if (to_) *to_ = std::make_shared<ClEvent>(event_);
  }

 private:
  EventPtr* to_;
  cl_event event_ = nullptr;
};

}  // namespace vr::device::opencl
