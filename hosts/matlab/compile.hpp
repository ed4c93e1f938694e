// Translates syntax trees to VRIR. A version of a function is compiled for given argument types and a number of
// results.
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

/// What a host needs in order to make a value of its own from a result.
struct ResultInfo {
  Cls cls = Cls::Double;
  bool complex = false;  ///< real, when all imaginary parts are 0 (MATLAB narrows values)
  /// Of a cell array or a structure: the names of the fields, the rows of the cell array, and its parts column by
  /// column, which are results of the entry one after the other; it is none itself.
  std::vector<std::string> fields = {};
  int64_t rows = 0;
  std::vector<ResultInfo> parts = {};
  std::string text_form() const;
};

/// The state of an output of an outlined part at its end.
enum class PartState {
  Untouched,   ///< not assigned: the old value, perhaps undefined
  Assigned,    ///< has the value
  EmptyRange,  ///< is a range of 1 x 0 of the result's class: the variable of a loop that never ran
};

/// A function that the host runs for compiled code: it prints, or it works on text. The module declares it with
/// `extern`; the host binds it before it loads the module (Engine::bind).
struct HostCall {
  std::string external;  ///< its name in the module
  ir::Type type;         ///< of the function in the module
  std::string function;  ///< printf (with a template), puts, disp, display, sprintf, num2str, tic ...
  /// A function handle: an anonymous function, or the function names[0].
  struct Handle {
    std::string text;             ///< of the anonymous function; empty: it is a named one
    std::string where;            ///< the function of the unit whose names it uses; empty: the handle was an argument
    std::set<std::string> names;  ///< of functions in it
    std::vector<std::string> captured;  ///< variables; their values are Argument::parts
    friend bool operator==(const Handle&, const Handle&) = default;
  };
  /// An argument: a constant text, [], a handle with the values that it has captured, a structure of such values, or a
  /// value that is passed as ResultInfo says (its parts one after the other).
  struct Argument {
    std::optional<std::string> text;
    Quotes quotes = Quotes::Unknown;
    ResultInfo info = {};
    bool special = false;  ///< Type::special of it, or of one of its parts
    bool empty = false;    ///< [] (0 x 0), which is not passed
    std::optional<Handle> handle = {};
    std::optional<std::vector<std::string>> fields = {};
    std::vector<Argument> parts = {};  ///< of a handle what it has captured, of a structure the values of its fields
  };
  std::vector<Argument> args;
  std::string name;  ///< display: of the variable
  /// Of a function with results, which have to be of these classes and shapes: a number where the type says so, a
  /// column, or a matrix. When one is not, or the function fails, the host's function fails, and the call bails out.
  std::vector<ResultInfo> results = {};
  std::vector<bool> columns = {};  ///< of the results: whether it has to be a column
  bool solves = false;             ///< it calls handles
  /// The result is a row of cells with rows of text, given as three: their characters, for each cell the number of
  /// characters up to its end, and for each 1.
  bool lists = false;
  bool prints() const { return results.empty(); }
};

struct Compiled {
  ir::ModulePtr module;
  std::string entry;        ///< the function of the module to call
  /// An argument of the entry: one of the call's, or a part of it.
  struct Passed {
    int argument = 0;
    std::string
        path;  ///< empty: the argument itself; else steps to the part: .field, {3}, @variable that a handle holds
  };
  std::vector<Passed> passed;  ///< in order; arguments that are constants of the version are not passed
  /// Of a function made by part_function: first a number, not 0 when its statements have ended with a return; then for
  /// each output its value, and a PartState as a number that says whether the value is one.
  std::vector<ResultInfo> results;
  /// What the host has to bind. Output is only recorded while a call runs: the host writes it when the call has
  /// succeeded, and drops it when there was a fault.
  std::vector<HostCall> host_calls;
  /// After any fault of a call nothing has changed, and the interpreter must run the whole call. Code::Raised: the
  /// compiled code bailed out, for the reason bail_reasons[record.raised].
  std::vector<std::string> bail_reasons;
  std::set<std::string>
      called;  ///< names that refer to functions; the module is valid as long as they refer to the same ones
  std::vector<Diagnostic> remarks;  ///< statements that always bail out, loops that run serially
};

/// The text of the reason in Compiled::bail_reasons, and the source location; for other faults the record's message.
std::string bail_reason(const Compiled& c, const ErrorRecord& fault);
/// Whether the call bailed out, for this reason, because a result would be complex, so that a version with
/// Signature::complex may answer it.
bool wants_complex(const std::string& reason);

struct Signature {
  std::vector<Type> args;
  int nargout = 1;
  bool octave = false;  ///< bail out, or refuse, where Octave's results are not MATLAB's
  bool output = false;  ///< the host binds Compiled::host_calls that print
  bool text = false;    ///< and those of functions of text
  /// sqrt, log, powers and eig of real arguments give complex numbers, which become real where they can. Without it,
  /// they give real numbers, and code bails out where a result would be complex.
  bool complex = false;
};

/// The type of a function handle as an argument: of the anonymous function `lambda`, which must live as long as what is
/// compiled with the type, or without one of the function `name` of the unit or of the language. Handles of anonymous
/// functions are the same if their trees are.
Type handle_type(const ExprPtr& lambda, const std::string& name, const std::map<std::string, Type>& captured);

/// Fails with Code::Unsupported (what, where and what to write instead, a diagnostic each) or NotFound. Never throws
/// but std::bad_alloc.
Result<Compiled> compile(const UnitPtr& unit, const std::string& function, const Signature& signature);

}  // namespace vr::matlab
