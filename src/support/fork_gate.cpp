#include "support/fork_gate.hpp"

#include <pthread.h>

#include <condition_variable>
#include <mutex>
#include <new>

namespace vr {

namespace {

struct Gate {
  std::mutex mutex;
  std::condition_variable changed;
  int inside = 0;   ///< threads at work
  int closing = 0;  ///< threads that want to fork: no other thread enters

  Gate();
};
/// Made before there are threads, and never destroyed: threads may compile while the process ends.
Gate& gate() {
  static Gate* g = new Gate;
  return *g;
}
thread_local int nested = 0;

/// A thread that forks during its own compile waits only for the others.
void before_fork() {
  Gate& g = gate();
  std::unique_lock lock(g.mutex);
  ++g.closing;
  g.changed.wait(lock, [&] { return g.inside == (nested > 0 ? 1 : 0); });
  lock.release();  // held during the fork
}
void after_fork_in_parent() {
  Gate& g = gate();
  --g.closing;
  g.mutex.unlock();
  g.changed.notify_all();
}
void after_fork_in_child() {
  Gate& g = gate();
  g.closing = 0;
  // the child's copy may count waiting threads, which do not exist in the child
  new (&g.changed) std::condition_variable;
  g.mutex.unlock();
}

[[maybe_unused]] const Gate& at_start = gate();

Gate::Gate() { pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child); }

}  // namespace

NoForkNow::NoForkNow() {
  if (nested++ > 0) return;
  Gate& g = gate();
  std::unique_lock lock(g.mutex);
  g.changed.wait(lock, [&] { return g.closing == 0; });
  ++g.inside;
}

NoForkNow::~NoForkNow() {
  if (--nested > 0) return;
  Gate& g = gate();
  bool wanted = false;
  {
    std::lock_guard lock(g.mutex);
    --g.inside;
    wanted = g.closing > 0;
  }
  if (wanted) g.changed.notify_all();
}

int NoForkNow::depth() { return nested; }

WaitedForNoFork::WaitedForNoFork(int depth) { nested = depth; }
WaitedForNoFork::~WaitedForNoFork() { nested = 0; }

}  // namespace vr
