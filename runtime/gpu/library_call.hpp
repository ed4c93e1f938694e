// Code that the calls of library functions in sections share: the reason why the device refused one, and its results.
#pragma once
#include "runtime/gpu/routine.hpp"
#include "runtime/gpu/session_state.hpp"

namespace vr::gpu {

/// Runs `on_device`; returns the reason if the device could not run the call, otherwise "". Kernels that were enqueued
/// before a failure have ended, because the CPU may write the same memory next.
template <class Work>
std::string why_not(Section& section, Work&& on_device) {
  std::string why;
  try {
    on_device();
    return "";
  } catch (const Refused& r) {
    why = r.why;
  } catch (const device::Failure& f) {
    if (f.code != Code::Device) throw;
    why = f.message;
  }
  section.settle();
  return why;
}

/// Results that are released at the end unless they were handed over.
class Results {
 public:
  explicit Results(Section& section) : section_(section) {}
  Results(const Results&) = delete;
  ~Results() {
    for (const vr_array* a : made_) {
      try {
        section_.release_later(a->owner);
      } catch (const device::Failure&) {  // the owner is in the section's list
      }
    }
  }
  void add(const vr_array& a) { made_.push_back(&a); }
  void give() { made_.clear(); }

 private:
  Section& section_;
  std::vector<const vr_array*> made_;
};

}  // namespace vr::gpu
