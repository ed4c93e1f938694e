#include "runtime/cpu/collect.hpp"

#ifdef VR_HAVE_BOEHM
#include "support/settings.hpp"

#define GC_THREADS
#define GC_NO_THREAD_REDIRECTS  // threads are registered while they run generated code, however they were created
#include <gc.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>

namespace vr::runtime {

namespace {

constexpr uintptr_t alignment = 64;

/// Stores the base address as well as the aligned one, so that the collector need not recognise interior pointers.
struct CollectedOwner : vr_owner {
  void* base;
};

/// VR_COLLECT_EVERY=N: a collection before every Nth allocation of an array, so that tests notice an array that is
/// collected too early. 0: never.
int collect_every = 0;
std::atomic<int> arrays_made{0};

void initialise() {
  collect_every = static_cast<int>(settings::number(settings::Name::VR_COLLECT_EVERY).value_or(0));
  if (!GC_is_init_called()) {
    // Any thread may load the first module: the collector must not treat its stack as that of the process' first thread, and
    // must not scan it after the thread has ended.
    GC_stack_base stack;
    if (GC_get_stack_base(&stack) == GC_SUCCESS) GC_set_stackbottom(nullptr, &stack);
    GC_set_dont_precollect(1);
    GC_set_handle_fork(1);
    GC_set_warn_proc(GC_ignore_warn_proc);  // failures are reported to the caller instead
    GC_INIT();
    GC_allow_register_threads();
    GC_unregister_my_thread();  // threads are registered like any other: see CollectorScope
    return;
  }
  GC_allow_register_threads();
}

/// State of a thread: its stack, and the nesting depth of its scopes.
struct Thread {
  GC_stack_base stack;
  char* lowest = nullptr;
  bool asked = false, known = false;
  bool registered = false;  ///< by us: whoever did it before sees to the end of it
  bool disabled = false;    ///< we keep everything from being collected instead
  bool unblocked[2] = {};   ///< signals that the host blocks, and blocks again afterwards
  int depth = 0;
};
thread_local Thread thread;

/// Unblocks the signals that suspend and resume threads: a collection waits until every thread has received them.
void unblock_signals(Thread& t) {
  sigset_t wanted, before;
  const int numbers[] = {GC_get_suspend_signal(), GC_get_thr_restart_signal()};
  sigemptyset(&wanted);
  for (int n : numbers) sigaddset(&wanted, n);
  if (pthread_sigmask(SIG_UNBLOCK, &wanted, &before) != 0) return;
  for (int k = 0; k < 2; ++k) t.unblocked[k] = sigismember(&before, numbers[k]) == 1;
}

void block_signals(Thread& t) {
  if (!t.unblocked[0] && !t.unblocked[1]) return;
  sigset_t again;
  sigemptyset(&again);
  if (t.unblocked[0]) sigaddset(&again, GC_get_suspend_signal());
  if (t.unblocked[1]) sigaddset(&again, GC_get_thr_restart_signal());
  pthread_sigmask(SIG_BLOCK, &again, nullptr);
}

bool on_own_stack(Thread& t) {
  if (!t.asked) {
    t.asked = true;
    pthread_attr_t attr;
    void* lowest = nullptr;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attr) == 0) {
      t.known = pthread_attr_getstack(&attr, &lowest, &size) == 0 && GC_get_stack_base(&t.stack) == GC_SUCCESS;
      pthread_attr_destroy(&attr);
    }
    t.lowest = static_cast<char*>(lowest);
  }
  const char* here = static_cast<char*>(__builtin_frame_address(0));
  return t.known && here >= t.lowest && here < static_cast<char*>(t.stack.mem_base);
}

}  // namespace

bool start_collector() noexcept {
  static std::once_flag once;
  std::call_once(once, initialise);
  return true;
}

vr_owner* make_collected_owner(int64_t bytes, bool zeroed) noexcept {
  if (bytes < 0 || bytes > INT64_MAX / 2) return nullptr;
  if (collect_every > 0 && arrays_made.fetch_add(1, std::memory_order_relaxed) % collect_every == 0) GC_gcollect();
  // The owner refers to the first byte, so the collector need not recognise addresses further in.
  const size_t room = static_cast<size_t>(bytes) + alignment;
  void* base = GC_malloc_atomic_ignore_off_page(room);
  if (!base) return nullptr;
  void* memory = GC_malloc(sizeof(CollectedOwner));
  if (!memory) return nullptr;
  auto* owner = new (memory) CollectedOwner{};
  owner->base = base;
  owner->refs.store(1, std::memory_order_relaxed);
  owner->storage = reinterpret_cast<void*>((reinterpret_cast<uintptr_t>(base) + alignment - 1) & ~(alignment - 1));
  owner->bytes = bytes;
  owner->borrowed = VR_COLLECTED;
  if (zeroed) std::memset(owner->storage, 0, static_cast<size_t>(bytes));
  GC_reachable_here(base);
  return owner;
}

CollectorScope::CollectorScope(bool on) noexcept : on_(on) {
  Thread& t = thread;
  if (!on || t.depth++ > 0) return;
  if (on_own_stack(t)) {
    unblock_signals(t);
    const int result = GC_register_my_thread(&t.stack);
    t.registered = result == GC_SUCCESS;
    if (t.registered || result == GC_DUPLICATE) return;
  }
  GC_disable();
  t.disabled = true;
}

CollectorScope::~CollectorScope() {
  Thread& t = thread;
  if (!on_ || --t.depth > 0) return;
  if (t.registered) GC_unregister_my_thread();
  block_signals(t);
  if (t.disabled) GC_enable();
  t.registered = t.disabled = t.unblocked[0] = t.unblocked[1] = false;
}

CollectedDescriptors::CollectedDescriptors(size_t count) noexcept {
  if (count > 0) data_ = static_cast<vr_array*>(GC_malloc_uncollectable(count * sizeof(vr_array)));
}

CollectedDescriptors::~CollectedDescriptors() {
  if (data_) GC_free(data_);
}

CollectorStats collector_stats() noexcept {
  return {static_cast<int64_t>(GC_get_heap_size()), static_cast<int64_t>(GC_get_total_bytes()),
          static_cast<int64_t>(GC_get_gc_no())};
}

void collect_now() noexcept { GC_gcollect(); }

}  // namespace vr::runtime

#else

namespace vr::runtime {

// Modules that would need more are rejected when they are loaded.
bool start_collector() noexcept { return false; }
vr_owner* make_collected_owner(int64_t, bool) noexcept { return nullptr; }
CollectorScope::CollectorScope(bool) noexcept : on_(false) {}
CollectorScope::~CollectorScope() { (void)on_; }
CollectedDescriptors::CollectedDescriptors(size_t) noexcept {}
CollectedDescriptors::~CollectedDescriptors() = default;
CollectorStats collector_stats() noexcept { return {}; }
void collect_now() noexcept {}

}  // namespace vr::runtime
#endif
