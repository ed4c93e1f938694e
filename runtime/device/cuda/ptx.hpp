// The text of NVIDIA's OpenCL compiler, in the form that CUDA loads.
//
// The compiler's PTX is that of CUDA's, with three differences. What OpenCL's launches have and CUDA's have not is in
// environment registers (%envreg), which are zero in a CUDA launch:
//
//   0..2  the number of the launch's first group: OpenCL's driver divides grids that the device cannot take
//   3..5  the number of the first work-item: the launch's offset, and the work-items of the groups before the first
//   6..8  the numbers of groups of the whole grid
//   9     the number of dimensions
//
// here they become elements of one more parameter of each kernel. Kernels that take local or constant memory, images or
// samplers are refused: CUDA loads no such parameters. A NUL and blanks that may follow the text are dropped.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vr::device::cuda {

/// What a launch passes in the parameter that rewrite() adds, for each register.
struct Environment {
  uint32_t first_group[3] = {0, 0, 0};
  uint32_t first_item[3] = {0, 0, 0};
  uint32_t groups[3] = {1, 1, 1};
  uint32_t dims = 1;
};
static_assert(sizeof(Environment) == 40);

struct Parameter {
  size_t bytes = 0;
  bool pointer = false;  ///< to global memory
};

/// A kernel of the rewritten text.
struct Entry {
  std::string name;
  std::vector<Parameter> parameters;  ///< without the one that was added, which is the last
};

/// Throws BuildRefused with what is unknown or not supported in the text. The text begins with rewritten_mark.
std::string rewrite(std::string_view ptx);
/// The kernels of a text that rewrite() returned; empty if it is none.
std::vector<Entry> entries(std::string_view rewritten);

inline constexpr std::string_view rewritten_mark = "// Velociraptor: for CUDA, 1\n";

}  // namespace vr::device::cuda
