// Numbers of a raise statement, as its error record stores them.
#pragma once
#include "support/raise_text.hpp"

#include <velociraptor/ir/types.hpp>

namespace vr::ir {

inline RaiseNumber raise_number(Elem e) {
  if (e == Elem::Float32) return RaiseNumber::Float32;
  if (is_float(e)) return RaiseNumber::Float64;
  return is_unsigned(e) ? RaiseNumber::Unsigned : RaiseNumber::Signed;
}

}  // namespace vr::ir
