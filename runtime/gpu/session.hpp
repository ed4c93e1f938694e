// VRruntime's interface to a device, or several (thesis chapter 7): one Session per engine, shared by all calls.
// Generated code uses it through the vr_gpu_* functions of runtime/abi.h; the engine opens it and reads the device's
// properties.
#pragma once
#include "runtime/abi.h"
#include "runtime/device/device.hpp"

#include <velociraptor/status.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace vr::gpu {

/// A task of a section, to wait for.
using EventId = int64_t;
constexpr EventId no_event = -1;

/// Properties of a device.
struct DeviceInfo : device::Info {
  bool zero_copy = false;  ///< kernels work on the host's memory directly; determined when a Session opens
  int64_t local_bytes =
      0;  ///< memory that a work-group shares; 0 if it is ordinary memory, or groups are smaller than 128 work-items
  int queues = 1;  ///< for tasks of a section; set when a Session opens: VR_QUEUES, else from the device file
};

/// Totals since the session was opened.
struct Stats {
  int64_t sections = 0, launches = 0;
  int64_t on_host =
      0;  ///< kernels that fell back to the CPU, because the device had no room for them or could not run them
  int64_t in_chunks = 0,
          chunks = 0;  ///< launches whose arrays were larger than the device's memory, and of how many parts they were
  int64_t divided = 0;                   ///< launches that ran on several devices
  int64_t bytes_up = 0, bytes_down = 0;  ///< copied host to device, device to host; zero-copy work copies none
  int64_t bytes_on_device = 0;         ///< of buffers in use at present, by all sections; idle buffers are not counted
  int64_t builds = 0, build_hits = 0;  ///< programs built from text / found in memory
  int64_t binary_loads = 0;            ///< programs made of a binary from disk
  double build_ms = 0;
};

/// The texts of programs, and the options with which a driver builds them.
struct ProgramText {
  std::string source, options;
};
/// The binaries that a device's driver made of some programs. Error DEVICE: it rejects that program, with its log.
struct DeviceBinaries {
  DeviceInfo device;
  std::vector<Result<std::string>> programs;
};
/// Compiles the programs for each device of this machine whose platform or device name contains VR_DEVICE. Error DEVICE
/// if there is none; FORKED as for Session::open.
Result<std::vector<DeviceBinaries>> compile_programs(const std::vector<ProgramText>& programs);

/// All devices of this machine in the drivers' order; empty when there is none, no driver was built in, or this
/// process was forked from one that used it.
std::vector<DeviceInfo> list_devices();

struct FftCall;  // cpu_library.hpp

/// Thread-safe: calls on different contexts run at the same time, each in its own sections. A section belongs to one
/// vr_context and has all its device state (the tables of thesis 7.2) from begin to end; nothing keyed by an address
/// outlives it. The session must be destroyed before main ends, because drivers unload before static objects are
/// destroyed.
class Session {
 public:
  /// The first device whose platform or device name contains `filter` (letter case ignored), or number N of a driver
  /// for "opencl:N"; without a filter the
  /// environment's VR_DEVICE; without both the first GPU, else any device. Error DEVICE when there is none; FORKED when
  /// this process was forked from one that had used OpenCL, because drivers do not work in the child. VR_ZERO_COPY=0 in
  /// the environment forbids working in place (DeviceInfo::zero_copy). disk_cache: binaries of programs are kept on
  /// disk (support/file_cache.hpp) for later processes.
  /// several: devices that work together on each section, in the form of VR_DEVICES, which is used if both are empty:
  /// names as in `filter`, separated by commas, or "all". Error DEVICE if one of them names no device, or two the same;
  /// USAGE if `filter` is not empty, too.
  static Result<std::unique_ptr<Session>> open(const std::string& filter = "", bool disk_cache = false,
                                               const std::string& several = "");
  /// On a device that the caller has opened. memory_limit: bytes that arrays may take, instead of VR_DEVICE_MEMORY; 0:
  /// as above.
  static Result<std::unique_ptr<Session>> open_on(std::unique_ptr<device::Device> device, int64_t memory_limit = 0);
  struct Share {
    std::unique_ptr<device::Device> device;
    double share = 1;  ///< of the iterations of loops that all devices run, relative to the others'; positive
  };
  /// On several devices.
  static Result<std::unique_ptr<Session>> open_on(std::vector<Share> devices, int64_t memory_limit = 0);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// What code for the session's devices may rely on: of several devices the least limits, and all names.
  const DeviceInfo& device_info() const;
  /// Each of them; at least one.
  std::vector<DeviceInfo> devices() const;
  /// Whether sections of any call are open: code whose kernels they launched must stay loaded until they end.
  bool sections_open() const;
  /// Waits for the work of the context's section. Faults and failures are reported by the next call.
  void settle(vr_context* context);
  Stats stats() const;

  /// Builds a program now instead of at its first launch. Error DEVICE with the build log.
  Status prepare(const std::string& source, const std::string& options);

  /// The implementation of the vr_gpu_* functions; same contracts.
  int32_t section_begin(vr_context* context);
  int32_t launch(vr_context* context, const vr_site* site, const vr_kernel* kernel, const int64_t* counts,
                 const vr_value* args, EventId* event = nullptr);
  int32_t need_host(vr_context* context, const vr_array* array, int32_t write);
  int32_t section_end(vr_context* context);
  int32_t section_leave(vr_context* context);
  int32_t section_sync(vr_context* context);
  int32_t mmult(vr_context* context, const vr_site* site, const vr_array* a, const vr_array* b, vr_array* out,
                int32_t layout, int32_t where);
  int32_t gemm(vr_context* context, const vr_site* site, const vr_array* a, const vr_array* b, const vr_array* c);
  int32_t scan(vr_context* context, const vr_site* site, const vr_array* a, vr_array* out, int32_t axis, int32_t fold,
               int32_t elem, int32_t layout, int32_t where);
  /// index: null without positions; `base` is used only with it.
  int32_t sort(vr_context* context, const vr_site* site, const vr_array* a, vr_array* out, vr_array* index,
               int32_t axis, int64_t base, int32_t layout, int32_t where);
  int32_t fft(vr_context* context, const vr_site* site, const FftCall& call);
  int32_t make_unique(vr_context* context, const vr_site* site, vr_array* a, int32_t layout, int32_t where,
                      bool on_device);

  /// To be called at the end of a call: ends a section that the call may have left open.
  int32_t close(vr_context* context);

  /// Makes an array of the host resident on the device between calls. Error USAGE, and the array is not kept, if it is
  /// not dense or overlaps another resident array in part. group: those that one section holds at a time (kept.hpp).
  Status keep(const vr_array& array, int64_t group = 0);
  /// Keeps an array once more that this group has already; else returns false.
  bool keep_again(const vr_array& array, int64_t group);
  /// Synchronises the array. write: the host is going to change its elements.
  Status look(const vr_array& array, bool write);
  /// To be called once for each keep(): synchronises; after the last one the array is no longer resident.
  Status drop(const vr_array& array);
  /// The same for an array whose elements nobody needs any more: nothing is copied.
  Status forget(const vr_array& array);

  void release(vr_context* context, vr_owner* owner);

  /// In an open section: copies on the device all bytes of `from` to `to`, which must be dense, of equal size, and
  /// disjoint.
  int32_t copy(vr_context* context, const vr_array* from, const vr_array* to, EventId* event = nullptr);
  /// Declares the elements dead. Afterwards the section neither reads nor writes the array's host memory.
  int32_t mark_dead(vr_context* context, const vr_array* array);
  /// wait: waits for a task. wait_all: waits for all tasks, synchronises all arrays and reports faults.
  int32_t wait(vr_context* context, EventId event);
  int32_t wait_all(vr_context* context);

  /// Ends the sections that are still open because a fault left them without section_end: waits for the device, copies
  /// nothing back. The fault of a kernel replaces the host's, because it happened earlier. To be called after every
  /// call whose code has sections; cheap when there is nothing to do.
  void abandon(vr_context* context);

  struct State;

 private:
  explicit Session(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace vr::gpu
