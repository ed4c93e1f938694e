// Library calls of accelerated sections (thesis 7.1.1): products of matrices by the driver's library.
#pragma once
#include "runtime/gpu/section.hpp"
#include "runtime/gpu/shared.hpp"
#include "support/file_cache.hpp"

#include <memory>

namespace vr::gpu {

/// The library of a session's device (device::Products; RaijinCL for OpenCL's), opened at its first use. Thread-safe.
/// Built programs are stored in `cache`.
class Library {
 public:
  Library(const Shared& shared, FileCache cache);
  /// All its work must have ended.
  ~Library();

  /// Why product() does not support these factors; empty if it does. Supported are non-empty floating factors of
  /// matching shapes that have unit stride along one dimension (vectors: any stride).
  std::string refuses(const vr_array& a, const vr_array& b) const;
  /// c = a * b as a task of the section: c is dense, its old elements are overwritten, and it is disjoint from the
  /// factors. Returns "" if the task was enqueued, else why the library cannot do it on this device (no program, no
  /// memory). Throws device::Failure if the section itself fails.
  std::string product(Section& section, const vr_array& a, const vr_array& b, const vr_array& c);

 private:
  device::Products* products();

  const Shared& shared_;
  FileCache cache_;
  std::mutex mutex_;
  bool tried_ = false;
  std::unique_ptr<device::Products> products_;
};

}  // namespace vr::gpu
