// integer_programs: decides whether a system of affine inequalities has an integer solution (thesis 6.6); used to prove
// that bounds checks never fail and stores never grow. Methods, in this order: intervals; answers to earlier questions;
// exact elimination of one variable after the other, with rounding to integers; GLPK's branch and cut, if that plug-in
// is installed.
#pragma once
#include "analysis/number.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace vr::analysis {

/// lo <= sum of factor * variable <= hi; the ends of int64 mean that there is no bound.
struct AffineRow {
  std::vector<std::pair<int, int64_t>> factors;  ///< variable and factor; each variable at most once
  Interval bounds;
};
/// Variables are 0, 1, ...: each an integer within its interval.
struct AffineSystem {
  std::vector<Interval> variables;
  std::vector<AffineRow> rows;
};

/// How the questions of one or more functions were answered.
struct ProgramStatistics {
  int asked = 0;
  int by_interval = 0, by_elimination = 0, by_glpk = 0;  ///< shown to have no solution, by method
  int from_memo = 0;                                     ///< asked before, with either answer
  int open = 0;                                          ///< has a solution, or nothing could be shown
  int glpk_calls = 0;
  double ms = 0;  ///< time for all of this
  ProgramStatistics& operator+=(const ProgramStatistics& o);
};

struct ProgramLimits {
  int glpk_calls = 100;  ///< of one IntegerPrograms
  int glpk_nodes = 200;  ///< of the tree of branch and cut, a call
  double glpk_ms = 20;   ///< of one IntegerPrograms, so that compiling never waits long
};

/// Answers questions and remembers the answers. To be used by one thread at a time. GLPK is called only if it is
/// installed and the host has no GLPK environment on this thread, so that the host's environment is not changed; it
/// prints nothing.
class IntegerPrograms {
 public:
  explicit IntegerPrograms(const ProgramLimits& limits = {}) : limits_(limits) {}
  /// True: no integers satisfy the system. False: some do, or it could not be decided.
  bool infeasible(const AffineSystem& s);
  ProgramStatistics statistics;

 private:
  bool decide(const AffineSystem& s);
  ProgramLimits limits_;
  double glpk_ms_ = 0;
  std::map<std::vector<int64_t>, bool> memo_;
};

/// The methods, each of them sound; true: the system has no solution.
bool infeasible_by_interval(const AffineSystem& s);
bool infeasible_by_elimination(const AffineSystem& s);
/// Calls the plug-in, which is loaded on first use; always false without one.
bool infeasible_by_solver(const AffineSystem& s, int nodes, int ms);
bool have_solver();
std::string solver_text();  ///< its name, version and file, or why there is none

}  // namespace vr::analysis
