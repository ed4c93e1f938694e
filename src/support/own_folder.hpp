// Where this code lies: the folder of the library or program that holds it.
#pragma once
#include <string>

namespace vr {

/// An absolute path without a slash at the end; empty when it is not known (no /proc, the file is gone). As the kernel
/// knows it: neither the current directory nor the environment has a say.
std::string own_folder();

}  // namespace vr
