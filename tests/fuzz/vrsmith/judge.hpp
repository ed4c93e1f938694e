// Runs a program on the interpreter and on native targets, and reports where they disagree.
#pragma once
#include "program.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace vr::smith {

struct TargetSpec {
  Target target = Target::Cpu;
  int opt_level = 0;
  int threads = 1;
  bool guard = false;       ///< on the guarding host (tool/guard_host.hpp); an access that it reports is a mismatch
  std::string passes = {};  ///< if not "": on the interpreter, after this pass, or after "all" passes
  bool native = false;      ///< `passes` is a loop transformation: native code with no other transformation
  bool specialise = false;  ///< the entry is first specialised for its inputs (transform/specialise.hpp)
  std::string ahead =
      {};  ///< compiled ahead of time: "object", "c" or "opencl"; "object-aarch64", "c-aarch64": under an emulator
  bool regions =
      false;  ///< specialised versions of regions for the arguments of each call, one version stored at a time
  std::string text()
      const;  ///< "specialise:cpu-O2", "cpu-O2", "cpu-par-O3x8", "opencl-O1", "guard:cpu-O2",
              ///< "regions:cpu-O2", "pass:simplify", "pass:all", "pass:version", "aot-object", "aot-c-aarch64"
};
/// The inverse of TargetSpec::text; false when the text is not a target.
bool parse_target(const std::string& text, TargetSpec* out);
/// The interpreter after each pass alone, and after all passes.
std::vector<TargetSpec> pass_targets();
/// Native code with each loop transformation alone (plus those that cannot be disabled).
std::vector<TargetSpec> loop_pass_targets();

enum class Verdict : uint8_t {
  Agree,
  Mismatch,
  Skipped,  ///< the interpreter gave no answer: a limit was reached, or a promise of the program was broken
};
struct Judgement {
  Verdict verdict = Verdict::Agree;
  std::string target;                    ///< the target that disagrees
  std::string text;                      ///< the difference, or the reason for skipping
  bool interp_fault = false;             ///< the program ends with an error
  int runs = 0;                          ///< native runs that were compared
  std::vector<std::string> unsupported;  ///< reasons for which native code was refused, with the target
};

/// Engines are created on first use and reused. A judge must be used by one thread only.
class Judge {
 public:
  /// `alone`: no other thread uses arrays at the same time, so that leaked storage can be detected.
  explicit Judge(bool alone = true);
  ~Judge();
  Judgement judge(const Program& p, const std::vector<TargetSpec>& targets);
  /// Compiles all programs ahead of time as one library. `begins` is called with the number of each program before it
  /// is interpreted and built.
  std::vector<Judgement> judge_ahead(std::span<const Program> programs, const std::string& ahead,
                                     const std::function<void(size_t)>& begins);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Returns "" when the values agree: bitwise (any NaN equals any NaN) or, for results that depend on libm or the order
/// of sums, within a relative error of 1e-11 (float64) or 1e-4 (float32) of the larger part of the number.
std::string difference(const Value& got, const Value& wanted, bool exact);

}  // namespace vr::smith
