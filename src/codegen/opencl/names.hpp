// Names: VRIR names -> C identifiers that mean nothing else in OpenCL C.
#pragma once
#include <string>
#include <string_view>
#include <unordered_set>

namespace vr::codegen::opencl {

/// Whether OpenCL C or the emitted program gives this word a meaning (keyword, type, macro, builtin that we call).
bool is_reserved(std::string_view name);
/// Whether the word is a C identifier.
bool is_identifier(std::string_view name);

/// Hands out identifiers, each once.
class Names {
 public:
  /// The identifier nearest to `wanted`: odd characters become '_', a taken or reserved name gets a number.
  std::string unique(std::string_view wanted);

 private:
  std::unordered_set<std::string> taken_;
};

}  // namespace vr::codegen::opencl
