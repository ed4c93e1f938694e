// Conversion of numbers from the host to parameter types, without loss.
#pragma once
#include <velociraptor/engine.hpp>

namespace vr::engine {

/// The value in the raw union of a parameter of this scalar type; false if the conversion would lose something (a fraction, an
/// imaginary part, range).
bool convert_scalar(const Value& v, const ir::Type& to, vr_value* out);

}  // namespace vr::engine
