// Context: programs, temporaries and the device profile for one device of the caller's OpenCL context.
//
// Threads: all functions of all routines may be called from many threads on one Context. Queues are the caller's;
// in-order and out-of-order ones both work. Ownership: Context retains the cl_context; it owns its programs and
// temporaries and no queue. Destroy it only after the commands that it enqueued have finished, or after clFinish.
#pragma once
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "raijincl/status.hpp"

namespace raijincl {

// Where a call is enqueued. Its commands run after the events in `wait`; if `event` is not null, `*event` becomes an event,
// which the caller releases, that completes with the last command. No call blocks or registers a callback (thesis 8.3.2,
// 8.9.3); none flushes the queue unless its header says so.
struct Launch {
  cl_command_queue queue = nullptr;
  std::span<const cl_event> wait{};
  cl_event* event = nullptr;
};

enum class Order { RowMajor, ColumnMajor };
enum class Op { None, Transpose, ConjugateTranspose, Conjugate };
enum class Precision { S, D, C, Z };  // float, double, complex float, complex double

// A matrix in a buffer. `offset` and `ld` (distance of rows in row-major, of columns in column-major) count elements.
struct Matrix {
  cl_mem buffer = nullptr;
  std::size_t offset = 0;
  std::size_t ld = 0;
};
// A vector: element i is at offset + i*inc; elements. inc > 0.
struct Vector {
  cl_mem buffer = nullptr;
  std::size_t offset = 0;
  std::size_t inc = 1;
};

struct DeviceInfo {
  std::string name, vendor, driver, version;
  bool is_cpu = false, has_double = false, has_images = false;
  int nvidia_capability = 0;  // 90 for compute capability 9.0; 0 elsewhere
  unsigned compute_units = 0;
  std::size_t max_work_group = 0, local_bytes = 0, image_width = 0, image_height = 0;
};

struct Options {
  // A device profile (JSON text, as written by raijincl-tune) to use instead of the one that raijincl ships for this device.
  // The caller reads the file; RaijinCL does not search for one.
  std::string profile;
  // Maximum size of temporaries that are kept for reuse; idle ones beyond it are freed.
  std::size_t pool_bytes = std::size_t{512} << 20;
  // A cache of built programs for later processes (RaijinCL itself writes no files). `key` identifies source, options, device
  // and driver and may be thousands of characters long: hash it. load returns whether it has an entry; a binary that the driver
  // rejects is built from source again. Called on any thread that calls a routine, but never at the same time for one key; must
  // not throw.
  std::function<bool(const std::string& key, std::vector<unsigned char>& binary)> load_program;
  std::function<void(const std::string& key, const std::vector<unsigned char>& binary)> store_program;
  // Kernels with inline PTX on NVIDIA devices; each is used only after it has built and passed a check on this device.
  bool native_kernels = true;
};

class Context {
 public:
  // Errors: InvalidContext; InvalidProfile.
  static Status create(cl_context, cl_device_id, std::unique_ptr<Context>& out, const Options& = {});
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const DeviceInfo& device() const;
  // profile: the profile in use as JSON text. profile_device: the name of the device for which it was made. set_profile:
  // replaces it; on error InvalidProfile the old one is kept.
  std::string profile() const;
  std::string profile_device() const;
  Status set_profile(const std::string& json);

  struct Counters {
    std::size_t programs_built = 0;   // from source
    std::size_t programs_loaded = 0;  // by Options::load_program
    std::size_t temporaries_made = 0, temporary_bytes = 0;
  };
  Counters counters() const;
  // Frees idle temporaries.
  void trim();

  struct Impl;
  Impl& impl() { return *impl_; }

 private:
  explicit Context(std::unique_ptr<Impl>);
  std::unique_ptr<Impl> impl_;
};

}  // namespace raijincl
