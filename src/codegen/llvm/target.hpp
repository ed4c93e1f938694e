// The processor that this process runs on, as LLVM describes it, with a pool of TargetMachines for it; other processors
// that code is made for (private to codegen/llvm).
#pragma once
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <optional>
#include <string>

namespace vr::codegen::llvm_backend {

/// The target of generated code. Made once; `error` is non-empty if this LLVM has no code generator for the host.
struct HostTarget {
  std::string triple, cpu, features;
  std::string architecture;  ///< of another machine: "aarch64"; empty: this one's
  std::string error;
  int vector_bits = 256;               ///< widest vector of the processor: 128, 256 or 512
  const char* preferred_bits = "256";  ///< width of vectors in loops that is fastest by measurement
  int level = 0;                       ///< N of x86-64-vN; 1: x86-64; 0: any other processor
  bool x86 = false;
  bool half = true;  ///< has instructions that convert float16 (x86: F16C)
};
const HostTarget& host_target();

/// "native", "generic", or a processor of this architecture that LLVM knows; of another architecture "aarch64" and
/// "aarch64:PROCESSOR". No value: it is not known; `why` lists the valid ones.
std::optional<HostTarget> target_named(const std::string& name, std::string& why);
/// A TargetMachine that the caller owns. Null: LLVM has no code generator for the target.
std::unique_ptr<llvm::TargetMachine> make_machine(const HostTarget& target, int opt_level);

/// Registers LLVM's passes, once: that takes process-wide locks, which a compile that is abandoned must not hold.
void warm_up();

/// A TargetMachine for the duration of one compile. They are not thread-safe and take about 0.2 ms to make, so idle
/// ones are kept; one that was abandoned after a fatal error is never used again.
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
