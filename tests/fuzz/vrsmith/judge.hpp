// Runs a program on the interpreter and on native targets, and says where they disagree.
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
  bool guard = false;        ///< on the guarding host (tool/guard_host.hpp), whose complaints are mismatches
  std::string passes = {};   ///< not "": the interpreter, after this pass, or after "all"
  bool native = false;       ///< `passes` is a loop transformation: native code that no other one has worked on
  bool specialise = false;   ///< the entry is made for its inputs first (transform/specialise.hpp)
  std::string ahead =
      {};  ///< compiled ahead of time: "object", "c" or "opencl"; "object-aarch64", "c-aarch64": under an emulator
  bool regions = false;      ///< regions in versions for the arguments of each call, one kept at a time
  std::string text()
      const;  ///< "specialise:cpu-O2", "cpu-O2", "cpu-par-O3x8", "opencl-O1", "guard:cpu-O2",
              ///< "regions:cpu-O2", "pass:simplify", "pass:all", "pass:version", "aot-object", "aot-c-aarch64"
};
/// The inverse of TargetSpec::text; nothing when the text names no target.
bool parse_target(const std::string& text, TargetSpec* out);
/// The interpreter after each pass alone, and after all.
std::vector<TargetSpec> pass_targets();
/// Native code with each loop transformation alone (besides those that cannot be left out).
std::vector<TargetSpec> loop_pass_targets();

enum class Verdict : uint8_t {
  Agree,
  Mismatch,
  Skipped,  ///< the interpreter gave no answer: a limit, a promise that was broken
};
struct Judgement {
  Verdict verdict = Verdict::Agree;
  std::string target;                    ///< which one disagrees
  std::string text;                      ///< how, or why it was skipped
  bool interp_fault = false;             ///< the program ends with an error
  int runs = 0;                          ///< native runs that were compared
  std::vector<std::string> unsupported;  ///< refusals of native code, with the target
};

/// Engines are made on first use and kept. One judge belongs to one thread.
class Judge {
 public:
  /// `alone`: no other thread uses arrays meanwhile, so that storage that is left over can be told.
  explicit Judge(bool alone = true);
  ~Judge();
  Judgement judge(const Program& p, const std::vector<TargetSpec>& targets);
  /// All programs as one that is compiled ahead of time. `begins` is called with the number of each one before it is
  /// interpreted and built.
  std::vector<Judgement> judge_ahead(std::span<const Program> programs, const std::string& ahead,
                                     const std::function<void(size_t)>& begins);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// "" when the values agree: bitwise (any NaN equals any NaN), or, for what libm and the order of sums decide, within a
/// relative error of 1e-11 (float64) or 1e-4 (float32) of the larger part of the number.
std::string difference(const Value& got, const Value& wanted, bool exact);

}  // namespace vr::smith
