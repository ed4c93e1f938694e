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

// A host matrix on the device: in place if the device shares the host's memory, else a copy in a temporary of the pool.
// `event`: that of the copy, or null.
struct Shared {
  MemHandle in_place;
  Pool::Block block;
  EventHandle event;
  cl_mem get() const { return in_place ? in_place.get() : block.mem.get(); }
};

// `room`: the number of elements of a matrix that is written; 0 if it is only read.
template <class T>
Status share(Context::Impl& ctx, cl_command_queue q, const T* p, std::size_t elements, bool read, std::size_t room,
             Shared& s) {
  cl_int err = CL_SUCCESS;
  if (ctx.info.is_cpu) {
    const cl_mem_flags access = room ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY;
    s.in_place = MemHandle(
        clCreateBuffer(ctx.context, access | CL_MEM_USE_HOST_PTR, elements * sizeof(T), const_cast<T*>(p), &err));
    return err == CL_SUCCESS ? Status::Ok : fail_cl("clCreateBuffer", err, Status::OutOfMemory);
  }
  RAIJINCL_TRY(ctx.pool.buffer(std::max(elements, room) * sizeof(T), s.block));
  if (!read) {
    s.event = std::move(s.block.ready);
    return Status::Ok;
  }
  const cl_event before = s.block.ready.get();
  err = clEnqueueWriteBuffer(q, s.block.mem.get(), CL_FALSE, 0, elements * sizeof(T), p, before != nullptr,
                             before ? &before : nullptr, s.event.out());
  return err == CL_SUCCESS ? Status::Ok : fail_cl("clEnqueueWriteBuffer", err);
}

// Enqueues the device's part up to its product. `done` is the product's event.
template <class T>
Status start_rows(Context::Impl& ctx, cl_command_queue q, const GemmConfig& config, std::size_t rows, std::size_t n,
                  std::size_t k, T alpha, const T* a, std::size_t lda, const T* b, std::size_t ldb, T beta, const T* c,
                  std::size_t ldc, Shared (&shared)[3], EventHandle& done) {
  GemmProblem g;
  g.precision = precision_of<T>();
  g.m = rows, g.n = n, g.k = k;
  g.alpha = scalar_of(alpha);
  g.beta = scalar_of(beta);
  g.a = {nullptr, 0, lda, 0, rows, 2, false};
  g.b = {nullptr, 0, ldb, 0, n, 1, false};
  g.ldc = ldc;
  if (k && !g.alpha.is_zero) {
    RAIJINCL_TRY(share(ctx, q, a, (rows - 1) * lda + k, true, 0, shared[0]));
    RAIJINCL_TRY(share(ctx, q, b, (k - 1) * ldb + n, true, 0, shared[1]));
  }
  // Allocates whole rows: drivers refuse to read a rectangle whose last row is shorter than the row pitch.
  RAIJINCL_TRY(share(ctx, q, c, (rows - 1) * ldc + n, !g.beta.is_zero, rows * ldc, shared[2]));
  g.a.buffer = shared[0].get(), g.b.buffer = shared[1].get(), g.c = shared[2].get();
  std::vector<cl_event> wait;
  for (const Shared& s : shared) {
    if (s.event) wait.push_back(s.event.get());
  }
  RAIJINCL_TRY(run_gemm(ctx, {q, wait, done.out()}, config, g));
  clFlush(q);  // without a flush, some drivers do not start the commands until the host waits (thesis 8.9.3)
  return Status::Ok;
}

// Waits for the device's rows and copies them to C; the memory between rows, which belongs to the caller, is not written.
template <class T>
Status take_rows(Context::Impl& ctx, cl_command_queue q, cl_mem from, cl_event done, std::size_t rows, std::size_t n,
                 T* c, std::size_t ldc) {
  cl_int err = CL_SUCCESS;
  if (ctx.info.is_cpu) {
    void* p = clEnqueueMapBuffer(q, from, CL_TRUE, CL_MAP_READ, 0, ((rows - 1) * ldc + n) * sizeof(T), 1, &done,
                                 nullptr, &err);
    if (err == CL_SUCCESS) err = clEnqueueUnmapMemObject(q, from, p, 0, nullptr, nullptr);
    clFinish(q);
  } else {
    const std::size_t origin[3] = {0, 0, 0}, region[3] = {n * sizeof(T), rows, 1};
    err = clEnqueueReadBufferRect(q, from, CL_TRUE, origin, origin, region, ldc * sizeof(T), 0, ldc * sizeof(T), 0, c,
                                  1, &done, nullptr);
  }
  return err == CL_SUCCESS ? Status::Ok : fail_cl("reading the device's rows", err);
}

}  // namespace

template <class T>
Status hybrid_run(Context::Impl& ctx, cl_command_queue q, const GemmConfig& config, std::size_t m, std::size_t n,
                  std::size_t k, T alpha, const T* a, std::size_t lda, const T* b, std::size_t ldb, T beta, T* c,
                  std::size_t ldc, std::size_t rows) {
  const std::size_t rest = m - rows;
  if (rest && !has_cpu_blas()) return fail(Status::Unsupported, "this build has no CPU BLAS");
  const bool device = rows && n;
  Shared shared[3];
  EventHandle done;
  Status s = Status::Ok;
  if (device) s = start_rows(ctx, q, config, rows, n, k, alpha, a, lda, b, ldb, beta, c, ldc, shared, done);
#ifdef RAIJINCL_HAVE_BLAS
  if (s == Status::Ok && rest && n) {
    const auto i = [](std::size_t v) { return static_cast<int>(v); };
    cpu(i(rest), i(n), i(k), alpha, a + rows * lda, i(lda), b, i(ldb), beta, c + rows * ldc, i(ldc));
  }
#endif
  if (s == Status::Ok && device) s = take_rows(ctx, q, shared[2].get(), done.get(), rows, n, c, ldc);
  if (s != Status::Ok) clFinish(q);  // copies may still run
  for (Shared& x : shared) ctx.pool.give_back(std::move(x.block), nullptr);
  return s;
}

template <class T>
Status hybrid_gemm(Context& context, cl_command_queue q, std::size_t m, std::size_t n, std::size_t k, T alpha,
                   const T* a, std::size_t lda, const T* b, std::size_t ldb, T beta, T* c, std::size_t ldc,
                   std::size_t gpu_parts, std::size_t parts) {
  Context::Impl& ctx = context.impl();
  RAIJINCL_TRY((check_call<T>(ctx, {q, {}, nullptr})));
  constexpr std::size_t limit = (std::size_t{1} << 31) - 4096;  // CBLAS takes sizes as int
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
