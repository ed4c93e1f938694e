// Arithmetic on scalar values: conversions, operators, the elementwise functions of the library (private to src/lower).
#pragma once
#include "ir/library.hpp"
#include "lower/emitter.hpp"

namespace vr::lower {

ScalarValue convert(Emitter& out, ScalarValue v, ir::Elem elem, bool complex);
ScalarValue binary(Emitter& out, ir::Kind kind, ScalarValue a, ScalarValue b, const ir::Type& stated);
ScalarValue negate(Emitter& out, ScalarValue v);
ExprP truth(Emitter& out, ScalarValue v);
/// Elementwise library function on scalar values; `stated` is the element type of the result.
ScalarValue map(Emitter& out, ir::LibMap fn, std::vector<ScalarValue> args, const ir::Type& stated);
/// pow of integers, as an integer
ScalarValue integer_power(Emitter& out, const std::vector<ScalarValue>& args);
ScalarValue zero(Emitter& out, ir::Elem elem, bool complex);
ScalarValue number(Emitter& out, double v, ir::Elem elem, bool complex);
ScalarValue complex_binary(Emitter& out, ir::Kind kind, ScalarValue a, ScalarValue b, ir::Elem elem);
/// z to the power w; both have the same floating element type.
ScalarValue complex_power(Emitter& out, const ScalarValue& z, const ScalarValue& w);
/// of_modulus: takes the logarithm of the modulus as a real number, as the interpreter's powers do.
ScalarValue complex_map(Emitter& out, ir::LibMap fn, std::vector<ScalarValue> args, bool of_modulus = false);

inline ScalarValue convert(Emitter& out, ScalarValue v, const ir::Type& t) {
  return convert(out, v, t.elem, t.complex);
}

}  // namespace vr::lower
