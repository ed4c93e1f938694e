// The folder of the library or program that contains this code.
#pragma once
#include <string>

namespace vr {

/// An absolute path without a slash at the end; empty if it is not known (no /proc, the file was deleted). It comes from the
/// kernel and depends neither on the current directory nor on the environment.
std::string own_folder();

}  // namespace vr
