// Output for terminals only: colours, and the progress of long work.
#pragma once
#include "tool/tool.hpp"

#include <chrono>
#include <streambuf>
#include <string>
#include <string_view>

namespace vr::tool {

/// Whether output to this file descriptor is coloured: it is a terminal that supports colours, and NO_COLOR is not set
/// (no-color.org).
bool wants_colour(int fd);

/// The line with escape sequences for errors (red), warnings (yellow), remarks, locations, and `+` and `-` notes.
/// Without '
/// '.
std::string coloured(std::string_view line);

/// Passes text on to another buffer, line by line, with colours. Not thread-safe.
class ColourBuffer : public std::streambuf {
 public:
  explicit ColourBuffer(std::streambuf* to) : to_(to) {}
  ~ColourBuffer() override { sync(); }

 protected:
  int_type overflow(int_type c) override;
  int sync() override;

 private:
  bool pass_on();
  std::streambuf* to_;
  std::string line_;
};

/// A line on the terminal with the progress of the work. It is written to Io::progress, at most once per interval, and
/// removed at the end; without Io::progress nothing is written.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;
  Progress(Io& io, size_t total, Clock::duration interval = std::chrono::milliseconds(100))
      : io_(io), total_(total), interval_(interval) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// The next of `total` steps begins.
  void step(std::string_view what);
  /// Removes the line; to be called before other output is written.
  void clear();

 private:
  Io& io_;
  size_t total_, done_ = 0;
  bool shown_ = false;
  Clock::duration interval_;
  Clock::time_point last_ = Clock::now();
};

}  // namespace vr::tool
