// An accelerated section: the tasks that a call gives to its device, or devices, and the arrays that they use.
#pragma once
#include "runtime/abi.h"
#include "runtime/gpu/buffers.hpp"
#include "runtime/gpu/regions/footprint.hpp"
#include "runtime/gpu/session.hpp"

#include <optional>

namespace vr::gpu {

class Library;

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

/// How a task uses an array. fresh: it writes every element without reading the old ones. Which bytes it uses: those of
/// `part`, as addresses; else those of parameter `param` of the launch in `footprints`; both null: all.
struct Access {
  const vr_array* array;
  bool written = false, fresh = false;
  Footprints* footprints = nullptr;
  int32_t param = 0;
  const PartUse* part = nullptr;
  /// From the first byte that is used to the last one, at least; empty: the array is not used.
  Span span() const { return part ? part->hull : storage_span(*array); }
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

/// Tasks run in the order of their dependences. Failures are thrown as device::Failure. Thread-safe.
class Section {
 public:
  /// Waits for the device; elements that only the device has are lost.
  virtual ~Section() = default;

  /// `started`: set when the kernel has been enqueued; a failure before that has no effect. Between chunks of a launch
  /// the host is polled for `context`, at `site`: throws Stopped if the call is to end.
  virtual EventId launch(vr_context& context, const vr_site* site, const vr_kernel& kernel, const int64_t* counts,
                         const vr_value* args, bool* started) = 0;
  /// `uses` lists all arrays that the task accesses; they may overlap.
  virtual EventId run(Task& task, const std::vector<Access>& uses) = 0;
  /// Waits until the task has ended.
  virtual void wait(EventId task) = 0;
  /// Waits for all tasks so far.
  virtual void settle() = 0;
  /// See Session.
  virtual EventId copy(const vr_array& from, const vr_array& to) = 0;
  virtual void mark_dead(const vr_array& array) = 0;
  /// Waits for all work and synchronises all arrays, which stay resident.
  virtual void bring_all() = 0;
  virtual void need_host(const vr_array& array, bool write) = 0;
  /// Waits for all work and synchronises all arrays except kept ones.
  virtual void finish() = 0;
  /// Waits for all work, synchronises all arrays and marks the device's copies as stale.
  virtual void sync() = 0;
  /// A fault of a kernel that has ended, if any. Reads the fault buffers only if kernels ran since the last call.
  virtual std::optional<KernelFault> fault() = 0;
  /// c = a * b by `library`, the first device's; see Library::product.
  virtual std::string product(Library& library, const vr_array& a, const vr_array& b, const vr_array& c) = 0;
  /// Releases a reference when no work of the section can access its storage any more.
  virtual void release_later(vr_owner* owner) = 0;

  int depth = 1;  ///< sections opened within sections; guarded by the session
};

}  // namespace vr::gpu
