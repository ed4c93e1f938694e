// Entry to the compiler: with enough stack for the deepest program, and with memory exhaustion turned into an error
// (private to src/engine).
#pragma once
#include "support/memory_reserve.hpp"
#include "support/stack.hpp"

#include <velociraptor/status.hpp>

#include <new>
#include <optional>
#include <type_traits>
#include <utility>

namespace vr::engine {

/// For the deepest trees that the verifier accepts, with LLVM's frames below them, and a sanitizer's large frames.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr size_t compile_stack = size_t{6} << 20;
#else
constexpr size_t compile_stack = size_t{4} << 20;
#endif

inline Error no_memory() noexcept {
  // short enough for std::string's internal buffer: no allocation
  return Error{Code::OutOfMemory, "no memory left", {}, {}};
}

/// The result of `work` (a Status or a Result), or OUT_OF_MEMORY.
template <class Work>
std::invoke_result_t<Work> guarded(Work&& work) {
  std::optional<std::invoke_result_t<Work>> result;
  try {
    with_stack(compile_stack, [&] {
      MemoryReserve reserve;
      result.emplace(work());
    });
  } catch (const std::bad_alloc&) {
    return no_memory();
  }
  return std::move(*result);
}

}  // namespace vr::engine
