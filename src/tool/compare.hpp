// Whether two targets gave the same results.
#pragma once
#include <velociraptor/engine.hpp>

#include <string>
#include <vector>

namespace vr::tool {

struct Tolerance {
  double rtol_double = 1e-12;
  double rtol_single = 1e-5;
  double rtol_float16 = 2e-3;
  double rtol_bfloat16 = 1.6e-2;
  double of(Elem e) const;
};

/// Empty when the values agree: same type and shape, integers and bools equal, floats within rtol of the larger of the
/// element and the array's greatest finite magnitude (so that residues of cancellation do not count). Otherwise a
/// description of the first difference.
std::string difference(const Value& got, const Value& wanted, const Tolerance& tolerance);
std::string difference(const std::vector<Value>& got, const std::vector<Value>& wanted, const Tolerance& tolerance);

}  // namespace vr::tool
