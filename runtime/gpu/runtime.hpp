// VRruntime's interface for task graphs that are written by hand (thesis 7.1): array variables with numbers, tasks,
// events. Generated code uses Session instead, which identifies arrays by address.
#pragma once
#include "runtime/gpu/session.hpp"

#include <span>

namespace vr::gpu {

using VarId = int64_t;     ///< of an array variable; the caller chooses
using KernelId = int32_t;  ///< of a registered kernel

/// The range of a slice in one dimension: `count` elements, beginning with `start`, with step `step` (any sign, not 0).
struct Subrange {
  int64_t start = 0, count = 0, step = 1;
};

/// An implicit queue of tasks on a session's device. Tasks are enqueued immediately and run after the tasks that they
/// depend on; only the functions below that say so wait. Transfers between host and device are determined automatically
/// (7.2.1).
///
/// An array variable stands for elements in the host's memory (submit) or for new ones (allocate). Variables share
/// elements where one is a slice of the other, or where submitted arrays overlap; copies share storage until a task may
/// write one of them (copy-on-write, 7.3.2).
///
/// Errors: USAGE (unknown variable, arguments that do not match), DEVICE, OUT_OF_MEMORY, faults of kernels with their
/// record. After a fault or a failure of the device every further call returns the same error: elements that only the
/// device had are lost, and the host's arrays are as of the last wait.
///
/// Not thread-safe; several Runtimes of one session may be used at once. The destructor waits for all tasks and copies
/// nothing to the host.
class Runtime {
 public:
  /// `session` must outlive it.
  static Result<std::unique_ptr<Runtime>> open(Session& session);
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  // ---- array variables (7.1.1)
  /// The variable stands for the caller's array from now on (its `owner` is ignored; if its flags say that it is
  /// read-only, tasks that would write it fail with READ_ONLY). The memory must live until the variable is marked dead
  /// or the Runtime destroyed, and the host must not access it until a wait has synchronised the elements.
  Status submit(VarId var, const vr_array& array);

  // ---- array management (7.1.3)
  /// New elements, undefined. elem: element code, | VR_COMPLEX. layout: VR_ROWMAJOR, VR_COLMAJOR.
  Status allocate(VarId var, int32_t elem, const std::vector<int64_t>& extents, int32_t layout = VR_ROWMAJOR);
  /// `var` shares elements of `from`: a range of each dimension. Error USAGE if a range is out of bounds.
  Status slice(VarId var, VarId from, const std::vector<Subrange>& ranges);
  /// `var` has the elements that `from` has now; nothing is copied before one of the two may be written.
  Status copy(VarId var, VarId from);
  /// Removes the variable. Elements that no other variable shares are not copied back, the caller may use a submitted
  /// array's memory again, and device memory is freed when the tasks that use it have ended.
  Status mark_dead(VarId var);

  // ---- tasks (7.1.2)
  /// `arrays` are the variables for the kernel's array parameters, in order; the parameter descriptions say which of
  /// them it reads and writes. `kernel` and everything that it points to must outlive the Runtime.
  Result<KernelId> register_kernel(const vr_kernel& kernel, std::vector<VarId> arrays);
  /// Enqueues the kernel over the domain `counts` (one per dimension) with the present arrays of its variables.
  /// `scalars` are its scalar parameters, in order.
  Result<EventId> call(KernelId kernel, const std::vector<int64_t>& counts, const std::vector<vr_value>& scalars = {});

  // ---- synchronisation (7.1.4)
  /// Waits for all tasks and synchronises all variables.
  Status wait_all();
  /// Waits for the tasks that may change the variable and synchronises it. The result describes the elements in host
  /// memory, until the variable is marked dead or assigned again. write: the host is going to change them; without it
  /// they must only be read.
  Result<vr_array> wait_for_variable(VarId var, bool write = false);
  Status wait_for_event(EventId event);

 private:
  struct State;
  explicit Runtime(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace vr::gpu
