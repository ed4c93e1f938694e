// Results that are compared, and runs that are timed in turns, of the programs of bench_cpu and bench_ahead.
#pragma once
#include "cpu_programs.hpp"
#include "timing.hpp"

#include <functional>

namespace bench {

/// Restores the arrays that the program and its peer write.
void reset(const Program& p);

/// The largest difference; Program::bound defines its unit. Both arrays are dense and have the same element order. Ends
/// the program when they have different shapes or types, or a NaN on one side.
double difference(const Program& p, const vr::Array& got, const vr::Array& want);

struct Pair {
  double a_ms = 0, b_ms = 0, ratio = 0;  ///< medians; of a/b within a pair of runs
};

/// Runs a and b alternately until both the number of pairs and the time are sufficient; each run begins with reset(),
/// outside of the time.
Pair in_turns(const Program& p, bool quick, const std::function<void()>& a, const std::function<void()>& b);

/// Milliseconds of a run that was not preempted, or of the shortest of some runs if each was. Adds the time of all to
/// `spent`.
double sample(const Program& p, const std::function<void()>& f, double* spent);

}  // namespace bench
