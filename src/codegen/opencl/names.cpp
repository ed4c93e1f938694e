#include "codegen/opencl/names.hpp"

#include <cctype>
#include <string_view>
#include <unordered_set>

namespace vr::codegen::opencl {
namespace {

const std::unordered_set<std::string_view>& words() {
  static const std::unordered_set<std::string_view> set = {
      "main",
      // OpenCL C
      "bool",
      "half",
      "quad",
      "complex",
      "imaginary",
      "uchar",
      "ushort",
      "uint",
      "ulong",
      "size_t",
      "ptrdiff_t",
      "intptr_t",
      "uintptr_t",
      "event_t",
      "sampler_t",
      "image1d_t",
      "image2d_t",
      "image3d_t",
      "image1d_array_t",
      "image2d_array_t",
      "image1d_buffer_t",
      "queue_t",
      "pipe",
      "global",
      "local",
      "constant",
      "private",
      "generic",
      "kernel",
      "read_only",
      "write_only",
      "read_write",
      "uniform",
      "true",
      "false",
      "typeof",
      "asm",
      "this",
      "cl_mem_fence_flags",
      // called by the emitted text
      "get_global_id",
      "get_global_size",
      "get_local_id",
      "get_group_id",
      "barrier",
      "atomic_cmpxchg",
#define VR_MATH(Name, c_name, opencl_name, arity, llvm_name) opencl_name,
#include "loop/math.def"
  };
  return set;
}

/// float4, uint16, ...: vector types of any width.
bool is_vector_type(std::string_view name) {
  size_t digits = 0;
  while (digits < name.size() && std::isdigit(static_cast<unsigned char>(name[name.size() - 1 - digits]))) ++digits;
  if (digits == 0 || digits == name.size()) return false;
  const std::string_view base = name.substr(0, name.size() - digits);
  for (std::string_view t :
       {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double", "half", "bool"})
    if (base == t) return true;
  return false;
}

}  // namespace

bool is_reserved(std::string_view name) {
  if (c_family::is_keyword(name) || words().count(name) || is_vector_type(name)) return true;
  if (name.substr(0, 3) == "vr_" || name.substr(0, 1) == "_") return true;
  // Words without a lower-case letter may be macros of the device's headers (INFINITY, M_PI); single letters never are.
  if (name.size() < 2) return false;
  for (char c : name)
    if (std::islower(static_cast<unsigned char>(c))) return false;
  return true;
}

}  // namespace vr::codegen::opencl
