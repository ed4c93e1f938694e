#include "routines/gemm_problem.hpp"

namespace raijincl {
namespace {

bool turned(Op op) { return op == Op::Transpose || op == Op::ConjugateTranspose; }
bool conjugated(Op op) { return op == Op::Conjugate || op == Op::ConjugateTranspose; }

Status check_matrix(const Context::Impl& ctx, const char* name, Precision p, Order order, std::size_t rows,
                    std::size_t columns, const Strided& s, std::size_t count) {
  const std::size_t run = order == Order::RowMajor ? columns : rows, lines = order == Order::RowMajor ? rows : columns;
  if (s.first.ld < std::max<std::size_t>(run, 1)) {
    return fail(Status::InvalidLeadingDimension, std::string(name) + ": leading dimension " +
                                                     std::to_string(s.first.ld) + " is less than " +
                                                     std::to_string(run));
  }
  constexpr std::size_t huge = std::size_t{1} << 48;
  if (s.first.ld > huge || s.first.offset > huge || s.stride > huge || count >= (std::size_t{1} << 31)) {
    return fail(Status::InvalidDimension, std::string(name) + ": out of range");
  }
  if (run == 0 || lines == 0) return Status::Ok;
  if (lines > huge / s.first.ld || count > huge / (s.stride + 1)) {
    return fail(Status::InvalidDimension, std::string(name) + ": out of range");
  }
  const std::size_t one = (lines - 1) * s.first.ld + run;
  return check_buffer(ctx, name, s.first.buffer, s.first.offset + (count - 1) * s.stride + one, size_of(p));
}

}  // namespace

Operand view_of(const GemmArguments& g, bool first) {
  // Column-major C is row-major C': C' = op(B)' op(A)'.
  const bool column = g.order == Order::ColumnMajor;
  const bool is_a = first != column;
  const Strided& s = is_a ? g.a : g.b;
  const Op op = is_a ? g.op_a : g.op_b;
  Operand o;
  o.buffer = s.first.buffer;
  o.offset = s.first.offset;
  o.ld = s.first.ld;
  o.stride = s.stride;
  o.rows = is_a ? g.m : g.n;
  o.conj = conjugated(op);
  // k runs along a row of row-major A and of column-major B.
  const bool k_consecutive = (is_a == !column) != turned(op);
  o.mode = k_consecutive ? 2 : 1;
  return o;
}

Status normalise(const Context::Impl& ctx, const GemmArguments& g, GemmProblem& p) {
  RAIJINCL_TRY(check_precision(ctx, p.precision));
  constexpr std::size_t limit = (std::size_t{1} << 31) - 4096;
  if (g.m > limit || g.n > limit || g.k > limit) return fail(Status::InvalidDimension, "extents must be below 2^31");
  const bool ta = turned(g.op_a), tb = turned(g.op_b);
  const std::size_t count = std::max<std::size_t>(g.count, 1);
  const bool work = g.m && g.n && g.count;
  const bool reads = work && g.k && !p.alpha.is_zero;
  // Leading dimensions are checked even if the matrix is not read: a wrong one is a mistake of the caller in any case.
  const auto check = [&](const char* name, std::size_t rows, std::size_t cols, const Strided& s, bool needed) {
    const std::size_t run = g.order == Order::RowMajor ? cols : rows;
    if (!needed && s.first.ld >= std::max<std::size_t>(run, 1)) return Status::Ok;
    return check_matrix(ctx, name, p.precision, g.order, rows, cols, s, count);
  };
  RAIJINCL_TRY(check("A", ta ? g.k : g.m, ta ? g.m : g.k, g.a, reads));
  RAIJINCL_TRY(check("B", tb ? g.n : g.k, tb ? g.k : g.n, g.b, reads));
  RAIJINCL_TRY(check("C", g.m, g.n, g.c, work));
  if (g.count > 1 && work) {
    const std::size_t run = g.order == Order::RowMajor ? g.n : g.m, lines = g.order == Order::RowMajor ? g.m : g.n;
    if (g.c.stride < (lines - 1) * g.c.first.ld + run) return fail(Status::InvalidStride, "matrices of C overlap");
  }
  const bool column = g.order == Order::ColumnMajor;
  p.m = column ? g.n : g.m;
  p.n = column ? g.m : g.n;
  p.k = g.k;
  p.batch = g.count;
  p.a = view_of(g, true);
  p.b = view_of(g, false);
  if (!is_complex(p.precision)) p.a.conj = p.b.conj = false;
  p.c = g.c.first.buffer;
  p.c_offset = g.c.first.offset;
  p.ldc = g.c.first.ld;
  p.c_stride = g.c.stride;
  return Status::Ok;
}

}  // namespace raijincl
