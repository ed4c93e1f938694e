// Checks of the tokens before the parser runs, which is recursive: unbalanced parentheses, and too deep nesting.
#pragma once
#include <velociraptor/ir/text.hpp>

#include <vector>

namespace vr::text {

/// The errors of nesting; the parser may run only if there are none.
std::vector<Diagnostic> check_nesting(std::string_view text, const ir::ParseOptions& options);

}  // namespace vr::text
