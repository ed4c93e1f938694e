// Numbers from the host into parameters: nothing may be lost on the way.
#pragma once
#include <velociraptor/engine.hpp>

namespace vr::engine {

/// The value as the raw union of a parameter of this scalar type; false when that would lose something (a fraction, an
/// imaginary part, range).
bool convert_scalar(const Value& v, const ir::Type& to, vr_value* out);

}  // namespace vr::engine
