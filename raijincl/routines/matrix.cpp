#include "raijincl/matrix.hpp"

#include <bit>

#include "routines/arguments.hpp"

namespace raijincl {
namespace {

std::string vector_type(Precision p, std::size_t elements) {
  const std::size_t reals = elements * (is_complex(p) ? 2 : 1);
  return std::string(is_double(p) ? "double" : "float") + (reals == 1 ? "" : std::to_string(reals));
}

struct GemvShape {
  std::size_t group = 1, vec = 1, rows = 1, gx = 1, gy = 1;
  bool last = true, aligned = true, x_one = false, cpu = false;
};
Source gemv_source(Precision p, bool conj, const GemvShape& g) {
  const auto n = [](std::size_t v) { return static_cast<long long>(v); };
  Source s;
  s.define("CPU", g.cpu).define("PRECISION", static_cast<int>(p)).file("precision");
  s.define("CONJ", conj).define("GROUP", n(g.group)).define("VEC", n(g.vec));
  s.define("GX", n(g.gx))
      .define("GY", n(g.gy))
      .define("LAST", g.last)
      .define("X_ONE", g.x_one)
      .define("ROWS", n(g.rows));
  const std::size_t reals = g.vec * (is_complex(p) ? 2 : 1);
  s.define("LOAD(p)", g.aligned || reals == 1 ? "(*(global const LUMP*)(p))"
                                              : "vload" + std::to_string(reals) + "(0, (global const R*)(p))");
  return s.define("LUMP", vector_type(p, g.vec)).file("gemv");
}

// op(A) = A': column sums over slices of rows, then the slices.
Status gemv_columns(Context::Impl& ctx, const Launch& l, Precision p, bool conj, std::size_t rows, std::size_t columns,
                    const Scalar& alpha, const Matrix& a, const Vector& x, const Scalar& beta, const Vector& y) {
  const bool cpu = ctx.info.is_cpu;
  const std::size_t element = size_of(p), most = std::min<std::size_t>(ctx.info.max_work_group, 1024);
  // A CPU processes whole rows as long as their sums fit in the L1 cache.
  const std::size_t gx = cpu ? std::clamp<std::size_t>(std::bit_ceil(columns), 4096 / element, 16384 / element)
                             : std::min<std::size_t>(32, most);
  std::size_t gy = cpu ? 1 : std::bit_floor(std::clamp<std::size_t>(rows / 8, 1, most / gx));
  while (gy > 1 && gx * gy * element > ctx.info.local_bytes) gy /= 2;
  const std::size_t wide = (columns + gx - 1) / gx * gx;
  const std::size_t wanted = std::size_t{ctx.info.compute_units} * 2;  // groups
  const std::size_t slices = std::clamp<std::size_t>(wanted * gx / wide, 1, std::max<std::size_t>(1, rows / (gy * 32)));
  const Source s = gemv_source(p, conj, {.gx = gx, .gy = gy, .last = slices == 1, .cpu = cpu});
  Programs::Lease sums, finish;
  RAIJINCL_TRY(ctx.programs.get(s, "gemv_columns", sums));
  Pool::Block partial;
  if (slices > 1) {
    RAIJINCL_TRY(ctx.programs.get(s, "gemv_finish", finish));
    RAIJINCL_TRY(ctx.pool.buffer(slices * columns * element, partial));
  }
  std::vector<cl_event> wait(l.wait.begin(), l.wait.end());
  if (partial.ready) wait.push_back(partial.ready.get());
  EventHandle middle, last;
  const bool events = slices > 1 && !in_order(l.queue);
  const auto u = [](std::size_t v) { return static_cast<cl_uint>(v); };
  const std::size_t global[2] = {cpu ? wide / gx : wide, slices * gy}, group[2] = {cpu ? 1 : gx, gy};
  Status st = Enqueue(sums.get())
                  .arg(u(rows))
                  .arg(u(columns))
                  .arg(u(slices))
                  .raw(element, alpha.bytes.data())
                  .arg(a.buffer)
                  .arg(cl_ulong{a.offset})
                  .arg(cl_ulong{a.ld})
                  .arg(x.buffer)
                  .arg(cl_ulong{x.offset})
                  .arg(cl_ulong{x.inc})
                  .raw(element, beta.bytes.data())
                  .arg(slices > 1 ? partial.mem.get() : y.buffer)
                  .arg(cl_ulong{y.offset})
                  .arg(cl_ulong{y.inc})
                  .run(l.queue, 2, global, group, wait,
                       slices == 1 ? l.event
                       : events    ? middle.out()
                                   : nullptr);
  if (slices == 1) return st;
  if (st == Status::Ok) {
    const cl_event after = middle.get();
    st = Enqueue(finish.get())
             .arg(u(columns))
             .arg(u(slices))
             .raw(element, alpha.bytes.data())
             .arg(partial.mem.get())
             .raw(element, beta.bytes.data())
             .arg(y.buffer)
             .arg(cl_ulong{y.offset})
             .arg(cl_ulong{y.inc})
             .run(l.queue, 1, &columns, nullptr, {&after, std::size_t{after != nullptr}}, last.out());
  }
  if (st != Status::Ok) clFinish(l.queue);
  ctx.pool.give_back(std::move(partial), last.get());
  if (st == Status::Ok && l.event) *l.event = last.give();
  return st;
}

Status gemv_rows(Context::Impl& ctx, const Launch& l, Precision p, bool conj, std::size_t rows, std::size_t columns,
                 const Scalar& alpha, const Matrix& a, const Vector& x, const Scalar& beta, const Vector& y) {
  const std::size_t element = size_of(p), group = static_cast<std::size_t>(ctx.vector().gemv_group);
  // On a CPU a buffer in host memory may have any alignment, and vectors are longer.
  const bool cpu = ctx.info.is_cpu, aligned = !cpu && a.ld * element % 16 == 0 && a.offset * element % 16 == 0;
  const std::size_t lump = cpu ? 64 / element : aligned ? 16 / element : 1;
  Programs::Lease kernel;
  const bool alone = cpu && x.inc == 1;  // each work-item computes some rows
  const std::size_t lines = alone ? static_cast<std::size_t>(std::max(1, ctx.vector().gemv_rows)) : 1;
  const GemvShape shape{.group = group, .vec = lump, .rows = lines, .aligned = !cpu, .x_one = x.inc == 1, .cpu = cpu};
  RAIJINCL_TRY(ctx.programs.get(gemv_source(p, conj, shape), "gemv_rows", kernel));
  const std::size_t local = alone ? 1 : group, global = (rows + lines - 1) / lines * local;
  return Enqueue(kernel.get())
      .arg(static_cast<cl_uint>(rows))
      .arg(static_cast<cl_uint>(columns))
      .raw(element, alpha.bytes.data())
      .arg(a.buffer)
      .arg(cl_ulong{a.offset})
      .arg(cl_ulong{a.ld})
      .arg(x.buffer)
      .arg(cl_ulong{x.offset})
      .arg(cl_ulong{x.inc})
      .raw(element, beta.bytes.data())
      .arg(y.buffer)
      .arg(cl_ulong{y.offset})
      .arg(cl_ulong{y.inc})
      .run(l.queue, 1, &global, &local, l.wait, l.event);
}

}  // namespace

template <class T>
Status gemv(Context& c, const Launch& l, Order order, Op op, std::size_t m, std::size_t n, T alpha, const Matrix& a,
            const Vector& x, T beta, const Vector& y) {
  Context::Impl& ctx = c.impl();
  RAIJINCL_TRY(check_call<T>(ctx, l));
  const bool turned = op == Op::Transpose || op == Op::ConjugateTranspose;
  const bool conj = is_complex_v<T> && (op == Op::Conjugate || op == Op::ConjugateTranspose);
  // Column-major A is row-major A'.
  const bool columns = turned != (order == Order::ColumnMajor);
  const std::size_t rows = order == Order::RowMajor ? m : n, cols = order == Order::RowMajor ? n : m;
  const std::size_t in = turned ? m : n, out = turned ? n : m;
  const bool reads = alpha != T(0) && in && out;
  RAIJINCL_TRY(check_matrix(ctx, "A", a, reads ? rows : 0, cols, sizeof(T)));
  RAIJINCL_TRY(check_vector(ctx, "x", x, reads ? in : 0, sizeof(T)));
  RAIJINCL_TRY(check_vector(ctx, "y", y, out, sizeof(T)));
  if (out >= (std::size_t{1} << 31) || in >= (std::size_t{1} << 31))
    return fail(Status::InvalidDimension, "extents must be below 2^31");
  if (out == 0) return enqueue_marker(l);
  if (!reads) {
    GemmProblem g;
    g.precision = precision_of<T>();
    g.m = out, g.n = 1;
    g.c = y.buffer, g.c_offset = y.offset, g.ldc = y.inc;
    g.beta = scalar_of(beta);
    return enqueue_scale(ctx, l, g);
  }
  return (columns ? gemv_columns : gemv_rows)(ctx, l, precision_of<T>(), conj, rows, cols, scalar_of(alpha), a, x,
                                              scalar_of(beta), y);
}

namespace {

template <class T>
Status check_pair(Context::Impl& ctx, const Launch& l, std::size_t rows, std::size_t columns, const Matrix& src) {
  RAIJINCL_TRY(check_call<T>(ctx, l));
  return check_matrix(ctx, "the source", src, rows, columns, sizeof(T));
}
void add_pair(Enqueue& e, std::size_t rows, std::size_t columns, const Matrix& src, const Matrix& dst) {
  e.arg(static_cast<cl_uint>(rows))
      .arg(static_cast<cl_uint>(columns))
      .arg(src.buffer)
      .arg(cl_ulong{src.offset})
      .arg(cl_ulong{src.ld});
  e.arg(dst.buffer).arg(cl_ulong{dst.offset}).arg(cl_ulong{dst.ld});
}

}  // namespace

template <class T>
Status copy(Context& c, const Launch& l, std::size_t rows, std::size_t columns, const Matrix& src, const Matrix& dst) {
  Context::Impl& ctx = c.impl();
  RAIJINCL_TRY(check_pair<T>(ctx, l, rows, columns, src));
  RAIJINCL_TRY(check_matrix(ctx, "the destination", dst, rows, columns, sizeof(T)));
  if (!rows || !columns) return enqueue_marker(l);
  if (src.ld == columns && dst.ld == columns) {
    const cl_int err = clEnqueueCopyBuffer(
        l.queue, src.buffer, dst.buffer, src.offset * sizeof(T), dst.offset * sizeof(T), rows * columns * sizeof(T),
        static_cast<cl_uint>(l.wait.size()), l.wait.empty() ? nullptr : l.wait.data(), l.event);
    return err == CL_SUCCESS ? Status::Ok : fail_cl("clEnqueueCopyBuffer", err);
  }
  // clEnqueueCopyBufferRect is not used: a driver rejected a last row that is shorter than the row pitch.
  Source s = source_for(precision_of<T>());
  s.define("CONJ", 0).define("TILE", 8).define("ROWS", 8).define("TILE_LOCAL", 0).file("transpose");
  Programs::Lease kernel;
  RAIJINCL_TRY(ctx.programs.get(s, "copy", kernel));
  Enqueue e(kernel.get());
  add_pair(e, rows, columns, src, dst);
  const std::size_t local[2] = {std::min<std::size_t>(64, ctx.info.max_work_group), 1};
  const std::size_t global[2] = {(columns + local[0] - 1) / local[0] * local[0], std::min<std::size_t>(rows, 4096)};
  return e.run(l.queue, 2, global, local, l.wait, l.event);
}

template <class T>
Status transpose(Context& c, const Launch& l, std::size_t rows, std::size_t columns, const Matrix& src,
                 const Matrix& dst, bool conj) {
  Context::Impl& ctx = c.impl();
  RAIJINCL_TRY(check_pair<T>(ctx, l, rows, columns, src));
  RAIJINCL_TRY(check_matrix(ctx, "the destination", dst, columns, rows, sizeof(T)));
  if (!rows || !columns) return enqueue_marker(l);
  VectorConfig v = ctx.vector();
  // Tiles are tuned for floats; for longer elements, use as many as local memory holds.
  while (v.transpose_local == 1 && v.transpose_tile > v.transpose_rows &&
         static_cast<std::size_t>(v.transpose_tile) * (v.transpose_tile + 1) * sizeof(T) >
             std::min<std::size_t>(ctx.info.local_bytes, 20 << 10))
    v.transpose_tile /= 2;
  const bool alone = v.transpose_local == 2;
  const std::size_t tile = static_cast<std::size_t>(v.transpose_tile),
                    lines = static_cast<std::size_t>(v.transpose_rows);
  Source s = source_for(precision_of<T>());
  s.define("CONJ", conj && is_complex_v<T>).define("TILE", v.transpose_tile).define("ROWS", v.transpose_rows);
  s.define("TILE_LOCAL", v.transpose_local).file("transpose");
  Programs::Lease kernel;
  RAIJINCL_TRY(ctx.programs.get(s, "transpose", kernel));
  Enqueue e(kernel.get());
  add_pair(e, rows, columns, src, dst);
  const std::size_t local[2] = {alone ? 1 : tile, alone ? 1 : lines};
  const std::size_t global[2] = {(columns + tile - 1) / tile * local[0], (rows + tile - 1) / tile * local[1]};
  return e.run(l.queue, 2, global, local, l.wait, l.event);
}

template <class T>
Status copy_to_image(Context& c, const Launch& l, std::size_t rows, std::size_t columns, const Matrix& src,
                     cl_mem image, bool transposed) {
  Context::Impl& ctx = c.impl();
  RAIJINCL_TRY(check_pair<T>(ctx, l, rows, columns, src));
  if (!ctx.info.has_images) return fail(Status::Unsupported, "the device has no images");
  cl_context owner = nullptr;
  cl_image_format format{};
  std::size_t width = 0, height = 0;
  if (!image || clGetMemObjectInfo(image, CL_MEM_CONTEXT, sizeof owner, &owner, nullptr) != CL_SUCCESS ||
      owner != ctx.context || clGetImageInfo(image, CL_IMAGE_FORMAT, sizeof format, &format, nullptr) != CL_SUCCESS ||
      format.image_channel_order != CL_RGBA || format.image_channel_data_type != CL_UNSIGNED_INT32 ||
      clGetImageInfo(image, CL_IMAGE_WIDTH, sizeof width, &width, nullptr) != CL_SUCCESS ||
      clGetImageInfo(image, CL_IMAGE_HEIGHT, sizeof height, &height, nullptr) != CL_SUCCESS) {
    return fail(Status::InvalidBuffer, "no image of this context with format {CL_RGBA, CL_UNSIGNED_INT32}");
  }
  const std::size_t texel = 16 / sizeof(T), along = transposed ? rows : columns, across = transposed ? columns : rows;
  const std::size_t texels = (along + texel - 1) / texel;
  if (width < texels || height < across) return fail(Status::BufferTooSmall, "the image is too small");
  if (!rows || !columns) return enqueue_marker(l);
  // pack.cl sees rows of an operand; k runs along an image row.
  Operand o;
  o.buffer = src.buffer, o.offset = src.offset, o.ld = src.ld;
  o.rows = across;
  o.mode = transposed ? 1 : 2;
  Feed f;
  f.image = true;
  f.dst_k = 1;
  f.width = f.padded = across;
  f.depth = texels * texel;
  return enqueue_copy(ctx, l, precision_of<T>(), o, along, 1, f, image);
}

#define RAIJINCL_ONE(T)                                                                                                \
  template Status gemv<T>(Context&, const Launch&, Order, Op, std::size_t, std::size_t, T, const Matrix&,              \
                          const Vector&, T, const Vector&);                                                            \
  template Status copy<T>(Context&, const Launch&, std::size_t, std::size_t, const Matrix&, const Matrix&);            \
  template Status transpose<T>(Context&, const Launch&, std::size_t, std::size_t, const Matrix&, const Matrix&, bool); \
  template Status copy_to_image<T>(Context&, const Launch&, std::size_t, std::size_t, const Matrix&, cl_mem, bool);
RAIJINCL_FOR_ALL(RAIJINCL_ONE)
#undef RAIJINCL_ONE

}  // namespace raijincl
