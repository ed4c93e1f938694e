// Values of MATLAB as JSON (tests/corpus/README.md) and as arguments and results of compiled functions.
#pragma once
#include "compile.hpp"

#include <velociraptor/engine.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace vr::matlab {

/// A value as a host has it. Elements in column-major order, as doubles; text for class char.
struct Datum {
  Cls cls = Cls::Double;
  bool complex = false;
  std::vector<int64_t> dims = {1, 1};
  std::vector<double> re, im;
  std::string text;
};

/// Throws nlohmann::json::exception or std::runtime_error where the JSON is not as it should be.
Datum datum(const nlohmann::json& j);
/// What the version is made for: of an extent, whether it is 1.
Type type_of(const Datum& d);
Value argument(const Datum& d);
/// A compiled function's result; complex values without imaginary parts become real.
Datum result(const Value& v, const ResultInfo& info);
/// "" when they are the same to within `tolerance` (relative, for floating classes); else what differs.
std::string difference(const Datum& got, const Datum& wanted, double tolerance);
std::string text(const Datum& d);

}  // namespace vr::matlab
