// Source locations in the form FILE:LINE:COLUMN, as debuggers and reports need them.
#pragma once
#include <velociraptor/ir/nodes.hpp>
#include <velociraptor/status.hpp>

#include <string>

namespace vr::lower {

/// The location `loc` (`:loc` of a statement or function). A front end's location may have any form: if it is not
/// FILE:LINE, optionally with a column, or is empty, the result is the position in the VRIR text.
Place source_place(const std::string& file, ir::TextPos pos, const std::string& loc);

}  // namespace vr::lower
