// Jobs for which no caller waits: one thread runs them, first in, first out (private to src/engine).
#pragma once
#include <functional>

namespace vr::engine {

/// Runs the job in the background thread, which starts with the first job. When the process ends, jobs that have not begun are
/// dropped, and the running one is waited for: ending() tells it to finish quickly. fork() waits for the running job, so that a
/// child finds no lock of the compiler taken; the child keeps the queued jobs, see resume_background(). Thread-safe; the job must
/// not throw.
void run_in_background(std::function<void()> job);

/// Must be called before waiting for a job that may have been added before a fork(): makes sure that there is a thread.
void resume_background();

/// Whether the process is about to end.
bool ending();

}  // namespace vr::engine
