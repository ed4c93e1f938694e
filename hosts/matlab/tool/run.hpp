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
  std::string printed;  ///< a line for each call of a function that prints (output.hpp)
};

/// Failed: something is wrong with us, not with the program. octave: Signature::octave, for results that Octave is the
/// judge of.
Outcome call(const UnitPtr& unit, const std::string& function, const std::vector<Datum>& args, int nargout,
             Target target = Target::CpuParallel, int opt_level = 2, bool octave = false);

/// Commands of the tool; each prints to `out` and returns the exit status.
int emit_command(const std::vector<std::string>& args, std::string& out);
int run_command(const std::vector<std::string>& args, std::string& out);
int cases_command(const std::vector<std::string>& args, std::string& out);
int test_command(const std::vector<std::string>& args, std::string& out);

std::string read_file(const std::string& path);  ///< throws std::runtime_error

/// The unit with a function "vr_part" that runs the statement at a line of a function: from the variables that it
/// reads, in the order of their names, to those that it assigns to. Throws std::runtime_error.
UnitPtr with_part(const Unit& unit, const std::string& function, int line);
/// What the results of such a function say, a line for each variable.
std::string part_text(const Unit& unit, const std::vector<Datum>& results);

}  // namespace vr::matlab
