// A function's body with its returns at the ends of all ways through it.
#pragma once
#include <velociraptor/ir/nodes.hpp>

#include <functional>
#include <optional>

namespace vr::transform {

/// The statements with every `return` replaced by what `on_return` gives, so that control simply runs off the end:
/// statements after an `if` that returns move into its other branch. None when a return stands in a loop or a section,
/// or when statements would have to be doubled, or when `must_return` and some way has no return.
std::optional<ir::Body> tail_returns(const ir::Body& body, bool must_return,
                                     const std::function<ir::Body(const ir::Return&)>& on_return);

}  // namespace vr::transform
