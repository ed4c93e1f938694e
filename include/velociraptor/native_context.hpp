// Calls of native functions without Function::call, for hosts that generate such calls themselves.
#pragma once
#include <velociraptor/engine.hpp>

#include <memory>

namespace vr {

namespace engine {
struct NativeState;
}

/// The state that the calls of a function's entry need: function.entry()(context.get(), args, results), as descriptor.h
/// describes. Only the thread that created it may use it, for one call at a time, because it has the limits of that
/// thread's stack. With a binding that has a lock, the caller must not hold it when it enters native code. An array
/// argument whose owner is null is borrowed; owners of array results are released with HostBinding::release. Keeps the
/// function and its engine alive. Copies refer to the same state.
class NativeContext {
 public:
  /// Error UNSUPPORTED on Target::Interp, which has no native functions, and on a device, which only Function::call has.
  static Result<NativeContext> create(const Function& function);
  vr_context* get() const;
  /// The record of the fault of the last call; null if there was none. Valid until reset().
  const vr_error* error() const;
  /// Needed after a fault, before the next call.
  void reset();

 private:
  explicit NativeContext(std::shared_ptr<engine::NativeState> s) : state_(std::move(s)) {}
  std::shared_ptr<engine::NativeState> state_;
};

}  // namespace vr
