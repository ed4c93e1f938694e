// The standard library on evaluated arguments (docs/vrir-library.md; typing: the table in ir/typing.hpp).
#pragma once
#include "interp/datum.hpp"
#include "ir/library.hpp"

namespace vr::interp {

/// A call: its arguments and the stated type of its result.
struct LibraryCall {
  Context& ctx;
  const ir::LibFunction& fn;
  std::vector<Datum>& args;
  const ir::Type& stated;

  const ir::Conventions& conv() const { return ctx.conv; }
  bool matlab() const { return ctx.matlab(); }
  Layout layout() const;  ///< for a new result array
  /// Argument k as an array: a number becomes an array of one element (rank `mindims`).
  ArrayRef array(size_t k) const;
  int64_t integer(size_t k) const;  ///< TYPE when it is no integral number
  /// The axis argument k, counted from 0; no value if it is absent. An axis past the rank is allowed under mindims 2
  /// (extent 1).
  std::optional<int> axis(size_t k, int rank) const;
  /// Extents from the arguments from `from` on: numbers, or one vector.
  Extents extents(size_t from) const;
  /// Throws fault SHAPE_MISMATCH: the number of extents differs from the rank of the stated type.
  [[noreturn]] void wrong_count(size_t extents) const;
};

/// The result before it is converted to the stated type.
Datum call_library(Context& ctx, const ir::LibFunction& f, std::vector<Datum> args, const ir::Type& stated);

// One function for each rule of the table (ir::LibRule), or for several of them.
// library_map.cpp
Datum library_map(const LibraryCall& c);  ///< elementwise
// library_overflow.cpp
Datum library_overflow(const LibraryCall& c);  ///< elementwise as well: add_sat, cast_check ...
// library_random.cpp
Datum library_random(const LibraryCall& c);  ///< elementwise as well: random numbers
// library_reduce.cpp
Datum library_reduce(const LibraryCall& c);
Datum library_scan(const LibraryCall& c);
// library_matrix.cpp
Datum library_product(const LibraryCall& c);
Datum library_quotient(const LibraryCall& c);
Datum library_transpose(const LibraryCall& c);
Datum library_inner(const LibraryCall& c);
Datum library_outer(const LibraryCall& c);
Datum library_norm(const LibraryCall& c);
// library_shape.cpp
Datum library_count(const LibraryCall& c);
Datum library_sizes(const LibraryCall& c);
Datum library_reshape(const LibraryCall& c);
Datum library_join(const LibraryCall& c, bool vertical);
// library_make.cpp
Datum library_fill(const LibraryCall& c);
Datum library_identity(const LibraryCall& c);
Datum library_linspace(const LibraryCall& c);
Datum library_progression(const LibraryCall& c);
// library_order.cpp
Datum library_sort(const LibraryCall& c);
Datum library_find(const LibraryCall& c);
// library_called.cpp
Datum library_called(const LibraryCall& c);  ///< functions that the runtime computes, as for native code

}  // namespace vr::interp
