// C = alpha op(A) op(B) + beta C for float, double and their complex numbers (thesis 8.4); high level, batched, and in
// the four steps of the low-level interface (8.3.3). op(A) is m x k, op(B) k x n, C m x n; C must not overlap A or B.
// Sizes may be 0: with k or alpha 0, C becomes beta C, and with beta 0, C is not read (NaNs in it do not matter).
#pragma once
#include <complex>

#include "raijincl/context.hpp"

namespace raijincl {

// The algorithm of products. Plain: multiply-adds in the precision of the elements. Compensated, for float and complex
// float: each factor is split into the sum of two tf32 numbers, a product is three products on the tensor cores, and
// partial sums of 16 terms are added in float (after Ootomo and Yokota, "Recovering single precision accuracy from
// Tensor Cores", 2022). Its error is no larger than Plain's for k >= 32 (docs/raijincl.md has the measurements); finite
// inputs above 2^127 may overflow, and an infinite input gives NaN where Plain may give an infinity. For double and
// complex double it is the same as Plain.
enum class Product { Plain, Compensated };

// Whether Product::Compensated is available: its kernels build and pass a check on this device.
bool has_compensated(Context&, Precision);

// T: float, double, std::complex<float>, std::complex<double>.
// Errors: InvalidQueue, InvalidWaitList, InvalidDimension, InvalidLeadingDimension, InvalidBuffer, BufferTooSmall,
// UnsupportedPrecision, UnsupportedProduct, OutOfMemory, BuildFailed, LaunchFailed.
template <class T>
Status gemm(Context&, const Launch&, Order, Op op_a, Op op_b, std::size_t m, std::size_t n, std::size_t k, T alpha,
            const Matrix& a, const Matrix& b, T beta, const Matrix& c, Product = Product::Plain);

// `count` products; matrix i starts i*stride elements after the first. Strides of A and B may be 0 (the same matrix for all
// products). Errors as gemm, and InvalidStride if matrices of C overlap.
struct Strided {
  Matrix first;
  std::size_t stride = 0;
};
template <class T>
Status gemm_batched(Context&, const Launch&, Order, Op op_a, Op op_b, std::size_t m, std::size_t n, std::size_t k,
                    T alpha, const Strided& a, const Strided& b, T beta, const Strided& c, std::size_t count,
                    Product = Product::Plain);

// The low-level interface. A plan can be used for many products of one shape: A is copied once and multiplied by many B.
//   GemmPlan p; plan.make(...)            sizes of temporaries, known before anything is allocated
//   plan.allocate() or plan.use(a, b)     temporaries of the plan's own, or the caller's buffers
//   plan.copy_a(...), plan.copy_b(...)    into the kernel's layout
//   plan.compute(...)                     may be repeated
//   plan.release()                        frees what allocate() made (the destructor does, too)
// The caller orders the steps, by an in-order queue or by events. Not thread-safe; movable, not copyable.
class GemmPlan {
 public:
  GemmPlan();
  ~GemmPlan();
  GemmPlan(GemmPlan&&) noexcept;
  GemmPlan& operator=(GemmPlan&&) noexcept;

  Status make(Context&, Precision, Order, Op op_a, Op op_b, std::size_t m, std::size_t n, std::size_t k,
              Product = Product::Plain);
  std::size_t bytes_a() const;
  std::size_t bytes_b() const;
  Status allocate();
  Status use(cl_mem a, cl_mem b);  // retained until release()
  Status copy_a(const Launch&, const Matrix& a);
  Status copy_b(const Launch&, const Matrix& b);
  template <class T>
  Status compute(const Launch&, T alpha, T beta, const Matrix& c);
  void release();

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace raijincl
