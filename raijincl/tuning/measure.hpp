// Times product kernels: wall time of a series of calls between two clFinish, launches included, as a caller observes it.
#pragma once
#include <chrono>

#include "routines/gemm_problem.hpp"

namespace raijincl {

using Clock = std::chrono::steady_clock;
inline double since(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }  // seconds

struct Operands {  // random matrices on the device, reused for all candidates
  MemHandle a, b, c;
  std::size_t elements = 0;
  Precision precision = Precision::S;
};

struct Measurement {
  enum class Outcome { Fine, BuildFailed, LaunchFailed, Wrong, Slow, Hung } outcome = Outcome::Fine;
  double gflops = 0, error = 0;  // error: largest |C - R| in units of eps |A||B|
  std::string note;
};

Status make_operands(Context::Impl&, cl_command_queue, Precision, std::size_t n, Operands&);
// n x n x n, A stored with mode_a, B with mode_b. Stops early when a call is slower than `give_up` GFLOP/s by a factor
// of 2.
Status time_gemm(Context::Impl&, cl_command_queue, const GemmConfig&, const Operands&, std::size_t n, int mode_a,
                 int mode_b, double give_up, double seconds, double& gflops);
// Builds a kernel, checks it on a small odd size, and measures it.
Measurement try_gemm(Context::Impl&, cl_command_queue, const GemmConfig&, const Operands&, std::size_t n,
                     double give_up, double seconds);
inline double flops_of(Precision p, std::size_t m, std::size_t n, std::size_t k) {
  return (is_complex(p) ? 8.0 : 2.0) * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
}

}  // namespace raijincl
