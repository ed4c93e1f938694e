// The interpreter: a simple, slow implementation that defines the meaning of every construct. The oracle in tests, and tier 0.
// It shares only the tree and the typing rules with the compiler.
#pragma once
#include <velociraptor/engine.hpp>
#include <velociraptor/ir/nodes.hpp>
#include <velociraptor/status.hpp>

#include <span>
#include <string>
#include <vector>

namespace vr::runtime {
class Externals;
}

namespace vr::interp {

struct InterpOptions {
  int64_t step_limit = 0;    ///< statements executed before error INTERRUPTED; 0: none
  int64_t memory_limit = 0;  ///< bytes of arrays alive at once before error OUT_OF_MEMORY; 0: none
  int depth_limit = 1000;    ///< nested calls before error STACK
  bool force_checks = false;
  /// A subscript out of bounds whose check is turned off is error INTERNAL, not OUT_OF_BOUNDS: for tests of passes that turn
  /// checks off.
  bool tell_broken_promises = false;
  /// The host that may interrupt the call (HostBinding::interrupt), polled with its lock held; null: none. Must outlive
  /// the call.
  const HostBinding* host = nullptr;
  const runtime::Externals* externals = nullptr;  ///< the host functions; null: there are none
};

/// Runs `function` of a verified module. Array arguments are vr::Array values and are modified in place under `:assign share`;
/// results are new references. Thread-safe: no state outlives the call.
Result<std::vector<Value>> run(const ir::Module& m, const ir::Conventions& conventions, const std::string& function,
                               std::span<const Value> args, const InterpOptions& options = {});

}  // namespace vr::interp
