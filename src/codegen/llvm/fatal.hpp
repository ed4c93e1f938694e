// LLVM ends the process when something inside it goes wrong (report_fatal_error), and is built without exceptions, so
// that std::bad_alloc must not pass through it. Here both become errors (private to codegen/llvm).
#pragma once
#include <functional>
#include <string>

namespace vr::codegen::llvm_backend {

/// How work with LLVM ended.
struct Ending {
  enum class Kind { Done, Fatal, NoMemory } kind = Kind::Done;
  std::string text;  ///< what LLVM said
  bool done() const { return kind == Kind::Done; }
};

/// Runs `work`. When LLVM reports a fatal error on this thread meanwhile, or memory runs out, and with it the thread's
/// MemoryReserve, `work` ends there: by a jump, which runs no destructors, because what they would take apart may be
/// half changed. So what `work` was using must be leaked by the caller, not freed, and locks that LLVM held stay taken:
/// none that a compile shares with another is held across an allocation once LLVM is warm (warm_up, session.cpp).
Ending catch_fatal_errors(const std::function<void()>& work);

}  // namespace vr::codegen::llvm_backend
