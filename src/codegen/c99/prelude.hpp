// Small functions that the emitted C calls where C's operators differ from VRIR's, and the file's first lines (private
// to codegen/c99).
#pragma once
#include "loop/form.hpp"

#include <set>
#include <string>

namespace vr::codegen::c99 {

/// Short names of types in names of helpers: "i32", "f64", "bool", "ptr".
std::string short_name(lower::Scalar s);
/// The C type of a value: "bool", "int32_t", "char *".
std::string c_type(lower::Scalar s);

/// Remembers which helpers a file calls, and writes just those.
class Prelude {
 public:
  std::string wrapping(const std::string& operation, lower::Scalar type);
  std::string nearest_integer(lower::Scalar from, lower::Scalar to);
  /// A narrow float is represented by its bits in a uint16_t.
  std::string narrow_conversion(lower::Scalar from, lower::Scalar to);
  /// The type of an element in memory, at any address.
  std::string element(lower::Scalar type);
  std::string load(lower::Scalar type);
  std::string store(lower::Scalar type);
  /// The function of C's library.
  std::string math(lower::MathFn f, lower::Scalar type);
  std::string atomic(ir::AtomicOp op, lower::Scalar type);
  std::string use(const std::string& name, const std::string& definition);
  /// The definitions, in the order of their names.
  std::string text() const;

 private:
  std::set<std::pair<std::string, std::string>> used_;
  std::set<std::pair<lower::MathFn, lower::Scalar>> math_;  ///< functions of C's library
};

/// The includes and pragmas of every file.
std::string first_lines();
/// Definition of vr_parallel_for: OpenMP if the compiler has it enabled, otherwise the runtime's function.
std::string parallel_for();

}  // namespace vr::codegen::c99
