// Runs many programs in child processes, so that a crash or a hang affects one program and is reported with its seed.
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
  double seconds = 0;               ///< stop after this time; 0: after `count` programs
  std::vector<TargetSpec> targets;  ///< empty: selected by the seed
  bool guard = false;               ///< targets selected by the seed run on the guarding host
  bool regions = false;             ///< regions are also specialised
  bool passes = false;  ///< the targets selected by the seed include the passes over trees and a loop transformation
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

/// Runs the programs; each mismatch is passed to `report` as soon as it is found.
Summary run_programs(
    const RunOptions& o,
    const std::function<void(uint64_t seed, const std::string& target, const std::string& text)>& report);

/// Runs a program in a child process, so that crashes and hangs are also judgements. `kind` is "" when the targets
/// agree, else the start of the text without digits, which identifies the kind of mismatch.
Judgement judge_isolated(const Program& p, const std::vector<TargetSpec>& targets, int seconds = 20);

}  // namespace vr::smith
