// parse_loops: text to a lowered module; the way back of print_loops().
#pragma once
#include "loop/form.hpp"

#include <memory>
#include <string_view>

namespace vr::lower {

/// Reads what print_loops() writes, in which declarations come before uses. The error has line and column, rule
/// "loop-form". What is read is well formed as text only: check() says whether it means something.
Result<std::unique_ptr<Module>> parse_loops(std::string_view text, const std::string& file = {});

}  // namespace vr::lower
