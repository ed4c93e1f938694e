// Checks whether a kernel is correct on this device: the tuner checks every candidate, a Context every native kernel.
#include <cmath>
#include <limits>
#include <random>

#include "routines/gemm_problem.hpp"

namespace raijincl {
namespace {

constexpr std::size_t kGuard = 64;  // elements before and after C that must keep their values

template <class T>
struct Wide {
  using type = double;
};
template <>
struct Wide<double> {
  using type = long double;
};
template <class T>
struct Wide<std::complex<T>> {
  using type = std::complex<typename Wide<T>::type>;
};
template <class T>
struct Real {
  using type = T;
};
template <class T>
struct Real<std::complex<T>> {
  using type = T;
};

template <class T>
T draw(std::mt19937& r) {
  using R = typename Real<T>::type;
  // More of one sign: cancellation would hide errors that all have the same sign.
  const auto one = [&] { return static_cast<R>(static_cast<double>(r()) / 4294967296.0 * 1.5 - 0.5); };
  if constexpr (std::is_same_v<T, R>)
    return one();
  else {
    const R re = one();
    return T(re, one());
  }
}
template <class T>
auto conj_of(T v) {
  if constexpr (std::is_same_v<T, typename Real<T>::type>)
    return v;
  else
    return std::conj(v);
}

// One operand: its values in memory with an odd leading dimension, and as a matrix rows x k.
template <class T>
struct Side {
  std::vector<T> memory;
  Operand view;
  T at(std::size_t r, std::size_t k) const {
    const T v = memory[view.offset + (view.mode == 2 ? r * view.ld + k : k * view.ld + r)];
    return view.conj ? conj_of(v) : v;
  }
};
template <class T>
Side<T> make_side(std::size_t rows, std::size_t k, int mode, bool aligned, bool conj, std::mt19937& r) {
  Side<T> s;
  s.view.mode = mode;
  s.view.rows = rows;
  s.view.conj = conj && !std::is_same_v<T, typename Real<T>::type>;
  const std::size_t run = mode == 2 ? k : rows, lines = mode == 2 ? rows : k;
  s.view.ld = aligned ? (run + 15) / 16 * 16 : run + 3;
  s.view.offset = aligned ? 16 : 5;
  s.memory.resize(s.view.offset + lines * s.view.ld);
  for (T& v : s.memory) v = draw<T>(r);
  return s;
}

template <class T>
Status check_one(Context::Impl& ctx, cl_command_queue q, const GemmConfig& config, std::size_t m, std::size_t n,
                 std::size_t k, int mode_a, int mode_b, bool aligned, bool& right, double& worst) {
  using R = typename Real<T>::type;
  using W = typename Wide<T>::type;
  using WR = typename Real<W>::type;
  std::mt19937 r(static_cast<unsigned>(m * 31 + n * 7 + k + static_cast<std::size_t>(mode_a * 2 + mode_b)));
  Side<T> a = make_side<T>(m, k, mode_a, aligned, !aligned, r), b = make_side<T>(n, k, mode_b, aligned, aligned, r);
  GemmProblem g;
  g.precision = precision_of<T>();
  g.m = m, g.n = n, g.k = k;
  g.ldc = n + 3;
  g.c_offset = kGuard;
  const T alpha = draw<T>(r), beta = aligned ? T(0) : draw<T>(r);
  g.alpha = scalar_of(alpha);
  g.beta = scalar_of(beta);
  std::vector<T> c(2 * kGuard + m * g.ldc), before;
  for (T& v : c) v = beta == T(0) ? T(std::numeric_limits<R>::quiet_NaN()) : draw<T>(r);
  for (std::size_t i = 0; i < kGuard; ++i) c[i] = c[c.size() - 1 - i] = T(7);
  before = c;
  const auto upload = [&](std::vector<T>& v, cl_mem_flags flags, MemHandle& h) {
    cl_int err;
    h = MemHandle(clCreateBuffer(ctx.context, flags | CL_MEM_COPY_HOST_PTR, v.size() * sizeof(T), v.data(), &err));
    return err == CL_SUCCESS ? Status::Ok : fail_cl("clCreateBuffer", err);
  };
  MemHandle ma, mb, mc;
  RAIJINCL_TRY(upload(a.memory, CL_MEM_READ_ONLY, ma));
  RAIJINCL_TRY(upload(b.memory, CL_MEM_READ_ONLY, mb));
  RAIJINCL_TRY(upload(c, CL_MEM_READ_WRITE, mc));
  g.a = a.view, g.b = b.view;
  g.a.buffer = ma.get(), g.b.buffer = mb.get(), g.c = mc.get();
  RAIJINCL_TRY(run_gemm(ctx, {q, {}, nullptr}, config, g));
  const cl_int err = clEnqueueReadBuffer(q, mc.get(), CL_TRUE, 0, c.size() * sizeof(T), c.data(), 0, nullptr, nullptr);
  if (err != CL_SUCCESS) return fail_cl("clEnqueueReadBuffer", err);

  // All elements of small products; for large ones rows and columns at the edges and some between.
  const std::size_t step_m = std::max<std::size_t>(1, m / 150), step_n = std::max<std::size_t>(1, n / 150);
  const double eps = std::numeric_limits<R>::epsilon() / 2;
  const double bound = 4 * std::sqrt(static_cast<double>(k)) + 16;
  for (std::size_t i = 0; i < m; i += (i + 8 < m && i > 8) ? step_m : 1) {
    for (std::size_t j = 0; j < n; j += (j + 8 < n && j > 8) ? step_n : 1) {
      W sum(0);
      WR size(0);
      for (std::size_t l = 0; l < k; ++l) {
        const W x(a.at(i, l)), y(b.at(j, l));
        sum += x * y;
        size += std::abs(x) * std::abs(y);
      }
      const std::size_t at = kGuard + i * g.ldc + j;
      W want = W(alpha) * sum;
      WR scale = std::abs(W(alpha)) * size;
      if (beta != T(0)) want += W(beta) * W(before[at]), scale += std::abs(W(beta)) * std::abs(W(before[at]));
      const double error = static_cast<double>(std::abs(W(c[at]) - want)) / (eps * static_cast<double>(scale) + 1e-300);
      if (!(error <= worst)) worst = error;  // a NaN is kept
      if (!(error <= bound)) right = false;
      c[at] = before[at];
    }
  }
  // The elements between rows and around C must not have changed.
  for (std::size_t i = 0; i < kGuard; ++i) right = right && c[i] == T(7) && c[c.size() - 1 - i] == T(7);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = n; j < g.ldc; ++j) {
      const std::size_t at = kGuard + i * g.ldc + j;
      right = right && std::memcmp(&c[at], &before[at], sizeof(T)) == 0;
    }
  }
  return Status::Ok;
}

}  // namespace

Status check_gemm(Context::Impl& ctx, cl_command_queue q, const GemmConfig& c, Precision p, std::size_t m,
                  std::size_t n, std::size_t k, unsigned modes, bool& right, double& worst) {
  right = true;
  worst = 0;
  for (int mode = 0; mode < 4; ++mode) {
    if (!(modes >> mode & 1)) continue;
    const int a = mode / 2 + 1, b = mode % 2 + 1;
    const bool aligned = mode % 3 == 0 || modes == (1u << mode);
    Status s = Status::Ok;
    switch (p) {
      case Precision::S:
        s = check_one<float>(ctx, q, c, m, n, k, a, b, aligned, right, worst);
        break;
      case Precision::D:
        s = check_one<double>(ctx, q, c, m, n, k, a, b, aligned, right, worst);
        break;
      case Precision::C:
        s = check_one<std::complex<float>>(ctx, q, c, m, n, k, a, b, aligned, right, worst);
        break;
      case Precision::Z:
        s = check_one<std::complex<double>>(ctx, q, c, m, n, k, a, b, aligned, right, worst);
        break;
    }
    RAIJINCL_TRY(s);
  }
  return Status::Ok;
}

bool accepted(Context::Impl& ctx, const GemmConfig& c, Precision p) {
  if (!is_native(c)) return true;
  if (!ctx.options.native_kernels) return false;
  std::lock_guard lock(ctx.accepted_mutex);
  for (const auto& known : ctx.accepted) {
    if (known.precision == p && known.config == c) return known.right;
  }
  bool right = false;
  if (check_config(c, p, ctx.info) == Status::Ok) {
    cl_int err;
    QueueHandle q(clCreateCommandQueue(ctx.context, ctx.device, 0, &err));
    double worst = 0;
    const auto tile = [](int v) { return static_cast<std::size_t>(v); };
    if (err != CL_SUCCESS ||
        check_gemm(ctx, q.get(), c, p, tile(c.bm) + 7, tile(c.bn) + 5, 75, 0b1111, right, worst) != Status::Ok) {
      right = false;
    }
  }
  ctx.accepted.push_back({c, p, right});
  return right;
}

}  // namespace raijincl
