#include "raijincl/hybrid.hpp"

#ifdef RAIJINCL_HAVE_BLAS
#include <cblas.h>
#endif

#include "routines/arguments.hpp"
#include "routines/hybrid_run.hpp"

namespace raijincl {

#ifdef RAIJINCL_HAVE_BLAS
bool has_cpu_blas() { return true; }

namespace {
void cpu(int m, int n, int k, float al, const float* a, int lda, const float* b, int ldb, float be, float* c, int ldc) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, al, a, lda, b, ldb, be, c, ldc);
}
void cpu(int m, int n, int k, double al, const double* a, int lda, const double* b, int ldb, double be, double* c,
         int ldc) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, al, a, lda, b, ldb, be, c, ldc);
}
void cpu(int m, int n, int k, std::complex<float> al, const std::complex<float>* a, int lda,
         const std::complex<float>* b, int ldb, std::complex<float> be, std::complex<float>* c, int ldc) {
  cblas_cgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, &al, a, lda, b, ldb, &be, c, ldc);
}
void cpu(int m, int n, int k, std::complex<double> al, const std::complex<double>* a, int lda,
         const std::complex<double>* b, int ldb, std::complex<double> be, std::complex<double>* c, int ldc) {
  cblas_zgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, &al, a, lda, b, ldb, &be, c, ldc);
}
}  // namespace
#else
bool has_cpu_blas() { return false; }
#endif

namespace {

template <class T>
Status host_buffer(Context::Impl& ctx, cl_mem_flags access, const T* p, std::size_t elements, MemHandle& h) {
  // A device that shares the host's memory works in place; another gets a copy.
  cl_int err;
  h = MemHandle(clCreateBuffer(ctx.context, access | (ctx.info.is_cpu ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR),
                               elements * sizeof(T), const_cast<T*>(p), &err));
  return err == CL_SUCCESS ? Status::Ok : fail_cl("clCreateBuffer", err, Status::OutOfMemory);
}

}  // namespace

template <class T>
Status hybrid_run(Context::Impl& ctx, cl_command_queue q, const GemmConfig& config, std::size_t m, std::size_t n,
                  std::size_t k, T alpha, const T* a, std::size_t lda, const T* b, std::size_t ldb, T beta, T* c,
                  std::size_t ldc, std::size_t rows) {
  const std::size_t rest = m - rows;
  if (rest && !has_cpu_blas()) return fail(Status::Unsupported, "this build has no CPU BLAS");
  MemHandle ma, mb, mc;
  if (rows && n) {
    GemmProblem g;
    g.precision = precision_of<T>();
    g.m = rows, g.n = n, g.k = k;
    g.alpha = scalar_of(alpha);
    g.beta = scalar_of(beta);
    g.a = {nullptr, 0, lda, 0, rows, 2, false};
    g.b = {nullptr, 0, ldb, 0, n, 1, false};
    g.ldc = ldc;
    if (k && !g.alpha.is_zero) {
      RAIJINCL_TRY(host_buffer(ctx, CL_MEM_READ_ONLY, a, (rows - 1) * lda + k, ma));
      RAIJINCL_TRY(host_buffer(ctx, CL_MEM_READ_ONLY, b, (k - 1) * ldb + n, mb));
    }
    if (ctx.info.is_cpu) {
      RAIJINCL_TRY(host_buffer(ctx, CL_MEM_READ_WRITE, c, (rows - 1) * ldc + n, mc));
    } else {
      // Whole rows on the device: a driver refuses to read a rectangle whose last row is shorter than the distance of
      // rows.
      cl_int err;
      mc = MemHandle(clCreateBuffer(ctx.context, CL_MEM_READ_WRITE, rows * ldc * sizeof(T), nullptr, &err));
      if (err != CL_SUCCESS) return fail_cl("clCreateBuffer", err, Status::OutOfMemory);
      if (!g.beta.is_zero) {
        err = clEnqueueWriteBuffer(q, mc.get(), CL_TRUE, 0, ((rows - 1) * ldc + n) * sizeof(T), c, 0, nullptr, nullptr);
        if (err != CL_SUCCESS) return fail_cl("clEnqueueWriteBuffer", err);
      }
    }
    g.a.buffer = ma.get(), g.b.buffer = mb.get(), g.c = mc.get();
    const Status s = run_gemm(ctx, {q, {}, nullptr}, config, g);
    if (s != Status::Ok) {
      clFinish(q);
      return s;
    }
    clFlush(q);  // or some drivers start only when somebody waits (thesis 8.9.3)
  }
#ifdef RAIJINCL_HAVE_BLAS
  if (rest && n) {
    const auto i = [](std::size_t v) { return static_cast<int>(v); };
    cpu(i(rest), i(n), i(k), alpha, a + rows * lda, i(lda), b, i(ldb), beta, c + rows * ldc, i(ldc));
  }
#endif
  if (mc) {
    // The rows only: what lies between them stays the caller's.
    const std::size_t origin[3] = {0, 0, 0}, region[3] = {n * sizeof(T), rows, 1};
    cl_int err = CL_SUCCESS;
    if (ctx.info.is_cpu) {
      void* p = clEnqueueMapBuffer(q, mc.get(), CL_TRUE, CL_MAP_READ, 0, ((rows - 1) * ldc + n) * sizeof(T), 0, nullptr,
                                   nullptr, &err);
      if (err == CL_SUCCESS) err = clEnqueueUnmapMemObject(q, mc.get(), p, 0, nullptr, nullptr);
      clFinish(q);
    } else {
      err = clEnqueueReadBufferRect(q, mc.get(), CL_TRUE, origin, origin, region, ldc * sizeof(T), 0, ldc * sizeof(T),
                                    0, c, 0, nullptr, nullptr);
    }
    if (err != CL_SUCCESS) return fail_cl("reading the device's rows", err);
  }
  return Status::Ok;
}

template <class T>
Status hybrid_gemm(Context& context, cl_command_queue q, std::size_t m, std::size_t n, std::size_t k, T alpha,
                   const T* a, std::size_t lda, const T* b, std::size_t ldb, T beta, T* c, std::size_t ldc,
                   std::size_t gpu_parts, std::size_t parts) {
  Context::Impl& ctx = context.impl();
  RAIJINCL_TRY((check_call<T>(ctx, {q, {}, nullptr})));
  constexpr std::size_t limit = (std::size_t{1} << 31) - 4096;  // CBLAS counts in int
  if (m > limit || n > limit || k > limit || lda > limit || ldb > limit || ldc > limit)
    return fail(Status::InvalidDimension, "extents must be below 2^31");
  if (lda < std::max<std::size_t>(k, 1) || ldb < std::max<std::size_t>(n, 1) || ldc < std::max<std::size_t>(n, 1)) {
    return fail(Status::InvalidLeadingDimension, "a leading dimension is shorter than a row");
  }
  if (gpu_parts > parts) return fail(Status::InvalidDimension, "more parts for the device than there are");
  if (!m || !n) return Status::Ok;
  const bool reads = k && alpha != T(0);
  if (!c || (reads && (!a || !b))) return fail(Status::InvalidBuffer, "a null matrix");
  const Precision p = precision_of<T>();
  GemmConfig config;
  bool tuned = false;
  if (parts == 0) {
    std::shared_lock lock(ctx.profile_mutex);
    const Profile::Hybrid& h = ctx.profile.hybrid[static_cast<int>(p)];
    tuned = h.tuned && has_cpu_blas();
    parts = tuned ? static_cast<std::size_t>(h.parts) : 1;
    gpu_parts = tuned ? static_cast<std::size_t>(h.gpu_parts) : 1;
    config = h.config;
  }
  if (!tuned || !accepted(ctx, config, p))
    RAIJINCL_TRY(choose_config(ctx, Product::Plain, p, m, n, std::max<std::size_t>(k, 1), config));
  return hybrid_run<T>(ctx, q, config, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, m * gpu_parts / parts);
}

#define RAIJINCL_ONE(T)                                                                                           \
  template Status hybrid_run<T>(Context::Impl&, cl_command_queue, const GemmConfig&, std::size_t, std::size_t,    \
                                std::size_t, T, const T*, std::size_t, const T*, std::size_t, T, T*, std::size_t, \
                                std::size_t);                                                                     \
  template Status hybrid_gemm<T>(Context&, cl_command_queue, std::size_t, std::size_t, std::size_t, T, const T*,  \
                                 std::size_t, const T*, std::size_t, T, T*, std::size_t, std::size_t, std::size_t);
RAIJINCL_FOR_ALL(RAIJINCL_ONE)
#undef RAIJINCL_ONE

}  // namespace raijincl
