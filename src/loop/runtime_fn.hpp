// Numbers of the runtime's functions (runtime/abi.def), as lower::Call::fn uses them.
#pragma once
#include <cstdint>

namespace vr::lower::rt {
enum Fn : int32_t {
#define VR_RT(name, symbol, result, params) name,
#include "runtime/abi.def"
};
}  // namespace vr::lower::rt
