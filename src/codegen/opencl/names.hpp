// Names: VRIR names -> C identifiers that have no meaning in OpenCL C.
#pragma once
#include <string>
#include <string_view>
#include <unordered_set>

namespace vr::codegen::opencl {

/// Whether the word has a meaning in OpenCL C or in the emitted program (keyword, type, macro, function that is called).
bool is_reserved(std::string_view name);
/// Whether the word is a C identifier.
bool is_identifier(std::string_view name);

/// Makes identifiers that are all different.
class Names {
 public:
  /// An identifier close to `wanted`: other characters become '_', a taken or reserved name gets a number.
  std::string unique(std::string_view wanted);

 private:
  std::unordered_set<std::string> taken_;
};

}  // namespace vr::codegen::opencl
