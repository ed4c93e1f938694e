#include "interp/selection.hpp"

#include "interp/range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace vr::interp {

int64_t Axis::highest() const {
  if (is_list) return list.empty() ? -1 : *std::max_element(list.begin(), list.end());
  return count == 0 ? -1 : std::max(start, start + (count - 1) * step);
}

namespace {

/// One subscript against one extent.
struct AxisResolver {
  const Context& ctx;
  const std::string& name;
  int axis;
  int64_t extent;
  bool negative, open;
  bool low = true, high = true;  ///< which bounds are checked

  int base() const { return ctx.conv.indexing; }

  [[noreturn]] void outside(int64_t index) const {
    fail_subscript(Code::OutOfBounds, name, axis, index, extent,
                   fmt::format("subscript {} of '{}' is outside of its dimension of extent {}", index, name, extent));
  }
  void check(int64_t position, int64_t index) const {
    if (position >= 0 && (open || position < extent)) return;
    if (ctx.tell_broken_promises && !(position < 0 ? low : high))
      fail(Code::Internal, fmt::format("subscript {} of '{}' is outside, and its check is turned off", index, name));
    outside(index);
  }
  int64_t integer(const Scalar& v, const char* what) const {
    if (auto i = integral(v)) return *i;
    fail_subscript(Code::Type, name, axis, ir::saturate(v.real_part(), Elem::Int64), extent,
                   fmt::format("{} of '{}' is not an integer", what, name));
  }
  int64_t position(int64_t index) const {
    const int64_t p = negative && index < 0 ? index + extent : minus(index, base());
    check(p, index);
    return p;
  }

  Axis scalar(const Scalar& v) const {
    Axis a;
    a.is_scalar = true;
    a.start = position(integer(v, "a subscript"));
    return a;
  }

  Axis list(const ArrayRef& v) const {
    Axis a;
    a.is_list = true;
    const Order order = linear_order(ctx);
    if (v.elem() == Elem::Bool) return mask(elements(v, order), v);
    for (const Scalar& s : elements(v, order)) a.list.push_back(position(integer(s, "a subscript")));
    a.count = static_cast<int64_t>(a.list.size());
    a.shape = v.extents();
    return a;
  }
  Axis mask(const std::vector<Scalar>& bits, const ArrayRef& v) const {
    Axis a;
    a.is_list = true;
    const auto n = static_cast<int64_t>(bits.size());
    if (!ctx.matlab() && n != extent)
      fail_subscript(Code::ShapeMismatch, name, axis, n, extent,
                     fmt::format("a mask of {} elements for a dimension of extent {}", n, extent));
    for (int64_t k = 0; k < n; ++k)
      if (truth(bits[static_cast<size_t>(k)])) {
        check(k, k + base());
        a.list.push_back(k);
      }
    a.count = static_cast<int64_t>(a.list.size());
    if (!ctx.matlab())
      a.shape = {a.count};
    else if (a.count == 0 && v.rank() == 2 && (n == 1 || v.extents() == Extents{0, 0}))  // as find(mask)
      a.shape = {0, 0};
    else  // a mask with one row gives a row
      a.shape = v.rank() == 2 && v.extent(0) == 1 && v.extent(1) != 1 ? Extents{1, a.count} : Extents{a.count, 1};
    return a;
  }

  /// A stop with a fraction (1:n/2) ends at the last whole step before it.
  int64_t stop_of(const Scalar& v, int64_t step) const {
    if (auto i = integral(v)) return *i;
    const double d = v.real_part();
    if (std::isnan(d)) return integer(v, "the stop of a range");
    return ir::saturate(step > 0 ? std::floor(d) : std::ceil(d), Elem::Int64);
  }

  Axis range(const RangeSpec& r) const {
    Axis a;
    a.whole = r.whole();
    a.step = r.step ? integer(*r.step, "the step of a range") : 1;
    a.count = extent;
    if (a.whole) return a;
    if (a.step == 0) fail_subscript(Code::Size, name, axis, 0, extent, "the step of a range is zero");
    if (negative) return clipped(r, a.step);
    const bool down = a.step < 0;
    const int64_t last = base() + extent - 1;
    const int64_t start = r.start ? integer(*r.start, "the start of a range") : down ? last : base();
    const int64_t stop = r.stop ? stop_of(*r.stop, a.step) : down ? base() : last;
    const bool whole_stop = !r.stop || integral(*r.stop);
    a.count = integer_count(start, a.step, stop, r.exclude && r.stop && whole_stop);
    a.start = minus(start, base());
    if (a.count == 0) return a;
    // The end is between start and stop; the distance to it may not fit 64 bits.
    const auto distance = static_cast<uint64_t>(a.count - 1) * static_cast<uint64_t>(a.step);
    const auto end = static_cast<int64_t>(static_cast<uint64_t>(start) + distance);
    check(a.start, start);
    check(minus(end, base()), end);
    return a;
  }

  /// NumPy's slices: bounds below zero count from the end, then both are clipped to the array.
  Axis clipped(const RangeSpec& r, int64_t step) const {
    Axis a;
    a.step = step;
    const bool down = step < 0;
    const int64_t low = down ? -1 : 0, high = down ? extent - 1 : extent;
    auto wrapped = [&](int64_t n) { return n < 0 ? n + extent : n; };
    a.start = down ? extent - 1 : 0;
    if (r.start) a.start = std::clamp(wrapped(minus(integer(*r.start, "the start of a range"), base())), low, high);
    int64_t stop = down ? -1 : extent;
    if (r.stop) {
      stop = wrapped(minus(stop_of(*r.stop, step), base()));
      if (!r.exclude || !integral(*r.stop)) stop = plus(stop, down ? -1 : 1);
      stop = std::clamp(stop, low, high);
    }
    a.count = integer_count(a.start, step, stop, true);
    return a;
  }
};

/// Result dimensions under mindims 1: those of ranges and index arrays; a number contributes none.
void shape_numpy(Selection& s) {
  for (Axis& a : s.axes) {
    a.first = s.shape.size();
    if (a.is_scalar) continue;
    if (!a.is_list) a.shape = {a.count};
    a.dims = a.shape.size();
    s.shape.insert(s.shape.end(), a.shape.begin(), a.shape.end());
  }
}

/// Under mindims 2: a number keeps extent 1, trailing ones past the second are dropped.
void shape_matlab(Selection& s, size_t given, size_t rank, bool flatten) {
  size_t last = given < rank && !flatten ? rank : 0;
  for (size_t k = 0; k < given; ++k)
    if (!s.axes[k].is_scalar) last = std::max(last, k + 1);
  last = std::max<size_t>(last, 2);
  for (size_t k = 0; k < last; ++k) {
    if (k >= s.axes.size()) {
      s.shape.push_back(1);
      continue;
    }
    Axis& a = s.axes[k];
    a.first = k;
    a.dims = 1;
    a.shape = {a.count};
    s.shape.push_back(a.count);
  }
}

/// A(x) with one subscript over all dimensions: A(:) is a column, a vector keeps its direction, else the subscript's
/// shape.
void shape_linear(Selection& s, const ArrayRef& source) {
  Axis& a = s.axes[0];
  const bool matrix = source.rank() == 2;
  const bool row = matrix && source.extent(0) == 1 && source.extent(1) != 1;
  const bool column = matrix && source.extent(1) == 1 && source.extent(0) != 1;
  if (!a.is_list) {
    s.shape = a.whole || column ? Extents{a.count, 1} : Extents{1, a.count};
  } else {
    const bool list_vector = a.shape.size() == 2 && (a.shape[0] == 1 || a.shape[1] == 1);
    s.shape = a.shape;
    if (list_vector && row) s.shape = {1, a.count};
    if (list_vector && column) s.shape = {a.count, 1};
  }
  a.first = 0;
  a.dims = s.shape.size();
  a.shape = s.shape;
}

}  // namespace

Selection select(const Context& ctx, const Subscripted& what, const ArrayRef& a,
                 const std::vector<SubscriptValue>& subs, bool open) {
  const size_t given = subs.size(), rank = static_cast<size_t>(a.rank());
  if (given == 0 || given > rank)
    fail(Code::Type, fmt::format("'{}' has rank {} and {} subscripts", what.name, rank, given));
  Selection s;
  s.merged = rank;
  s.order = what.type.layout == Layout::ColMajor   ? Order::Column
            : what.type.layout == Layout::RowMajor ? Order::Row
                                                   : linear_order(ctx);
  s.seen = a.extents();
  const auto* mask = given == 1 ? std::get_if<ArrayRef>(&subs[0].value) : nullptr;
  if (!ctx.matlab() && mask && mask->elem() == Elem::Bool && mask->rank() == a.rank()) {
    // NumPy's A[mask] over all dimensions at once, in row-major order.
    if (mask->extents() != a.extents())
      fail(Code::ShapeMismatch,
           fmt::format("a mask of shape {} for '{}' of shape {}", shape_text(mask->array.extents()), what.name,
                       shape_text(a.array.extents())));
    s.merged = 0;
    s.order = Order::Row;
    s.seen = {a.size()};
    s.axes.push_back(AxisResolver{ctx, what.name, 0, s.seen[0], false, false}.mask(elements(*mask, Order::Row), *mask));
    shape_numpy(s);
    return s;
  }
  // A mask of the array's rank selects the elements with the same subscripts, regardless of layouts.
  if (mask && mask->elem() == Elem::Bool && mask->rank() == a.rank() && rank > 1) s.order = linear_order(ctx);
  if (what.flatten && given < rank) {
    s.merged = given - 1;
    s.seen.resize(given);
    s.seen.back() = element_count(a.array.extents().subspan(given - 1));
  }
  bool all_scalar = true;
  for (size_t k = 0; k < s.seen.size(); ++k) {
    AxisResolver r{ctx, what.name, static_cast<int>(k), s.seen[k], false, false};
    if (k >= given) {
      s.axes.push_back(r.range({}));
      all_scalar = false;
      continue;
    }
    r.negative = subs[k].negative;
    r.open = open && subs[k].grow;
    r.low = subs[k].minbounds;
    r.high = subs[k].maxbounds;
    const auto& v = subs[k].value;
    if (auto* x = std::get_if<Scalar>(&v)) {
      s.axes.push_back(r.scalar(*x));
      continue;
    }
    all_scalar = false;
    if (auto* x = std::get_if<RangeSpec>(&v))
      s.axes.push_back(r.range(*x));
    else
      s.axes.push_back(r.list(std::get<ArrayRef>(v)));
  }
  s.element = all_scalar;
  if (!ctx.matlab())
    shape_numpy(s);
  else if (given == 1 && what.flatten && !all_scalar)
    shape_linear(s, a);
  else
    shape_matlab(s, given, rank, what.flatten);
  return s;
}

void* element_address(const Context& ctx, const Subscripted& what, const ArrayRef& a,
                      const std::vector<SubscriptValue>& subs, bool open) {
  if (subs.size() != static_cast<size_t>(a.rank())) return nullptr;
  char* p = static_cast<char*>(a.array.data());
  for (size_t k = 0; k < subs.size(); ++k) {
    auto* v = std::get_if<Scalar>(&subs[k].value);
    if (!v) return nullptr;
    const AxisResolver r{ctx,
                         what.name,
                         static_cast<int>(k),
                         a.extent(static_cast<int>(k)),
                         subs[k].negative,
                         open && subs[k].grow,
                         subs[k].minbounds,
                         subs[k].maxbounds};
    const int64_t position = r.position(r.integer(*v, "a subscript"));
    if (position >= r.extent) return nullptr;
    p += position * a.array.strides()[k];
  }
  return p;
}

void* Selection::address(const Context& ctx, const ArrayRef& a, std::span<const int64_t> index) const {
  char* p = static_cast<char*>(a.array.data());
  const auto strides = a.array.strides(), extents = a.array.extents();
  for (size_t k = 0; k < axes.size(); ++k) {
    const Axis& x = axes[k];
    int64_t n = 0;
    for (size_t step = 0; step < x.dims; ++step) {
      const size_t d = linear_order(ctx) == Order::Column ? x.dims - 1 - step : step;
      n = n * x.shape[d] + index[x.first + d];
    }
    int64_t position = x.position(n);
    if (k < merged) {
      p += position * strides[k];
      continue;
    }
    // Split the linear position over the merged dimensions into subscripts.
    const size_t rest = extents.size() - merged;
    for (size_t step = 0; step < rest; ++step) {
      const size_t d = order == Order::Column ? merged + step : extents.size() - 1 - step;
      p += position % extents[d] * strides[d];
      position /= extents[d];
    }
  }
  return p;
}

Datum read_selection(Context& ctx, const Subscripted& what, const ArrayRef& a, const std::vector<SubscriptValue>& subs,
                     bool copy) {
  const Selection s = select(ctx, what, a, subs);
  if (s.element) return load(s.address(ctx, a, Extents(s.shape.size(), 0)), a.elem(), a.complex());
  // Whether a selection is a view is decided by types: dimensions of a strided array cannot be merged, as there may be
  // gaps between them.
  const size_t rank = static_cast<size_t>(a.rank());
  const bool merges = s.merged < rank;
  const bool lists = std::any_of(s.axes.begin(), s.axes.end(), [](const Axis& x) { return x.is_list; });
  if (!copy && !lists && !(merges && what.type.layout == Layout::Strided) && s.count() > 0) {
    Extents strides(s.shape.size(), a.array.element_bytes());
    // Strides along extents of 1 are arbitrary and need not be representable.
    size_t fastest = s.order == Order::Column ? s.merged : rank - 1;
    while (merges && a.array.extents()[fastest] == 1 && fastest != (s.order == Order::Column ? rank - 1 : s.merged))
      s.order == Order::Column ? ++fastest : --fastest;
    for (size_t k = 0; k < s.axes.size(); ++k) {
      const int64_t bytes = a.array.strides()[k < s.merged ? k : fastest];
      for (size_t d = 0; d < s.axes[k].dims; ++d) strides[s.axes[k].first + d] = times(s.axes[k].step, bytes);
    }
    return make_view(a, s.address(ctx, a, Extents(s.shape.size(), 0)), s.shape, strides);
  }
  ArrayRef r = make_array(ctx, a.elem(), a.complex(), s.shape, what.type.layout);
  for_each_index(s.shape, Order::Row,
                 [&](const Extents& i) { store(r.array.at(i), load(s.address(ctx, a, i), a.elem(), a.complex())); });
  return r;
}

}  // namespace vr::interp
