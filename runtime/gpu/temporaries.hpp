// Arrays that only the tasks of one library call use.
#pragma once
#include "runtime/gpu/section.hpp"

#include <deque>
#include <new>

namespace vr::gpu {

/// They take memory on the device only: nothing copies them, and pages of host memory that are never accessed take
/// none.
class Temporaries {
 public:
  Temporaries(vr_context* context, const vr_site* site, Section& section)
      : context_(context), site_(site), section_(section) {}
  Temporaries(const Temporaries&) = delete;
  /// Released when the enqueued tasks have ended.
  ~Temporaries() {
    for (const vr_array& a : arrays_) {
      try {
        section_.release_later(a.owner);
      } catch (const device::Failure&) {  // the owner is in the section's list, and the next call of the device fails
                                          // as well
      }
    }
  }
  /// A vector of n elements, which are undefined. Throws std::bad_alloc.
  const vr_array& make(int32_t elem, int64_t n) {
    vr_array a = {};
    if (vr_rt_alloc(context_, site_, &a, elem, 1, &n, VR_ROWMAJOR, VR_FILL_NONE, VR_IN_ENGINE) != VR_OK)
      throw std::bad_alloc();
    return arrays_.emplace_back(a);
  }

 private:
  vr_context* context_;
  const vr_site* site_;
  Section& section_;
  std::deque<vr_array> arrays_;
};

}  // namespace vr::gpu
