#include "support/warning.hpp"

#include "support/trace.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <atomic>
#include <cstddef>

namespace vr {

void warn_once(Warning about, std::string_view text) noexcept {
  static std::atomic<bool> said[static_cast<size_t>(Warning::Count)];
  remark(text);
  try {
    if (said[static_cast<size_t>(about)].exchange(true)) return;
    const std::string line = fmt::format("velociraptor: warning: {}\n", text);
    // A single call, so that the line is not mixed with output of other threads. A failure cannot be reported anywhere.
    [[maybe_unused]] const ssize_t n = write(STDERR_FILENO, line.data(), line.size());
  } catch (...) {  // no memory for a warning
  }
}

void remark(std::string_view text) noexcept {
  trace::Span span("warning", "remark");
  span.note("text", text);
}

}  // namespace vr
