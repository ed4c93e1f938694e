/// The C library's functions by the names of lower/math.def: a row added to the table needs no second list.
#pragma once
#include <dlfcn.h>

#include <stdexcept>
#include <string>
#include <type_traits>

#include "loop/form.hpp"

namespace vr::test {

/// The C library's functions by the names of lower/math.def: a new row of the table needs no other list.
struct MathRow {
  lower::MathFn function;
  const char* name;  ///< in C, for double; with suffix f for float
  int arity;         ///< 1 or 2
};

inline constexpr MathRow math_rows[] = {
#define VR_MATH(Name, c_name, opencl_name, arity, llvm_name) {lower::MathFn::Name, c_name, arity},
#include "loop/math.def"
};

/// What the C library computes for T, double or float; y counts for functions of two arguments only. Throws if it has no
/// function of that name.
template <class T>
T reference(lower::MathFn f, T x, T y) {
  const MathRow& row = math_rows[size_t(f)];
  const std::string name = std::string(row.name) + (std::is_same_v<T, float> ? "f" : "");
  void* address = dlsym(RTLD_DEFAULT, name.c_str());
  if (address == nullptr) throw std::logic_error(name);
  return row.arity == 2 ? reinterpret_cast<T (*)(T, T)>(address)(x, y) : reinterpret_cast<T (*)(T)>(address)(x);
}

}  // namespace vr::test
