// fork() waits for compiles: a child that began in the middle of one would find LLVM's locks taken by threads that it
// does not have (private to codegen/llvm).
#pragma once

namespace vr::codegen::llvm_backend {

/// While one lives, this thread is at work in LLVM and no fork() begins in another thread. May be nested.
class InsideLlvm {
 public:
  InsideLlvm();
  ~InsideLlvm();
  InsideLlvm(const InsideLlvm&) = delete;
  InsideLlvm& operator=(const InsideLlvm&) = delete;
};

}  // namespace vr::codegen::llvm_backend
