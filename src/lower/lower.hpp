// lower: a verified VRIR module -> the loop form (thesis 5.7, 5.8).
#pragma once
#include "loop/pass.hpp"

#include <velociraptor/ir/nodes.hpp>
#include <velociraptor/status.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace vr::lower {

/// What is known about an array argument in all calls of the specialised function (thesis 6.7.1).
struct KnownArray {
  std::vector<int64_t> extent;  ///< elements, one a dimension; empty: not known
  std::vector<int64_t> stride;  ///< bytes, one a dimension; empty: not known
  int alias_group = -1;         ///< arguments of different groups share no storage; -1: may share with any
};
/// A specialisation of one function: which function, and the facts about its arguments.
struct Specialisation {
  std::string function;
  std::vector<KnownArray> args;  ///< one for each argument; shorter: nothing is known of the rest
};

struct LowerOptions : PassOptions {
  bool kernels = false;       ///< pfor loops of accelerated sections become OpenCL kernels
  bool fp64 = true;           ///< the device has float64
  bool force_checks = false;  ///< every bounds check on
  bool places = false;        ///< emit source locations for debuggers; every assignment is computed where it stands
  bool loop_places = false;   ///< emit source locations for reports about loops; changes nothing else
  std::vector<Specialisation> specialisations = {};  ///< functions without one are for all calls
};

/// The properties of a device that determine the versions of its kernels.
struct DeviceKind {
  bool is_gpu = false;
  int64_t max_group = 0;    ///< work-items of a work-group
  int64_t local_bytes = 0;  ///< of local memory
};
/// Chooses the versions of kernels (tiles, team, lanes, local memory) for the device. VR_KERNEL_TILES, VR_KERNEL_LANES
/// and VR_KERNEL_LOCAL override the choice.
void suit_device(PassOptions& options, const DeviceKind& device);

/// The symbol of a VRIR function's native code. VRIR's names may hold any bytes; different names have different
/// symbols, of [A-Za-z0-9_] only.
std::string entry_symbol(std::string_view function);

/// The module must have passed verify. Fails with UNSUPPORTED, and the source location, for a construct that cannot be
/// lowered.
Result<std::unique_ptr<Module>> lower(const ir::Module& m, const ir::Conventions& conventions,
                                      const LowerOptions& options);

}  // namespace vr::lower
