#include "watchdog.hpp"

#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace vr::smith {
namespace {

namespace fs = std::filesystem;

double cpu_seconds(pid_t process) {
  clockid_t clock;
  timespec t{};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &t) != 0) return 0;
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Whether a thread of the process runs, waits for a processor, or for a disk.
bool active(pid_t process, int depth = 0) {
  std::error_code none;
  for (const auto& thread : fs::directory_iterator(fmt::format("/proc/{}/task", process), none)) {
    std::string stat;
    std::getline(std::ifstream(thread.path() / "stat"), stat);
    const size_t name_end = stat.rfind(')');  // the name before it may contain any character
    if (name_end != std::string::npos && name_end + 2 < stat.size() &&
        (stat[name_end + 2] == 'R' || stat[name_end + 2] == 'D'))
      return true;
    std::ifstream children(thread.path() / "children");
    for (pid_t child; depth < 4 && children >> child;)
      if (active(child, depth + 1)) return true;
  }
  return false;
}

}  // namespace

Watchdog::Watchdog(pid_t process, int seconds) : process_(process), seconds_(seconds), last_active_(Clock::now()) {}

void Watchdog::alive() {
  computed_ = cpu_seconds(process_);
  last_active_ = Clock::now();
}

bool Watchdog::hangs() {
  if (cpu_seconds(process_) - computed_ > seconds_) return true;
  if (active(process_)) last_active_ = Clock::now();
  return std::chrono::duration<double>(Clock::now() - last_active_).count() > seconds_;
}

}  // namespace vr::smith
