#include "support/trusted_file.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <vector>

namespace vr {

namespace {

constexpr int most_links = 40;  // the kernel's limit

Error refused(const std::string& path, const std::string& why) {
  return make_error(Code::Usage, fmt::format("{}: {}", path, why));
}
Error failed(const std::string& path, int error) {
  return make_error(error == ENOENT ? Code::NotFound : Code::Usage, fmt::format("{}: {}", path, std::strerror(error)));
}

/// Why a file or directory with this owner and mode is not trusted; empty: it is trusted. `parent`: a directory in
/// which others may write if they cannot replace files.
std::string distrust(const struct stat& s, bool parent) {
  const uid_t me = geteuid();
  if (s.st_uid != me && s.st_uid != 0)
    return fmt::format("belongs to user {}, and this process runs as user {}", s.st_uid, me);
  if (!(s.st_mode & 022)) return {};
  if (parent && (s.st_mode & S_ISVTX)) return {};
  // The owner's private group: if it has other members, the owner has given them access.
  if (parent && !(s.st_mode & 02) && s.st_uid != 0 && s.st_gid == s.st_uid) return {};
  return fmt::format("others may write it (mode {:04o}; `chmod go-w` helps)", s.st_mode & 07777);
}

/// Appends the components of the path, the last one first.
void push_parts(std::vector<std::string>& parts, std::string_view path) {
  std::vector<std::string> found;
  for (size_t at = 0; at < path.size();) {
    const size_t end = std::min(path.find('/', at), path.size());
    if (end > at && path.substr(at, end - at) != ".") found.emplace_back(path.substr(at, end - at));
    at = end + 1;
  }
  parts.insert(parts.end(), found.rbegin(), found.rend());
}

Result<std::string> link_target(const OpenFile& link, const std::string& path) {
  std::string target(4096, '\0');
  const ssize_t n = readlinkat(link.get(), "", target.data(), target.size());
  if (n <= 0 || static_cast<size_t>(n) == target.size()) return refused(path, "cannot be followed");
  target.resize(static_cast<size_t>(n));
  return target;
}

/// Opens a path component by component, starting at the root directory.
class Walk {
 public:
  explicit Walk(bool make) : make_(make) {}

  Result<OpenFile> to(const std::string& path) {
    if (path.empty() || path[0] != '/') return refused(path, "is not an absolute path");
    push_parts(parts_, path);
    if (Status s = restart(); !s) return s.error();
    while (!parts_.empty()) {
      const std::string name = std::move(parts_.back());
      parts_.pop_back();
      if (Status s = step(name); !s) return s.error();
    }
    if (std::string why = distrust(at_, false); !why.empty()) return refused(here_, why);
    OpenFile readable(openat(now_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!readable) return failed(here_, errno);
    return readable;
  }

 private:
  Status restart() {
    here_ = "/";
    now_ = OpenFile(open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!now_ || fstat(now_.get(), &at_) != 0) return failed(here_, errno);
    return {};
  }

  Status step(const std::string& name) {
    if (std::string why = distrust(at_, true); !why.empty()) return refused(here_, why);
    const std::string path = here_ + (here_.back() == '/' ? "" : "/") + name;
    constexpr int flags = O_PATH | O_NOFOLLOW | O_CLOEXEC;
    OpenFile next(openat(now_.get(), name.c_str(), flags));
    if (!next && errno == ENOENT && make_) {
      if (mkdirat(now_.get(), name.c_str(), 0700) != 0 && errno != EEXIST)
        return make_error(Code::NotFound, fmt::format("{}: cannot be created: {}", path, std::strerror(errno)));
      next = OpenFile(openat(now_.get(), name.c_str(), flags));
    }
    struct stat found = {};
    if (!next || fstat(next.get(), &found) != 0) return failed(path, errno);
    if (S_ISLNK(found.st_mode)) {
      // Links have no mode of their own; the mode of the directory that contains this one was checked.
      if (found.st_uid != geteuid() && found.st_uid != 0)
        return refused(path, fmt::format("is a link of user {}", found.st_uid));
      if (++links_ > most_links) return failed(path, ELOOP);
      auto target = link_target(next, path);
      if (!target) return target.error();
      push_parts(parts_, *target);
      return target->front() == '/' ? restart() : Status();
    }
    if (!S_ISDIR(found.st_mode)) return failed(path, ENOTDIR);
    now_ = std::move(next);
    at_ = found;
    here_ = path;
    return {};
  }

  bool make_;
  int links_ = 0;
  std::vector<std::string> parts_;  ///< components still to be opened, the next one last
  OpenFile now_;
  struct stat at_ = {};
  std::string here_;
};

}  // namespace

OpenFile& OpenFile::operator=(OpenFile&& o) noexcept {
  if (this != &o) {
    if (fd_ >= 0) close(fd_);
    fd_ = o.release();
  }
  return *this;
}
OpenFile::~OpenFile() {
  if (fd_ >= 0) close(fd_);
}

Result<OpenFile> open_trusted_directory(const std::string& path, bool make) { return Walk(make).to(path); }

Result<std::string> read_trusted_file(const OpenFile& directory, const std::string& name, uint64_t most_bytes) {
  // Without O_NONBLOCK, opening a FIFO would wait for a writer.
  const OpenFile file(openat(directory.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file) return errno == ELOOP ? refused(name, "is a symbolic link") : failed(name, errno);
  struct stat info = {};
  if (fstat(file.get(), &info) != 0) return failed(name, errno);
  if (!S_ISREG(info.st_mode)) return refused(name, "is not a regular file");
  if (std::string why = distrust(info, false); !why.empty()) return refused(name, why);
  if (static_cast<uint64_t>(info.st_size) > most_bytes)
    return refused(name, fmt::format("has {} bytes, more than {}", info.st_size, most_bytes));
  std::string bytes(static_cast<size_t>(info.st_size), '\0');
  size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t n = read(file.get(), bytes.data() + have, bytes.size() - have);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return refused(name, std::strerror(errno));
    if (n == 0) break;  // the file was truncated meanwhile
    have += static_cast<size_t>(n);
  }
  bytes.resize(have);
  return bytes;
}

Result<std::string> read_trusted_file(const std::string& path, uint64_t most_bytes) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos || slash + 1 == path.size()) return refused(path, "is not an absolute path of a file");
  auto directory = open_trusted_directory(slash == 0 ? "/" : path.substr(0, slash), false);
  if (!directory) return directory.error();
  auto bytes = read_trusted_file(*directory, path.substr(slash + 1), most_bytes);
  if (!bytes) return make_error(bytes.error().code, path.substr(0, slash + 1) + bytes.error().message);
  return bytes;
}

Status write_trusted_file(const OpenFile& directory, const std::string& name, std::string_view bytes) {
  static std::atomic<uint64_t> counter{0};
  const std::string draft = fmt::format("{}.{}.{}.tmp", name, getpid(), counter++);
  OpenFile file(openat(directory.get(), draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) return failed(name, errno);
  int error = 0;
  while (!bytes.empty() && !error) {
    const ssize_t n = write(file.get(), bytes.data(), bytes.size());
    if (n > 0) bytes.remove_prefix(static_cast<size_t>(n));
    if (n == 0 || (n < 0 && errno != EINTR)) error = n == 0 ? EIO : errno;
  }
  if (close(file.release()) != 0 && !error) error = errno;
  if (!error && renameat(directory.get(), draft.c_str(), directory.get(), name.c_str()) != 0) error = errno;
  if (!error) return {};
  unlinkat(directory.get(), draft.c_str(), 0);
  return make_error(Code::Usage, fmt::format("{}: cannot be written: {}", name, std::strerror(error)));
}

}  // namespace vr
