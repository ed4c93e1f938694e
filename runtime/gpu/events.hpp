// Event table (thesis 7.2.3): ids of enqueued work -> events of the device.
#pragma once
#include "runtime/device/device.hpp"
#include "runtime/gpu/session.hpp"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace vr::gpu {

class Pool;

/// Waits for the queue; returns false if that failed.
bool finished(device::Queue& queue) noexcept;

/// Events of one section in the order in which they were enqueued. Events that have ended are removed from the front.
class EventTable {
 public:
  /// `what` names the work in messages.
  EventId add(device::EventPtr event, std::string what);
  /// Waits until the work has ended. Throws device::Failure when it failed.
  void wait(EventId id);
  void wait_all();
  /// Waits for all work and ignores failures.
  void drain() noexcept;
  /// The event; null if the work has ended and the event was removed.
  device::Event* get(EventId id) const;

 private:
  struct Entry {
    device::EventPtr event;
    std::string what;
    int64_t enqueued = 0;  // on the trace's clock; 0 without a trace
  };
  static void trace_work(const Entry& e);
  void finish(const Entry& e);

  std::deque<Entry> entries_;
  EventId first_ = 0;  // id of entries_.front()
};

/// Tasks of the section (thesis 7.1.2): in-order queues with numbered tasks. Tasks have no events: waiting for one
/// waits for all work in its queue, and other queues wait for a marker. The EventId of a task encodes its queue and its
/// number; those of one queue increase. Not thread-safe.
class TaskQueues {
 public:
  static constexpr int most = 32;
  static int queue_of(EventId task) { return int(task & (most - 1)); }

  /// At most `count` queues (1 .. most), which are taken from the pool when they are first used.
  TaskQueues(Pool& pool, int count);
  ~TaskQueues();
  /// Whether there is more than one queue.
  bool several() const { return lanes_.size() > 1; }
  device::Queue& queue(int q) { return *lanes_[size_t(q)].queue; }
  /// The queue with the fewest tasks that may still be running.
  int emptiest();
  /// Registers a task that is about to be enqueued, or was just enqueued: waiting for the queue includes it from now
  /// on.
  EventId add(int q);
  /// To be called after the enqueue: flushes the queue from time to time, so that the device starts before the host
  /// waits; and waits for older tasks, so that the device is not too far behind.
  void send_off(EventId task);
  /// These throw device::Failure if the queue's work failed.
  void wait(EventId task);
  void wait_all();
  /// Whether the task may not have ended yet.
  bool pending(EventId task) const { return task != no_event && number(task) >= lanes_[size_t(queue_of(task))].done; }
  /// To be called when a blocking command of the queue has ended, and therefore everything before it.
  void ended(int q) { lanes_[size_t(q)].done = lanes_[size_t(q)].enqueued; }
  /// An event that completes when the task has ended; the queue is flushed. Valid until the queue's next marker.
  device::Event* marker(EventId task);
  /// The same for all tasks so far in a queue; it stays valid.
  device::EventPtr mark(int q);
  /// Waits for all queues and ignores failures of their commands. Returns false if the wait itself failed.
  bool drain() noexcept;
  /// Returns the queues to the pool; all their work must have ended.
  void give_back();

 private:
  struct Lane {
    std::unique_ptr<device::Queue> queue;
    EventId enqueued = 0, done = 0;
    device::EventPtr marker;
    EventId marked = 0;  ///< number of tasks that the marker waits for
    device::EventPtr before = nullptr;  ///< of an older task, for which the host waits next
  };
  static EventId number(EventId task) { return task / most; }
  void open(Lane& lane);

  Pool& pool_;
  std::vector<Lane> lanes_;
};

}  // namespace vr::gpu
