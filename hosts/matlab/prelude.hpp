// Builtins of the language that are written in the language.
#pragma once
#include "ast.hpp"

#include <string>

namespace vr::matlab {

/// The function, or null. It lives as long as the process. Names within it mean builtins, whatever a program defines.
/// Names that begin with vr__ are the prelude's own: only the compiler and the prelude itself call them.
/// Where its result would not be Octave's it calls error(), which bails out.
const Function* prelude(const std::string& name);
/// Whether it goes before the host's library: what the library has for all cases cannot be compiled.
bool prelude_first(const std::string& name);

/// The texts: functions about shapes, and those that compute.
extern const char *const kArrayPrelude, *const kNumericPrelude;

}  // namespace vr::matlab
