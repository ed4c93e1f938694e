// MATLAB and Octave text to trees.
#pragma once
#include "ast.hpp"

#include <velociraptor/status.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace vr::matlab {

using UnitPtr = std::shared_ptr<const Unit>;

/// Reads a file of functions. Fails with Code::Syntax and one diagnostic with the place; never throws but
/// std::bad_alloc.
Result<UnitPtr> parse(std::string_view text, const std::string& file);

}  // namespace vr::matlab
