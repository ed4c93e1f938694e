// The parameters of kernels, which a tuner chooses, and the device profile that contains them.
#pragma once
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "raijincl/context.hpp"

namespace raijincl {

// Codelet: the six kernels of thesis 8.4.2. Block: register-blocked with double-buffered local memory. Mma: NVIDIA's
// tensor cores. Wgmma: those of compute capability 9.0, for compensated products of floats.
enum class Family { Codelet, Block, Mma, Wgmma };

// Plain data; the functions below interpret it.
struct GemmConfig {
  Family family = Family::Block;
  // All: the tile of C that a work-group computes; k steps per stage (Mma: fixed by the element type); width of the
  // strips in which work-groups traverse C; k is cut into slices if there are fewer than about `fill` work-groups per
  // compute unit (0: never).
  int bm = 32, bn = 32, bk = 8, raster = 0, fill = 0;
  // Codelet and Block: the tile of a work-item; vector width in real numbers (Codelet: SIMD width); multiply-add as
  // a*b+c, mad or fma.
  int tm = 4, tn = 4, vector = 1, mad = 0;
  // Block: elements of A per load; use of local memory; cp.async with that many stages; lanes of a warp along m;
  // elements per load from global memory (where alignment allows); row padding in local memory.
  int av = 1, local = 1, async = 0, stages = 2, lanes = 0, load = 1, pad = 0;
  // Async Block, Mma: copies past the end of k are skipped (gemm_common.cl).
  int skip = 1;
  // Mma: warps along m and n, and groups of warps along k; tiles of k in a buffer (deep) and in an instruction (fold);
  // method of splitting; elements read ahead; whether copies start before elements are read.
  int warps_m = 2, warps_n = 4, warps_k = 1, deep = 1, fold = 1, split = 0, ahead = 0, early = 0;
  // Native kernels: upper limit of registers (0: the compiler's choice).
  int regs = 0;
  // Block, Mma: operands with k consecutive are transposed first (thesis 8.4.1).
  int turn = 0;
  // Codelet: operand stored with k consecutive (TN: 0,0; NT: 1,1; NN: 1,0); elements of a work-item consecutive or
  // strided; each operand through local memory; each in an image.
  int a_k = 0, b_k = 0, consecutive = 0, local_a = 0, local_b = 0, image_a = 0, image_b = 0;

  friend bool operator==(const GemmConfig&, const GemmConfig&) = default;
};

int threads_of(const GemmConfig&);       // work-items of a work-group
bool is_native(const GemmConfig&);       // has inline PTX
std::string text_of(const GemmConfig&);  // one line, for logs

// Parses text written by text_of(). On failure `error` describes the mistake.
bool read_config(std::istream&, GemmConfig&, std::string& error);

// The parameters by name, in the order of the profile. This is the only list of them.
struct ConfigField {
  const char* name;
  int GemmConfig::* member;
};
const std::vector<ConfigField>& config_fields();

struct GemmChoice {
  std::size_t up_to = 0;  // for sizes whose cube root of m n k is no larger; 0: any size
  GemmConfig config;
  double gflops = 0;  // measured by the tuner; 0: a default
  std::size_t measured_at = 0;
};

struct VectorConfig {
  int gemv_group = 64;      // work-items per row (thesis 8.5)
  int gemv_rows = 1;        // CPUs: rows per work-item
  int transpose_tile = 16;  // edge of a tile; transpose_local selects the codelet (transpose.cl)
  int transpose_local = 1, transpose_rows = 16;
  int reduce_group = 128, reduce_groups = 256;
};

struct Profile {
  std::string device, driver;
  bool tuned = false;
  std::vector<GemmChoice> gemm[4], compensated[4];
  VectorConfig vector;
  // Hybrid: how many of 8 parts the GPU computes, per precision; the kernel that was tuned together with this split.
  struct Hybrid {
    int gpu_parts = 8, parts = 8;
    bool tuned = false;
    GemmConfig config;
  } hybrid[4];

  const GemmConfig* choose(bool compensated, Precision, std::size_t m, std::size_t n, std::size_t k) const;
  std::string to_json() const;
  static Status from_json(const std::string&, Profile&);
};

// Default parameters for devices without a profile, by kind of device and size class.
Profile default_profile(const DeviceInfo&);
// Rejects parameters for which no kernel can be generated (last_error() names the parameter) or that the device cannot
// run.
Status check_config(const GemmConfig&, Precision, const DeviceInfo&);

const char* name_of(Family);
bool family_of(const std::string& name, Family&);  // false: there is none of that name
const char* name_of(Precision);
inline bool is_double(Precision p) { return p == Precision::D || p == Precision::Z; }
inline bool is_complex(Precision p) { return p == Precision::C || p == Precision::Z; }
inline std::size_t size_of(Precision p) { return (is_double(p) ? 8 : 4) * (is_complex(p) ? 2 : 1); }

}  // namespace raijincl
