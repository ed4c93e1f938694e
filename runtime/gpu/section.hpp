// One accelerated section: the task queue (thesis 7.1.2) and the tables of its arrays and kernels on the device.
#pragma once
#include "runtime/abi.h"
#include "runtime/gpu/arrays.hpp"
#include "runtime/gpu/kept.hpp"
#include "runtime/gpu/programs.hpp"
#include "runtime/gpu/regions/footprint.hpp"
#include "runtime/gpu/staging.hpp"
#include "runtime/gpu/work_size.hpp"

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>

namespace vr::gpu {

/// State that the sections of a session share.
struct Shared {
  Device device;
  Programs programs{device};
  Pool pool{device};
  Staging staging{device};
  Kept kept{pool};
  Traffic traffic;
  std::atomic<int64_t> sections{0}, launches{0}, on_host{0}, in_chunks{0}, chunks{0};
};

/// The device had no room for an array, whose host memory is `span`.
struct NoRoom : device::Failure {
  Span span;
};

/// The host ended the call between chunks of a launch; the fault is recorded already.
struct Stopped {
  int32_t code;
};

/// A fault that a kernel reported.
struct KernelFault {
  const vr_site* site;
  DeviceFault fault;
};

/// How a task uses an array. fresh: it writes every element without reading the old ones. footprints: which bytes it
/// uses, as parameter `param` of the launch; null: all.
struct Access {
  const vr_array* array;
  bool written = false, fresh = false;
  Footprints* footprints = nullptr;
  int32_t param = 0;
};

/// Work for the device: a kernel, or a library call that enqueues several kernels.
class Task {
 public:
  /// Position of an array's element (0,...,0); buffer null: the array has no element.
  struct Place {
    device::Buffer* buffer = nullptr;
    uintptr_t offset = 0;  ///< bytes
  };
  /// Enqueues all its commands in `queue`, which is in-order, to run after `wait`. `places` has the positions of the
  /// accessed arrays, in order. `event`, if not null, receives an event of the last command.
  virtual void enqueue(device::Queue& queue, device::Waits wait, const std::vector<Place>& places,
                       device::EventPtr* event) = 0;
  const char* name = "";
  bool small = false;  ///< does not fill the device: may be put in another queue to run at the same time as other tasks

 protected:
  ~Task() = default;
};

/// Tasks are enqueued immediately and run in the order of their dependences, in in-order queues: independent small
/// tasks run concurrently, and copies to the device have a queue of their own, so that the copy for the next task
/// overlaps with the present task (thesis 7.3.1, 7.3.3, 7.4.3). Failures are thrown as device::Failure. Thread-safe.
class Section {
 public:
  explicit Section(Shared& shared);
  /// Waits for the device; elements that only the device has are lost.
  ~Section();

  /// `started`: set when the kernel has been enqueued; a failure before that has no effect. Between chunks of a launch
  /// the host is polled for `context`, at `site`: throws Stopped if the call is to end.
  EventId launch(vr_context& context, const vr_site* site, const vr_kernel& kernel, const int64_t* counts,
                 const vr_value* args, bool* started);
  /// `uses` lists all arrays that the task accesses; they may overlap.
  EventId run(Task& task, const std::vector<Access>& uses);
  /// Waits until the task has ended.
  void wait(EventId task);
  /// Waits for all tasks so far.
  void settle();
  /// See Session.
  EventId copy(const vr_array& from, const vr_array& to);
  void mark_dead(const vr_array& array);
  /// Waits for all work and synchronises all arrays, which stay resident.
  void bring_all();
  void need_host(const vr_array& array, bool write);
  /// Waits for all work and synchronises all arrays except kept ones.
  void finish();
  /// Waits for all work, synchronises all arrays and marks the device's copies as stale.
  void sync();
  /// A fault of a kernel that has ended, if any. Reads the fault buffers only if kernels ran since the last call.
  std::optional<KernelFault> fault();
  /// Releases a reference when no work of the section can access its storage any more.
  void release_later(vr_owner* owner);

  int depth = 1;  ///< sections opened within sections; guarded by the session

 private:
  struct FaultBuffer {
    std::unique_ptr<device::Buffer> buffer;
    int32_t site_count = 0;
    bool unread = false, set = false;
  };
  struct Loaded {
    explicit Loaded(const vr_kernel& kernel) : footprints(kernel) {}
    std::shared_ptr<Program> program;
    std::unique_ptr<device::Kernel> kernel;
    std::string name;
    WorkLimits limits;
    /// The bytes of the arguments that were set last, concatenated: a launch sets only those that changed.
    std::vector<char> arguments;
    Footprints footprints;
    std::unique_ptr<Loaded> carried;  ///< of a reduction: its form that runs in parts (runtime/carried.hpp)
  };
  /// What a reduction's part gets besides the kernel's arguments.
  struct Carry {
    device::Buffer* accumulated;
    int64_t from;
    bool more;
  };
  friend class Arguments;
  void release_all();
  Loaded& load(const vr_kernel& kernel);
  Loaded& load_carried(const vr_kernel& kernel, Loaded& loaded);
  void build(const vr_kernel& kernel, Loaded& l, bool carried);
  FaultBuffer& fault_buffer(const vr_kernel& kernel);
  class Launch;
  class Stream;
  using Poll = std::function<void()>;
  EventId launch_in_chunks(const vr_kernel& kernel, Loaded& loaded, const int64_t* counts, const vr_value* args,
                           const NoRoom& why, const Poll& poll, bool* started);
  std::unique_lock<std::mutex> lock_tasks();
  void poll(vr_context& context, const vr_site* site, std::unique_lock<std::mutex>& lock);
  const Region& region_of(const Access& use, bool written);
  void check_room() const;
  EventId run_locked(Task& task, const std::vector<Access>& uses);
  int choose_queue(const Task& task, const std::vector<Access>& uses);
  void set_arguments(const vr_kernel& kernel, Loaded& loaded, const int64_t* counts, const vr_value* args,
                     const std::vector<Task::Place>& places, device::Buffer& fault, const Carry* carry = nullptr);
  device::Grid grid_of(const vr_kernel& kernel, const Loaded& loaded, const int64_t* counts,
                       const vr_value* args) const;

  Shared& shared_;
  std::mutex mutex_;
  /// While a launch in chunks polls the host, the mutex is free, but tasks of other threads wait: the launch has the
  /// device's memory.
  struct {
    std::condition_variable ended;
    bool now = false;
  } polling_;
  std::unique_ptr<device::Queue> transfer_;
  EventTable copies_, traced_;
  TaskQueues tasks_;
  ArrayTable arrays_;
  std::vector<vr_owner*> releases_;
  std::set<vr_owner*>
      touched_;  ///< owners of storage that the device uses in place or copies from, until released here
  int64_t released_bytes_ = 0;
  /// Scratch vectors of the current task; members, so that their memory is reused.
  struct {
    std::vector<Access> uses;
    std::vector<Span> spans;
    std::vector<Range*> ranges;
    Region region;
    std::vector<Task::Place> places;
    std::vector<device::Event*> waits;
    std::vector<EventId> before;  ///< a task of each queue that it waits for
  } now_;
  std::map<const vr_kernel*, Loaded> kernels_;
  std::map<const vr_site*, FaultBuffer>
      faults_;  // one buffer per table of sites: DeviceFault::site is an index of that table
};

}  // namespace vr::gpu
