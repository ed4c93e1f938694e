// Library calls of accelerated sections (thesis 7.1.1): products of matrices by RaijinCL.
#pragma once
#include "runtime/gpu/opencl/section.hpp"
#include "support/file_cache.hpp"

#include <memory>

namespace raijincl {
class Context;
}

namespace vr::gpu {

/// RaijinCL on a session's device, opened at its first use. Thread-safe. The device profile is the one in the file that
/// VR_RAIJINCL_PROFILE names, if nobody else can have written it and it was made for this device (else there is a
/// warning), or the one that RaijinCL ships; built programs go to `cache`.
class Library {
 public:
  Library(const Shared& shared, FileCache cache);
  /// All its work must have ended.
  ~Library();

  /// Why product() cannot take such factors, whatever their product becomes; empty where it can: floating ones that fit,
  /// not empty, whose elements have unit stride along one dimension (vectors: any stride).
  std::string refuses(const vr_array& a, const vr_array& b) const;
  /// c = a * b as a task of the section: c is dense, all its old elements are lost, and it overlaps neither factor.
  /// Empty: it is enqueued; else why RaijinCL cannot do it on this device (no program, no memory). Throws cl::Failure
  /// where the section itself fails.
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
