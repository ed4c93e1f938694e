// Renaming of variables in a piece of tree, so that it can move to another function.
#pragma once
#include <velociraptor/ir/nodes.hpp>

#include <map>

namespace vr::transform {

/// The body with each variable's id replaced by the map's; ids that the map lacks stay.
ir::Body rename(const ir::Body& body, const std::map<ir::SymbolId, ir::SymbolId>& ids);

}  // namespace vr::transform
