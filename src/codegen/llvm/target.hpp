// The processor this process runs on, as LLVM describes it, and a pool of code generators for it (private to
// codegen/llvm).
#pragma once
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <string>

namespace vr::codegen::llvm_backend {

/// What the code is for. Made once; `error` is non-empty when this LLVM has no code generator for the host.
struct HostTarget {
  std::string triple, cpu, features;
  std::string error;
  int vector_bits = 256;  ///< widest vector the host has: 128, 256 or 512
  const char* preferred_bits = "256";  ///< of the vectors that loops are made of, by measurement
  bool x86 = false;
};
const HostTarget& host_target();

/// Registers LLVM's passes, once: under locks of the process, which a compile that is given up must not hold.
void warm_up();

/// A TargetMachine for the time of one compile. LLVM's are not thread-safe and cost about 0.2 ms to make, so idle ones
/// are kept; a lease that was abandoned after a fatal error is dropped for good.
class TargetLease {
 public:
  explicit TargetLease(int opt_level);
  ~TargetLease();
  TargetLease(const TargetLease&) = delete;
  TargetLease& operator=(const TargetLease&) = delete;
  llvm::TargetMachine* operator->() const { return machine_.get(); }
  llvm::TargetMachine& operator*() const { return *machine_; }
  explicit operator bool() const { return machine_ != nullptr; }
  void abandon() { (void)machine_.release(); }

 private:
  std::unique_ptr<llvm::TargetMachine> machine_;
};

}  // namespace vr::codegen::llvm_backend
