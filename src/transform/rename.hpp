// Renames variables in statements, so that these can move to another function.
#pragma once
#include <velociraptor/ir/nodes.hpp>

#include <map>

namespace vr::transform {

/// The body with each variable's id replaced by the map's; ids that are not in the map stay.
ir::Body rename(const ir::Body& body, const std::map<ir::SymbolId, ir::SymbolId>& ids);

}  // namespace vr::transform
