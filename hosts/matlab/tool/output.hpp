// Functions of the host for the tool, which has no formatter of Octave's: what is printed is listed, call by call.
#pragma once
#include "compile.hpp"

#include <velociraptor/engine.hpp>

#include <string>

namespace vr::matlab {

/// Binds the functions that print. Each call adds a line to what `take_listing` returns: the function's name and its
/// arguments as values.
Status bind_listing(const Engine& engine, const Compiled& compiled);
std::string take_listing();

}  // namespace vr::matlab
