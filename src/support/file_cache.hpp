// What was expensive to make, on disk, so that the next process need not make it: machine code, OpenCL programs.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vr {

class OpenFile;

/// One directory of files, an entry each, named by a hash of its key; the whole key stands in the file and is compared.
/// Safe with other processes and with writers that die: files appear by rename, whole. Safe from other users: directory
/// and files are 0700 and 0600, and what others own or may write is not taken (trusted_file.hpp). A file that is
/// refused, damaged, of another version, or cannot be read is no entry. Nothing here fails: without a usable directory
/// there simply are no entries, and one warning says why. One that can only be read is used as it is. Thread-safe.
class FileCache {
 public:
  /// VR_CACHE_DIR, else velociraptor/ in XDG_CACHE_HOME or ~/.cache. No directory: VR_CACHE_DIR is set and empty,
  /// there is no home, or the process has rights that its user does not have (set-uid). At most VR_CACHE_BYTES bytes
  /// (default 256 MiB); what was not used for longest goes.
  static FileCache from_environment();
  /// Why the directory that VR_CACHE_DIR names cannot be used; empty when it can, or none is named.
  static std::string why_unusable();
  FileCache() = default;  ///< off
  /// `directory` is an absolute path; made when it is missing. `wanted`: somebody asked for this one, so that a warning
  /// is due when it cannot be made.
  FileCache(std::string directory, uint64_t max_bytes, bool wanted = true);

  std::optional<std::string> find(std::string_view key) const;
  /// False: not kept.
  bool store(std::string_view key, std::string_view value) const;
  bool enabled() const { return !directory_.empty(); }

 private:
  void trim(const OpenFile& directory) const;
  std::string directory_;  ///< empty: off
  uint64_t max_bytes_ = 0;
  bool writable_ = false;
};

/// Texts and numbers one after another in one string, as values of a FileCache are made of.
class Packed {
 public:
  void put(uint64_t v);
  void put(std::string_view s);
  void put(const std::vector<std::string>& list);
  std::string text;
};
/// Takes such a string apart; never looks past its end. False: it is not of this form.
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
