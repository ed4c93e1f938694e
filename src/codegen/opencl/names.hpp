// Names: VRIR names -> C identifiers that have no meaning in OpenCL C.
#pragma once
#include "codegen/c_family/names.hpp"

#include <string_view>

namespace vr::codegen::opencl {

/// Whether the word has a meaning in OpenCL C or in the emitted program (keyword, type, macro, function that is
/// called).
bool is_reserved(std::string_view name);
using c_family::is_identifier;

/// Makes identifiers that are all different.
class Names : public c_family::Names {
 public:
  Names() : c_family::Names(is_reserved) {}
};

}  // namespace vr::codegen::opencl
