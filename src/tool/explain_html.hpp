// The page that `vrir explain --html` writes.
#pragma once
#include "tool/loop_notes.hpp"

#include <string>

namespace vr::tool {

/// A self-contained page with the lines of each source file to which the loops refer, and the notes below their lines.
/// Files are looked up beside `file`, the VRIR file; of a file that cannot be read only the lines with loops are
/// listed.
std::string explain_html(const Io& io, const std::string& file, const Explanation& explanation);

}  // namespace vr::tool
