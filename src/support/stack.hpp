// The caller's stack: where it ends, and running work that needs more than is left.
#pragma once
#include <cstddef>
#include <functional>

namespace vr {

/// Lowest address that compiled code may use on the caller's stack. What is below is reserved for the runtime, libraries and the
/// host: a quarter of a MiB, or of the stack if that is less.
/// On a stack of unknown bounds (a coroutine's) it is 32 KiB below the caller, and as much should be left below that;
/// set_stack_bounds (velociraptor/engine.hpp) announces larger ones.
char* stack_limit();

/// Implements vr::set_stack_bounds.
void tell_stack_bounds(void* low, size_t size);

/// Bytes between the caller's frame and the end of its stack; for a stack of unknown bounds a cautious estimate.
size_t stack_left();

/// Runs `work` with at least `bytes` of stack: directly, or on a thread with such a stack, for which the caller waits and to
/// which the caller's NoForkNow extends. Exceptions of `work` are passed on. Throws std::bad_alloc if no thread can be
/// made.
void with_stack(size_t bytes, const std::function<void()>& work);

}  // namespace vr
