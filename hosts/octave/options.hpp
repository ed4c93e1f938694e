// Option lists at compile time: optimset and the like, called with markers in the place of values.
#pragma once
#include "ast.hpp"

#include <optional>
#include <string>
#include <vector>

namespace vr::octave_host {

/// matlab::Unit::options.
std::optional<matlab::OptionValue> option_list(const std::string& function,
                                               const std::vector<matlab::OptionValue>& args);

}  // namespace vr::octave_host
