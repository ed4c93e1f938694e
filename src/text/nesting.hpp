// What can be told from the tokens before the parser recurses into them: parentheses that do not pair, and too deep
// nesting.
#pragma once
#include <velociraptor/ir/text.hpp>

#include <vector>

namespace vr::text {

/// Faults of nesting; the parser may run only when there are none.
std::vector<Diagnostic> check_nesting(std::string_view text, const ir::ParseOptions& options);

}  // namespace vr::text
