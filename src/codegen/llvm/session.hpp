// Session: the process's ORC session, into which object files are loaded (private to codegen/llvm). If memory runs out in it,
// it is abandoned with everything that it holds, and another one is made.
//
// LLJIT is not used: with its shared TargetMachine, two threads that compile at the same time corrupt the heap. Here every
// compile makes its object file on the calling thread with a TargetMachine of its own; the session only links, under its
// own lock.
#pragma once
#include <velociraptor/status.hpp>

#include <llvm/ADT/SmallVector.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace vr::codegen::llvm_backend {

/// Code in memory; unloaded with the object.
class LoadedCode {
 public:
  virtual ~LoadedCode() = default;
  /// Addresses of the requested symbols, in their order.
  const std::vector<void*>& addresses() const { return addresses_; }

 protected:
  std::vector<void*> addresses_;
};

/// Links an object file and finds its symbols. The code may call the functions of runtime/abi.def, the C library and
/// libmvec. `debug`: registers the code with debuggers. Thread-safe.
Result<std::unique_ptr<LoadedCode>> load_object(llvm::SmallVector<char, 0> object, const std::string& name,
                                                const std::vector<std::string>& symbols, bool debug);

}  // namespace vr::codegen::llvm_backend
