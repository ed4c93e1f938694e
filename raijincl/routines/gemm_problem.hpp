// A product in a normal form: row-major C (m x n) = alpha A B + beta C, each operand as a matrix rows x k
// (gemm_load.cl).
#pragma once
#include <algorithm>
#include <array>
#include <complex>
#include <cstring>

#include "core/impl.hpp"
#include "raijincl/gemm.hpp"

namespace raijincl {

// A number of any precision, as a kernel argument.
struct Scalar {
  std::array<unsigned char, 16> bytes{};
  bool is_zero = true;
};
template <class T>
Scalar scalar_of(T v) {
  Scalar s;
  static_assert(sizeof v <= 16);
  std::memcpy(s.bytes.data(), &v, sizeof v);
  s.is_zero = v == T(0);
  return s;
}
template <class T>
constexpr Precision precision_of() {
  if constexpr (std::is_same_v<T, float>) return Precision::S;
  if constexpr (std::is_same_v<T, double>) return Precision::D;
  if constexpr (std::is_same_v<T, std::complex<float>>) return Precision::C;
  return Precision::Z;
}

struct Operand {
  cl_mem buffer = nullptr;
  std::size_t offset = 0, ld = 0, stride = 0, rows = 0;
  int mode = 1;  // 0: packed panels, 1: rows consecutive, 2: k consecutive
  bool conj = false;
};

struct GemmProblem {
  Precision precision = Precision::S;
  std::size_t m = 0, n = 0, k = 0, batch = 1;
  Operand a, b;
  cl_mem c = nullptr;
  std::size_t c_offset = 0, ldc = 0, c_stride = 0;
  Scalar alpha, beta;
};

// Converts a caller's arguments to the normal form and checks all of them. Buffers that are not needed (k or alpha 0) may
// be null. With m, n or count 0 there is nothing to do.
struct GemmArguments {
  Order order;
  Op op_a, op_b;
  std::size_t m, n, k;
  Strided a, b, c;
  std::size_t count;
};
Status normalise(const Context::Impl&, const GemmArguments&, GemmProblem&);
// One operand (for the low-level interface). `first`: A of the normal form.
Operand view_of(const GemmArguments&, bool first);

// How an operand is passed to a kernel.
struct Feed {
  int mode = 1, load = 1;  // compile-time parameters of the kernel
  bool conj = false;       // the kernel conjugates
  bool copy = false;       // copied to a temporary first
  bool image = false;
  int dst_k = 0;                                 // layout of the temporary (pack.cl)
  std::size_t width = 0, padded = 0, depth = 0;  // of the temporary, in elements
  std::size_t bytes(std::size_t element, std::size_t batch) const { return padded * depth * element * batch; }
};
// always_copy: the low-level interface packs in every case.
Feed feed_for(const GemmConfig&, Precision, const DeviceInfo&, const Operand&, std::size_t k, bool first,
              bool always_copy);

// sliced: the third dimension of the launch is slices of k, else batches.
Source gemm_source(const GemmConfig&, Precision, const Feed& a, const Feed& b, bool sliced);

// Enqueues the copy of an operand into its temporary.
Status enqueue_copy(Context::Impl&, const Launch&, Precision, const Operand&, std::size_t k, std::size_t batch,
                    const Feed&, cl_mem to);
// Enqueues the product; a and b are as described by the feeds. If C has too few tiles to fill the device, k is divided into
// slices (GemmConfig::fill), whose sums are stored in a temporary and then added.
Status enqueue_product(Context::Impl&, const Launch&, const GemmConfig&, const GemmProblem&, const Feed& fa,
                       const Operand& a, const Feed& fb, const Operand& b);
// Number of slices of k, and their length (the last may be shorter): a multiple of the step of the kernels.
struct Slices {
  std::size_t count = 1, length = 0;
};
Slices slices_for(const GemmConfig&, const GemmProblem&, const DeviceInfo&);
// C = beta C, or zeros.
Status enqueue_scale(Context::Impl&, const Launch&, const GemmProblem&);

// The whole product with these parameters: temporaries, copies, kernel.
Status run_gemm(Context::Impl&, const Launch&, const GemmConfig&, const GemmProblem&);

// The parameters in use for a shape. Native kernels that failed the check on this device are skipped.
Status choose_config(Context::Impl&, Product, Precision, std::size_t m, std::size_t n, std::size_t k, GemmConfig&);

// Runs the kernel for one shape in all four layouts on random data, and compares the result with a product in double
// (long double for double) precision: |C - R| <= (4 sqrt(k) + 16) eps |A||B| elementwise. Guard values around C must
// not change. `worst`: the largest ratio of error to eps |A||B|. Blocks. modes: bit 2*a + b is set for A with mode a +
// 1 and B with mode b + 1.
Status check_gemm(Context::Impl&, cl_command_queue, const GemmConfig&, Precision, std::size_t m, std::size_t n,
                  std::size_t k, unsigned modes, bool& right, double& worst);
// Whether kernels with these parameters may be used: portable ones always, native ones after a check on this device.
bool accepted(Context::Impl&, const GemmConfig&, Precision);

}  // namespace raijincl
