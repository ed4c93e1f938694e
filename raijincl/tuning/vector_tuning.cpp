#include "tuning/vector_tuning.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "raijincl/matrix.hpp"
#include "raijincl/reduce.hpp"
#include "routines/hybrid_run.hpp"
#include "tuning/measure.hpp"

namespace raijincl {
namespace {


Status set_vector(Context& c, const VectorConfig& v) {
  std::unique_lock lock(c.impl().profile_mutex);
  c.impl().profile.vector = v;
  return Status::Ok;
}

// Whether y = A x and B = A' are correct for an odd size, compared with a simple loop.
bool vector_right(Context& c, cl_command_queue q) {
  constexpr std::size_t m = 67, n = 131;
  std::vector<float> a(m * n), x(n), y(m), t(m * n);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 17) - 8;
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<float>(i % 5) - 2;
  cl_int err;
  const auto buffer = [&](std::vector<float>& v) {
    return MemHandle(
        clCreateBuffer(c.impl().context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, v.size() * 4, v.data(), &err));
  };
  const MemHandle ma = buffer(a), mx = buffer(x), my = buffer(y), mt = buffer(t);
  if (gemv<float>(c, {q, {}, nullptr}, Order::RowMajor, Op::None, m, n, 1.f, {ma.get(), 0, n}, {mx.get(), 0, 1}, 0.f,
                  {my.get(), 0, 1}) != Status::Ok ||
      transpose<float>(c, {q, {}, nullptr}, m, n, {ma.get(), 0, n}, {mt.get(), 0, m}) != Status::Ok) {
    return false;
  }
  clEnqueueReadBuffer(q, my.get(), CL_TRUE, 0, y.size() * 4, y.data(), 0, nullptr, nullptr);
  clEnqueueReadBuffer(q, mt.get(), CL_TRUE, 0, t.size() * 4, t.data(), 0, nullptr, nullptr);
  for (std::size_t i = 0; i < m; ++i) {
    float s = 0;  // small integers: exact, whatever the order of additions
    for (std::size_t j = 0; j < n; ++j) {
      s += a[i * n + j] * x[j];
      if (t[j * m + i] != a[i * n + j]) return false;
    }
    if (y[i] != s) return false;
  }
  return true;
}

template <class T>
Status hybrid_of(Context::Impl& ctx, cl_command_queue q, std::size_t n, const std::vector<GemmConfig>& candidates,
                 Profile::Hybrid& best) {
  std::vector<T> a(n * n), b(n * n), c(n * n), want(n * n);
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] = T(static_cast<float>(i * 7 % 13) - 6), b[i] = T(static_cast<float>(i * 5 % 11) - 5);
  // The reference: everything on the CPU.
  RAIJINCL_TRY(hybrid_run<T>(ctx, q, candidates[0], n, n, n, T(1), a.data(), n, b.data(), n, T(0), want.data(), n, 0));
  double least = 1e30, cpu = 1e30, device = 1e30;
  const auto attempt = [&](const GemmConfig& config, int gpu, int parts) {
    Status s = Status::Ok;
    const auto call = [&] {
      return s = hybrid_run<T>(ctx, q, config, n, n, n, T(1), a.data(), n, b.data(), n, T(0), c.data(), n,
                               n * static_cast<std::size_t>(gpu) / static_cast<std::size_t>(parts));
    };
    std::fill(c.begin(), c.end(), T(-1));
    const double t = time_calls(q, 0.3, call, least);
    if (s != Status::Ok || c != want) return t;  // small integers: exact, whatever the order of additions
    if (gpu == 0) cpu = std::min(cpu, t);
    if (gpu == parts) device = std::min(device, t);
    if (t < least) least = t, best = {gpu, parts, true, config};
    return t;
  };
  attempt(candidates[0], 0, 8);  // eight parts, as in the thesis
  for (const GemmConfig& config : candidates) {
    for (int gpu = 8; gpu > 0; --gpu) {
      if (attempt(config, gpu, 8) > 2 * least) break;  // the CPU's part is already too large
    }
  }
  // Try finer splits if one side has only a small part.
  for (int parts : {16, 32}) {
    const GemmConfig config = best.config;
    const int gpu = best.gpu_parts * (parts / best.parts);
    for (int step : {-1, 1}) {
      if (gpu + step >= 0 && gpu + step <= parts) attempt(config, gpu + step, parts);
    }
  }
  const double work = flops_of(precision_of<T>(), n, n, n) * 1e-9;
  std::printf("hybrid %s %zu: CPU alone %.1f, device alone %.1f, %.1f GFLOP/s with %d of %d parts on the device\n",
              name_of(precision_of<T>()), n, work / cpu, work / device, work / least, best.gpu_parts, best.parts);
  return best.tuned ? Status::Ok : fail(Status::Unsupported, "no split gave the right product");
}

}  // namespace

double time_calls(cl_command_queue q, double seconds, const std::function<Status()>& call, double give_up) {
  if (call() != Status::Ok) return 1e30;
  clFinish(q);
  double best = 1e30;
  const auto begin = Clock::now();
  int calls = 1;
  for (int round = 0; round < 3 || (since(begin) < seconds && round < 100); ++round) {
    const auto start = Clock::now();
    for (int i = 0; i < calls; ++i) {
      if (call() != Status::Ok) return 1e30;
    }
    clFinish(q);
    best = std::min(best, since(start) / calls);
    if (best > 2 * give_up) break;
    calls = static_cast<int>(std::clamp(seconds / 5 / best, 1.0, 500.0));
  }
  return best;
}

Status tune_vector(Context& c, cl_command_queue q, const std::string& what, Profile& profile) {
  Context::Impl& ctx = c.impl();
  Operands o;
  const std::size_t n = ctx.info.is_cpu ? 2048 : 8192;
  RAIJINCL_TRY(make_operands(ctx, q, Precision::S, n, o));
  VectorConfig best = ctx.vector();
  const auto search = [&](const std::vector<VectorConfig>& candidates, const std::function<Status()>& call,
                          const char* name) {
    double least = 1e30;
    for (const VectorConfig& v : candidates) {
      set_vector(c, v);
      if (!vector_right(c, q)) continue;
      const double t = time_calls(q, 0.1, call);
      if (t < least) least = t, best = v;
    }
    set_vector(c, best);
    std::printf("%s %zu: %.1f GB/s\n", name, n,
                static_cast<double>(n * n) * 4 / least * 1e-9 * (name[0] == 't' ? 2 : 1));
  };
  if (what != "transpose") {
    std::vector<VectorConfig> list;
    for (int g : {1, 16, 32, 64, 128, 256}) {
      if (static_cast<std::size_t>(g) > ctx.info.max_work_group || (ctx.info.is_cpu && g > 1)) continue;
      for (int rows : {1, 4, 16, 64}) {
        if (!ctx.info.is_cpu && rows > 1) continue;
        list.push_back(best);
        list.back().gemv_group = g, list.back().gemv_rows = rows;
      }
    }
    search(
        list,
        [&] {
          return gemv<float>(c, {q, {}, nullptr}, Order::RowMajor, Op::None, n, n, 1.f, {o.a.get(), 0, n},
                             {o.b.get(), 0, 1}, 0.f, {o.c.get(), 0, 1});
        },
        "gemv");
  }
  if (what != "gemv") {
    std::vector<VectorConfig> list;
    for (int local : {0, 1, 2}) {
      for (int tile : {8, 16, 32, 64, 128}) {
        for (int rows : {1, 2, 4, 8, 16, 32}) {
          if (local == 2 && (rows > 1 || !ctx.info.is_cpu)) continue;
          if (local != 2 && tile > 64) continue;
          if (rows > tile || static_cast<std::size_t>(tile * rows) > ctx.info.max_work_group) continue;
          if (local == 1 && static_cast<std::size_t>(tile * (tile + 1)) * 4 > ctx.info.local_bytes) continue;
          list.push_back(best);
          list.back().transpose_local = local, list.back().transpose_tile = tile, list.back().transpose_rows = rows;
        }
      }
    }
    search(
        list, [&] { return transpose<float>(c, {q, {}, nullptr}, n, n, {o.a.get(), 0, n}, {o.c.get(), 0, n}); },
        "transpose");
  }
  profile.vector = best;
  return Status::Ok;
}

Status tune_hybrid(Context::Impl& ctx, cl_command_queue q, Precision p, std::size_t n,
                   const std::vector<GemmConfig>& candidates, Profile::Hybrid& best) {
  switch (p) {
    case Precision::S:
      return hybrid_of<float>(ctx, q, n, candidates, best);
    case Precision::D:
      return hybrid_of<double>(ctx, q, n, candidates, best);
    case Precision::C:
      return hybrid_of<std::complex<float>>(ctx, q, n, candidates, best);
    case Precision::Z:
      return hybrid_of<std::complex<double>>(ctx, q, n, candidates, best);
  }
  return Status::Unsupported;
}

int bench(Context::Impl& ctx, cl_command_queue q, const std::string& precisions, const std::vector<std::size_t>& sizes,
          double seconds) {
  for (int i = 0; i < 4; ++i) {
    const auto p = static_cast<Precision>(i);
    if (precisions.find(name_of(p)) == std::string::npos || check_precision(ctx, p) != Status::Ok) continue;
    Operands o;
    for (Product product : {Product::Plain, Product::Compensated}) {
      for (std::size_t n : sizes) {
        GemmConfig c;
        double gflops = 0;
        if (product == Product::Compensated && is_double(p)) continue;
        if (choose_config(ctx, product, p, n, n, n, c) != Status::Ok) continue;
        Status s = make_operands(ctx, q, p, n, o);
        if (s == Status::Ok) s = time_gemm(ctx, q, c, o, n, 2, 1, 0, seconds, gflops);
        if (s != Status::Ok) return std::fprintf(stderr, "%s %zu: %s\n", name_of(p), n, last_error().c_str()), 1;
        std::printf("%s%s %zu %.1f\n", name_of(p), product == Product::Plain ? "" : "c", n, gflops);
        std::fflush(stdout);
      }
    }
  }
  return 0;
}

int bench_memory(Context& c, cl_command_queue q, std::size_t n, double seconds) {
  Operands o;
  if (make_operands(c.impl(), q, Precision::S, n, o) != Status::Ok)
    return std::fprintf(stderr, "%s\n", last_error().c_str()), 1;
  const double matrix = static_cast<double>(n * n) * 4e-9;
  const Launch l{q, {}, nullptr};
  const auto line = [&](const char* name, double gigabytes, const std::function<Status()>& call) {
    std::printf("%s %zu %.1f\n", name, n, gigabytes / time_calls(q, seconds, call));
    std::fflush(stdout);
  };
  const Matrix a{o.a.get(), 0, n}, d{o.c.get(), 0, n};
  const Vector x{o.b.get(), 0, 1}, y{o.c.get(), 0, 1};
  line("memcpy", 2 * matrix, [&] {
    return clEnqueueCopyBuffer(q, o.a.get(), o.c.get(), 0, 0, n * n * 4, 0, nullptr, nullptr) == CL_SUCCESS
               ? Status::Ok
               : Status::LaunchFailed;
  });
  line("copy", 2 * matrix, [&] { return copy<float>(c, l, n, n, a, d); });
  line("transpose", 2 * matrix, [&] { return transpose<float>(c, l, n, n, a, d); });
  line("gemv", matrix, [&] { return gemv<float>(c, l, Order::RowMajor, Op::None, n, n, 1.f, a, x, 0.f, y); });
  line("gemv_t", matrix, [&] { return gemv<float>(c, l, Order::RowMajor, Op::Transpose, n, n, 1.f, a, x, 0.f, y); });
  const std::size_t extents[] = {n, n};
  line("sum", matrix,
       [&] { return reduce<float>(c, l, Reduction::Sum, extents, kAllAxes, o.a.get(), 0, o.c.get(), 0); });
  line("min", matrix,
       [&] { return reduce<float>(c, l, Reduction::Min, extents, kAllAxes, o.a.get(), 0, o.c.get(), 0); });
  line("sum_axis0", matrix,
       [&] { return reduce<float>(c, l, Reduction::Sum, extents, 0, o.a.get(), 0, o.c.get(), 0); });
  line("sum_axis1", matrix,
       [&] { return reduce<float>(c, l, Reduction::Sum, extents, 1, o.a.get(), 0, o.c.get(), 0); });
  return 0;
}

}  // namespace raijincl
