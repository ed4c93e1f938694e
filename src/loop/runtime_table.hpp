// runtime/abi.def as a table, by lower::Call::fn (runtime_fn.hpp has the numbers by name).
#pragma once
#include "loop/runtime_fn.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace vr::lower {

/// One function that generated code may call; the codes are explained in runtime/abi.def.
struct RuntimeFunction {
  const char* name;    ///< "Alloc"
  const char* symbol;  ///< "vr_rt_alloc"
  char result;         ///< v, i, l, d, f or p
  const char* params;  ///< "CSAiiLiii"
};

inline constexpr RuntimeFunction runtime_table[] = {
#define VR_RT(name, symbol, result, params) {#name, #symbol, result, params},
#include "runtime/abi.def"
};
/// Whether the code of a parameter stands for the descriptor of an array, or for any number of them.
constexpr bool is_array_code(char code) { return code == 'A' || code == 'W' || code == 'D' || code == 'V'; }
/// The type code of argument k. The context has none.
constexpr char code_of_argument(const RuntimeFunction& f, size_t k) {
  const char* code = f.params + (f.params[0] == 'C' ? 1 : 0);
  for (; k > 0 && code[1]; --k) ++code;  // the last code, V, stands for all remaining arguments
  return *code;
}
inline constexpr int32_t runtime_count = static_cast<int32_t>(std::size(runtime_table));

}  // namespace vr::lower
