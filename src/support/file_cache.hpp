// A cache on disk for results that were expensive to make, machine code and OpenCL programs, for use by later processes.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vr {

class OpenFile;

/// A directory with one file per entry, named by a hash of its key; the file contains the whole key, which is compared.
/// Safe with other processes and with writers that die: files appear complete, by rename. Safe from other users: directory
/// and files have modes 0700 and 0600, and files that others own or may write are not used (trusted_file.hpp). A file that is
/// refused, damaged, of another version, or unreadable counts as no entry. No function fails: without a usable directory
/// there are no entries, and one warning says why. A read-only directory is used for reading. Thread-safe.
class FileCache {
 public:
  /// VR_CACHE_DIR, else velociraptor/ in XDG_CACHE_HOME or ~/.cache. No directory is used if VR_CACHE_DIR is set and empty, if
  /// there is no home, or if the process has privileges that its user does not have (set-uid). At most VR_CACHE_BYTES bytes
  /// (default 256 MiB); the least recently used entries are deleted.
  static FileCache from_environment();
  /// The directory that from_environment() uses, whether it exists and is usable or not; empty: none.
  static std::string directory_from_environment();
  /// Why the directory named by VR_CACHE_DIR cannot be used; empty if it can, or if none is named.
  static std::string why_unusable();
  FileCache() = default;  ///< off
  /// `directory` is an absolute path; it is made if it is missing. `wanted`: the user requested this directory, so a warning
  /// is printed if it cannot be made.
  FileCache(std::string directory, uint64_t max_bytes, bool wanted = true);

  std::optional<std::string> find(std::string_view key) const;
  /// Returns false if the entry was not stored.
  bool store(std::string_view key, std::string_view value) const;
  bool enabled() const { return !directory_.empty(); }

 private:
  void trim(const OpenFile& directory) const;
  std::string directory_;  ///< empty: off
  uint64_t max_bytes_ = 0;
  bool writable_ = false;
};

/// Serialises texts and numbers into one string, as the values of a FileCache.
class Packed {
 public:
  void put(uint64_t v);
  void put(std::string_view s);
  void put(const std::vector<std::string>& list);
  std::string text;
};
/// Reads such a string; never accesses bytes beyond its end. False: it does not have this form.
class Unpacked {
 public:
  explicit Unpacked(std::string_view s) : rest_(s) {}
  bool number(uint64_t& v);
  bool view(std::string_view& s);
  bool text(std::string& s);
  bool list(std::vector<std::string>& l);
  bool done() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

}  // namespace vr
