// The elements of an array that a list of subscripts selects (thesis 4.3): the same for reading, views and stores.
#pragma once
#include "interp/datum.hpp"

namespace vr::interp {

/// An evaluated subscript.
struct SubscriptValue {
  std::variant<Scalar, RangeSpec, ArrayRef> value;
  bool negative = false;
  bool grow = false;
  bool minbounds = true, maxbounds = true;
};

/// The array to which the subscripts belong.
struct Subscripted {
  const std::string& name;
  const ir::Type& type;  ///< of the variable; its layout says in which order a flattened subscript counts
  bool flatten = false;
};

/// The positions selected along one dimension (after merging): start + k * step, or list[k].
struct Axis {
  int64_t start = 0, step = 1, count = 1;
  bool is_list = false, is_scalar = false, whole = false;
  std::vector<int64_t> list;
  Extents shape;               ///< extents that this axis contributes to the result
  size_t first = 0, dims = 0;  ///< its dimensions in the result; 0 dims: dropped
  int64_t position(int64_t k) const { return is_list ? list[static_cast<size_t>(k)] : start + k * step; }
  int64_t highest() const;  ///< largest position, -1 when there is none
};

struct Selection {
  Extents seen;   ///< the extents that the subscripts refer to: the last one may be that of several merged dimensions
  size_t merged;  ///< first of the merged dimensions; rank if none are merged
  Order order;    ///< how positions along the merged dimension run
  std::vector<Axis> axes;  ///< one a seen dimension
  Extents shape;           ///< of the result
  bool element = false;    ///< all subscripts are numbers: the result is an element, not an array

  int64_t count() const { return element ? 1 : element_count(shape); }
  /// Address in `a` of the element at `index` of the result.
  void* address(const Context& ctx, const ArrayRef& a, std::span<const int64_t> index) const;
};

/// Resolves the subscripts for `a`. Bounds are always checked, even if the subscript turns the check off: an access out of bounds
/// without a check is undefined. `open`: upper bounds are not checked where the subscript may grow the array.
Selection select(const Context& ctx, const Subscripted& what, const ArrayRef& a,
                 const std::vector<SubscriptValue>& subs, bool open = false);

/// The element's address if every subscript is a number and there are as many as dimensions, which is the common case;
/// null otherwise, or if the array would have to grow first.
void* element_address(const Context& ctx, const Subscripted& what, const ArrayRef& a,
                      const std::vector<SubscriptValue>& subs, bool open);

/// The element, slice (view or copy) or gather.
Datum read_selection(Context& ctx, const Subscripted& what, const ArrayRef& a, const std::vector<SubscriptValue>& subs,
                     bool copy);

/// Stores `value` into the selected elements; `a` is replaced when it must grow. The caller has made `a` writable.
void write_selection(Context& ctx, const Subscripted& what, ArrayRef& a, const std::vector<SubscriptValue>& subs,
                     const Datum& value);

}  // namespace vr::interp
