#include "raijincl/gemm.hpp"

#include "routines/gemm_problem.hpp"

namespace raijincl {
namespace {

// A temporary and the copy into it. On an in-order queue the copy needs no event.
struct Copied {
  Pool::Block block;
  EventHandle event;
};

Status copy_operand(Context::Impl& ctx, const Launch& l, const GemmProblem& g, const Operand& from, const Feed& f,
                    bool events, Copied& out, Operand& to) {
  const std::size_t element = size_of(g.precision), texel = 16 / element;
  const std::size_t batch = from.stride ? g.batch : 1;  // a matrix that the whole batch uses is copied once
  if (f.image) {
    const std::size_t along = (f.dst_k ? f.depth : f.padded) / texel, across = f.dst_k ? f.padded : f.depth;
    RAIJINCL_TRY(ctx.pool.image(along, across, out.block));
  } else {
    RAIJINCL_TRY(ctx.pool.buffer(f.bytes(element, batch), out.block));
  }
  std::vector<cl_event> wait(l.wait.begin(), l.wait.end());
  if (out.block.ready) wait.push_back(out.block.ready.get());
  RAIJINCL_TRY(enqueue_copy(ctx, {l.queue, wait, events ? out.event.out() : nullptr}, g.precision, from, g.k, batch, f,
                            out.block.mem.get()));
  to = from;
  to.buffer = out.block.mem.get();
  to.offset = 0;
  to.mode = f.mode;
  to.ld = f.mode == 2 || f.mode == 0 ? f.depth : f.padded;
  to.stride = from.stride ? f.padded * f.depth : 0;
  to.conj = false;
  return Status::Ok;
}

bool fits_image(const Feed& f, const DeviceInfo& d, std::size_t element) {
  const std::size_t along = (f.dst_k ? f.depth : f.padded) / (16 / element), across = f.dst_k ? f.padded : f.depth;
  return along <= d.image_width && across <= d.image_height;
}

}  // namespace

Status run_gemm(Context::Impl& ctx, const Launch& l, const GemmConfig& config, const GemmProblem& g) {
  if (g.k == 0 || g.alpha.is_zero) return enqueue_scale(ctx, l, g);
  const Feed fa = feed_for(config, g.precision, ctx.info, g.a, g.k, true, false);
  const Feed fb = feed_for(config, g.precision, ctx.info, g.b, g.k, false, false);
  const std::size_t element = size_of(g.precision);
  if ((fa.image && (g.batch > 1 || !fits_image(fa, ctx.info, element))) ||
      (fb.image && (g.batch > 1 || !fits_image(fb, ctx.info, element)))) {
    GemmConfig no_image = config;  // images have no batches and a size limit: the same kernel with buffers
    no_image.image_a = no_image.image_b = 0;
    return run_gemm(ctx, l, no_image, g);
  }
  if (!fa.copy && !fb.copy) return enqueue_product(ctx, l, config, g, fa, g.a, fb, g.b);

  const bool events = !in_order(l.queue);
  Copied ca, cb;
  Operand a = g.a, b = g.b;
  std::vector<cl_event> wait(l.wait.begin(), l.wait.end());
  EventHandle last;
  Status s = Status::Ok;
  if (fa.copy) s = copy_operand(ctx, l, g, g.a, fa, events, ca, a);
  if (s == Status::Ok && fb.copy) s = copy_operand(ctx, l, g, g.b, fb, events, cb, b);
  if (ca.event) wait.push_back(ca.event.get());
  if (cb.event) wait.push_back(cb.event.get());
  if (s == Status::Ok) s = enqueue_product(ctx, {l.queue, wait, last.out()}, config, g, fa, a, fb, b);
  if (s != Status::Ok) clFinish(l.queue);  // a copy into a temporary that is returned to the pool may still run
  ctx.pool.give_back(std::move(ca.block), last.get());
  ctx.pool.give_back(std::move(cb.block), last.get());
  if (s == Status::Ok && l.event) *l.event = last.give();
  return s;
}

Status choose_config(Context::Impl& ctx, Product product, Precision p, std::size_t m, std::size_t n, std::size_t k,
                     GemmConfig& out) {
  const bool comp = product == Product::Compensated && !is_double(p);
  std::vector<GemmConfig> others;  // only other compensated kernels may replace a compensated kernel
  {
    std::shared_lock lock(ctx.profile_mutex);
    const GemmConfig* c = ctx.profile.choose(comp, p, m, n, k);
    if (c)
      out = *c;
    else if (comp)
      return fail(Status::UnsupportedProduct, "no compensated kernel for " + ctx.info.name);
    if (c && !is_native(*c)) return Status::Ok;
    if (comp && out.family == Family::Wgmma) {
      for (const GemmChoice& other : ctx.profile.compensated[static_cast<int>(p)]) {
        if (other.config.family != Family::Wgmma) others.insert(others.begin(), other.config);
      }
    }
  }
  if (accepted(ctx, out, p)) return Status::Ok;
  for (const GemmConfig& other : others) {
    if (accepted(ctx, other, p)) return out = other, Status::Ok;
  }
  if (comp)
    return fail(Status::UnsupportedProduct, "the compensated kernel did not pass its check on " + ctx.info.name);
  DeviceInfo plain = ctx.info;
  plain.nvidia_capability = 0;
  const Profile fallback = default_profile(plain);
  out = *fallback.choose(false, p, m, n, k);
  return Status::Ok;
}

bool has_compensated(Context& ctx, Precision p) {
  GemmConfig c;
  return !is_double(p) && choose_config(ctx.impl(), Product::Compensated, p, 4096, 4096, 4096, c) == Status::Ok;
}

namespace {

Status gemm_any(Context& context, const Launch& l, const GemmArguments& args, GemmProblem& g, Product product) {
  Context::Impl& ctx = context.impl();
  RAIJINCL_TRY(check_launch(ctx, l));
  RAIJINCL_TRY(normalise(ctx, args, g));
  if (g.m == 0 || g.n == 0 || g.batch == 0) return enqueue_marker(l);
  GemmConfig config;
  RAIJINCL_TRY(choose_config(ctx, product, g.precision, g.m, g.n, std::max<std::size_t>(g.k, 1), config));
  return run_gemm(ctx, l, config, g);
}

}  // namespace

template <class T>
Status gemm_batched(Context& ctx, const Launch& l, Order order, Op op_a, Op op_b, std::size_t m, std::size_t n,
                    std::size_t k, T alpha, const Strided& a, const Strided& b, T beta, const Strided& c,
                    std::size_t count, Product product) {
  GemmProblem g;
  g.precision = precision_of<T>();
  g.alpha = scalar_of(alpha);
  g.beta = scalar_of(beta);
  return gemm_any(ctx, l, {order, op_a, op_b, m, n, k, a, b, c, count}, g, product);
}

template <class T>
Status gemm(Context& ctx, const Launch& l, Order order, Op op_a, Op op_b, std::size_t m, std::size_t n, std::size_t k,
            T alpha, const Matrix& a, const Matrix& b, T beta, const Matrix& c, Product product) {
  return gemm_batched<T>(ctx, l, order, op_a, op_b, m, n, k, alpha, {a, 0}, {b, 0}, beta, {c, 0}, 1, product);
}

#define RAIJINCL_INSTANTIATE(T)                                                                                     \
  template Status gemm<T>(Context&, const Launch&, Order, Op, Op, std::size_t, std::size_t, std::size_t, T,         \
                          const Matrix&, const Matrix&, T, const Matrix&, Product);                                 \
  template Status gemm_batched<T>(Context&, const Launch&, Order, Op, Op, std::size_t, std::size_t, std::size_t, T, \
                                  const Strided&, const Strided&, T, const Strided&, std::size_t, Product);
RAIJINCL_INSTANTIATE(float)
RAIJINCL_INSTANTIATE(double)
RAIJINCL_INSTANTIATE(std::complex<float>)
RAIJINCL_INSTANTIATE(std::complex<double>)
#undef RAIJINCL_INSTANTIATE

}  // namespace raijincl
