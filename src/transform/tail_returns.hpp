// Moves the returns of a function's body to the ends of all paths through it.
#pragma once
#include <velociraptor/ir/nodes.hpp>

#include <functional>
#include <optional>

namespace vr::transform {

/// The statements with every `return` replaced by the statements that `on_return` returns, so that control runs off the
/// end instead: statements after an `if` that returns move into its other branch. nullopt if a return is inside a loop
/// or a section, if statements would have to be duplicated, or if `must_return` and some path has no return.
std::optional<ir::Body> tail_returns(const ir::Body& body, bool must_return,
                                     const std::function<ir::Body(const ir::Return&)>& on_return);

}  // namespace vr::transform
