// VRruntime's door to an OpenCL device (thesis chapter 7): one Session per engine and device, shared by all calls.
// Generated code reaches it through the vr_gpu_* functions of runtime/abi.h; the engine opens it and asks what the
// device can do.
#pragma once
#include "runtime/abi.h"

#include <velociraptor/status.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace vr::gpu {

/// A task of a section, to wait for.
using EventId = int64_t;
constexpr EventId no_event = -1;

/// What is known of an OpenCL device.
struct DeviceInfo {
  std::string platform, name, version;  ///< version: the device's, "OpenCL 3.0 ..."
  std::string driver;                   ///< its version
  bool is_gpu = false;
  bool is_cpu = false;
  bool has_fp64 = false;
  bool zero_copy = false;  ///< kernels work on the host's memory directly; found out when a Session opens
  int64_t memory_bytes = 0, max_alloc_bytes = 0;
  int compute_units = 0;
  int queues = 1;  ///< for tasks of a section; known of an open session's device: VR_QUEUES, else the device file
  std::string text() const;  ///< "NAME (PLATFORM)"
};

/// Totals since the session was opened.
struct Stats {
  int64_t sections = 0, launches = 0;
  int64_t on_host = 0;  ///< kernels that ran on the CPU, because the device had no room for them or did not take them
  int64_t bytes_up = 0, bytes_down = 0;  ///< copied host to device, device to host; zero-copy work moves none
  int64_t bytes_on_device = 0;           ///< of buffers in use now, by all sections; not those that lie idle
  int64_t builds = 0, build_hits = 0;    ///< programs built from text / found in memory
  int64_t binary_loads = 0;              ///< programs made of a binary from disk
  double build_ms = 0;
};

/// All OpenCL devices of this machine in the drivers' order; empty when there is none, OpenCL was not built in, or this
/// process was forked from one that used it.
std::vector<DeviceInfo> list_devices();

/// Thread-safe: calls on different contexts run at once, each in its own sections. A section belongs to one vr_context
/// and keeps all its device state (the tables of thesis 7.2) from begin to end; nothing keyed by an address outlives
/// it. The session must be closed before main ends (drivers unload earlier than static objects die).
class Session {
 public:
  /// The first device whose platform or device name contains `filter` (letter case ignored); without a filter the
  /// environment's VR_DEVICE; without both the first GPU, else any device. Error DEVICE when there is none; FORKED when a
  /// process that this one was forked from has used OpenCL here, which drivers do not survive.
  /// VR_ZERO_COPY=0 in the environment forbids working in place (DeviceInfo::zero_copy).
  /// disk_cache: binaries of programs are kept on disk (support/file_cache.hpp) for later processes.
  static Result<std::unique_ptr<Session>> open(const std::string& filter = "", bool disk_cache = false);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const DeviceInfo& device_info() const;
  /// Whether a call's sections are open: code whose kernels it launched must stay loaded until they are not.
  bool sections_open() const;
  /// What the context's section has enqueued has run. Faults and failures stay for whoever asks next.
  void settle(vr_context* context);
  Stats stats() const;

  /// Builds a program now instead of at its first launch. Error DEVICE with the build log.
  Status prepare(const std::string& source, const std::string& options);

  /// The vr_gpu_* functions; same contracts.
  int32_t section_begin(vr_context* context);
  int32_t launch(vr_context* context, const vr_site* site, const vr_kernel* kernel, const int64_t* counts,
                 const vr_value* args, EventId* event = nullptr);
  int32_t need_host(vr_context* context, const vr_array* array, int32_t write);
  int32_t section_end(vr_context* context);
  int32_t section_leave(vr_context* context);
  int32_t section_sync(vr_context* context);
  int32_t mmult(vr_context* context, const vr_site* site, const vr_array* a, const vr_array* b, vr_array* out,
                int32_t layout, int32_t where);
  int32_t make_unique(vr_context* context, const vr_site* site, vr_array* a, int32_t layout, int32_t where,
                      bool on_device);

  /// The call is over: ends the section that it may have left open.
  int32_t close(vr_context* context);

  /// Arrays of the host that stay on the device between calls; each is dense. USAGE: it is not, or overlaps another
  /// kept one in part; it is not kept.
  Status keep(const vr_array& array);
  /// The newest elements are in host memory. write: the host is about to change them.
  Status look(const vr_array& array, bool write);
  /// Once for each keep(): the newest elements are in host memory, and the array is as any other.
  Status drop(const vr_array& array);

  void release(vr_context* context, vr_owner* owner);

  /// Of an open section. Copies on the device all bytes of `from` to `to`, which are dense, of one size, and apart.
  int32_t copy(vr_context* context, const vr_array* from, const vr_array* to, EventId* event = nullptr);
  /// Nobody will look at the elements again. The host's memory is the caller's afterwards: it is neither written nor
  /// read.
  int32_t mark_dead(vr_context* context, const vr_array* array);
  /// Until the task has ended; until all have, newest elements of all arrays in host memory, faults reported.
  int32_t wait(vr_context* context, EventId event);
  int32_t wait_all(vr_context* context);

  /// Ends the sections that the context left open (a fault left them without section_end): waits for the device, brings
  /// nothing back. A kernel that faulted did so before the host, whose fault is replaced. To be called after every call whose
  /// code has sections; cheap when there is nothing to do.
  void abandon(vr_context* context);

  struct State;

 private:
  explicit Session(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace vr::gpu
