// Cache of programs: kernels by source and parameters, each built once. A kernel object is leased to one caller at a
// time, because setting arguments and launching is not atomic.
#pragma once
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <raijincl/handle.hpp>
#include "raijincl/context.hpp"

namespace raijincl {

// The text of raijincl/kernels/NAME.cl at build time; nullptr if there is no such file.
const char* kernel_source(const char* name);

// The source of a kernel: #defines, then files of raijincl/kernels. Every call makes a Source, so it contains only the
// names of the files: their text does not change at run time, so the names identify a kernel as well as the text does.
class Source {
 public:
  Source& define(const char* name, long long value);
  Source& define(const char* name, const std::string& value);
  Source& undef(const char* name);
  Source& file(const char* name);
  const std::string& key() const { return key_; }
  std::string text() const;  // the text that is built

 private:
  std::string key_;
};

struct ProgramEntry;

class Programs {
 public:
  class Lease {
   public:
    Lease() = default;
    ~Lease();
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    cl_kernel get() const { return kernel_.get(); }

   private:
    friend class Programs;
    ProgramEntry* entry_ = nullptr;
    KernelHandle kernel_;
  };

  Programs(cl_context, cl_device_id, const Options&);
  ~Programs();
  // Errors: BuildFailed (also for a source that failed before: it is not tried again), OutOfMemory. Thread-safe; if two
  // threads request the same kernel it is built once.
  Status get(const Source&, const char* kernel, Lease&, const char* options = "-cl-mad-enable");
  std::size_t built() const { return built_; }
  std::size_t loaded() const { return loaded_; }

 private:
  bool load(const std::string& key, const char* options, ProgramHandle&);
  void store(const std::string& key, cl_program) const;
  bool for_newer_target(ProgramHandle&, const char* options, std::string& error) const;
  cl_context context_;
  cl_device_id device_;
  const Options& options_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<ProgramEntry>> entries_;
  std::atomic<std::size_t> built_{0}, loaded_{0};
};

}  // namespace raijincl
