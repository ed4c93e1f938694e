// Work that nobody waits for: one thread, in the order of asking (private to src/engine).
#pragma once
#include <functional>

namespace vr::engine {

/// Runs the job in the background thread, which starts with the first one. When the process ends, jobs that have not
/// begun are dropped and the one that runs is waited for: ending() tells it to be quick. fork() waits for the running
/// job, so that a child finds no lock of the compiler taken; the child has the others, see resume_background(). Thread-safe;
/// the job must not throw.
void run_in_background(std::function<void()> job);

/// For who waits for a job, which may have been added before a fork(): makes sure that there is a thread.
void resume_background();

/// The process is about to end.
bool ending();

}  // namespace vr::engine
