// The standard library on evaluated arguments (vrir-notes "Standard library"; typing: table in ir/typing.hpp).
#pragma once
#include "interp/datum.hpp"

#include <string_view>

namespace vr::interp {

/// A call: arguments and what the node says of its result.
struct LibraryCall {
  Context& ctx;
  std::string_view name;
  std::vector<Datum>& args;
  const ir::Type& stated;

  bool is(std::string_view n) const { return name == n; }
  const ir::Conventions& conv() const { return ctx.conv; }
  bool matlab() const { return ctx.matlab(); }
  Layout layout() const;  ///< for a new result array
  /// Argument k as an array: a number becomes an array of one element (rank `mindims`).
  ArrayRef array(size_t k) const;
  int64_t integer(size_t k) const;  ///< TYPE when it is no integral number
  /// The axis argument k, from 0; nothing when it is absent. An axis past the rank is allowed under mindims 2 (extent
  /// 1).
  std::optional<int> axis(size_t k, int rank) const;
  /// Extents from the arguments from `from` on: numbers, or one vector.
  Extents extents(size_t from) const;
  /// SHAPE_MISMATCH: so many extents for an array whose stated type has another rank.
  [[noreturn]] void wrong_count(size_t extents) const;
};

/// The result before it is converted to the stated type.
Datum call_library(Context& ctx, std::string_view name, std::vector<Datum> args, const ir::Type& stated);

// One function for each sort of the table.
Datum library_map(const LibraryCall& c);     ///< library_map.cpp: FloatMap, SameMap, RealPart, Test
Datum library_arith(const LibraryCall& c);   ///< library_map.cpp: two operands
Datum library_select(const LibraryCall& c);  ///< library_map.cpp: where
Datum library_reduce(const LibraryCall& c);  ///< library_reduce.cpp: sum ... argmax
Datum library_scan(const LibraryCall& c);    ///< library_reduce.cpp: cumsum cumprod
Datum library_matrix(const LibraryCall& c);  ///< library_matrix.cpp
Datum library_shape(const LibraryCall& c);   ///< library_shape.cpp
Datum library_make(const LibraryCall& c);    ///< library_make.cpp
Datum library_order(const LibraryCall& c);   ///< library_order.cpp: sort find

}  // namespace vr::interp
