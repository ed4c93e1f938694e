// Functions with C's calling convention that call the engine: callbacks for C libraries.
#pragma once
#include <velociraptor/descriptor.h>
#include <velociraptor/ir/types.hpp>
#include <velociraptor/status.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace vr::codegen::llvm_backend {

/// The C type: numbers by value, addresses (no value), and one number or nothing as result.
struct CSignature {
  std::vector<std::optional<ir::Elem>> parameters;
  std::optional<ir::Elem> result;
};

/// Performs a call: one value for each argument, addresses in `array`; stores the result.
using CEnter = void (*)(void* data, const vr_value* args, vr_value* result);

/// Code in memory; unloaded with the object.
class CEntry {
 public:
  virtual ~CEntry() = default;
  virtual void* address() const = 0;
};

/// Makes a function of this type that calls `enter` with `data`. Thread-safe. Errors: INTERNAL, OUT_OF_MEMORY.
Result<std::unique_ptr<CEntry>> compile_c_entry(const CSignature& signature, CEnter enter, void* data);

}  // namespace vr::codegen::llvm_backend
