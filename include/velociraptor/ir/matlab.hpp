// Look-up of MATLAB's builtins that correspond to one function of the standard library (matlab.def), for front ends and the
// mclab dialect.
#pragma once
#include <cstdint>
#include <string_view>

#pragma GCC visibility push(default)

namespace vr::ir {

struct MatlabBuiltin {
  enum class Form : uint8_t {
    Map,     ///< elementwise, one argument
    Map2,    ///< elementwise, two arguments
    Reduce,  ///< along a dimension, which may be a second argument
    Scan,    ///< likewise, from the first to the last
  };
  enum class Result : uint8_t {
    Float,  ///< single for single arguments, double for all others
    Same,   ///< the argument's class; logical counts as double
    Logical,
  };
  enum class OfComplex : uint8_t { Kept, Dropped, Refused };
  /// Real arguments outside the domain have complex results in MATLAB, and NaN in the library.
  enum class Domain : uint8_t { All, NotNegative, WithinOne, FromMinusOne, FromOne };

  std::string_view name;
  Form form;
  std::string_view library;  ///< the function's name in docs/vrir-library.md
  Result result;
  OfComplex complex;
  Domain domain;
};

/// Null when MATLAB has no such builtin, or it is not one library function.
const MatlabBuiltin* find_matlab_builtin(std::string_view name);

}  // namespace vr::ir
#pragma GCC visibility pop
