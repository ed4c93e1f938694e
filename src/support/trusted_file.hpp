// Files that this process may believe: nobody else could have written them. What is loaded as code, and what says which
// code is made, is read through here.
//
// Believed is what belongs to this process' effective user or to root, is a regular file, and may be written by nobody
// else. The same holds of the directory that a file lies in. The directories above it must belong to the same users;
// others may write there only where the sticky bit keeps them from replacing what is not theirs (/tmp), or as the
// private group of its owner (group and user of one number, as systems make them that have umask 002). Symbolic links
// on the way are followed when root or the effective user made them; a file itself may be none. So root does not
// believe what lies in another user's home.
//
// All of it is asked of open descriptors, from the root directory down, so that nothing can be exchanged between the
// question and the use. Never waits: a FIFO or a device is refused, not opened and read. Thread-safe.
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

/// The directory at an absolute path, open for reading. With `make`, missing ones are made, 0700. Error NOT_FOUND: it
/// is not there, or cannot be made; USAGE: it is not to be believed, or cannot be opened. The message says which
/// directory and why.
Result<OpenFile> open_trusted_directory(const std::string& path, bool make);

/// The bytes of a file in such a directory, or at an absolute path. Error NOT_FOUND: there is none; USAGE: it is not to
/// be believed, has more than `most_bytes`, or cannot be read.
Result<std::string> read_trusted_file(const OpenFile& directory, const std::string& name, uint64_t most_bytes);
Result<std::string> read_trusted_file(const std::string& path, uint64_t most_bytes);

/// Puts a file into such a directory, 0600, in place of one of that name: whole, by rename, or not at all. Error USAGE.
Status write_trusted_file(const OpenFile& directory, const std::string& name, std::string_view bytes);

}  // namespace vr
