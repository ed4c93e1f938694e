// Machine code on disk, so that the next process starts without compiling (private to src/engine).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vr::engine {

/// What a compile leaves behind.
struct CachedCode {
  std::string object;                ///< a relocatable object file
  std::vector<std::string> entries;  ///< its Entry functions
  std::vector<std::string> regions;  ///< those of them that have a dispatcher
  std::vector<std::string> report;
  std::string opencl_source, opencl_options;
};

/// One directory of files, an entry each, named by a hash of its key; the whole key stands in the file and is compared.
/// Safe with other processes and with writers that die: files appear by rename, whole. A file that is damaged, of
/// another version, or cannot be read is no entry. Nothing here fails: without a usable directory there simply are no
/// entries. Thread-safe.
class ObjectCache {
 public:
  /// VR_CACHE_DIR, else velociraptor/ in XDG_CACHE_HOME or ~/.cache. No directory: VR_CACHE_DIR is set and empty, or
  /// there is no home. At most VR_CACHE_BYTES bytes (default 256 MiB); what was not used for longest goes.
  static ObjectCache from_environment();
  ObjectCache(std::string directory, uint64_t max_bytes);

  std::optional<CachedCode> find(std::string_view key) const;
  void store(std::string_view key, const CachedCode& code) const;
  bool enabled() const { return !directory_.empty(); }

 private:
  std::string path_of(std::string_view key) const;
  void trim() const;
  std::string directory_;  ///< empty: off
  uint64_t max_bytes_ = 0;
};

/// Tells this build of the library from every other one: code made by another is not taken.
const std::string& build_identity();

}  // namespace vr::engine
