// The state of a Session, and helpers of its functions, from failures to error records (private to runtime/gpu).
#pragma once
#include "runtime/gpu/devices/split_section.hpp"
#include "runtime/gpu/fault.hpp"
#include "runtime/gpu/library.hpp"
#include "runtime/gpu/on_host.hpp"
#include "runtime/gpu/session.hpp"

#include <unistd.h>

#include <unordered_map>

namespace vr::gpu {

/// A device of the session.
struct OpenDevice {
  // The first member, so that it is destroyed last.
  Shared shared;
  std::unique_ptr<Library> library;
  double share = 1;               ///< of the iterations of loops that all devices run, relative to the others'
  std::atomic<bool> lost{false};  ///< it has failed; later sections do without it, unless all have
};

struct Session::State {
  // The first member, so that it is destroyed last. At least one.
  std::vector<std::unique_ptr<OpenDevice>> devices;
  DeviceInfo info;  ///< Session::device_info()
  std::mutex mutex;
  std::unordered_map<vr_context*, std::shared_ptr<Section>> open;
  std::atomic<int> open_count{0};
  pid_t pid = getpid();

  /// The device that runs what is not divided: library calls, for instance.
  OpenDevice& lead() const {
    for (const auto& d : devices)
      if (!d->lost) return *d;
    return *devices[0];
  }
  std::shared_ptr<Section> make_section() const {
    std::vector<Peer> peers;
    for (const auto& d : devices)
      if (!d->lost) peers.push_back({&d->shared, d->library.get(), d->share, &d->lost});
    if (devices.size() == 1 || peers.empty()) return std::make_shared<DeviceSection>(devices[0]->shared);
    return std::make_shared<SplitSection>(std::move(peers));
  }
  /// Sets `info`.
  void describe() {
    info = devices[0]->shared.device.info;
    for (size_t k = 1; k < devices.size(); ++k) {
      const DeviceInfo& d = devices[k]->shared.device.info;
      info.name += " + " + d.name;
      info.is_gpu &= d.is_gpu;
      info.is_cpu |= d.is_cpu;
      info.has_fp64 &= d.has_fp64;
      info.exact_fp32_divide &= d.exact_fp32_divide;
      info.limits.max_group = std::min(info.limits.max_group, d.limits.max_group);
      info.limits.group_memory_bytes = std::min(info.limits.group_memory_bytes, d.limits.group_memory_bytes);
      info.local_bytes = std::min(info.local_bytes, d.local_bytes);
      info.compute_units += d.compute_units;
    }
  }
  bool any_kept() const { return devices[0]->shared.kept.any(); }

  bool forked() const { return getpid() != pid; }
  std::shared_ptr<Section> find(vr_context* context) {
    std::lock_guard lock(mutex);
    auto it = open.find(context);
    return it == open.end() ? nullptr : it->second;
  }
  std::shared_ptr<Section> need(vr_context* context) {
    std::shared_ptr<Section> section = find(context);
    if (!section) throw device::Failure{Code::Internal, "work for a device outside an accelerated section"};
    return section;
  }
  /// Synchronises kept arrays outside of sections.
  void look(const vr_array& array, bool write) {
    if (!devices[0]->shared.kept.overlaps(storage_span(array))) return;
    const std::shared_ptr<Section> section = make_section();
    section->need_host(array, write);
    section->finish();
  }
  /// Removed from the table; the last user waits for the device.
  std::shared_ptr<Section> remove(vr_context* context) {
    std::lock_guard lock(mutex);
    auto it = open.find(context);
    if (it == open.end()) return nullptr;
    std::shared_ptr<Section> section = std::move(it->second);
    open.erase(it);
    --open_count;
    return section;
  }
};

/// Ends a section after a fault. Stores of tasks that ran before the fault take effect: arrays are synchronised as far
/// as possible.
inline void end(Section& section) {
  try {
    section.finish();
  } catch (const device::Failure&) {
  } catch (const std::bad_alloc&) {}
}

/// Runs `work`; a failure ends the context's section and becomes an error record.
template <class Work>
int32_t guarded(Session::State& state, vr_context* context, const vr_site* site, Work&& work) {
  std::string message;
  int32_t code = VR_DEVICE;
  try {
    if (state.forked()) return record_fault(context, site, VR_FORKED, device::forked_message);
    return work();
  } catch (const device::Failure& f) {
    code = int32_t(f.code);
    message = f.message;
  } catch (const std::bad_alloc&) {
    code = VR_OUT_OF_MEMORY;
    message = "no host memory for the work of an accelerated section";
  }
  if (const std::shared_ptr<Section> section = state.remove(context)) end(*section);
  return record_fault(context, site, code, message);
}

inline int32_t fail(vr_context* context, const KernelFault& found) {
  static const vr_site unknown = {"", "", "", "fault in an OpenCL kernel", -1, 0};
  return vr_rt_fail(context, found.site ? found.site : &unknown, found.fault.code, found.fault.index,
                    found.fault.extent);
}

/// Reports a kernel's fault, if there is one: it ends the context's section.
inline int32_t report(Session::State& state, vr_context* context, Section& section) {
  const std::optional<KernelFault> found = section.fault();
  if (!found) return VR_OK;
  end(section);
  state.remove(context);
  return fail(context, *found);
}

/// Records that `what` ran on the CPU.
inline void note(vr_context* context, const vr_site* site, const char* what, const std::string& why) {
  if (context->on_host) context->on_host->add(site, what, why);
}

}  // namespace vr::gpu
