#include "raijincl/reduce.hpp"

#include <bit>

#include "routines/reduce_pass.hpp"

namespace raijincl {
namespace {

// How work is distributed to the work-items of one pass (reduce.cl).
struct Shape {
  std::size_t gx = 1, gy = 1, parts = 1;
  bool alone = false;
};

Shape shape_for(const Context::Impl& ctx, const VectorConfig& v, const ReducePass& r) {
  const bool cpu = ctx.info.is_cpu;
  const std::size_t results = r.results(), group = static_cast<std::size_t>(v.reduce_group);
  const std::size_t most = std::min<std::size_t>(ctx.info.max_work_group, cpu ? 256 : 1024);
  // Adjacent work-items read adjacent elements: along the axis, or across it if that direction has the smaller stride
  // (or lines are short).
  const bool across = results > 1 && (r.kept[0].stride < r.in.inc || r.length <= 16);
  Shape s;
  s.alone = cpu && across && r.kept[0].stride == 1;
  if (across) {
    s.gx = std::min<std::size_t>(cpu ? 256 : 32, most);
    if (!cpu) s.gy = std::bit_floor(std::clamp<std::size_t>(r.length / 8, 1, most / s.gx));
  } else {
    s.gy = std::bit_floor(std::clamp<std::size_t>(r.length / 4, 1, group));
  }
  while (s.gy > 1 && s.gx * s.gy * 24 > ctx.info.local_bytes) s.gy /= 2;
  const std::size_t groups = (results + s.gx - 1) / s.gx, units = std::max(1u, ctx.info.compute_units);
  const std::size_t wanted = !across ? static_cast<std::size_t>(v.reduce_groups) : units * 2;
  s.parts = std::clamp<std::size_t>(std::min(wanted / groups, r.length / (s.gy * 32)), 1, 4096);
  return s;
}

Status one_pass(Context::Impl& ctx, const Launch& l, const ReducePass& r, const Shape& shape, bool first, bool last,
                cl_mem places_in, cl_mem out, std::size_t out_offset, cl_mem places_out) {
  Source s;
  s.define("ALONE", shape.alone).define("PRECISION", static_cast<int>(r.precision)).file("precision");
  s.define("OP", !first && r.op >= ReducePass::Dot ? ReducePass::Sum : r.op).define("ARG", r.places);
  s.define("ALL", r.all).define("FIRST", first).define("LAST", last);
  s.define("DIMS", static_cast<long long>(r.kept.size())).define("GX", static_cast<long long>(shape.gx));
  s.define("GY", static_cast<long long>(shape.gy)).file("reduce");
  Programs::Lease kernel;
  RAIJINCL_TRY(ctx.programs.get(s, "reduce", kernel));
  const cl_mem any = r.in.buffer;  // a valid argument for a parameter that the kernel does not use
  cl_ulong extents[ReducePass::kAxes] = {}, strides[ReducePass::kAxes] = {};
  for (std::size_t i = 0; i < r.kept.size(); ++i) extents[i] = r.kept[i].extent, strides[i] = r.kept[i].stride;
  Enqueue e(kernel.get());
  e.arg(cl_ulong{r.results()}).arg(cl_ulong{r.length}).arg(cl_ulong{shape.parts});
  e.arg(r.in.buffer).arg(cl_ulong{r.in.offset}).arg(cl_ulong{r.in.inc});
  e.raw(sizeof extents, extents).raw(sizeof strides, strides);
  e.arg(r.other.buffer ? r.other.buffer : any).arg(cl_ulong{r.other.offset}).arg(cl_ulong{r.other.inc});
  e.arg(places_in ? places_in : any).arg(out ? out : places_out).arg(cl_ulong{out_offset});
  e.arg(places_out ? places_out : any);
  if (shape.alone) {
    const std::size_t along = r.kept[0].extent;
    const std::size_t items[2] = {(along + shape.gx - 1) / shape.gx * (r.results() / along), shape.parts},
                      one[2] = {1, 1};
    return e.run(l.queue, 2, items, one, l.wait, l.event);
  }
  const std::size_t local[2] = {shape.gx, shape.gy};
  const std::size_t global[2] = {(r.results() + shape.gx - 1) / shape.gx * shape.gx, shape.parts * shape.gy};
  return e.run(l.queue, 2, global, local, l.wait, l.event);
}

// first: `r.in` is the caller's array; otherwise it is the output of the first pass, with the indices in places_in.
Status passes(Context::Impl& ctx, const Launch& l, const ReducePass& r, bool first, cl_mem places_in) {
  const Shape shape = shape_for(ctx, ctx.vector(), r);
  const std::size_t results = r.results(), many = results * shape.parts;
  if (shape.parts == 1 && (!r.all || results == 1)) {
    return one_pass(ctx, l, r, shape, first, true, places_in, r.places ? nullptr : r.out, r.out_offset,
                    r.places ? r.out : nullptr);
  }
  Pool::Block values, places;
  RAIJINCL_TRY(ctx.pool.buffer(many * size_of(r.precision), values));
  Status s = r.places ? ctx.pool.buffer(many * sizeof(cl_ulong), places) : Status::Ok;
  EventHandle middle, last;
  if (s == Status::Ok) {
    std::vector<cl_event> wait(l.wait.begin(), l.wait.end());
    for (const Pool::Block* p : {&values, &places}) {
      if (p->ready) wait.push_back(p->ready.get());
    }
    s = one_pass(ctx, {l.queue, wait, in_order(l.queue) ? nullptr : middle.out()}, r, shape, first, false, places_in,
                 values.mem.get(), 0, places.mem.get());
  }
  if (s == Status::Ok) {
    ReducePass next = r;
    next.all = false;
    next.other = {};
    next.kept.clear();
    next.in = {values.mem.get(), 0, r.all ? 1 : results};
    next.length = r.all ? many : shape.parts;
    if (!r.all && results > 1) next.kept.push_back({results, 1});
    const cl_event after = middle.get();
    s = passes(ctx, {l.queue, {&after, std::size_t{after != nullptr}}, last.out()}, next, false, places.mem.get());
  }
  if (s != Status::Ok) clFinish(l.queue);
  ctx.pool.give_back(std::move(values), last.get());
  ctx.pool.give_back(std::move(places), last.get());
  if (s == Status::Ok && l.event) *l.event = last.give();
  return s;
}

}  // namespace

Status run_reduction(Context::Impl& ctx, const Launch& l, const ReducePass& r) {
  return passes(ctx, l, r, true, nullptr);
}

namespace {

// The axes, from the last to the first, without axes of extent 1. Contiguous ones are merged (if the stride of one is
// the stride times the extent of the next).
std::vector<ReducePass::Axis> joined(std::span<const std::size_t> extents, std::span<const std::size_t> strides,
                                     std::size_t without) {
  std::vector<ReducePass::Axis> out;
  for (std::size_t i = extents.size(); i-- > 0;) {
    if (i == without || extents[i] == 1) continue;
    if (!out.empty() && strides[i] == out.back().extent * out.back().stride) {
      out.back().extent *= extents[i];
    } else {
      out.push_back({extents[i], strides[i]});
    }
  }
  return out;
}

Status reduce_any(Context::Impl& ctx, const Launch& l, ReducePass r, std::span<const std::size_t> extents,
                  std::span<const std::size_t> strides, std::size_t axis, cl_mem in, std::size_t in_offset, cl_mem out,
                  std::size_t out_offset, const Scalar& empty) {
  RAIJINCL_TRY(check_launch(ctx, l));
  RAIJINCL_TRY(check_precision(ctx, r.precision));
  if (axis != kAllAxes && axis >= extents.size())
    return fail(Status::InvalidDimension, "the array has no axis " + std::to_string(axis));
  if (strides.size() != extents.size()) return fail(Status::InvalidDimension, "not one stride for each extent");
  std::size_t results = 1, length = 1, reach = 1;  // reach: number of elements from the first to the last
  bool none = false;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    std::size_t& part = axis == kAllAxes || i == axis ? length : results;
    none = none || extents[i] == 0;
    if (extents[i] > kHuge || strides[i] > kHuge || (extents[i] && part > kHuge / extents[i]) ||
        (extents[i] > 1 && strides[i] > kHuge / extents[i]))
      return fail(Status::InvalidDimension, "extents out of range");
    part *= extents[i];
    if (extents[i] > 1) reach += (extents[i] - 1) * strides[i];
    if (reach > kHuge) return fail(Status::InvalidDimension, "extents out of range");
  }
  const std::size_t element = size_of(r.precision);
  if (in_offset > kHuge || out_offset > kHuge || (results && length > kHuge / results))
    return fail(Status::InvalidDimension, "extents out of range");
  if (!none) RAIJINCL_TRY(check_buffer(ctx, "the array", in, in_offset + reach, element));
  if (results)
    RAIJINCL_TRY(check_buffer(ctx, "the result", out, out_offset + results, r.places ? sizeof(cl_ulong) : element));
  if (results == 0) return enqueue_marker(l);
  if (length == 0) {
    if (r.op > ReducePass::Product) return fail(Status::InvalidDimension, "nothing to choose from");
    Source s = source_for(r.precision);
    s.define("EXPR", "alpha").define("USES_X", 0).file("elementwise");
    Programs::Lease kernel;
    RAIJINCL_TRY(ctx.programs.get(s, "elementwise", kernel));
    Enqueue e(kernel.get());
    e.arg(cl_ulong{results}).raw(element, empty.bytes.data());
    for (int i = 0; i < 3; ++i) e.arg(out).arg(cl_ulong{out_offset}).arg(cl_ulong{1});
    const std::size_t global = 64;
    return e.run(l.queue, 1, &global, nullptr, l.wait, l.event);
  }
  r.length = length;
  r.in = {in, in_offset, 1};
  r.kept = joined(extents, strides, axis);
  if (axis != kAllAxes) {
    r.in.inc = strides[axis];
  } else {
    r.all = true;
    if (!r.kept.empty()) {
      r.length = r.kept[0].extent;
      r.in.inc = r.kept[0].stride;
      r.kept.erase(r.kept.begin());
    }
  }
  if (r.kept.size() > ReducePass::kAxes)
    return fail(Status::Unsupported, "more than " + std::to_string(ReducePass::kAxes) + " axes that cannot be joined");
  r.out = out;
  r.out_offset = out_offset;
  return run_reduction(ctx, l, r);
}

std::vector<std::size_t> dense(std::span<const std::size_t> extents) {
  std::vector<std::size_t> strides(extents.size(), 1);
  // Wraps around only for extents that reduce_any rejects.
  for (std::size_t i = extents.size(); i-- > 1;) strides[i - 1] = strides[i] * std::max<std::size_t>(extents[i], 1);
  return strides;
}

}  // namespace

template <class T>
Status reduce(Context& c, const Launch& l, Reduction op, std::span<const std::size_t> extents,
              std::span<const std::size_t> strides, std::size_t axis, cl_mem in, std::size_t in_offset, cl_mem out,
              std::size_t out_offset) {
  if (is_complex_v<T> && (op == Reduction::Min || op == Reduction::Max)) {
    return fail(Status::Unsupported, "complex numbers have no order");
  }
  ReducePass r;
  r.precision = precision_of<T>();
  r.op = static_cast<ReducePass::Op>(op);
  return reduce_any(c.impl(), l, r, extents, strides, axis, in, in_offset, out, out_offset,
                    scalar_of(T(op == Reduction::Product ? 1 : 0)));
}
template <class T>
Status reduce(Context& c, const Launch& l, Reduction op, std::span<const std::size_t> extents, std::size_t axis,
              cl_mem in, std::size_t in_offset, cl_mem out, std::size_t out_offset) {
  return reduce<T>(c, l, op, extents, dense(extents), axis, in, in_offset, out, out_offset);
}

template <class T>
Status arg_reduce(Context& c, const Launch& l, ArgReduction op, std::span<const std::size_t> extents,
                  std::span<const std::size_t> strides, std::size_t axis, cl_mem in, std::size_t in_offset, cl_mem out,
                  std::size_t out_offset) {
  ReducePass r;
  r.precision = precision_of<T>();
  r.op = op == ArgReduction::Min ? ReducePass::Min : ReducePass::Max;
  r.places = true;
  return reduce_any(c.impl(), l, r, extents, strides, axis, in, in_offset, out, out_offset, Scalar{});
}
template <class T>
Status arg_reduce(Context& c, const Launch& l, ArgReduction op, std::span<const std::size_t> extents, std::size_t axis,
                  cl_mem in, std::size_t in_offset, cl_mem out, std::size_t out_offset) {
  return arg_reduce<T>(c, l, op, extents, dense(extents), axis, in, in_offset, out, out_offset);
}

#define RAIJINCL_ONE(T)                                                                                            \
  template Status reduce<T>(Context&, const Launch&, Reduction, std::span<const std::size_t>, std::size_t, cl_mem, \
                            std::size_t, cl_mem, std::size_t);                                                     \
  template Status reduce<T>(Context&, const Launch&, Reduction, std::span<const std::size_t>,                      \
                            std::span<const std::size_t>, std::size_t, cl_mem, std::size_t, cl_mem, std::size_t);
RAIJINCL_FOR_ALL(RAIJINCL_ONE)
#undef RAIJINCL_ONE
#define RAIJINCL_ONE(T)                                                                                           \
  template Status arg_reduce<T>(Context&, const Launch&, ArgReduction, std::span<const std::size_t>, std::size_t, \
                                cl_mem, std::size_t, cl_mem, std::size_t);                                        \
  template Status arg_reduce<T>(Context&, const Launch&, ArgReduction, std::span<const std::size_t>,              \
                                std::span<const std::size_t>, std::size_t, cl_mem, std::size_t, cl_mem, std::size_t);
RAIJINCL_ONE(float)
RAIJINCL_ONE(double)
#undef RAIJINCL_ONE

}  // namespace raijincl
