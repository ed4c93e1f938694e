// One accelerated section: the task queue (thesis 7.1.2) and the tables of what it has on the device.
#pragma once
#include "runtime/abi.h"
#include "runtime/gpu/opencl/arrays.hpp"
#include "runtime/gpu/opencl/kept.hpp"
#include "runtime/gpu/opencl/programs.hpp"
#include "runtime/gpu/opencl/staging.hpp"
#include "runtime/gpu/work_size.hpp"

#include <map>
#include <mutex>
#include <optional>
#include <set>

namespace vr::gpu {

/// What the sections of a session share.
struct Shared {
  Device device;
  Programs programs{device};
  Pool pool{device};
  Staging staging{device};
  Kept kept{pool};
  Traffic traffic;
  std::atomic<int64_t> sections{0}, launches{0}, on_host{0};
};

/// A fault that a kernel wrote.
struct KernelFault {
  const vr_site* site;
  DeviceFault fault;
};

/// How a task uses an array. fresh: it writes every element without a look at what is there.
struct Access {
  const vr_array* array;
  bool written = false, fresh = false;
};

/// Something to run on the device: a kernel, or a call of a library that enqueues several.
class Task {
 public:
  /// Where an array's element (0,...,0) lies; buffer null: the array has no element.
  struct Place {
    cl_mem buffer = nullptr;
    uintptr_t offset = 0;  ///< bytes
  };
  /// Enqueues it all in `queue`, which is in order, behind `wait`. `places` are those of the accesses, in their order.
  /// `event`, if not null, is for an event of the last command.
  virtual void enqueue(cl_command_queue queue, const std::vector<cl_event>& wait, const std::vector<Place>& places,
                       cl_event* event) = 0;
  const char* name = "";
  bool small = false;  ///< leaves room on the device for others: may go to another queue than its neighbours

 protected:
  ~Task() = default;
};

/// Tasks are enqueued at once and run in the order of their dependences: in in-order queues, independent small ones
/// concurrently, and copies to the device in another, so that the copy for the next task runs beside the present one
/// (thesis 7.3.1, 7.3.3, 7.4.3). Failures are thrown as cl::Failure. Thread-safe.
class Section {
 public:
  explicit Section(Shared& shared);
  /// Waits for the device; elements that only it has are lost.
  ~Section();

  /// `started`: set once the kernel is the device's; a failure before that has changed nothing.
  EventId launch(const vr_kernel& kernel, const int64_t* counts, const vr_value* args, bool* started);
  /// `uses` are all arrays that the task touches; they may overlap.
  EventId run(Task& task, const std::vector<Access>& uses);
  /// Until the task has ended.
  void wait(EventId task);
  /// All tasks so far have run.
  void settle();
  /// See Session.
  EventId copy(const vr_array& from, const vr_array& to);
  void mark_dead(const vr_array& array);
  /// Ends all work; the newest elements of all arrays are in host memory, and stay on the device.
  void bring_all();
  void need_host(const vr_array& array, bool write);
  /// Ends all work and brings the newest elements to the host, but for kept arrays.
  void finish();
  /// The same for all, and nothing on the device is fresh.
  void sync();
  /// A fault of a kernel that has ended, if any. Looks only when kernels ran since the last look.
  std::optional<KernelFault> fault();
  /// Drops a reference once no work of the section can touch its storage.
  void release_later(vr_owner* owner);

  int depth = 1;  ///< sections opened within sections; guarded by the session

 private:
  struct FaultBuffer {
    cl::Buffer buffer;
    int32_t site_count = 0;
    bool unread = false, set = false;
  };
  struct Loaded {
    std::shared_ptr<Program> program;
    cl::Kernel kernel;
    std::string name;
    WorkLimits limits;
    /// What the arguments are, so that a launch says only what changed: their bytes one after another.
    std::vector<char> arguments;
  };
  friend class Arguments;
  void release_all();
  Loaded& load(const vr_kernel& kernel);
  FaultBuffer& fault_buffer(const vr_kernel& kernel);
  class Launch;
  EventId run_locked(Task& task, const std::vector<Access>& uses);
  int choose_queue(const Task& task, const std::vector<Access>& uses);
  void set_arguments(const vr_kernel& kernel, Loaded& loaded, const int64_t* counts, const vr_value* args,
                     const std::vector<Task::Place>& places, cl_mem fault);
  WorkSize size_of(const vr_kernel& kernel, const Loaded& loaded, const int64_t* counts, const vr_value* args) const;

  Shared& shared_;
  std::mutex mutex_;
  cl::Queue transfer_;
  EventTable copies_, traced_;
  TaskQueues tasks_;
  ArrayTable arrays_;
  std::vector<vr_owner*> releases_;
  std::set<vr_owner*> touched_;  ///< of storage that the device works on in place or copies from, until released here
  int64_t released_bytes_ = 0;
  /// Of the task at hand; kept for their memory.
  struct {
    std::vector<Access> uses;
    std::vector<Span> spans;
    std::vector<Range*> ranges;
    std::vector<Task::Place> places;
    std::vector<cl_event> waits;
    std::vector<EventId> before;  ///< a task of each queue that it waits for
  } now_;
  std::map<const vr_kernel*, Loaded> kernels_;
  std::map<const vr_site*, FaultBuffer> faults_;  // a table of sites has one buffer: the number in it is the table's
};

}  // namespace vr::gpu
