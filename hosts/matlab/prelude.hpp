// Builtins of MATLAB that are written in MATLAB.
#pragma once
#include "ast.hpp"

#include <string>

namespace vr::matlab {

/// The function, or null. It lives as long as the process. Names inside it refer to builtins, even if the program
/// defines functions of the same names. Names that begin with vr__ are the prelude's own: only the compiler and the
/// prelude itself call them. If its result would differ from Octave's it calls error(), which bails out.
const Function* prelude(const std::string& name);
/// Whether it is used instead of the function in the host's library, which cannot be compiled because it covers more
/// cases.
bool prelude_first(const std::string& name);

/// The sources, by subject: shapes, numeric functions, statistics and sets, text, the order of complex numbers, cell
/// arrays.
extern const char *const kArrayPrelude, *const kNumericPrelude, *const kStatisticsPrelude, *const kTextPrelude,
    *const kComplexPrelude, *const kListPrelude;

}  // namespace vr::matlab
