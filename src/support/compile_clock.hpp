// The processor time of a compilation. Not wall time, because a busy machine must not change the code.
#pragma once
#include <ctime>

namespace vr {

/// Measures the processor time of the thread that made it, since then. Not thread-safe: to be used on that thread only.
class CompileClock {
 public:
  /// `budget_ms`: the limit in ms; 0: no limit.
  explicit CompileClock(int budget_ms) : budget_(budget_ms), begin_(now_ms()) {}
  double spent_ms() const { return now_ms() - begin_; }
  int budget_ms() const { return budget_; }
  /// Whether the budget is exceeded, or would be after `more_ms` more milliseconds.
  bool over(double more_ms = 0) const { return budget_ > 0 && spent_ms() + more_ms > budget_; }

 private:
  static double now_ms() {
    timespec t = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
  }
  int budget_;
  double begin_;
};

}  // namespace vr
