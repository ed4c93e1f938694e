// Calls of MATLAB functions as a host makes them: a version is compiled for the arguments at hand; when it cannot be,
// or bails out, the interpreter would answer.
#pragma once
#include "values.hpp"

namespace vr::matlab {

struct Outcome {
  enum class Kind { Answered, Bailed, Refused, Failed };
  Kind kind = Kind::Failed;
  std::string why;  ///< of all but Answered
  std::vector<Datum> results;
};

/// Failed: something is wrong with us, not with the program.
Outcome call(const UnitPtr& unit, const std::string& function, const std::vector<Datum>& args, int nargout,
             Target target = Target::CpuParallel);

/// Commands of the tool; each prints to `out` and returns the exit status.
int emit_command(const std::vector<std::string>& args, std::string& out);
int run_command(const std::vector<std::string>& args, std::string& out);
int cases_command(const std::vector<std::string>& args, std::string& out);
int test_command(const std::vector<std::string>& args, std::string& out);

std::string read_file(const std::string& path);  ///< throws std::runtime_error

}  // namespace vr::matlab
