// The four steps of thesis 8.3.3: sizes and temporaries, copy, compute, release.
#include <algorithm>

#include "routines/gemm_problem.hpp"

namespace raijincl {

struct GemmPlan::Impl {
  Context::Impl* ctx = nullptr;
  GemmArguments args{};
  Precision precision = Precision::S;
  GemmConfig config;
  bool swapped = false;  // column-major: the caller's A is B of the normal form
  Operand a, b;          // of the normal form
  Feed fa, fb;
  MemHandle ta, tb;  // of the normal form
  bool copied_a = false, copied_b = false;
};

GemmPlan::GemmPlan() = default;
GemmPlan::~GemmPlan() = default;
GemmPlan::GemmPlan(GemmPlan&&) noexcept = default;
GemmPlan& GemmPlan::operator=(GemmPlan&&) noexcept = default;

Status GemmPlan::make(Context& context, Precision p, Order order, Op op_a, Op op_b, std::size_t m, std::size_t n,
                      std::size_t k, Product product) {
  impl_.reset();
  auto i = std::make_unique<Impl>();
  i->ctx = &context.impl();
  RAIJINCL_TRY(check_precision(*i->ctx, p));
  constexpr std::size_t limit = (std::size_t{1} << 31) - 4096;
  if (m > limit || n > limit || k > limit) return fail(Status::InvalidDimension, "extents must be below 2^31");
  if (!m || !n || !k) return fail(Status::InvalidDimension, "a plan needs extents of at least 1");
  i->precision = p;
  i->args = {order, op_a, op_b, m, n, k, {}, {}, {}, 1};
  i->swapped = order == Order::ColumnMajor;
  RAIJINCL_TRY(choose_config(*i->ctx, product, p, i->swapped ? n : m, i->swapped ? m : n, k, i->config));
  if (i->config.family == Family::Codelet) i->config.image_a = i->config.image_b = 0;  // plans use buffers
  i->config.fill = 0;  // slices of k would need a temporary that bytes_a() and bytes_b() do not include
  i->a = view_of(i->args, true);
  i->b = view_of(i->args, false);
  i->fa = feed_for(i->config, p, i->ctx->info, i->a, k, true, true);
  i->fb = feed_for(i->config, p, i->ctx->info, i->b, k, false, true);
  impl_ = std::move(i);
  return Status::Ok;
}

std::size_t GemmPlan::bytes_a() const {
  return impl_ ? (impl_->swapped ? impl_->fb : impl_->fa).bytes(size_of(impl_->precision), 1) : 0;
}
std::size_t GemmPlan::bytes_b() const {
  return impl_ ? (impl_->swapped ? impl_->fa : impl_->fb).bytes(size_of(impl_->precision), 1) : 0;
}

Status GemmPlan::allocate() {
  if (!impl_) return fail(Status::InvalidPlan, "the plan was not made");
  const auto make = [&](std::size_t bytes, MemHandle& h) {
    cl_int err;
    h = MemHandle(clCreateBuffer(impl_->ctx->context, CL_MEM_READ_WRITE, bytes, nullptr, &err));
    return err == CL_SUCCESS ? Status::Ok : fail_cl("clCreateBuffer", err, Status::OutOfMemory);
  };
  impl_->copied_a = impl_->copied_b = false;
  RAIJINCL_TRY(make(bytes_a(), impl_->swapped ? impl_->tb : impl_->ta));
  return make(bytes_b(), impl_->swapped ? impl_->ta : impl_->tb);
}

Status GemmPlan::use(cl_mem a, cl_mem b) {
  if (!impl_) return fail(Status::InvalidPlan, "the plan was not made");
  RAIJINCL_TRY(check_buffer(*impl_->ctx, "the temporary for A", a, bytes_a(), 1));
  RAIJINCL_TRY(check_buffer(*impl_->ctx, "the temporary for B", b, bytes_b(), 1));
  clRetainMemObject(a);
  clRetainMemObject(b);
  (impl_->swapped ? impl_->tb : impl_->ta) = MemHandle(a);
  (impl_->swapped ? impl_->ta : impl_->tb) = MemHandle(b);
  impl_->copied_a = impl_->copied_b = false;
  return Status::Ok;
}

namespace {

Status copy(GemmPlan::Impl* i, const Launch& l, const Matrix& m, bool is_a) {
  if (!i) return fail(Status::InvalidPlan, "the plan was not made");
  const bool first = is_a != i->swapped;
  const Operand& shape = first ? i->a : i->b;
  const MemHandle& to = first ? i->ta : i->tb;
  if (!to) return fail(Status::InvalidPlan, "the plan has no temporaries");
  RAIJINCL_TRY(check_launch(*i->ctx, l));
  Operand o = shape;
  o.buffer = m.buffer;
  o.offset = m.offset;
  o.ld = m.ld;
  if (!is_complex(i->precision)) o.conj = false;
  const std::size_t run = o.mode == 2 ? i->args.k : o.rows, lines = o.mode == 2 ? o.rows : i->args.k;
  constexpr std::size_t huge = std::size_t{1} << 48;
  if (m.ld < run) return fail(Status::InvalidLeadingDimension, "leading dimension is less than " + std::to_string(run));
  if (m.ld > huge || m.offset > huge || lines > huge / m.ld) return fail(Status::InvalidDimension, "out of range");
  RAIJINCL_TRY(
      check_buffer(*i->ctx, is_a ? "A" : "B", m.buffer, m.offset + (lines - 1) * m.ld + run, size_of(i->precision)));
  RAIJINCL_TRY(enqueue_copy(*i->ctx, l, i->precision, o, i->args.k, 1, first ? i->fa : i->fb, to.get()));
  (is_a ? i->copied_a : i->copied_b) = true;
  return Status::Ok;
}

}  // namespace

Status GemmPlan::copy_a(const Launch& l, const Matrix& a) { return copy(impl_.get(), l, a, true); }
Status GemmPlan::copy_b(const Launch& l, const Matrix& b) { return copy(impl_.get(), l, b, false); }

template <class T>
Status GemmPlan::compute(const Launch& l, T alpha, T beta, const Matrix& c) {
  if (!impl_) return fail(Status::InvalidPlan, "the plan was not made");
  Impl& i = *impl_;
  if (precision_of<T>() != i.precision) return fail(Status::InvalidPlan, "the plan is of another precision");
  if (!i.copied_a || !i.copied_b) return fail(Status::InvalidPlan, "copy A and B first");
  RAIJINCL_TRY(check_launch(*i.ctx, l));
  GemmArguments args = i.args;
  args.c = {c, 0};
  args.a.first.ld = args.b.first.ld = std::max({args.m, args.n, args.k});
  GemmProblem g;
  g.precision = i.precision;
  RAIJINCL_TRY(normalise(*i.ctx, args, g));  // treat alpha as 0: A and B are not checked here
  g.alpha = scalar_of(alpha);
  g.beta = scalar_of(beta);
  if (g.alpha.is_zero) return enqueue_scale(*i.ctx, l, g);
  const auto operand = [](const Feed& f, const MemHandle& t) {
    Operand o;
    o.buffer = t.get();
    o.ld = f.mode == 2 || f.mode == 0 ? f.depth : f.padded;
    return o;
  };
  return enqueue_product(*i.ctx, l, i.config, g, i.fa, operand(i.fa, i.ta), i.fb, operand(i.fb, i.tb));
}

void GemmPlan::release() { impl_.reset(); }

template Status GemmPlan::compute(const Launch&, float, float, const Matrix&);
template Status GemmPlan::compute(const Launch&, double, double, const Matrix&);
template Status GemmPlan::compute(const Launch&, std::complex<float>, std::complex<float>, const Matrix&);
template Status GemmPlan::compute(const Launch&, std::complex<double>, std::complex<double>, const Matrix&);

}  // namespace raijincl
