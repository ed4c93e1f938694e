// References that a section releases when its devices use the storage no more.
#pragma once
#include "runtime/abi.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace vr::gpu {

/// Not thread-safe, but for is_last().
class Releases {
 public:
  /// Releases the reference unless it is the last one, which the caller then has to add().
  static bool is_last(vr_owner* owner) {
    for (int64_t refs = owner->refs.load(std::memory_order_acquire); refs > 1;)
      if (owner->refs.compare_exchange_weak(refs, refs - 1, std::memory_order_acq_rel)) return false;
    return true;
  }
  void add(vr_owner* owner) {
    owners_.push_back(owner);
    bytes_ += owner->bytes;
  }
  /// Whether they should be released before the section ends, so that a loop that makes arrays can reuse their memory.
  bool are_many(int64_t memory_limit) const {
    constexpr size_t most = 64;
    return owners_.size() >= most || bytes_ >= std::max<int64_t>(memory_limit / 8, int64_t{64} << 20);
  }
  std::vector<vr_owner*> take() {
    bytes_ = 0;
    return std::exchange(owners_, {});
  }
  void release() {
    for (vr_owner* owner : take()) vr_rt_release(owner);
  }

 private:
  std::vector<vr_owner*> owners_;
  int64_t bytes_ = 0;
};

}  // namespace vr::gpu
