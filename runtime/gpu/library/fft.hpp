// Fourier transforms of accelerated sections: how the length is divided into passes, and the kernel of a pass.
//
// Each pass is one of Stockham's: with n / radix transforms of `radix` elements it reads a line and writes it in
// another order, so that the last pass leaves the result in its order. A work-group computes some of these transforms
// in local memory, in passes of the same kind with radices 2, 3, 4, 5 and 7.
//
// A length n with a greater prime factor becomes a convolution (Bluestein 1970): with w(k) = exp(+-pi i k^2 / n),
//   y(k) = w(k) sum over j of (x(j) w(j)) / w(k - j),
// by transforms of a length m >= 2 n - 1 whose prime factors are at most 7.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vr::gpu {

/// The parameters of a pass's kernel; equal ones share a program.
struct FftForm {
  bool single = false;   ///< float32, else float64
  bool inverse = false;  ///< the sign of the angles
  int64_t radix = 1;
  std::vector<int> small = {};  ///< radices within local memory; their product is `radix`
  int64_t columns = 1;          ///< transforms of a work-group
  int64_t group = 64;           ///< work-items of a work-group
  // How elements are read and written. The last three: factors w(k) of a convolution.
  bool from_real = false;      ///< reads real elements
  bool mirrored = false;       ///< reads the first half of a line; the second half consists of the conjugates
  bool to_real = false;        ///< writes the real parts
  bool chirp_only = false;     ///< reads nothing: the elements are 1 / w(k), and the same from the end of the line
  bool chirp_from = false;     ///< the elements read are multiplied by w(k)
  bool product = false;        ///< the elements read are multiplied by those of another line
  bool chirp_to = false;       ///< the elements written are multiplied by w(k)
  bool chirp_inverse = false;  ///< the sign of w's angles
};

/// What a transform reads and writes.
struct FftKind {
  bool single = false, inverse = false;
  bool from_real = false, mirrored = false, to_real = false;
};

/// What a device's work-groups have.
struct FftLimits {
  int64_t local_bytes = 0, group = 64;
};

/// Passes over lines of n elements, in order.
struct FftStage {
  int64_t n = 1;
  std::vector<FftForm> passes;
};

/// The stages of a transform of `lines` lines of n elements: one, or those of a convolution: the transform of 1 / w, of
/// one line; the transform of x w; the inverse transform of their product. nullopt: no passes suit the limits.
std::optional<std::vector<FftStage>> fft_plan(int64_t n, int64_t lines, const FftKind& kind, const FftLimits& limits);

/// Kernel fft_pass.
std::string fft_text(const FftForm& form);

}  // namespace vr::gpu
