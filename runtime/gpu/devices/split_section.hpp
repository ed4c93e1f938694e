// A section on several devices: every launch is divided among them, and each keeps what it computes.
#pragma once
#include "runtime/gpu/devices/halos.hpp"
#include "runtime/gpu/devices/split.hpp"

#include <deque>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace vr::gpu {

/// A device of a session on several ones.
struct Peer {
  Shared* shared = nullptr;
  Library* library = nullptr;
  double share = 1;                   ///< of the iterations
  std::atomic<bool>* lost = nullptr;  ///< set when the device has failed
};

/// One section on each device, and what they exchange. A byte that one device has written is newer than that of host
/// memory until another device, or the host, needs it; then it goes to host memory, and from there to the other
/// device; blocks that were needed before go through pinned memory while the device still computes. What a device has
/// written is stale on all others. So what moves between two launches is what one part reads and another part has
/// written: halos.
///
/// Library calls, launches whose parts would write the same bytes, and small ones run on one device. Thread-safe.
class SplitSection final : public Section {
 public:
  explicit SplitSection(std::vector<Peer> peers);
  ~SplitSection() override;

  EventId launch(vr_context& context, const vr_site* site, const vr_kernel& kernel, const int64_t* counts,
                 const vr_value* args, bool* started) override;
  EventId run(Task& task, const std::vector<Access>& uses) override;
  /// Waits for all tasks: an id says nothing here.
  void wait(EventId task) override;
  void settle() override;
  EventId copy(const vr_array& from, const vr_array& to) override;
  void mark_dead(const vr_array& array) override;
  void bring_all() override;
  void need_host(const vr_array& array, bool write) override;
  void finish() override;
  void sync() override;
  std::optional<KernelFault> fault() override;
  /// By panels of the result, one on each device.
  std::string product(Library& library, const vr_array& a, const vr_array& b, const vr_array& c) override;
  void release_later(vr_owner* owner) override;

 private:
  /// What a part computes first.
  struct Ends {
    Region blocks;  ///< that other devices wait for
    Strips strips;
  };
  struct Known {
    std::vector<int64_t> numbers;
    Split split;
    std::vector<Ends> ends;   ///< one for each part
    uint64_t generation = 0;  ///< of Halos, when `ends` were found
  };
  struct Kernel {
    std::optional<AccessTable> table;
    std::vector<int64_t> scalars;  ///< the parameters that the table uses
    std::deque<Known> known;       ///< the latest first
  };
  DeviceSection& section(size_t k) { return *sections_[k]; }
  template <class Work>
  void on(size_t device, Work&& work);
  template <class Work>
  void on_all(Work&& work);
  Known& split_of(const vr_kernel& kernel, const int64_t* counts, const vr_value* args);
  void hold(const vr_array& array);
  void bring(size_t device, const Region& needed);
  void bring_home(size_t device, const Region& needed);
  void announce(size_t device, const Region& written);
  void changed(size_t device, const Region& written);
  void find_ends(Known& known, const vr_kernel& kernel, const int64_t* counts, const vr_value* args);
  void launch_parts(Known& known, const vr_kernel& kernel, const int64_t* counts, const vr_value* args, bool* started);
  EventId launch_whole(size_t device, const LaunchPart& part, vr_context& context, const vr_site* site,
                       const vr_kernel& kernel, const int64_t* counts, const vr_value* args, bool* started);
  template <class Work>
  void exclusive(size_t device, const std::vector<Footprint>& uses, Work&& work);
  void release_all();

  std::recursive_mutex mutex_;  ///< a launch may poll the host, which may use the section
  std::vector<Peer> peers_;
  std::vector<double> shares_;
  int64_t least_ = INT64_MAX;       ///< iterations of a launch that is worth dividing
  int64_t max_offset_ = INT64_MAX;  ///< device::Limits
  std::vector<std::unique_ptr<DeviceSection>> sections_;
  std::unique_ptr<Halos> halos_;  ///< destroyed before the sections
  std::unordered_map<const vr_kernel*, Kernel> kernels_;
  Releases releases_;
};

}  // namespace vr::gpu
