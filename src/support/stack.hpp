// The stack that the caller runs on: where it ends, and work that needs more of it than is left.
#pragma once
#include <cstddef>
#include <functional>

namespace vr {

/// Lowest address that compiled code may use on the stack that the caller runs on; below it stays room for the runtime,
/// libraries and the host: a quarter of a MiB, of small stacks a quarter.
/// On a stack of unknown bounds (a coroutine's) it is 32 KiB below the caller, and as much should be left below that:
/// set_stack_bounds (velociraptor/engine.hpp) tells of larger ones.
char* stack_limit();

/// What vr::set_stack_bounds does.
void tell_stack_bounds(void* low, size_t size);

/// Bytes between the caller's frame and the end of its stack; of a stack of unknown bounds a cautious guess.
size_t stack_left();

/// Runs `work` where at least `bytes` of stack are left: at once, or on a thread with such a stack that the caller waits
/// for, to which the caller's NoForkNow extends. What it throws comes through. Throws std::bad_alloc when no thread can
/// be made.
void with_stack(size_t bytes, const std::function<void()>& work);

}  // namespace vr
