// Test cases of a client program, `*.cases.json`: arguments, and the results of another system for them.
//
//   {"function": "f", "cases": [{"args": [VALUE...], "results": [VALUE...]}, ...]}
//   VALUE: {"class": "double|single|int32|int64|logical", "dims": [2, 3], "re": [...], "im": [...]}
//
// Elements are in column-major order; "im" is present for complex values; the strings "nan", "inf", "-inf" stand for
// numbers that JSON cannot express.
#pragma once
#include <velociraptor/engine.hpp>
#include <velociraptor/status.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vr::interp {

/// Values are column-major arrays of rank max(2, number of dims), also those of one element.
struct Case {
  std::vector<Value> args, results;
};
struct CaseFile {
  std::string function;
  std::vector<Case> cases;
};

/// Reads a file, or its text. Errors name the file and the faulty part ("cases[2].args[0]: ...").
Result<CaseFile> load_cases(const std::string& path);
Result<CaseFile> parse_cases(std::string_view text, const std::string& file);

/// The value converted for a parameter of type `type`: number <-> array of one element, element type, layout, and a
/// rank that differs by extents of 1. TYPE when a complex value is given for a real parameter or the shape does not
/// fit.
Result<Value> fit_argument(const Value& value, const ir::Type& type);

/// Empty if they agree, otherwise a description of the difference. Shapes must be the same up to trailing extents of 1;
/// a number is 1 x 1; the element type may differ. Integers and logicals are compared exactly; floats within `rtol`
/// (absent: 1e-5 if either is float32, otherwise 1e-12) times the larger of the element and the array's greatest finite
/// magnitude, so that residues of cancellation do not count. NaN equals NaN.
std::string compare(const Value& expected, const Value& got, std::optional<double> rtol = {});

}  // namespace vr::interp
