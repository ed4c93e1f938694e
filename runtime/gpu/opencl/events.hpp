// Event table (thesis 7.2.3): ids of enqueued work -> OpenCL events.
#pragma once
#include "runtime/gpu/opencl/cl.hpp"
#include "runtime/gpu/session.hpp"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace vr::gpu {

class Pool;

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

/// Tasks of the section (thesis 7.1.2): in-order queues, and the number of a task in its queue. Tasks have no OpenCL
/// events: waiting for one waits for all that its queue has, and another queue waits behind a marker. An EventId of a
/// task says both; those of one queue grow. Not thread-safe.
class TaskQueues {
 public:
  static constexpr int most = 32;
  static int queue_of(EventId task) { return int(task & (most - 1)); }

  /// `count` queues at most (1 .. most); taken from the pool when they are used first.
  TaskQueues(Pool& pool, int count);
  ~TaskQueues();
  /// More than one to choose from.
  bool several() const { return lanes_.size() > 1; }
  cl_command_queue queue(int q) { return lanes_[size_t(q)].queue.get(); }
  /// The queue with the fewest tasks that nobody has waited for.
  int emptiest();
  /// A task that is about to be enqueued, or just was: whoever waits for the queue waits for it.
  EventId add(int q);
  /// After the enqueue: flushes the queue now and then, so that the device starts before anybody waits.
  void send_off(EventId task);
  /// Throw cl::Failure when the queue's work failed.
  void wait(EventId task);
  void wait_all();
  /// Whether somebody may have to wait for the task.
  bool pending(EventId task) const { return task != no_event && number(task) >= lanes_[size_t(queue_of(task))].done; }
  /// A blocking command of the queue has ended, and everything before it with it.
  void ended(int q) { lanes_[size_t(q)].done = lanes_[size_t(q)].enqueued; }
  /// An event of the task's queue that comes when the task has ended; sent off. Lives until the queue's next marker.
  cl_event marker(EventId task);
  /// Waits for all queues whatever became of their work. False: one does not come to rest.
  bool drain() noexcept;
  /// Gives the queues back to the pool; all work has ended.
  void give_back();

 private:
  struct Lane {
    cl::Queue queue;
    EventId enqueued = 0, done = 0;
    cl::Event marker;
    EventId marked = 0;  ///< tasks that the marker stands behind
  };
  static EventId number(EventId task) { return task / most; }
  void open(Lane& lane);

  Pool& pool_;
  std::vector<Lane> lanes_;
};

}  // namespace vr::gpu
