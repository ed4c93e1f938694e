// The switch that a source tree with planted faults contains (tests/mutants/README.md). Copied into that tree only.
#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace planted {

/// The number of the fault that is switched on, 0 for none; PLANTED_FAULT in the environment.
inline const int active = [] {
  const char* text = std::getenv("PLANTED_FAULT");
  return text ? std::atoi(text) : 0;
}();

/// Whether fault `number` is switched on. The first time that a process reaches it, its number is appended to the file
/// PLANTED_FAULT_LOG, where that is set. Any thread; two threads may both append.
template <int number>
bool fault() {
  static const char* const log = std::getenv("PLANTED_FAULT_LOG");
  static bool reached = false;
  if (log && !reached) {
    reached = true;
    char line[16];
    const int length = std::snprintf(line, sizeof line, "%d\n", number);
    const int file = open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0) {
      [[maybe_unused]] const ssize_t written = write(file, line, static_cast<size_t>(length));
      close(file);
    }
  }
  return number == active;
}

}  // namespace planted
