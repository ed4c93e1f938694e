// Which types host functions can have (rule [extern-type]; docs/errors.md). Private to src.
#pragma once
#include <velociraptor/ir/types.hpp>

#include <algorithm>

namespace vr::ir {

/// Whether all parameters and results of the function type are numbers and arrays.
inline bool passes_only_values(const Type& function) {
  const auto is_value = [](const Type& t) { return t.is_numeric() || t.is_void(); };
  const auto &in = function.components(), &out = function.outputs();
  return std::all_of(in.begin(), in.end(), is_value) && std::all_of(out.begin(), out.end(), is_value);
}
/// Whether it has more parameters, or more results, than host functions can have.
inline bool passes_more_than(const Type& function, size_t most) {
  return function.components().size() > most || function.outputs().size() > most;
}

}  // namespace vr::ir
