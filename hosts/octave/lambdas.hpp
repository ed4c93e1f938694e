// Handles as arguments, and anonymous functions.
#pragma once
#include "program.hpp"
#include "compile.hpp"

#include <octave/oct.h>

#include <map>
#include <optional>
#include <string>

class octave_fcn_handle;

namespace vr::octave_host {

/// The variables that an anonymous function has captured, by name.
std::map<std::string, octave_value> captured_by(const octave_fcn_handle& h);

/// A string that is equal for two handles if the compiler need not distinguish them: they refer to the same named
/// function, or to anonymous functions with the same text and captured variables of the same types.
std::string handle_key(const octave_fcn_handle& given);

/// The type of a handle as an argument; its functions become part of the program. If it cannot be compiled, returns
/// nothing and sets `why`.
std::optional<matlab::Type> handle_type(const octave_fcn_handle& given, Program& program, std::string& why);

/// A copy of the unit with additional parameters before those of the function.
matlab::UnitPtr with_parameters(const matlab::Unit& unit, const std::string& function,
                                const std::vector<std::string>& names);

}  // namespace vr::octave_host
