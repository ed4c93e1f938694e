#include "raijincl/vector.hpp"

#include "routines/arguments.hpp"
#include "routines/reduce_pass.hpp"

namespace raijincl {
namespace {

// z = expr(x, y, alpha); x and y may be absent.
Status elementwise(Context::Impl& ctx, const Launch& l, Precision p, const char* expr, std::size_t n,
                   const Scalar& alpha, const Vector* x, const Vector* y, const Vector& z) {
  Source s = source_for(p);
  s.define("EXPR", expr).define("USES_X", x != nullptr).define("USES_Y", y != nullptr).file("elementwise");
  Programs::Lease kernel;
  RAIJINCL_TRY(ctx.programs.get(s, "elementwise", kernel));
  const Vector& vx = x ? *x : z;  // not read if x is absent
  const Vector& vy = y ? *y : z;
  Enqueue e(kernel.get());
  e.arg(cl_ulong{n}).raw(size_of(p), alpha.bytes.data());
  for (const Vector* v : {&vx, &vy, &z}) e.arg(v->buffer).arg(cl_ulong{v->offset}).arg(cl_ulong{v->inc});
  const std::size_t global = spread(ctx.info, n, 4), local = 64;
  return e.run(l.queue, 1, &global, ctx.info.max_work_group >= 64 ? &local : nullptr, l.wait, l.event);
}

// The OpenCL expression of an operation; null if T does not have the operation.
template <class T>
const char* text_of(Unary op) {
  constexpr bool real = !is_complex_v<T>;
  switch (op) {
    case Unary::Copy:
      return "a";
    case Unary::Negate:
      return "-a";
    case Unary::Conjugate:
      return "conjugate(a)";
    case Unary::Reciprocal:
      return "divide(ONE, a)";
    case Unary::Square:
      return "mul(a, a)";
    case Unary::Abs:
      return real ? "fabs(a)" : nullptr;
    case Unary::Sqrt:
      return real ? "sqrt(a)" : nullptr;
    case Unary::Exp:
      return real ? "exp(a)" : nullptr;
    case Unary::Log:
      return real ? "log(a)" : nullptr;
    case Unary::Sin:
      return real ? "sin(a)" : nullptr;
    case Unary::Cos:
      return real ? "cos(a)" : nullptr;
    case Unary::Tan:
      return real ? "tan(a)" : nullptr;
    case Unary::Tanh:
      return real ? "tanh(a)" : nullptr;
    case Unary::Floor:
      return real ? "floor(a)" : nullptr;
    case Unary::Ceil:
      return real ? "ceil(a)" : nullptr;
  }
  return nullptr;
}
template <class T>
const char* text_of(Binary op) {
  constexpr bool real = !is_complex_v<T>;
  switch (op) {
    case Binary::Add:
      return "a + b";
    case Binary::Subtract:
      return "a - b";
    case Binary::Multiply:
      return "mul(a, b)";
    case Binary::Divide:
      return "divide(a, b)";
    case Binary::Min:
      return real ? "fmin(a, b)" : nullptr;
    case Binary::Max:
      return real ? "fmax(a, b)" : nullptr;
    case Binary::Power:
      return real ? "pow(a, b)" : nullptr;
  }
  return nullptr;
}

template <class T>
Status run(Context& context, const Launch& l, const char* expr, std::size_t n, T alpha, const Vector* x,
           const Vector* y, const Vector& z) {
  Context::Impl& ctx = context.impl();
  RAIJINCL_TRY(check_call<T>(ctx, l));
  if (!expr) return fail(Status::Unsupported, "complex numbers do not have this operation");
  if (x) RAIJINCL_TRY(check_vector(ctx, "x", *x, n, sizeof(T)));
  if (y) RAIJINCL_TRY(check_vector(ctx, "y", *y, n, sizeof(T)));
  RAIJINCL_TRY(check_vector(ctx, "the result", z, n, sizeof(T)));
  if (n == 0) return enqueue_marker(l);
  return elementwise(ctx, l, precision_of<T>(), expr, n, scalar_of(alpha), x, y, z);
}

}  // namespace

template <class T>
Status scale(Context& c, const Launch& l, std::size_t n, T alpha, const Vector& x) {
  if (alpha == T(0)) return run<T>(c, l, "ZERO", n, alpha, nullptr, nullptr, x);
  return run<T>(c, l, "mul(alpha, a)", n, alpha, &x, nullptr, x);
}
template <class T>
Status axpy(Context& c, const Launch& l, std::size_t n, T alpha, const Vector& x, const Vector& y) {
  return run<T>(c, l, "mul(alpha, a) + b", n, alpha, &x, &y, y);
}
template <class T>
Status unary(Context& c, const Launch& l, Unary op, std::size_t n, const Vector& x, const Vector& y) {
  return run<T>(c, l, text_of<T>(op), n, T(0), &x, nullptr, y);
}
template <class T>
Status binary(Context& c, const Launch& l, Binary op, std::size_t n, const Vector& x, const Vector& y,
              const Vector& z) {
  return run<T>(c, l, text_of<T>(op), n, T(0), &x, &y, z);
}

template <class T>
Status dot(Context& c, const Launch& l, std::size_t n, const Vector& x, const Vector& y, bool conjugate, cl_mem result,
           std::size_t offset) {
  Context::Impl& ctx = c.impl();
  RAIJINCL_TRY(check_call<T>(ctx, l));
  RAIJINCL_TRY(check_vector(ctx, "x", x, n, sizeof(T)));
  RAIJINCL_TRY(check_vector(ctx, "y", y, n, sizeof(T)));
  if (offset > kHuge) return fail(Status::InvalidDimension, "the result: out of range");
  RAIJINCL_TRY(check_buffer(ctx, "the result", result, offset + 1, sizeof(T)));
  if (n == 0) return run<T>(c, l, "ZERO", 1, T(0), nullptr, nullptr, {result, offset, 1});
  ReducePass r;
  r.precision = precision_of<T>();
  r.op = conjugate ? ReducePass::DotConjugate : ReducePass::Dot;
  r.length = n;
  r.in = x;
  r.other = y;
  r.out = result;
  r.out_offset = offset;
  return run_reduction(ctx, l, r);
}

#define RAIJINCL_ONE(T)                                                                                 \
  template Status scale<T>(Context&, const Launch&, std::size_t, T, const Vector&);                     \
  template Status axpy<T>(Context&, const Launch&, std::size_t, T, const Vector&, const Vector&);       \
  template Status unary<T>(Context&, const Launch&, Unary, std::size_t, const Vector&, const Vector&);  \
  template Status binary<T>(Context&, const Launch&, Binary, std::size_t, const Vector&, const Vector&, \
                            const Vector&);                                                             \
  template Status dot<T>(Context&, const Launch&, std::size_t, const Vector&, const Vector&, bool, cl_mem, std::size_t);
RAIJINCL_FOR_ALL(RAIJINCL_ONE)
#undef RAIJINCL_ONE

}  // namespace raijincl
