// VRruntime's interface (thesis 7.1): arrays by number, tasks, events. Sections of generated code do the same through
// Session, by address; this is for those who write task graphs by hand.
#pragma once
#include "runtime/gpu/session.hpp"

#include <span>

namespace vr::gpu {

using VarId = int64_t;     ///< of an array variable; the caller chooses
using KernelId = int32_t;  ///< of a registered kernel

/// What slice() takes of a dimension: `count` elements from `start` on, `step` apart (any sign, not 0).
struct Subrange {
  int64_t start = 0, count = 0, step = 1;
};

/// An implicit queue of tasks on a session's device. Tasks are enqueued at once and run behind what they depend on;
/// nothing waits but the functions that say so. What is copied to the device or back, and when, is found out (7.2.1).
///
/// An array variable stands for elements in the host's memory (submit) or for new ones (allocate). Variables share
/// elements where one is a slice of the other, or where submitted arrays overlap; copies share storage until somebody
/// may write (copy-on-write, 7.3.2).
///
/// Errors: USAGE (a variable that is not there, arguments that do not fit), DEVICE, OUT_OF_MEMORY, faults of kernels
/// with their record. After a fault or a failure of the device every further call gives the same error: elements that
/// only the device had are lost, and the host's arrays are as they were last waited for.
///
/// Not thread-safe; several Runtimes of one session may be used at once. Waits for all tasks at its end, bringing
/// nothing back.
class Runtime {
 public:
  /// `session` must outlive it.
  static Result<std::unique_ptr<Runtime>> open(Session& session);
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  // ---- array variables (7.1.1)
  /// The variable stands for the caller's array from now on (its `owner` is not looked at; where its flags say that it is
  /// read-only, who would write it gets READ_ONLY). The memory must live until
  /// the variable is dead or the Runtime gone, and is the device's until a wait brings the elements back.
  Status submit(VarId var, const vr_array& array);

  // ---- array management (7.1.3)
  /// New elements, undefined. elem: element code, | VR_COMPLEX. layout: VR_ROWMAJOR, VR_COLMAJOR.
  Status allocate(VarId var, int32_t elem, const std::vector<int64_t>& extents, int32_t layout = VR_ROWMAJOR);
  /// `var` shares elements of `from`: a range of each dimension. USAGE when one lies outside.
  Status slice(VarId var, VarId from, const std::vector<Subrange>& ranges);
  /// `var` has the elements that `from` has now; nothing is copied before one of the two may be written.
  Status copy(VarId var, VarId from);
  /// The variable is gone. Elements that no other variable shares do not come back, a submitted array's memory is the
  /// caller's again, and the device's is free once the tasks that use it have ended.
  Status mark_dead(VarId var);

  // ---- tasks (7.1.2)
  /// `arrays` are the variables for the kernel's array parameters, in order; which of them it reads and writes its
  /// parameters say. `kernel` and what it points to must outlive the Runtime.
  Result<KernelId> register_kernel(const vr_kernel& kernel, std::vector<VarId> arrays);
  /// Enqueues the kernel over the domain `counts` (one a dimension) with the arrays that its variables stand for now.
  /// `scalars` are its scalar parameters, in order.
  Result<EventId> call(KernelId kernel, const std::vector<int64_t>& counts, const std::vector<vr_value>& scalars = {});

  // ---- synchronisation (7.1.4)
  /// All tasks have ended, and all variables' newest elements are in host memory.
  Status wait_all();
  /// The tasks that may change the variable have ended, and its newest elements are in host memory: where the result
  /// says, until the variable is dead or stands for something else. write: the host is about to change them; without it
  /// they must only be read.
  Result<vr_array> wait_for_variable(VarId var, bool write = false);
  Status wait_for_event(EventId event);

 private:
  struct State;
  explicit Runtime(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace vr::gpu
