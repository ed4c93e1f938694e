/// The C library's functions by the names of lower/math.def: a row added to the table needs no second list.
#pragma once
#include <dlfcn.h>

#include <stdexcept>

#include "lower/lowered.hpp"

namespace vr::test {

/// One row of lower/math.def.
struct MathRow {
  lower::MathFn function;
  const char* name;  ///< in C, for double
  int arity;         ///< 1 or 2
};

inline constexpr MathRow math_rows[] = {
#define VR_MATH(Name, c_name, opencl_name, arity, llvm_name) {lower::MathFn::Name, c_name, arity},
#include "lower/math.def"
};

/// What the C library computes; y counts for functions of two arguments only. Throws if it has no function of that name.
inline double reference(lower::MathFn f, double x, double y) {
  const MathRow& row = math_rows[size_t(f)];
  void* address = dlsym(RTLD_DEFAULT, row.name);
  if (address == nullptr) throw std::logic_error(row.name);
  return row.arity == 2 ? reinterpret_cast<double (*)(double, double)>(address)(x, y)
                        : reinterpret_cast<double (*)(double)>(address)(x);
}

}  // namespace vr::test
