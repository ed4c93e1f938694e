// From trees to VRIR. A version of a function is made for the types of its arguments and the number of its results.
#pragma once
#include "parser.hpp"
#include "types.hpp"

#include <velociraptor/ir/nodes.hpp>
#include <velociraptor/status.hpp>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace vr::matlab {

/// What a host has to know to make a value of its own from a result.
struct ResultInfo {
  Cls cls = Cls::Double;
  bool complex = false;  ///< real, when all imaginary parts are 0 (MATLAB narrows values)
  std::string text_form() const;
};

/// How an output of a part of a function stands at its end.
enum class PartState {
  Untouched,   ///< as it was before, perhaps undefined
  Assigned,    ///< has the value
  EmptyRange,  ///< is a range of 1 x 0 of the result's class: the variable of a loop that never ran
};

struct Compiled {
  ir::ModulePtr module;
  std::string entry;        ///< the function of the module to call
  /// An argument of the entry: one of the call's, or a variable that a handle among those has captured.
  struct Passed {
    int argument = 0;
    std::string captured;  ///< empty: the argument itself
  };
  std::vector<Passed> passed;  ///< in order; arguments that are constants of the version are not passed
  /// Of a function made by part_function: first a number, not 0 when its statements have ended with a return; then for
  /// each output its value, and a PartState as a number that says whether the value is one.
  std::vector<ResultInfo> results;
  /// Any fault of a call means: nothing has happened yet, let the interpreter do the whole call. Code::Raised was asked
  /// for by the compiled code, for bail_reasons[record.raised].
  std::vector<std::string> bail_reasons;
  std::set<std::string> called;  ///< names that were taken for functions: the module holds while they mean the same
  std::vector<Diagnostic> remarks;  ///< statements that always bail out, loops that run serially
};

/// Which of Compiled::bail_reasons a fault was, and where; the record's own words when it was another.
std::string bail_reason(const Compiled& c, const ErrorRecord& fault);

struct Signature {
  std::vector<Type> args;
  int nargout = 1;
  bool octave = false;  ///< bail out, or refuse, where Octave's results are not MATLAB's
};

/// The type of a function handle as an argument: of the anonymous function `lambda`, which must live as long as what is
/// compiled with the type, or without one of the function `name` of the unit or of the language. Handles of anonymous
/// functions are the same if their trees are.
Type handle_type(const ExprPtr& lambda, const std::string& name, const std::map<std::string, Type>& captured);

/// Fails with Code::Unsupported (what, where and what to write instead, a diagnostic each) or NotFound. Never throws
/// but std::bad_alloc.
Result<Compiled> compile(const UnitPtr& unit, const std::string& function, const Signature& signature);

}  // namespace vr::matlab
