// Expressions as text that the language reads as the same expressions.
#pragma once
#include "ast.hpp"

#include <set>
#include <string>

namespace vr::matlab {

/// The text, with parentheses around all operators; empty when the expression has no text (it contains an assignment).
/// `names` receives the identifiers in it but for parameters of the anonymous functions that contain them.
std::string text_of(const Expr& e, std::set<std::string>& names);

}  // namespace vr::matlab
