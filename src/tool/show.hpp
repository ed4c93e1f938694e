// Values as text for users, in NumPy's style.
#pragma once
#include <velociraptor/engine.hpp>

#include <string>

namespace vr::tool {

struct ShowOptions {
  int precision = 8;  ///< significant digits of array elements; scalars are exact unless `round_scalars`
  bool round_scalars = false;
  int64_t threshold = 1000;  ///< arrays with more elements are abbreviated
  int64_t edge = 3;          ///< elements shown at each end of an abbreviated dimension
};

/// A scalar as `2.5`, `True`, `(1+2j)`; an array as nested brackets, long ones with `...`.
std::string show(const Value& v, const ShowOptions& options = {});
std::string show(const Array& a, const ShowOptions& options = {});
/// The value's type, with the extents of an array: "float64", or "float64 (2, 3)".
std::string describe(const Value& v);
std::string describe(const Array& a);

}  // namespace vr::tool
