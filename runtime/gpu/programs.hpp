// Programs: OpenCL C text and options -> built program and its kernels, kept in memory, and their binaries on disk.
#pragma once
#include "runtime/gpu/device.hpp"

#include "support/file_cache.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace vr::gpu {

/// A built program. A kernel object holds its arguments, so each section borrows a kernel object of its own.
class Program {
 public:
  bool needs_fp64() const { return needs_fp64_; }
  /// An idle kernel of that name, or a new one.
  std::unique_ptr<device::Kernel> take_kernel(const std::string& name);
  void give_kernel(const std::string& name, std::unique_ptr<device::Kernel> kernel);

 private:
  friend class Programs;
  std::mutex mutex_;
  std::unique_ptr<device::Program> program_;  // empty until built
  std::string refused_;                       // the error message, if the driver's compiler has rejected the text twice
  int refusals_ = 0;
  bool needs_fp64_ = false;
  std::multimap<std::string, std::unique_ptr<device::Kernel>> idle_;
};

/// Thread-safe. A text is built once, also if several threads request it at the same time. A text that the driver's
/// compiler rejects twice (a single rejection may have other causes) is not tried again; after other failures, such as
/// a lack of memory, it is.
class Programs {
 public:
  explicit Programs(const Device& device) : device_(device) {}
  /// From now on binaries are loaded from this cache if possible, and stored there.
  void use(FileCache binaries) { binaries_ = std::move(binaries); }
  /// Throws device::Failure with the build log, or when the text needs float64 and the device has none.
  /// `binaries` (vr_kernel::binaries; may be null): one for this device is used instead of the text, unless the driver
  /// refuses it.
  std::shared_ptr<Program> get(const std::string& source, const std::string& options,
                               const vr_kernel_binary* binaries = nullptr);
  /// The binary that the driver makes of the text. Throws device::Failure as get(), and if the driver provides no
  /// binaries.
  std::string compile(const std::string& source, const std::string& options);
  /// The number of builds and of cache hits, and the milliseconds spent building.
  void add_to(Stats& stats) const;

 private:
  void build(Program& p, const std::string& source, std::string options, const vr_kernel_binary* binaries);
  std::unique_ptr<device::Program> from_source(const std::string& source, const std::string& options,
                                               Program& of) const;

  const Device& device_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<Program>> programs_;
  FileCache binaries_;
  int64_t builds_ = 0, hits_ = 0, loads_ = 0;
  double build_ms_ = 0;
};

}  // namespace vr::gpu
