// Files that are written completely or not at all, and the link of a shared library (private to src/aot).
#pragma once
#include <velociraptor/status.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace vr::aot {

/// A file under a temporary name beside its own, until commit(); removed again if that is not called.
class PendingFile {
 public:
  explicit PendingFile(std::filesystem::path file);
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;
  const std::filesystem::path& temporary() const { return temporary_; }
  Status write(std::string_view bytes);
  Status commit();

 private:
  std::filesystem::path file_, temporary_;
  bool committed_ = false;
};

/// A folder that only this process uses, removed with its contents.
class TemporaryFolder {
 public:
  TemporaryFolder() = default;
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  Status make();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Runs a program, found in PATH, and waits. Error USAGE, with what the program wrote to standard error, if it cannot
/// be run or fails.
Status run_program(const std::vector<std::string>& command);

}  // namespace vr::aot
