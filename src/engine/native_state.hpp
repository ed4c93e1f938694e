// The state of native calls (NativeContext, and vr_context_create of the C API).
#pragma once
#include "runtime/abi.h"

#include <velociraptor/native_context.hpp>

namespace vr::engine {

/// The threads that calls on an engine with these options use.
int thread_count(const Options& options);

struct NativeState : vr_context {
  explicit NativeState(Function f) : function(std::move(f)) {}
  /// Fills in what calls on this thread need. Error UNSUPPORTED: the function has no such calls.
  Status prepare();
  const vr_error* fault() const { return failed.load() != VR_OK ? &error : nullptr; }
  Function function;
};

}  // namespace vr::engine
