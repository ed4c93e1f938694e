// LLVM ends the process at internal errors (report_fatal_error), and is built without exceptions, so std::bad_alloc must not
// propagate through it. Here both become errors (private to codegen/llvm).
#pragma once
#include <functional>
#include <string>

namespace vr::codegen::llvm_backend {

/// The outcome of work with LLVM.
struct Ending {
  enum class Kind { Done, Fatal, NoMemory } kind = Kind::Done;
  std::string text;  ///< LLVM's message
  bool done() const { return kind == Kind::Done; }
};

/// Runs `work`. If LLVM reports a fatal error on this thread meanwhile, or memory runs out, including the thread's
/// MemoryReserve, `work` is left by a longjmp, which runs no destructors, because the objects may be in an inconsistent
/// state. So the caller must leak, not free, whatever `work` was using. Locks that LLVM held stay locked: after the
/// first compilation (warm_up, session.cpp), no lock that compilations share is held across an allocation.
Ending catch_fatal_errors(const std::function<void()>& work);

}  // namespace vr::codegen::llvm_backend
