// Trusted files: files that no other user could have written. Files that are loaded as code, or that determine which code is
// generated, are read through here.
//
// A file is trusted if it is a regular file, belongs to this process' effective user or to root, and nobody else may write it.
// The same must hold for the directory that contains it. The directories above must belong to the same users; others may write
// in them only if the sticky bit prevents them from replacing files of other users (/tmp), or as members of the owner's private
// group (with equal group and user id, as systems with umask 002 make them). Symbolic links on the way are followed if root or
// the effective user made them; the file itself must not be one. So a process of root does not trust files in another user's
// home directory.
//
// All properties are read from open descriptors, from the root directory down, so that nothing can be replaced between check and
// use. Never blocks: a FIFO or a device is refused without being read. Thread-safe.
#pragma once
#include <velociraptor/status.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace vr {

/// A file descriptor that is closed at the end. Close-on-exec.
class OpenFile {
 public:
  OpenFile() = default;
  explicit OpenFile(int fd) : fd_(fd) {}
  OpenFile(OpenFile&& o) noexcept : fd_(o.release()) {}
  OpenFile& operator=(OpenFile&& o) noexcept;
  ~OpenFile();
  int get() const { return fd_; }
  int release() {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

/// The directory at an absolute path, open for reading. With `make`, missing ones are made with mode 0700. Error NOT_FOUND: it
/// does not exist, or cannot be made; USAGE: it is not trusted, or cannot be opened. The message says which directory
/// and why.
Result<OpenFile> open_trusted_directory(const std::string& path, bool make);

/// The bytes of a file in such a directory, or at an absolute path. Error NOT_FOUND: it does not exist; USAGE: it is not
/// trusted, has more than `most_bytes`, or cannot be read.
Result<std::string> read_trusted_file(const OpenFile& directory, const std::string& name, uint64_t most_bytes);
Result<std::string> read_trusted_file(const std::string& path, uint64_t most_bytes);

/// Writes a file with mode 0600 in such a directory, replacing one of that name: complete, by rename, or not at all. Error USAGE.
Status write_trusted_file(const OpenFile& directory, const std::string& name, std::string_view bytes);

}  // namespace vr
