// Machine code on disk, so that the next process need not compile (private to src/engine).
#pragma once
#include "support/file_cache.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vr::engine {

/// The machine code and symbols of one compilation, as they are stored on disk.
struct CachedCode {
  std::string object;                ///< a relocatable object file
  std::vector<std::string> entries;  ///< its Entry functions
  std::vector<std::string> regions;  ///< those of the entries that have a dispatcher
  std::vector<std::string> report;
};

/// CachedCode in a FileCache.
class ObjectCache {
 public:
  static ObjectCache from_environment() { return ObjectCache(FileCache::from_environment()); }
  ObjectCache(std::string directory, uint64_t max_bytes) : files_(std::move(directory), max_bytes) {}
  explicit ObjectCache(FileCache files) : files_(std::move(files)) {}

  std::optional<CachedCode> find(std::string_view key) const;
  void store(std::string_view key, const CachedCode& code) const;
  bool enabled() const { return files_.enabled(); }

 private:
  FileCache files_;
};

/// Identifies this build of the library: code made by another build is not used.
const std::string& build_identity();

}  // namespace vr::engine
