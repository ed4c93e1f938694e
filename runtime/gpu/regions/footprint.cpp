#include "runtime/gpu/regions/footprint.hpp"

#include "runtime/gpu/regions/domain.hpp"

#include <velociraptor/ir/elements.hpp>

#include <algorithm>
#include <cstring>

namespace vr::gpu {
namespace {

/// A scalar argument as an integer, if it is one.
std::optional<int64_t> scalar(int32_t elem, const vr_value& value) {
  return ir::visit_elem(static_cast<ir::Elem>(elem & ~VR_COMPLEX), [&](auto tag) -> std::optional<int64_t> {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_integral_v<T> || std::is_same_v<T, double> || std::is_same_v<T, float>) {
      T v;
      std::memcpy(&v, &value, sizeof v);
      if constexpr (std::is_floating_point_v<T>) {
        if (!(v > T(-1e15) && v < T(1e15)) || v != T(int64_t(v))) return {};
      } else if constexpr (std::is_same_v<T, uint64_t>) {
        if (v > uint64_t(INT64_MAX)) return {};
      }
      return int64_t(v);
    }
    return {};
  });
}

std::vector<Number> launch_values(const AccessTable& table, const vr_kernel& kernel, const int64_t* counts,
                                  const vr_value* args) {
  using Kind = AccessValue::Kind;
  std::vector<Number> values;
  auto of = [&](const AccessValue& v) -> Number {
    switch (v.kind) {
      case Kind::Scalar:
        return scalar(kernel.params[v.a].elem, args[v.a]);
      case Kind::Extent:
        return args[v.a].array->extent[v.b];
      case Kind::Stride:
        return args[v.a].array->stride[v.b];
      case Kind::Count:
        return counts[v.a];
      case Kind::Sum: {
        const auto sum = evaluate(v.form, values);
        return sum ? Number(sum->base) : Number();
      }
      default:
        break;
    }
    const Number a = values[size_t(v.a)], b = values[size_t(v.b)];
    if (!a || !b) return {};
    if (v.kind == Kind::Least) return std::min(*a, *b);
    if (v.kind == Kind::Greatest) return std::max(*a, *b);
    if (*b == 0 || *b == -1) return {};
    return v.kind == Kind::Quotient ? *a / *b : *a % *b;
  };
  for (const AccessValue& v : table.values) values.push_back(of(v));
  return values;
}

/// All of the array, as far as boxes can describe it.
Lmad whole_box(const vr_array& array) {
  const auto box = box_of(array);
  return box ? *box : box_of(storage_span(array));
}

/// The boxes of an access.
struct Boxes {
  std::vector<Lmad> boxes;
  bool exact = true;
  std::string reason;
};

Boxes boxes_of(const ArrayAccess& access, const AccessTable& table, const std::vector<Number>& values,
               const vr_array& array) {
  Boxes r;
  const auto everything = [&](const char* why) {
    r.boxes = {whole_box(array)};
    r.exact = false;
    r.reason = why;
  };
  for (int64_t l : access.limits)
    if (!holds(table.limits[size_t(l)], table, values)) {
      everything("a subscript wraps");
      return r;
    }
  const auto offset = evaluate(access.offset, values);
  const auto domains = offset ? split_domain(access.loops, access.where, table, values) : std::nullopt;
  if (!domains) {
    everything("numbers of the launch are too large");
    return r;
  }
  const Span span = storage_span(array);
  const auto data = reinterpret_cast<uintptr_t>(array.data);
  r.exact = access.always;
  for (const Domain& d : *domains) {
    r.exact = r.exact && d.exact;
    int64_t at = offset->base;
    InlineVector<LmadDim, most_loops> dims;
    bool fits = true;
    for (const auto& [loop, factor] : offset->factors) {
      const Domain::Range range = d.of(loop);
      int64_t step = 0;
      fits = fits && !__builtin_mul_overflow(factor, range.lo, &step) && !__builtin_add_overflow(at, step, &at);
      dims.push_back({range.hi - range.lo + 1, factor});
    }
    auto box = fits ? make_box(data + uintptr_t(at), access.bytes, {dims.begin(), dims.size()}) : std::nullopt;
    if (!box) {
      everything("numbers of the launch are too large");
      return r;
    }
    if (!box->restricted()) {
      *box = restrict(*box);
      r.exact = false;
    }
    if (!span.contains(box->hull())) {  // iterations that do not make the access
      r.exact = false;
      const Span hull = box->hull();
      if (!hull.overlaps(span)) continue;
      *box = box_of(Span{std::max(hull.lo, span.lo), std::min(hull.hi, span.hi)});
    }
    r.boxes.push_back(*box);
  }
  return r;
}

/// If there are more boxes than this, they are replaced by their hull, or by all of the array.
constexpr size_t most_boxes = 96;

void add_boxes(Region& to, const Boxes& from, int64_t slack, bool& exact, Span array) {
  // Strips of one access are not merged.
  const bool alone = from.boxes.size() > 4;
  for (const Lmad& box : from.boxes) {
    if (alone)
      to.push_back(box);
    else
      exact &= add(to, box, slack, array);
  }
}

/// The accesses to one array, in the order in which they are found.
struct Params {
  Footprint found;
  Region unsure;  ///< stores that may not be made
  bool all_read = false, all_written = false;

  void all(bool written, const std::string& reason) {
    (written ? all_written : all_read) = true;
    if (found.reason.empty()) found.reason = reason;
  }
  void load(const Boxes& boxes, const vr_array& array) {
    found.read_exact &= boxes.exact;
    add_boxes(found.read, boxes, 1, found.read_exact, storage_span(array));
  }
  void store(const Boxes& boxes, bool certain, const vr_array& array) {
    if (!boxes.exact) {
      // Bytes that are copied back must belong to elements.
      const Lmad elements = whole_box(array);
      for (const Lmad& box : boxes.boxes)
        if (!contains(elements, box)) return all(true, "conditional stores are not aligned with the array's strides");
    }
    bool exact = boxes.exact && certain;
    add_boxes(found.write, boxes, 0, exact, storage_span(array));
    if (exact) return;
    found.write_exact = false;
    unsure.insert(unsure.end(), boxes.boxes.begin(), boxes.boxes.end());
  }
  Footprint footprint(const vr_array& array, bool reads) {
    if (reads && !all_written && !all_read)
      for (const Lmad& box : unsure) add(found.read, box);
    if (found.read.size() > most_boxes) all(false, "its parts are too many");
    if (found.write.size() > most_boxes) all(true, "its parts are too many");
    if (all_read || all_written) {
      found.read = {restrict(whole_box(array))};
      found.read_exact = false;
    }
    if (all_written) {
      found.write = {whole_box(array)};
      found.write_exact = false;
    }
    return std::move(found);
  }
};

}  // namespace

Span hull_of(const Region& a, const Region& b) {
  const Span x = hull_of(a), y = hull_of(b);
  if (x.empty() || y.empty()) return x.empty() ? y : x;
  return {std::min(x.lo, y.lo), std::max(x.hi, y.hi)};
}

Footprint whole_footprint(const vr_array& array, bool written, bool fresh) {
  Footprint f;
  if (storage_span(array).empty()) return f;
  if (!fresh) f.read = {restrict(whole_box(array))};
  if (written) f.write = {whole_box(array)};
  f.read_exact = f.read.empty() || f.read[0] == whole_box(array);
  return f;
}

namespace {

/// A launch, or (part) some of its iterations.
struct Iterations {
  const AccessTable& table;
  const vr_kernel& kernel;
  const vr_value* args;
  const std::vector<Number>& values;
  bool part = false;
};

/// No check of the kernel can fail.
bool none_fails(const Iterations& l) {
  return std::all_of(l.table.checks.begin(), l.table.checks.end(),
                     [&](const AccessLimit& check) { return holds(check, l.table, l.values); });
}

/// certain: none_fails(). Without `reads`, only the bytes that are written are found.
Footprint footprint_of(const Iterations& l, int32_t p, bool certain, bool reads) {
  if (l.kernel.params[p].kind != VR_PARAM_ARRAY) return {};
  const vr_array& array = *l.args[p].array;
  if (storage_span(array).empty()) return {};
  const bool fresh = l.kernel.params[p].written == VR_WRITTEN_FRESH;
  if (fresh && !l.part) return whole_footprint(array, true, true);
  Params found;
  for (const WholeAccess& w : l.table.whole)
    if (w.param == p) found.all(w.written, w.reason);
  for (const ArrayAccess& a : l.table.accesses) {
    if (a.param != p || (a.written ? found.all_written : found.all_read || !reads)) continue;
    const Boxes boxes = boxes_of(a, l.table, l.values, array);
    if (!boxes.reason.empty())
      found.all(a.written, boxes.reason);
    else if (a.written)
      found.store(boxes, certain, array);
    else
      found.load(boxes, array);
  }
  Footprint all = found.footprint(array, reads);
  if (l.part && (fresh || (array.flags & VR_ARRAY_UNDEFINED) != 0)) all.read.clear();
  return all;
}

std::vector<Footprint> all_footprints(const Iterations& l) {
  const bool certain = none_fails(l);
  std::vector<Footprint> all;
  for (int32_t p = 0; p < l.kernel.param_count; ++p) all.push_back(footprint_of(l, p, certain, true));
  return all;
}

/// From addresses to distances from the array's first element.
void make_relative(Region& region, const vr_array& array) {
  for (Lmad& box : region) box.base -= reinterpret_cast<uintptr_t>(array.data);
}

}  // namespace

std::vector<Footprint> footprints(const AccessTable& table, const vr_kernel& kernel, const int64_t* counts,
                                  const vr_value* args) {
  const std::vector<Number> values = launch_values(table, kernel, counts, args);
  return all_footprints({table, kernel, args, values});
}

std::vector<Footprint> footprints(AccessTable table, const vr_kernel& kernel, const int64_t* counts,
                                  const vr_value* args, const Part& part) {
  const std::vector<Number> values = launch_values(table, kernel, counts, args);
  AccessLoop& loop = table.loops[size_t(part.dim)];
  const auto all = evaluate(loop.hi, values);
  const int64_t n = all && all->factors.empty() ? all->base : INT64_MAX;
  const auto constant = [](int64_t v) { return AccessForm{{v, -1, {}}}; };
  const int64_t lo = part.lo / loop.members, hi = part.hi / loop.members;
  loop.lo = constant(lo * loop.tile);
  loop.hi = constant(hi > n / loop.tile ? n : hi * loop.tile);
  return all_footprints({table, kernel, args, values, true});
}

int64_t part_unit(const AccessTable& table, const vr_kernel& kernel, int32_t dim, int64_t carried_unit) {
  const int64_t unit = table.loops[size_t(dim)].apart * carried_unit;
  return dim == 0 && kernel.points > 1 ? unit * kernel.points : unit;
}

int64_t first_item(const vr_kernel& kernel, int32_t dim, int64_t iteration) {
  if (dim > 0) return iteration;
  if (kernel.team > 0) return iteration * kernel.team;
  return kernel.points > 1 ? iteration / kernel.points : iteration;
}

std::vector<int64_t> scalars_of(const AccessTable& table) {
  std::vector<int64_t> scalars;
  for (const AccessValue& v : table.values)
    if (v.kind == AccessValue::Kind::Scalar) scalars.push_back(v.a);
  return scalars;
}

void list_numbers(const vr_kernel& kernel, const int64_t* counts, const vr_value* args,
                  const std::vector<int64_t>& scalars, std::vector<int64_t>& numbers) {
  numbers.assign(counts, counts + kernel.dims);
  for (int64_t p : scalars) {
    int64_t bits = 0;
    std::memcpy(&bits, &args[p], size_t(element_bytes(kernel.params[p].elem)));
    numbers.push_back(bits);
  }
  for (int32_t p = 0; p < kernel.param_count; ++p) {
    if (kernel.params[p].kind != VR_PARAM_ARRAY) continue;
    const vr_array& a = *args[p].array;
    numbers.insert(numbers.end(), a.extent, a.extent + a.rank);
    numbers.insert(numbers.end(), a.stride, a.stride + a.rank);
  }
}

Footprints::Footprints(const vr_kernel& kernel) {
  const int64_t* words = kernel.accesses;
  if (!words) return;
  table_ = AccessTable::from(words);
  described_ = true;
  scalars_ = scalars_of(table_);
}

void Footprints::launch(const vr_kernel& kernel, const int64_t* counts, const vr_value* args) {
  kernel_ = &kernel;
  counts_ = counts;
  args_ = args;
  list_numbers(kernel, counts, args, scalars_, now_);
  for (size_t k = 0; k < known_.size(); ++k)
    if (known_[k].numbers == now_) {
      current_ = k;
      return;
    }
  if (known_.size() < most) known_.emplace_back();
  current_ = next_;
  next_ = (next_ + 1) % most;
  Known& k = known_[current_];
  std::swap(k.numbers, now_);
  k.values.clear();
  k.certain.reset();
  k.arrays.assign(size_t(kernel.param_count), {});
}

const Region& Footprints::read(int32_t param) { return find(param, Sides::Both).read; }
const Region& Footprints::written(int32_t param) { return find(param, Sides::Written).write; }

const Footprint& Footprints::find(int32_t param, Sides sides) {
  Known& k = known_[current_];
  Known::Array& a = k.arrays[size_t(param)];
  if (a.found >= sides) return a.footprint;
  const vr_kernel_param& p = kernel_->params[param];
  const vr_array& array = *args_[param].array;
  a.found = Sides::None;  // if this fails, nothing is known about the accesses
  if (described_) {
    if (k.values.empty()) k.values = launch_values(table_, *kernel_, counts_, args_);
    const Iterations launch{table_, *kernel_, args_, k.values};
    if (p.written != 0 && !k.certain) k.certain = none_fails(launch);
    a.footprint = footprint_of(launch, param, k.certain.value_or(true), sides == Sides::Both);
  } else {
    a.footprint = whole_footprint(array, p.written != 0, p.written == VR_WRITTEN_FRESH);
  }
  make_relative(a.footprint.read, array);
  make_relative(a.footprint.write, array);
  a.found = described_ ? sides : Sides::Both;
  return a.footprint;
}

}  // namespace vr::gpu
