// Event table (thesis 7.2.3): ids of enqueued work -> OpenCL events.
#pragma once
#include "runtime/gpu/opencl/cl.hpp"

#include <cstdint>
#include <deque>
#include <string>

namespace vr::gpu {

using EventId = int64_t;
constexpr EventId no_event = -1;

/// Events of one section in the order in which they were enqueued. Ended ones are forgotten from the front.
class EventTable {
 public:
  /// `what` names the work in messages.
  EventId add(cl::Event event, std::string what);
  /// Waits until the work has ended. Throws cl::Failure when it failed.
  void wait(EventId id);
  void wait_all();
  /// Waits for everything and forgets how it went.
  void drain() noexcept;
  /// The event, or null when it has ended and is forgotten.
  cl_event get(EventId id) const;

 private:
  struct Entry {
    cl::Event event;
    std::string what;
    int64_t enqueued = 0;  // on the trace's clock; 0 without a trace
  };
  static void trace_work(const Entry& e);
  void finish(const Entry& e);

  std::deque<Entry> entries_;
  EventId first_ = 0;  // id of entries_.front()
};

/// Work of an in-order queue, by number and without an event each: waiting for one waits for all that the queue has.
class Launches {
 public:
  explicit Launches(cl_command_queue queue) : queue_(queue) {}
  /// After an enqueue. Sends the queue off now and then, so that the device starts before anybody waits.
  EventId add();
  /// Throws cl::Failure when the queue's work failed.
  void wait(EventId id);
  void wait_all() { wait(enqueued_ - 1); }
  /// Whether work is enqueued that nobody has waited for.
  bool pending() const { return done_ < enqueued_; }
  /// A blocking command of the queue has ended, and everything before it with it.
  void ended() { done_ = enqueued_; }

 private:
  cl_command_queue queue_;
  EventId enqueued_ = 0, done_ = 0;
};

}  // namespace vr::gpu
