// Elementwise operations with broadcasting.
#pragma once
#include "interp/datum.hpp"

#include <functional>

namespace vr::interp {

/// The common extents of a and b: extents of 1 are broadcast; trailing or leading axes are aligned, or with None both must
/// be equal. Fault SHAPE_MISMATCH if they do not match.
Extents broadcast(const Extents& a, const Extents& b, ir::BroadcastMode mode);
/// The index into an array of extents `from` that corresponds to index `at` of the broadcast array.
void broadcast_index(std::span<const int64_t> at, std::span<const int64_t> from, ir::BroadcastMode mode, Extents& out);

/// f of every element; the result has element type `t` (a scalar type) and, for an array, `layout`.
Datum map(Context& ctx, const Datum& a, const ir::Type& t, Layout layout,
          const std::function<Scalar(const Scalar&)>& f);
Datum map(Context& ctx, const Datum& a, const Datum& b, const ir::Type& t, Layout layout,
          const std::function<Scalar(const Scalar&, const Scalar&)>& f);

/// An operator node applied to evaluated operands.
Datum apply_binary(Context& ctx, ir::Kind kind, const Datum& a, const Datum& b, const ir::Type& stated);

/// The element type of a number or array; fault TYPE for other values.
ir::Type element_type(const Datum& d, const char* what);
/// The layout of a new array whose stated type is `stated`.
Layout wanted_layout(const Context& ctx, const ir::Type& stated);

}  // namespace vr::interp
