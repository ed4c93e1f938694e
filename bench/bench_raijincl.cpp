// RaijinCL compared with other BLAS libraries on the same machine: `bench/run raijincl`. These are the CPU's BLAS if
// the device is the CPU, and CLBlast if it is installed. Results are compared before anything is timed. The libraries
// run alternately, and each figure is the best of several runs. Ratios are RaijinCL's speed over the other library's;
// `geomean` is that of the ratios to the CPU's BLAS or, on other devices, to CLBlast.
#include <cblas.h>
#include <raijincl/raijincl.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#include "clblast.hpp"

namespace {

using namespace raijincl;
using Clock = std::chrono::steady_clock;

void blas(int n, const float* a, const float* b, float* c) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0, c, n);
}
void blas(int n, const double* a, const double* b, double* c) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0, c, n);
}
void blas(int n, const std::complex<float>* a, const std::complex<float>* b, std::complex<float>* c) {
  const std::complex<float> one = 1, zero = 0;
  cblas_cgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, &one, a, n, b, n, &zero, c, n);
}
void blas(int n, const std::complex<double>* a, const std::complex<double>* b, std::complex<double>* c) {
  const std::complex<double> one = 1, zero = 0;
  cblas_zgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, &one, a, n, b, n, &zero, c, n);
}

struct Bench {
  Context& ctx;
  cl_context context;
  cl_command_queue queue;
  bool cpu, quick;
  FILE* json;
  bench::ClBlast clblast{};
  double log_sum = 0, least = 1e30;
  int count = 0, lines = 0;
  bool wrong = false;

  cl_mem buffer(std::size_t bytes, const void* data) const {
    cl_int err;
    return clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, const_cast<void*>(data), &err);
  }
  // Cleared, so that a call that writes nothing does not leave the previous call's result.
  void poison(cl_mem m, std::size_t bytes) const {
    const unsigned char nan = 0xff;
    clEnqueueFillBuffer(queue, m, &nan, 1, 0, bytes, 0, nullptr, nullptr);
  }
  // Seconds per call, measured over a series of calls.
  double seconds(const std::function<void()>& call, double guess) const {
    const int calls = std::max(1, std::min(200, static_cast<int>(0.05 / guess)));
    const auto start = Clock::now();
    for (int i = 0; i < calls; ++i) call();
    clFinish(queue);
    return std::chrono::duration<double>(Clock::now() - start).count() / calls;
  }
  // Prints one line: our function, the other libraries' (an empty function: not available), and the units of work in a
  // call.
  void line(const char* name, std::size_t n, double work, const std::function<void()>& ours,
            const std::function<void()>& blas_call, const std::function<void()>& clblast_call) {
    double best[3] = {1, 1, 1};
    const std::function<void()>* calls[3] = {&ours, &blas_call, &clblast_call};
    for (int round = 0; round < (quick ? 4 : 10); ++round) {
      for (int i = 0; i < 3; ++i) {
        if (*calls[i]) best[i] = std::min(best[i], seconds(*calls[i], round ? best[i] : 1));
      }
    }
    double ratio[3] = {};
    std::printf("%-9s %5zu %9.1f", name, n, work / best[0]);
    for (int i = 1; i < 3; ++i) {
      if (*calls[i])
        std::printf(" %9.1f %6.2f", work / best[i], ratio[i] = best[i] / best[0]);
      else
        std::printf(" %9s %6s", "-", "-");
    }
    std::printf("\n");
    std::fflush(stdout);
    if (json) {
      std::fprintf(json, "%s{\"what\":\"%s\",\"n\":%zu,\"raijincl\":%.2f,\"to_blas\":%.3f,\"to_clblast\":%.3f}",
                   lines ? ",\n" : "", name, n, work / best[0], ratio[1], ratio[2]);
    }
    ++lines;
    if (const double r = ratio[cpu ? 1 : 2]; r > 0) {
      log_sum += std::log(r);
      least = std::min(least, r);
      ++count;
    }
  }
  void refuse(const char* name, std::size_t n, const char* why) {
    std::printf("%-9s %5zu  WRONG %s\n", name, n, why);
    wrong = true;
  }

  template <class T>
  void product(const char* name, std::size_t n) {
    std::vector<T> a(n * n), b(n * n), want(n * n), got(n * n);
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] = T(static_cast<float>(i * 2654435761u % 1000) / 500.f - 1.f);
      b[i] = T(static_cast<float>(i * 40503u % 1000) / 500.f - 1.f);
    }
    const std::size_t bytes = n * n * sizeof(T);
    cl_mem ma = buffer(bytes, a.data()), mb = buffer(bytes, b.data()), mc = buffer(bytes, got.data());
    Status s = Status::Ok;
    const auto ours = [&] {
      s = gemm<T>(ctx, {queue, {}, nullptr}, Order::RowMajor, Op::None, Op::None, n, n, n, T(1), {ma, 0, n}, {mb, 0, n},
                  T(0), {mc, 0, n});
    };
    const auto cpu_blas = [&] { blas(static_cast<int>(n), a.data(), b.data(), want.data()); };
    const auto theirs = [&] { clblast.gemm<T>(queue, n, ma, mb, mc); };
    cpu_blas();
    const double eps = sizeof(T) == sizeof(float) || sizeof(T) == sizeof(std::complex<float>) ? 6e-8 : 1.2e-16;
    const auto right = [&] {
      clEnqueueReadBuffer(queue, mc, CL_TRUE, 0, bytes, got.data(), 0, nullptr, nullptr);
      for (std::size_t i = 0; i < got.size(); ++i)
        if (!(std::abs(got[i] - want[i]) <= 8 * eps * static_cast<double>(n))) return false;
      return true;
    };
    bool peer = clblast && clblast.gemm<T>(queue, n, ma, mb, mc) && right();
    poison(mc, bytes);
    ours();
    if (s != Status::Ok || !right()) {
      refuse(name, n, to_string(s));
    } else {
      const double work = (std::is_floating_point_v<T> ? 2.0 : 8.0) * static_cast<double>(n) * static_cast<double>(n) *
                          static_cast<double>(n) * 1e-9;
      line(name, n, work, ours, cpu ? std::function<void()>(cpu_blas) : nullptr,
           peer ? std::function<void()>(theirs) : nullptr);
    }
    for (cl_mem m : {ma, mb, mc}) clReleaseMemObject(m);
  }

  // Routines limited by memory bandwidth, GB/s: y = A x, y = A' x, B = A'.
  void memory(std::size_t n) {
    std::vector<float> a(n * n), x(n * n, 0.f), got(n * n);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i * 2654435761u % 17) - 8.f;
    for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<float>(i % 5) - 2.f;
    const std::size_t bytes = n * n * sizeof(float);
    cl_mem ma = buffer(bytes, a.data()), mx = buffer(n * sizeof(float), x.data()), my = buffer(bytes, got.data());
    const Matrix m{ma, 0, n}, d{my, 0, n};
    const Vector vx{mx, 0, 1}, vy{my, 0, 1};
    const Launch l{queue, {}, nullptr};
    const double matrix = static_cast<double>(bytes) * 1e-9;
    for (int kind = 0; kind < 3; ++kind) {
      const char* name = kind == 0 ? "gemv" : kind == 1 ? "gemv A'" : "transpose";
      Status s = Status::Ok;
      const auto ours = [&] {
        s = kind == 2
                ? transpose<float>(ctx, l, n, n, m, d)
                : gemv<float>(ctx, l, Order::RowMajor, kind ? Op::Transpose : Op::None, n, n, 1.f, m, vx, 0.f, vy);
      };
      const auto theirs = [&] {
        return kind == 2 ? clblast.transpose<float>(queue, n, ma, my)
                         : clblast.gemv<float>(queue, kind == 1, n, ma, mx, my);
      };
      const auto cpu_blas = [&] {
        cblas_sgemv(CblasRowMajor, kind ? CblasTrans : CblasNoTrans, static_cast<int>(n), static_cast<int>(n), 1,
                    a.data(), static_cast<int>(n), x.data(), 1, 0, got.data(), 1);
      };
      // Small integers: sums are exact in any order.
      const auto right = [&] {
        clEnqueueReadBuffer(queue, my, CL_TRUE, 0, bytes, got.data(), 0, nullptr, nullptr);
        for (std::size_t i = 0; i < n; i += 1 + n / 97) {
          float sum = 0;
          for (std::size_t j = 0; j < n; ++j) {
            sum += kind == 1 ? a[j * n + i] * x[j] : a[i * n + j] * x[j];
            if (kind == 2 && got[i * n + j] != a[j * n + i]) return false;
          }
          if (kind < 2 && got[i] != sum) return false;
        }
        return true;
      };
      const bool peer = clblast && theirs() && right();
      poison(my, bytes);
      ours();
      if (s != Status::Ok || !right())
        refuse(name, n, to_string(s));
      else
        line(name, n, kind == 2 ? 2 * matrix : matrix, ours,
             cpu && kind < 2 ? std::function<void()>(cpu_blas) : nullptr,
             peer ? std::function<void()>([&] { theirs(); }) : nullptr);
    }
    for (cl_mem b : {ma, mx, my}) clReleaseMemObject(b);
  }
};

}  // namespace

int main(int argc, char** argv) {
  bool quick = false;
  const char* file = nullptr;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--quick")) quick = true;
    if (!std::strcmp(argv[i], "--json") && i + 1 < argc) file = argv[++i];
  }
  const char* wanted = std::getenv("VR_DEVICE");
  cl_platform_id platforms[16];
  cl_uint count = 0;
  clGetPlatformIDs(16, platforms, &count);
  for (cl_uint i = 0; i < count; ++i) {
    cl_device_id d;
    char name[256] = "", platform[256] = "";
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &d, nullptr) != CL_SUCCESS) continue;
    clGetDeviceInfo(d, CL_DEVICE_NAME, sizeof name, name, nullptr);
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof platform, platform, nullptr);
    if (wanted && !std::strstr(name, wanted) && !std::strstr(platform, wanted)) continue;
    cl_int err;
    cl_context c = clCreateContext(nullptr, 1, &d, nullptr, nullptr, &err);
    cl_command_queue q = clCreateCommandQueue(c, d, 0, &err);
    std::unique_ptr<Context> ctx;
    if (Context::create(c, d, ctx) != Status::Ok) {
      std::fprintf(stderr, "bench_raijincl: %s\n", last_error().c_str());
      return 1;
    }
    FILE* json = file ? std::fopen(file, "w") : nullptr;
    if (json) std::fprintf(json, "[");
    const bool cpu = ctx->device().is_cpu;
    Bench b{*ctx, c, q, cpu, quick, json};
    std::printf("%s: %s. n x n x n in GFLOP/s, memory in GB/s\n%-9s %5s %9s %9s %6s %9s %6s\n", platform, name, "", "n",
                "RaijinCL", "BLAS", "ratio", "CLBlast", "ratio");
    std::vector<std::size_t> sizes = {256, 512, 1024, 2048};
    if (quick) sizes.resize(2);
    if (!cpu) sizes.push_back(4096);
    for (std::size_t n : sizes) {
      b.product<float>("S", n);
      if (ctx->device().has_double) b.product<double>("D", n);
      b.product<std::complex<float>>("C", n);
      if (ctx->device().has_double) b.product<std::complex<double>>("Z", n);
    }
    b.memory(cpu ? 2048 : 8192);
    if (json) {
      std::fprintf(json, "]\n");
      std::fclose(json);
    }
    if (b.count)
      std::printf("raijincl: geomean %.2f min %.2f over %d\n", std::exp(b.log_sum / b.count), b.least, b.count);
    ctx.reset();
    clReleaseCommandQueue(q);
    clReleaseContext(c);
    return b.wrong || !b.lines;
  }
  std::fprintf(stderr, "bench_raijincl: no OpenCL device\n");
  return 1;
}
