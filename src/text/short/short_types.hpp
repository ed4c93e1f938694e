// Types in the short syntax: `float64`, `complex float32[:,:]`, `strided int64[:]`, `fn(float64) -> bool`.
#pragma once
#include "text/short/cursor.hpp"

#include <velociraptor/ir/types.hpp>

#include <optional>
#include <string>

namespace vr::text::brief {

/// `fresh`: the layout of new arrays, which the text omits.
std::string written_type(const ir::Type& t, ir::Layout fresh);
/// Results of a function: "T" or "(T, T)".
std::string written_results(const std::vector<ir::Type>& outs, ir::Layout fresh);
ir::Type read_type(Cursor& c, ir::Layout fresh);
std::vector<ir::Type> read_results(Cursor& c, ir::Layout fresh);

/// The element type of this name ("float64").
std::optional<ir::Elem> elem_named(std::string_view name);
/// The element type with this abbreviation ("f64").
std::optional<ir::Elem> elem_abbreviated(std::string_view suffix);

}  // namespace vr::text::brief
