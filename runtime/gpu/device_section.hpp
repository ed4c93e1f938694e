// A section on one device: the task queue (thesis 7.1.2) and the tables of its arrays and kernels on the device.
#pragma once
#include "runtime/gpu/arrays.hpp"
#include "runtime/gpu/releases.hpp"
#include "runtime/gpu/section.hpp"
#include "runtime/gpu/shared.hpp"
#include "runtime/gpu/work_size.hpp"

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>

namespace vr::gpu {

/// A part of a launch that runs on one of several devices.
struct LaunchPart {
  Part part;
  std::vector<PartUse> uses;  ///< one for each parameter
  /// Of a reduction: the rows of the array of partial results that the part writes; it runs in so many work-groups.
  int64_t first_group = 0, groups = 0;
};

/// Tasks are enqueued immediately and run in the order of their dependences, in in-order queues: independent small
/// tasks run concurrently, and copies to the device have a queue of their own, so that the copy for the next task
/// overlaps with the present task (thesis 7.3.1, 7.3.3, 7.4.3). Failures are thrown as device::Failure. Thread-safe.
class DeviceSection final : public Section {
 public:
  /// one_of_several: of a SplitSection.
  explicit DeviceSection(Shared& shared, bool one_of_several = false);
  /// Waits for the device; elements that only the device has are lost.
  ~DeviceSection() override;

  EventId launch(vr_context& context, const vr_site* site, const vr_kernel& kernel, const int64_t* counts,
                 const vr_value* args, bool* started) override;
  EventId run(Task& task, const std::vector<Access>& uses) override;
  void wait(EventId task) override;
  void settle() override;
  EventId copy(const vr_array& from, const vr_array& to) override;
  void mark_dead(const vr_array& array) override;
  void bring_all() override;
  void need_host(const vr_array& array, bool write) override;
  void finish() override;
  void sync() override;
  std::optional<KernelFault> fault() override;
  std::string product(Library& library, const vr_array& a, const vr_array& b, const vr_array& c) override;
  void release_later(vr_owner* owner) override;

  // ---- what a section on several devices does with each of them (devices/split_section.hpp)
  /// Makes room for what the part uses. Throws NoRoom.
  void prepare(const vr_kernel& kernel, const vr_value* args, const LaunchPart& part);
  /// Launches a part: counts part.lo <= n < part.hi of one dimension. `counts`, `args`: of the whole launch.
  EventId launch_part(const vr_kernel& kernel, const int64_t* counts, const vr_value* args, const LaunchPart& part,
                      bool* started);
  /// The section's arrays. Nothing else may use the section meanwhile.
  ArrayTable& arrays() { return arrays_; }
  /// Removes a reference that is about to be released from the list of those that the device may still use.
  void forget(vr_owner* owner) { touched_.erase(owner); }

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
    /// Of a reduction that runs in parts on several devices, for each queue: what its work-items have accumulated.
    std::map<const device::Queue*, std::pair<std::unique_ptr<device::Buffer>, size_t>> accumulated;
  };
  /// What a reduction's part gets besides the kernel's arguments.
  struct Carry {
    device::Buffer* accumulated;
    int64_t from;
    bool more;
  };
  friend class Arguments;
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
  const Region& region_of(const Access& use, bool written, bool whole);
  void check_room() const;
  EventId run_locked(Task& task, const std::vector<Access>& uses);
  int choose_queue(const Task& task, const std::vector<Access>& uses);
  void cover(const std::vector<Access>& uses);
  void list_uses(const vr_kernel& kernel, const vr_value* args, const LaunchPart& part);
  device::Buffer& accumulated(Loaded& loaded, const device::Queue& queue, size_t bytes);
  void set_arguments(const vr_kernel& kernel, Loaded& loaded, const int64_t* counts, const vr_value* args,
                     const std::vector<Task::Place>& places, device::Buffer& fault, const Carry* carry = nullptr);
  device::Grid grid_of(const vr_kernel& kernel, const Loaded& loaded, const int64_t* counts,
                       const vr_value* args) const;
  static void start_at(device::Grid& grid, const vr_kernel& kernel, const Part& part);

  Shared& shared_;
  const bool one_of_several_;
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
  Releases releases_;
  std::set<vr_owner*>
      touched_;  ///< owners of storage that the device uses in place or copies from, until released here
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
