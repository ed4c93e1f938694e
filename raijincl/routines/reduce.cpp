#include "raijincl/reduce.hpp"

#include "routines/reduce_pass.hpp"

namespace raijincl {
namespace {

struct PassBuffers {
  Vector in, other;
  cl_mem places_in = nullptr, out = nullptr, places_out = nullptr;
  std::size_t out_offset = 0;
};

Status one_pass(Context::Impl& ctx, const Launch& l, const ReducePass& r, std::size_t length, std::size_t parts,
                bool first, bool last, const PassBuffers& b) {
  const bool inner = r.inner > 1;
  const std::size_t group = inner ? 1 : static_cast<std::size_t>(ctx.vector().reduce_group);
  Source s = source_for(r.precision);
  s.define("OP", !first && r.op >= ReducePass::Dot ? ReducePass::Sum : r.op)
      .define("ARG", r.places)
      .define("FIRST", first);
  s.define("LAST", last).define("INNER", inner).define("GROUP", static_cast<long long>(group)).file("reduce");
  Programs::Lease kernel;
  RAIJINCL_TRY(ctx.programs.get(s, "reduce", kernel));
  const cl_mem any = b.in.buffer;  // stands where a kernel reads nothing
  Enqueue e(kernel.get());
  e.arg(cl_ulong{r.outer}).arg(cl_ulong{length}).arg(cl_ulong{r.inner}).arg(cl_ulong{parts});
  e.arg(b.in.buffer).arg(cl_ulong{b.in.offset}).arg(cl_ulong{b.in.inc});
  e.arg(b.other.buffer ? b.other.buffer : any).arg(cl_ulong{b.other.offset}).arg(cl_ulong{b.other.inc});
  e.arg(b.places_in ? b.places_in : any).arg(b.out ? b.out : b.places_out).arg(cl_ulong{b.out_offset});
  e.arg(b.places_out ? b.places_out : any);
  const std::size_t results = r.outer * parts * r.inner;
  const std::size_t local = inner ? std::min<std::size_t>(64, ctx.info.max_work_group) : group;
  const std::size_t global = inner ? (results + local - 1) / local * local : results * group;
  return e.run(l.queue, 1, &global, &local, l.wait, l.event);
}

}  // namespace

Status run_reduction(Context::Impl& ctx, const Launch& l, const ReducePass& r) {
  const VectorConfig v = ctx.vector();
  const std::size_t results = r.outer * r.inner, each = r.inner > 1 ? 1 : static_cast<std::size_t>(v.reduce_group);
  // As many groups as the device likes (inner: work-items), of at least 64 (32) elements a work-item.
  const std::size_t wanted = static_cast<std::size_t>(v.reduce_groups) * (r.inner > 1 ? 512 : 1);
  const std::size_t parts = std::clamp<std::size_t>(std::min(wanted / results, r.length / (each * 32)), 1, 4096);
  PassBuffers b;
  b.in = r.in;
  b.other = r.other;
  if (parts == 1) {
    (r.places ? b.places_out : b.out) = r.out;
    b.out_offset = r.out_offset;
    return one_pass(ctx, l, r, r.length, 1, true, true, b);
  }
  Pool::Block values, places;
  const std::size_t many = results * parts;
  RAIJINCL_TRY(ctx.pool.buffer(many * size_of(r.precision), values));
  Status s = r.places ? ctx.pool.buffer(many * sizeof(cl_ulong), places) : Status::Ok;
  EventHandle middle, last;
  if (s == Status::Ok) {
    std::vector<cl_event> wait(l.wait.begin(), l.wait.end());
    for (const Pool::Block* p : {&values, &places}) {
      if (p->ready) wait.push_back(p->ready.get());
    }
    b.out = values.mem.get();
    b.places_out = places.mem.get();
    s = one_pass(ctx, {l.queue, wait, middle.out()}, r, r.length, parts, true, false, b);
  }
  if (s == Status::Ok) {
    const cl_event wait[] = {middle.get()};
    PassBuffers c;
    c.in = {values.mem.get(), 0, 1};
    c.places_in = places.mem.get();
    (r.places ? c.places_out : c.out) = r.out;
    c.out_offset = r.out_offset;
    s = one_pass(ctx, {l.queue, wait, last.out()}, r, parts, 1, false, true, c);
  }
  if (s != Status::Ok) clFinish(l.queue);
  ctx.pool.give_back(std::move(values), last.get());
  ctx.pool.give_back(std::move(places), last.get());
  if (s == Status::Ok && l.event) *l.event = last.give();
  return s;
}

namespace {

Status reduce_any(Context::Impl& ctx, const Launch& l, ReducePass r, std::span<const std::size_t> extents,
                  std::size_t axis, cl_mem in, std::size_t in_offset, cl_mem out, std::size_t out_offset,
                  const Scalar& empty) {
  RAIJINCL_TRY(check_launch(ctx, l));
  RAIJINCL_TRY(check_precision(ctx, r.precision));
  if (axis != kAllAxes && axis >= extents.size())
    return fail(Status::InvalidDimension, "the array has no axis " + std::to_string(axis));
  r.length = r.outer = r.inner = 1;
  bool none = false;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    std::size_t& part = axis == kAllAxes || i == axis ? r.length : i < axis ? r.outer : r.inner;
    none = none || extents[i] == 0;
    if (extents[i] && part > kHuge / extents[i]) return fail(Status::InvalidDimension, "extents out of range");
    part *= extents[i];
  }
  const std::size_t results = r.outer * r.inner, element = size_of(r.precision);
  if (in_offset > kHuge || out_offset > kHuge || r.outer > kHuge || (r.outer && r.inner > kHuge / r.outer) ||
      (results && r.length > kHuge / results)) {
    return fail(Status::InvalidDimension, "extents out of range");
  }
  if (!none) RAIJINCL_TRY(check_buffer(ctx, "the array", in, in_offset + results * r.length, element));
  if (results)
    RAIJINCL_TRY(check_buffer(ctx, "the result", out, out_offset + results, r.places ? sizeof(cl_ulong) : element));
  if (results == 0) return enqueue_marker(l);
  if (r.length == 0) {
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
  r.in = {in, in_offset, 1};
  r.out = out;
  r.out_offset = out_offset;
  return run_reduction(ctx, l, r);
}

}  // namespace

template <class T>
Status reduce(Context& c, const Launch& l, Reduction op, std::span<const std::size_t> extents, std::size_t axis,
              cl_mem in, std::size_t in_offset, cl_mem out, std::size_t out_offset) {
  if (is_complex_v<T> && (op == Reduction::Min || op == Reduction::Max)) {
    return fail(Status::Unsupported, "complex numbers have no order");
  }
  ReducePass r;
  r.precision = precision_of<T>();
  r.op = static_cast<ReducePass::Op>(op);
  return reduce_any(c.impl(), l, r, extents, axis, in, in_offset, out, out_offset,
                    scalar_of(T(op == Reduction::Product ? 1 : 0)));
}

template <class T>
Status arg_reduce(Context& c, const Launch& l, ArgReduction op, std::span<const std::size_t> extents, std::size_t axis,
                  cl_mem in, std::size_t in_offset, cl_mem out, std::size_t out_offset) {
  ReducePass r;
  r.precision = precision_of<T>();
  r.op = op == ArgReduction::Min ? ReducePass::Min : ReducePass::Max;
  r.places = true;
  return reduce_any(c.impl(), l, r, extents, axis, in, in_offset, out, out_offset, Scalar{});
}

#define RAIJINCL_ONE(T)                                                                                            \
  template Status reduce<T>(Context&, const Launch&, Reduction, std::span<const std::size_t>, std::size_t, cl_mem, \
                            std::size_t, cl_mem, std::size_t);
RAIJINCL_FOR_ALL(RAIJINCL_ONE)
#undef RAIJINCL_ONE
template Status arg_reduce<float>(Context&, const Launch&, ArgReduction, std::span<const std::size_t>, std::size_t,
                                  cl_mem, std::size_t, cl_mem, std::size_t);
template Status arg_reduce<double>(Context&, const Launch&, ArgReduction, std::span<const std::size_t>, std::size_t,
                                   cl_mem, std::size_t, cl_mem, std::size_t);

}  // namespace raijincl
