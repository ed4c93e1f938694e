// What was expensive to make, on disk, so that the next process need not make it: machine code, OpenCL programs.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vr {

/// One directory of files, an entry each, named by a hash of its key; the whole key stands in the file and is compared.
/// Safe with other processes and with writers that die: files appear by rename, whole. A file that is damaged, of
/// another version, or cannot be read is no entry. Nothing here fails: without a usable directory there simply are no
/// entries. Thread-safe.
class FileCache {
 public:
  /// VR_CACHE_DIR, else velociraptor/ in XDG_CACHE_HOME or ~/.cache. No directory: VR_CACHE_DIR is set and empty, or
  /// there is no home. At most VR_CACHE_BYTES bytes (default 256 MiB); what was not used for longest goes.
  static FileCache from_environment();
  FileCache() = default;  ///< off
  FileCache(std::string directory, uint64_t max_bytes);

  std::optional<std::string> find(std::string_view key) const;
  void store(std::string_view key, std::string_view value) const;
  bool enabled() const { return !directory_.empty(); }

 private:
  std::string path_of(std::string_view key) const;
  void trim() const;
  std::string directory_;  ///< empty: off
  uint64_t max_bytes_ = 0;
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
