#include "tool/terminal.hpp"
#include "tool/tool.hpp"

#include <unistd.h>

#include <csignal>
#include <iostream>
#include <string_view>

namespace {
volatile sig_atomic_t interrupted = 0;
static_assert(sizeof interrupted == sizeof(int32_t));
}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  vr::tool::ColourBuffer out_buffer(std::cout.rdbuf()), err_buffer(std::cerr.rdbuf());
  std::ostream out(vr::tool::wants_colour(STDOUT_FILENO) ? &out_buffer : std::cout.rdbuf());
  std::ostream err(vr::tool::wants_colour(STDERR_FILENO) ? &err_buffer : std::cerr.rdbuf());
  vr::tool::Io io{out, err, {}};
  if (isatty(STDERR_FILENO)) io.progress = &std::cerr;
  if (argc > 1 && (std::string_view(argv[1]) == "run" || std::string_view(argv[1]) == "bench")) {
    // The first signal ends the running VRIR program with a message; the next one terminates vrir.
    struct sigaction action = {};
    action.sa_handler = [](int) { interrupted = 1; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &action, nullptr);
    io.interrupt = const_cast<const int32_t*>(&interrupted);
  }
  int status = vr::tool::run_tool({argv + 1, argv + argc}, io);
  if (interrupted) status = vr::tool::exit_interrupted;
  out.flush();
  err.flush();
  // A write error (full disk, closed pipe) must not be reported as success.
  return out ? status : vr::tool::exit_bad;
}
