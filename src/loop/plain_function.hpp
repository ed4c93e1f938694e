// A function of a lowered module with a plain C interface, for programs compiled ahead of time (src/aot).
#pragma once
#include <velociraptor/ir/elements.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace vr::lower {

/// A parameter or a result. Arrays are passed as `const vr_array*`; real scalars by value; complex ones (floating) as
/// the address of a vr_complex64 or vr_complex128. Every result is an address that is written.
struct PlainValue {
  std::string name;         ///< a C identifier, unique in the function
  std::string source_name;  ///< in the program, for messages; empty for results
  std::string type;         ///< in words, for messages
  ir::Elem elem = ir::Elem::Float64;
  bool complex = false;
  int rank = 0;    ///< 0: a scalar
  int layout = 0;  ///< VR_ROWMAJOR, VR_COLMAJOR or VR_STRIDED
};

/// The argument values for which a version is valid (vr_guard).
struct PlainGuard {
  int arg = 0;
  int axis = -1;  ///< -1: the value of a scalar
  int64_t value = 0;
};
struct PlainVersion {
  std::string entry;  ///< the lowered function
  std::vector<PlainGuard> guards;
};

struct PlainFunction {
  std::string symbol;       ///< the C function
  std::string entry;        ///< the lowered Entry function that does the work
  std::string source_name;  ///< the VRIR function
  std::vector<PlainValue> args, results;
  std::vector<PlainVersion> versions;  ///< for given arguments, tried in this order before `entry`
  /// The module with kernels has these functions too, for calls that have a device: `entry`, and those versions that are listed
  /// here.
  bool device = false;
  std::vector<PlainVersion> device_versions;
  bool shares = false;             ///< vr_export::shares
  bool parallel = false;           ///< vr_export::parallel
  std::vector<std::string> parts;  ///< of the runtime that it needs (runtime/parts.def)
};

/// The C type of a scalar: "double", "vr_complex64".
std::string scalar_type(const PlainValue& v);
/// "int32_t step(const vr_array *u, double k, vr_array *result, vr_error *error)"
std::string prototype(const PlainFunction& f);

}  // namespace vr::lower
