// parse_loops: text to a module in the loop form; the inverse of print_loops().
#pragma once
#include "loop/form.hpp"

#include <memory>
#include <string_view>

namespace vr::lower {

/// Reads what print_loops() writes, with declarations before uses. The error has line and column, and rule "loop-form". Only the
/// syntax is checked: check() tells whether the module is valid.
Result<std::unique_ptr<Module>> parse_loops(std::string_view text, const std::string& file = {});

}  // namespace vr::lower
