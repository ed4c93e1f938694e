// Products of RaijinCL beside those of the BLAS on the same machine: `bench/run raijincl`. Results are compared before
// anything is timed; the two take turns, and each figure is the best of several. The ratio is RaijinCL's speed over the
// BLAS's.
#include <cblas.h>
#include <raijincl/raijincl.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

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

template <class F>
double seconds(F call, int calls) {
  const auto start = Clock::now();
  for (int i = 0; i < calls; ++i) call();
  return std::chrono::duration<double>(Clock::now() - start).count() / calls;
}

struct Totals {
  double log_sum = 0, least = 1e30;
  int count = 0;
  bool wrong = false;
};

template <class T>
void one(Context& ctx, cl_context c, cl_command_queue q, const char* name, std::size_t n, bool quick, FILE* json,
         Totals& totals) {
  std::vector<T> a(n * n), b(n * n), want(n * n), got(n * n);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = T(static_cast<float>(i * 2654435761u % 1000) / 500.f - 1.f);
    b[i] = T(static_cast<float>(i * 40503u % 1000) / 500.f - 1.f);
  }
  cl_int err;
  const auto buffer = [&](std::vector<T>& v) {
    return clCreateBuffer(c, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, v.size() * sizeof(T), v.data(), &err);
  };
  cl_mem ma = buffer(a), mb = buffer(b), mc = buffer(got);
  Status s = Status::Ok;
  const auto ours = [&] {
    s = gemm<T>(ctx, {q, {}, nullptr}, Order::RowMajor, Op::None, Op::None, n, n, n, T(1), {ma, 0, n}, {mb, 0, n}, T(0),
                {mc, 0, n});
    clFinish(q);
  };
  const auto theirs = [&] { blas(static_cast<int>(n), a.data(), b.data(), want.data()); };
  ours();
  theirs();
  clEnqueueReadBuffer(q, mc, CL_TRUE, 0, got.size() * sizeof(T), got.data(), 0, nullptr, nullptr);
  const double eps = sizeof(T) == sizeof(float) || sizeof(T) == sizeof(std::complex<float>) ? 6e-8 : 1.2e-16;
  bool right = s == Status::Ok;
  for (std::size_t i = 0; i < got.size(); ++i)
    right = right && std::abs(got[i] - want[i]) <= 8 * eps * static_cast<double>(n);
  double best_ours = 1e30, best_theirs = 1e30;
  for (int round = 0; right && round < (quick ? 3 : 9); ++round) {
    const int calls = std::max(1, static_cast<int>(0.05 / std::max(1e-6, std::min(best_theirs, 1.0))));
    best_ours = std::min(best_ours, seconds(ours, round ? calls : 1));
    best_theirs = std::min(best_theirs, seconds(theirs, round ? calls : 1));
  }
  for (cl_mem m : {ma, mb, mc}) clReleaseMemObject(m);
  if (!right) {
    std::printf("%-4s %5zu  WRONG %s\n", name, n, to_string(s));
    totals.wrong = true;
    return;
  }
  const double work = (std::is_floating_point_v<T> ? 2.0 : 8.0) * static_cast<double>(n) * static_cast<double>(n) *
                      static_cast<double>(n) * 1e-9;
  const double ratio = best_theirs / best_ours;
  std::printf("%-4s %5zu %9.1f %9.1f %6.2f\n", name, n, work / best_theirs, work / best_ours, ratio);
  if (json)
    std::fprintf(json, "%s{\"product\":\"%s\",\"n\":%zu,\"blas\":%.2f,\"raijincl\":%.2f,\"ratio\":%.3f}",
                 totals.count ? ",\n" : "", name, n, work / best_theirs, work / best_ours, ratio);
  totals.log_sum += std::log(ratio);
  totals.least = std::min(totals.least, ratio);
  ++totals.count;
}

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
    std::printf("%s: %s. GFLOP/s of n x n x n; reference: the CPU's BLAS\n%-4s %5s %9s %9s %6s\n", platform, name, "",
                "n", "BLAS", "RaijinCL", "ratio");
    Totals t;
    for (std::size_t n : quick ? std::vector<std::size_t>{256, 512} : std::vector<std::size_t>{256, 512, 1024, 2048}) {
      one<float>(*ctx, c, q, "S", n, quick, json, t);
      if (ctx->device().has_double) one<double>(*ctx, c, q, "D", n, quick, json, t);
      one<std::complex<float>>(*ctx, c, q, "C", n, quick, json, t);
      if (ctx->device().has_double) one<std::complex<double>>(*ctx, c, q, "Z", n, quick, json, t);
    }
    if (json) {
      std::fprintf(json, "]\n");
      std::fclose(json);
    }
    if (t.count)
      std::printf("raijincl: geomean %.2f min %.2f over %d\n", std::exp(t.log_sum / t.count), t.least, t.count);
    ctx.reset();
    clReleaseCommandQueue(q);
    clReleaseContext(c);
    return t.wrong || !t.count;
  }
  std::fprintf(stderr, "bench_raijincl: no OpenCL device\n");
  return 1;
}
