// Many programs in child processes, so that a crash or a hang affects one program and is reported with its seed.
#pragma once
#include "generator.hpp"
#include "judge.hpp"

#include <functional>
#include <map>
#include <string>

namespace vr::smith {

struct RunOptions {
  uint64_t seed = 1;
  int64_t count = 1000;
  double seconds = 0;               ///< stop after so long; 0: after `count` programs
  std::vector<TargetSpec> targets;  ///< empty: chosen by the seed
  bool guard = false;               ///< the targets chosen by the seed are on the guarding host
  bool regions = false;             ///< and specialise regions
  bool passes = false;              ///< chosen: the passes over trees, and a loop transformation
  bool isolate = true;
  int max_reports = 50;
  GeneratorOptions generator;
};

struct Summary {
  int64_t programs = 0, faults = 0, rejected = 0, skipped = 0, native_runs = 0, mismatches = 0, sections = 0;
  std::map<std::string, int64_t> unsupported, skips, rejections;
};

/// The targets a program is compared on: O0 always, one optimised serial target often, one parallel one where it
/// matters.
std::vector<TargetSpec> choose_targets(const Program& p, const RunOptions& o);

/// Runs the programs; each mismatch is given to `report` as soon as it is known.
Summary run_programs(
    const RunOptions& o,
    const std::function<void(uint64_t seed, const std::string& target, const std::string& text)>& report);

/// One program in a child process: also crashes and hangs are judgements. `kind` is "" when it agrees, else the start
/// of the text with digits left out, to tell one disagreement from another.
Judgement judge_isolated(const Program& p, const std::vector<TargetSpec>& targets, int seconds = 20);

}  // namespace vr::smith
