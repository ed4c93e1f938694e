// Fourier transforms of accelerated sections: how the length is divided into passes, and the kernel of a pass.
//
// Each pass is one of Stockham's: with n / radix transforms of `radix` elements it reads a line and writes it in
// another order, so that the last pass leaves the result in its order. A work-group computes some of these transforms
// in local memory, in passes of the same kind with radices 2, 3, 4, 5 and 7. A length whose prime factors are not all
// among these has no plan.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vr::gpu {

/// The parameters of a pass's kernel; equal ones share a program.
struct FftForm {
  bool single = false;     ///< float32, else float64
  bool from_real = false;  ///< the pass reads real elements
  bool inverse = false;
  int64_t radix = 1;
  std::vector<int> small;  ///< radices within local memory; their product is `radix`
  int64_t columns = 1;     ///< transforms of a work-group
  int64_t group = 64;      ///< work-items of a work-group
};

/// The passes over lines of n elements, in order, if a work-group has `local_bytes` of local memory. `lines`: how many
/// there are. nullopt: n has a prime factor above 7.
std::optional<std::vector<FftForm>> fft_plan(int64_t n, int64_t lines, bool single, bool from_real, bool inverse,
                                             int64_t local_bytes);

/// Kernel fft_pass.
std::string fft_text(const FftForm& form);

}  // namespace vr::gpu
