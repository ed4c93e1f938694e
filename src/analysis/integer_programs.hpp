// integer_programs: whether whole numbers exist that satisfy a system of affine inequalities (thesis 6.6): what bounds
// checks and growth are ruled out with. Tried in this order: intervals; what was asked before; exact elimination of one
// variable after the other, with rounding to whole numbers; GLPK's branch and cut, where that plug-in is installed.
#pragma once
#include "analysis/number.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace vr::analysis {

/// lo <= sum of factor * variable <= hi; the ends of int64 stand for no bound.
struct AffineRow {
  std::vector<std::pair<int, int64_t>> factors;  ///< variable and factor; a variable once
  Interval bounds;
};
/// Variables are 0, 1, ...: each within its interval, all whole.
struct AffineSystem {
  std::vector<Interval> variables;
  std::vector<AffineRow> rows;
};

/// What became of the questions of one or more functions.
struct ProgramStatistics {
  int asked = 0;
  int by_interval = 0, by_elimination = 0, by_glpk = 0;  ///< shown to have no solution
  int from_memo = 0;                                     ///< asked before, whatever the answer was
  int open = 0;                                          ///< has a solution, or nothing could be shown
  int glpk_calls = 0;
  double ms = 0;  ///< of it all
  ProgramStatistics& operator+=(const ProgramStatistics& o);
};

struct ProgramLimits {
  int glpk_calls = 100;  ///< of one IntegerPrograms
  int glpk_nodes = 200;  ///< of the tree of branch and cut, a call
  double glpk_ms = 20;   ///< of one IntegerPrograms, so that compiling never waits long
};

/// Answers, with a memory. Belongs to one thread at a time. GLPK is asked only when it is installed and the host has no
/// environment of GLPK on this thread, so that nothing of the host's is touched; it prints nothing.
class IntegerPrograms {
 public:
  explicit IntegerPrograms(const ProgramLimits& limits = {}) : limits_(limits) {}
  /// True: certainly no whole numbers satisfy the system. False: some do, or it could not be shown.
  bool infeasible(const AffineSystem& s);
  ProgramStatistics statistics;

 private:
  bool decide(const AffineSystem& s);
  ProgramLimits limits_;
  double glpk_ms_ = 0;
  std::map<std::vector<int64_t>, bool> memo_;
};

/// The steps, each sound by itself; true: no solution.
bool infeasible_by_interval(const AffineSystem& s);
bool infeasible_by_elimination(const AffineSystem& s);
/// Asks the plug-in, which is loaded now if it was not yet; always false without one.
bool infeasible_by_solver(const AffineSystem& s, int nodes, int ms);
bool have_solver();
std::string solver_text();  ///< its name, version and file, or why there is none

}  // namespace vr::analysis
