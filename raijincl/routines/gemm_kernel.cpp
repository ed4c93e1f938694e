// Generates a kernel from parameters and layouts, and launches it.
#include "routines/gemm_problem.hpp"

namespace raijincl {
namespace {

std::size_t round_up(std::size_t v, std::size_t to) { return (v + to - 1) / to * to; }

std::string vector_name(bool dbl, int reals) {
  return std::string(dbl ? "double" : "float") + (reals == 1 ? "" : std::to_string(reals));
}

// gemm_load.cl and gemm_mma_load.cl are included once per operand.
void add_operand(Source& s, const char* name, const Feed& f, int rows, int warp_rows, const char* file, Precision p) {
  s.define("OPERAND", name).define("X_MODE", f.mode).define("X_ROWS", rows).define("X_CONJ", f.conj);
  s.define("X_WROWS", warp_rows).define("X_LV", f.load).define("X_BYTES", static_cast<long long>(f.load * size_of(p)));
  s.define("X_LT", std::string(name) + "_LT").file(file);
  for (const char* d : {"OPERAND", "X_MODE", "X_ROWS", "X_CONJ", "X_WROWS", "X_LV", "X_BYTES", "X_LT"}) s.undef(d);
}

}  // namespace

Feed feed_for(const GemmConfig& c, Precision p, const DeviceInfo& d, const Operand& o, std::size_t k, bool first,
              bool always_copy) {
  const std::size_t element = size_of(p), tile = static_cast<std::size_t>(first ? c.bm : c.bn);
  Feed f;
  f.conj = o.conj;
  if (c.family == Family::Codelet) {
    f.copy = true;
    f.conj = false;
    f.dst_k = first ? c.a_k : c.b_k;
    f.image = first ? c.image_a : c.image_b;
    f.mode = f.dst_k ? 2 : 1;
    f.load = c.vector;
    f.padded = f.width = round_up(o.rows, tile);
    f.depth = round_up(k, static_cast<std::size_t>(c.bk));
    return f;
  }
  const auto aligned = [&](std::size_t bytes) {
    return o.ld * element % bytes == 0 && o.offset * element % bytes == 0 && o.stride * element % bytes == 0;
  };
  if (c.family == Family::Mma || c.family == Family::Wgmma) {
    const bool fixed = c.family == Family::Wgmma;  // requires A with k consecutive and B with columns consecutive
    f.mode = o.mode;
    const std::size_t w = 16 / element;
    if (always_copy || !aligned(16) || (c.turn && o.mode == 2) || (fixed && o.mode != (first ? 2 : 1))) {
      f.copy = true;
      f.conj = false;
      if (c.turn) f.mode = 1;
      if (fixed) f.mode = first ? 2 : 1;
      f.dst_k = f.mode == 2;
      f.padded = f.width = f.dst_k ? o.rows : round_up(o.rows, w);
      f.depth = f.dst_k ? round_up(k, w) : k;
    }
    return f;
  }
  if (!c.local || (always_copy && !c.async)) {  // panels
    f.mode = 0;
    f.load = c.local ? c.load : 1;
    f.copy = true;
    f.conj = false;
    f.width = tile;
    f.padded = round_up(o.rows, tile);
    f.depth = round_up(k, static_cast<std::size_t>(c.bk));
    return f;
  }
  f.mode = o.mode;
  f.load = c.load;
  if (always_copy || (c.async && ((c.turn && o.mode == 2) || (o.mode == 1 && !aligned(c.load * element))))) {
    // Copy to rows that are consecutive and aligned, which is fastest with cp.async.
    f.copy = true;
    f.conj = false;
    f.mode = 1;
    f.padded = f.width = round_up(o.rows, static_cast<std::size_t>(c.load));
    f.depth = k;
  } else if (!aligned(c.load * element) || d.is_cpu) {
    f.load = 1;  // a buffer in host memory may have any alignment
  }
  if (c.async && f.mode == 2) f.load = 1;
  if (c.async && f.load * element > 16) f.load = static_cast<int>(16 / element);
  return f;
}

Source gemm_source(const GemmConfig& c, Precision p, const Feed& a, const Feed& b, bool sliced) {
  const int cpx = is_complex(p) ? 2 : 1;
  const bool dbl = is_double(p);
  Source s;
  s.define("PRECISION", static_cast<int>(p)).define("BM", c.bm).define("BN", c.bn).define("RASTER", c.raster);
  s.define("SLICED", sliced).define("SKIP", c.skip);
  s.define("CONJ_A", a.conj)
      .define("CONJ_B", b.conj)
      .define("WAIT_FOR", std::max(0, c.stages - 2))
      .define("STAGES", c.stages);
  s.file("precision");
  if (c.family == Family::Wgmma) {
    s.define("WAIT_FOR_LESS_1", c.stages - 3).define("ASYNC", 1);
    return s.file("gemm_common").file("gemm_wgmma");
  }
  if (c.family == Family::Mma) {
    s.define("WARPS_M", c.warps_m).define("WARPS_N", c.warps_n).define("WARPS_K", c.warps_k);
    s.define("DEEP", c.deep).define("FOLD", c.fold).define("SPLIT", c.split).define("A_MODE", a.mode);
    s.define("B_MODE", b.mode)
        .define("AHEAD", c.ahead != 0)
        .define("EARLY", c.early)
        .define("STAGES_LESS_1", c.stages - 1)
        .define("ASYNC", 1);
    s.file("gemm_common").file("gemm_mma_head");
    add_operand(s, "A", a, c.bm, c.bm / c.warps_m, "gemm_mma_load", p);
    add_operand(s, "B", b, c.bn, c.bn / c.warps_n, "gemm_mma_load", p);
    return s.file("gemm_mma");
  }
  s.define("BK", c.bk).define("TM", c.tm).define("TN", c.tn).define("VW", c.vector).define("MAD", c.mad);
  if (c.family == Family::Block) {
    s.define("AV", c.av)
        .define("LOCAL", c.local)
        .define("ASYNC", c.async)
        .define("LANES", c.lanes)
        .define("PAD", c.pad);
    s.define("A_MODE", a.mode).define("B_MODE", b.mode).define("A_LV", a.load).define("B_LV", b.load);
    s.define("A_VT", vector_name(dbl, c.av * cpx)).define("A_LT", vector_name(dbl, a.load * cpx));
    s.define("B_LT", vector_name(dbl, b.load * cpx)).file("gemm_common").file("gemm_block_head");
    if (c.local) {
      add_operand(s, "A", a, c.bm, c.bm, "gemm_load", p);
      add_operand(s, "B", b, c.bn, c.bn, "gemm_load", p);
    }
    return s.file("gemm_block");
  }
  s.define("A_K", c.a_k).define("B_K", c.b_k).define("CONSECUTIVE", c.consecutive).define("LOCAL_A", c.local_a);
  s.define("LOCAL_B", c.local_b).define("IMAGE_A", c.image_a).define("IMAGE_B", c.image_b);
  return s.define("VT", vector_name(dbl, c.vector * cpx)).file("gemm_common").file("gemm_codelet");
}

Status enqueue_copy(Context::Impl& ctx, const Launch& l, Precision p, const Operand& o, std::size_t k,
                    std::size_t batch, const Feed& f, cl_mem to) {
  // Two small square tiles keep the accesses on both sides consecutive. Without transposition, lines are as long as the
  // device prefers.
  const std::size_t tile = ctx.info.max_work_group >= 256 ? 16 : 8;
  Source s;
  s.define("PRECISION", static_cast<int>(p))
      .define("SRC_K", o.mode == 2)
      .define("DST_K", f.dst_k)
      .define("CONJ", o.conj);
  const bool alone = ctx.info.is_cpu && !f.image && !f.dst_k && f.width <= 256;  // the version for CPUs (pack.cl)
  s.define("PANEL", alone ? static_cast<long long>(f.width) : 0);
  s.define("TO_IMAGE", f.image)
      .define("TILE", static_cast<long long>(tile))
      .define("WIDTH", f.image || f.width == f.padded ? 0 : static_cast<long long>(f.width));
  s.file("precision").file("pack");
  Programs::Lease kernel;
  RAIJINCL_TRY(ctx.programs.get(s, f.image ? "pack_image" : "pack", kernel));
  const auto rows = static_cast<cl_uint>(o.rows), depth_in = static_cast<cl_uint>(k);
  const auto width = static_cast<cl_uint>(f.width), padded = static_cast<cl_uint>(f.padded),
             depth = static_cast<cl_uint>(f.depth);
  Enqueue e(kernel.get());
  e.arg(o.buffer).arg(cl_ulong{o.offset}).arg(cl_ulong{o.ld});
  if (f.image) {
    const std::size_t texel = 16 / size_of(p);
    const std::size_t global[2] = {(f.dst_k ? f.depth : f.padded) / texel, f.dst_k ? f.padded : f.depth};
    return e.arg(rows).arg(depth_in).arg(to).arg(padded).arg(depth).run(l.queue, 2, global, nullptr, l.wait, l.event);
  }
  e.arg(cl_ulong{o.stride}).arg(rows).arg(depth_in).arg(to).arg(width).arg(padded).arg(depth);
  if (alone) {
    constexpr std::size_t chunk = 128;
    const std::size_t global[3] = {f.padded / f.width, (f.depth + chunk - 1) / chunk, batch}, local[3] = {1, 1, 1};
    return e.run(l.queue, 3, global, local, l.wait, l.event);
  }
  const std::size_t global[3] = {round_up(f.padded, tile), round_up(f.depth, tile), batch}, local[3] = {tile, tile, 1};
  return e.run(l.queue, 3, global, local, l.wait, l.event);
}

Slices slices_for(const GemmConfig& c, const GemmProblem& g, const DeviceInfo& d) {
  constexpr std::size_t
      unit = 32,
      shortest = 128;  // a multiple of every bk and tile of k; shorter slices are not worth a second pass over C
  const std::size_t bm = static_cast<std::size_t>(c.bm), bn = static_cast<std::size_t>(c.bn);
  const std::size_t groups = ((g.m + bm - 1) / bm) * ((g.n + bn - 1) / bn);
  const std::size_t wanted = static_cast<std::size_t>(c.fill) * d.compute_units / groups;
  if (g.batch > 1 || c.image_a || c.image_b || (c.family == Family::Codelet && unit % static_cast<std::size_t>(c.bk)))
    return {1, g.k};
  const std::size_t count = std::min(wanted, g.k / shortest);
  if (count < 2) return {1, g.k};
  const std::size_t length = round_up((g.k + count - 1) / count, unit);
  return {(g.k + length - 1) / length, length};
}

namespace {

// One kernel: a batch of products, or the slices of one.
Status launch_product(Context::Impl& ctx, const Launch& l, const GemmConfig& c, const GemmProblem& g, const Feed& fa,
                      const Operand& a, const Feed& fb, const Operand& b, const Slices& slices) {
  Programs::Lease kernel;
  std::string options = "-cl-mad-enable";
  if (is_native(c) && c.regs) options += " -cl-nv-maxrregcount=" + std::to_string(c.regs);
  const bool sliced = slices.count > 1;
  RAIJINCL_TRY(ctx.programs.get(gemm_source(c, g.precision, fa, fb, sliced), "gemm", kernel, options.c_str()));
  const std::size_t element = size_of(g.precision);
  Enqueue e(kernel.get());
  e.arg(static_cast<cl_uint>(g.m)).arg(static_cast<cl_uint>(g.n)).arg(static_cast<cl_uint>(g.k));
  e.raw(element, g.alpha.bytes.data());
  const auto operand = [&](const Operand& o, const Feed& f) {
    e.arg(o.buffer);
    // From slice to slice: along a panel, a column or a row.
    const std::size_t step = f.mode == 0 ? f.width : f.mode == 1 ? o.ld : 1;
    if (!f.image) e.arg(cl_ulong{o.offset}).arg(cl_ulong{o.ld}).arg(cl_ulong{sliced ? step * slices.length : o.stride});
  };
  operand(a, fa);
  operand(b, fb);
  e.raw(element, g.beta.bytes.data()).arg(g.c).arg(cl_ulong{g.c_offset}).arg(cl_ulong{g.ldc}).arg(cl_ulong{g.c_stride});
  e.arg(static_cast<cl_uint>(slices.length));
  const std::size_t threads = static_cast<std::size_t>(threads_of(c));
  const std::size_t bm = static_cast<std::size_t>(c.bm), bn = static_cast<std::size_t>(c.bn);
  const std::size_t global[3] = {(g.m + bm - 1) / bm * threads, (g.n + bn - 1) / bn, sliced ? slices.count : g.batch},
                    local[3] = {threads, 1, 1};
  return e.run(l.queue, 3, global, local, l.wait, l.event);
}

Scalar one_of(Precision p) {
  switch (p) {
    case Precision::S:
      return scalar_of(1.f);
    case Precision::D:
      return scalar_of(1.);
    case Precision::C:
      return scalar_of(std::complex<float>(1));
    case Precision::Z:
      return scalar_of(std::complex<double>(1));
  }
  return {};
}

}  // namespace

Status enqueue_product(Context::Impl& ctx, const Launch& l, const GemmConfig& c, const GemmProblem& g, const Feed& fa,
                       const Operand& a, const Feed& fb, const Operand& b) {
  const Slices slices = slices_for(c, g, ctx.info);
  if (slices.count == 1) return launch_product(ctx, l, c, g, fa, a, fb, b, slices);
  const std::size_t element = size_of(g.precision);
  Source s;
  s.define("PRECISION", static_cast<int>(g.precision)).define("SLICES", static_cast<long long>(slices.count));
  Programs::Lease join;
  RAIJINCL_TRY(ctx.programs.get(s.file("precision").file("join"), "join", join));
  Pool::Block parts;
  RAIJINCL_TRY(ctx.pool.buffer(slices.count * g.m * g.n * element, parts));
  GemmProblem p = g;
  p.c = parts.mem.get();
  p.c_offset = 0;
  p.ldc = g.n;
  p.c_stride = g.m * g.n;
  p.alpha = one_of(g.precision);
  p.beta = Scalar{};
  std::vector<cl_event> wait(l.wait.begin(), l.wait.end());
  if (parts.ready) wait.push_back(parts.ready.get());
  EventHandle middle, last;
  Status st =
      launch_product(ctx, {l.queue, wait, in_order(l.queue) ? nullptr : middle.out()}, c, p, fa, a, fb, b, slices);
  if (st == Status::Ok) {
    const cl_event after = middle.get();
    const std::size_t wide = std::min<std::size_t>(ctx.info.is_cpu ? 256 : 64, ctx.info.max_work_group);
    const std::size_t global[2] = {round_up(g.n, wide), g.m}, local[2] = {wide, 1};
    st = Enqueue(join.get())
             .arg(static_cast<cl_uint>(g.m))
             .arg(static_cast<cl_uint>(g.n))
             .arg(parts.mem.get())
             .raw(element, g.alpha.bytes.data())
             .raw(element, g.beta.bytes.data())
             .arg(g.c)
             .arg(cl_ulong{g.c_offset})
             .arg(cl_ulong{g.ldc})
             .run(l.queue, 2, global, local, {&after, std::size_t{after != nullptr}}, last.out());
  }
  if (st != Status::Ok) clFinish(l.queue);
  ctx.pool.give_back(std::move(parts), last.get());
  if (st == Status::Ok && l.event) *l.event = last.give();
  return st;
}

Status enqueue_scale(Context::Impl& ctx, const Launch& l, const GemmProblem& g) {
  Source s;
  s.define("PRECISION", static_cast<int>(g.precision)).file("precision").file("scale_matrix");
  Programs::Lease kernel;
  RAIJINCL_TRY(ctx.programs.get(s, "scale_matrix", kernel));
  const std::size_t global[3] = {g.n, g.m, g.batch};
  return Enqueue(kernel.get())
      .raw(size_of(g.precision), g.beta.bytes.data())
      .arg(g.c)
      .arg(cl_ulong{g.c_offset})
      .arg(cl_ulong{g.ldc})
      .arg(cl_ulong{g.c_stride})
      .run(l.queue, 3, global, nullptr, l.wait, l.event);
}

}  // namespace raijincl
