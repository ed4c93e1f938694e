// Library calls of accelerated sections (thesis 7.1.1): products of matrices by RaijinCL.
#pragma once
#include "runtime/gpu/opencl/section.hpp"
#include "support/file_cache.hpp"

#include <memory>

namespace raijincl {
class Context;
}

namespace vr::gpu {

/// RaijinCL on a session's device, opened at its first use. Thread-safe. The device profile is the one in the file named by
/// VR_RAIJINCL_PROFILE, if no other user can have written it and it was made for this device (otherwise there is a warning), or
/// the one that RaijinCL ships; built programs are stored in `cache`.
class Library {
 public:
  Library(const Shared& shared, FileCache cache);
  /// All its work must have ended.
  ~Library();

  /// Why product() does not support these factors; empty if it does. Supported are non-empty floating factors of matching
  /// shapes that have unit stride along one dimension (vectors: any stride).
  std::string refuses(const vr_array& a, const vr_array& b) const;
  /// c = a * b as a task of the section: c is dense, its old elements are overwritten, and it is disjoint from the factors.
  /// Returns "" if the task was enqueued, else why RaijinCL cannot do it on this device (no program, no memory). Throws
  /// cl::Failure if the section itself fails.
  std::string product(Section& section, const vr_array& a, const vr_array& b, const vr_array& c);

 private:
  raijincl::Context* context();

  const Shared& shared_;
  FileCache cache_;
  std::mutex mutex_;
  bool tried_ = false;
  std::unique_ptr<raijincl::Context> context_;
};

}  // namespace vr::gpu
