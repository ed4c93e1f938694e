// The text of the C header of a library (private to src/aot).
#pragma once
#include "loop/plain_function.hpp"

#include <string>
#include <vector>

namespace vr::aot {

/// If the name ends with .hpp, .hh or .hxx, the header has a C++ part, whose functions throw; C compilers skip that
/// part.
std::string header_text(const std::string& file_name, const std::vector<lower::PlainFunction>& functions,
                        const std::vector<std::string>& parts);

}  // namespace vr::aot
