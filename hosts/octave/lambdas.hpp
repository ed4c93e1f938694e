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

/// Text that is equal for two handles that the compiler need not tell apart: the same named function, or the same text
/// of an anonymous one with variables of the same types.
std::string handle_key(const octave_fcn_handle& given);

/// The type of a handle as an argument; its functions become a part of the program. Nothing, and `why`, if it cannot be
/// compiled.
std::optional<matlab::Type> handle_type(const octave_fcn_handle& given, Program& program, std::string& why);

/// The unit with more parameters in front of those of a function.
matlab::UnitPtr with_parameters(const matlab::Unit& unit, const std::string& function,
                                const std::vector<std::string>& names);

}  // namespace vr::octave_host
