#include "aot/output.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern char** environ;

namespace vr::aot {

namespace {

Error cannot(const char* what, const std::filesystem::path& file, int why) {
  return make_error(Code::Usage, fmt::format("{}: cannot {}: {}", file.string(), what, std::strerror(why)));
}

}  // namespace

PendingFile::PendingFile(std::filesystem::path file) : file_(std::move(file)), temporary_(file_) {
  temporary_ += fmt::format(".tmp{}", getpid());
}

PendingFile::~PendingFile() {
  std::error_code ignored;
  if (!committed_) std::filesystem::remove(temporary_, ignored);
}

Status PendingFile::write(std::string_view bytes) {
  // Checked now, before other files are in place.
  std::error_code ignored;
  if (std::filesystem::is_directory(file_, ignored)) return cannot("write", file_, EISDIR);
  std::FILE* f = std::fopen(temporary_.c_str(), "wb");
  if (!f) return cannot("write", file_, errno);
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), f) == bytes.size();
  const int why = errno;
  if (std::fclose(f) != 0 || !written) return cannot("write", file_, written ? errno : why);
  return {};
}

Status PendingFile::commit() {
  if (std::rename(temporary_.c_str(), file_.c_str()) != 0) return cannot("write", file_, errno);
  committed_ = true;
  return {};
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

Status TemporaryFolder::make() {
  std::error_code ec;
  std::filesystem::path folder = std::filesystem::temp_directory_path(ec);
  if (ec) folder = "/tmp";
  std::string form = (folder / "vrir-build-XXXXXX").string();
  if (!mkdtemp(form.data())) return cannot("make a folder", folder, errno);
  path_ = form;
  return {};
}

Status run_program(const std::vector<std::string>& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return make_error(Code::Usage, fmt::format("cannot run '{}': {}", command[0], std::strerror(errno)));
  std::vector<char*> arguments;
  for (const std::string& a : command) arguments.push_back(const_cast<char*>(a.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, command[0].c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string said;
  if (!failed) {
    char buffer[4096];
    for (;;) {
      const ssize_t n = read(ends[0], buffer, sizeof buffer);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) break;
      said.append(buffer, static_cast<size_t>(n));
    }
  }
  close(ends[0]);
  if (failed) return make_error(Code::Usage, fmt::format("cannot run '{}': {}", command[0], std::strerror(failed)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return make_error(Code::Usage, fmt::format("'{}' was lost: {}", command[0], std::strerror(errno)));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  while (!said.empty() && said.back() == '\n') said.pop_back();
  return make_error(Code::Usage, fmt::format("'{}' failed{}{}", command[0], said.empty() ? "" : ": ", said));
}

}  // namespace vr::aot
