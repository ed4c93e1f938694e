// From trees to VRIR. A version of a function is made for the types of its arguments and the number of its results.
#pragma once
#include "parser.hpp"
#include "types.hpp"

#include <velociraptor/ir/nodes.hpp>
#include <velociraptor/status.hpp>

#include <string>
#include <vector>

namespace vr::matlab {

/// What a host has to know to make a value of its own from a result.
struct ResultInfo {
  Cls cls = Cls::Double;
  bool complex = false;  ///< real, when all imaginary parts are 0 (MATLAB narrows values)
  std::string text_form() const;
};

struct Compiled {
  ir::ModulePtr module;
  std::string entry;        ///< the function of the module to call
  std::vector<int> passed;  ///< which arguments are passed: those that are no constants of the version
  std::vector<ResultInfo> results;
  /// Any fault of a call means: nothing has happened yet, let the interpreter do the whole call. Code::Raised was asked
  /// for by the compiled code, for bail_reasons[record.raised].
  std::vector<std::string> bail_reasons;
  std::vector<Diagnostic> remarks;  ///< statements that always bail out, loops that run serially
};

/// Which of Compiled::bail_reasons a fault was, and where; the record's own words when it was another.
std::string bail_reason(const Compiled& c, const ErrorRecord& fault);

struct Signature {
  std::vector<Type> args;
  int nargout = 1;
};

/// Fails with Code::Unsupported (what, where and what to write instead, a diagnostic each) or NotFound. Never throws
/// but std::bad_alloc.
Result<Compiled> compile(const UnitPtr& unit, const std::string& function, const Signature& signature);

}  // namespace vr::matlab
