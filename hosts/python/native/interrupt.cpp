#include "interrupt.hpp"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

namespace pyraptor {

namespace {

constexpr auto tick = std::chrono::milliseconds(50);
constexpr int ticks_awake = 20;  ///< ticks without a call after which the timer thread waits for the next call

std::atomic<int32_t> flag{0};     ///< HostBinding::interrupt
std::atomic<int> running{0};      ///< running calls of the main thread; signal handlers may make nested calls
std::atomic<int64_t> calls{0};    ///< number of calls so far
std::atomic<unsigned long> main_thread{0};
std::atomic<int> stopping{0};  ///< Stoppers that were stopped and still exist
thread_local const Stopper* own_stopper = nullptr;

/// The thread that sets the flag periodically during a call. A signal handler cannot set it: CPython's handler only
/// records the signal, which can be queried only under the GIL; and a handler of this module would have to be installed
/// again whenever another one is installed.
enum Clock : int { Absent, Awake, Asleep };
std::atomic<int> clock_state{Absent};
sem_t& wake = *[] {
  auto* s = new sem_t;  // the thread may outlive static destructors
  sem_init(s, 0, 0);
  return s;
}();

void run_clock() {
  int64_t seen = -1;
  for (int idle = 0;;) {
    std::this_thread::sleep_for(tick);
    if (stopping.load() > 0) {
      idle = 0;
      flag.store(1, std::memory_order_relaxed);
    } else if (running.load() > 0) {
      idle = 0;
      // Calls that end within a tick are not interrupted.
      if (const int64_t now = calls.load(); now == seen)
        flag.store(1, std::memory_order_relaxed);
      else
        seen = now;
    } else if (++idle > ticks_awake) {
      clock_state.store(Asleep);
      int asleep = Asleep;
      if ((running.load() > 0 || stopping.load() > 0) && clock_state.compare_exchange_strong(asleep, Awake)) continue;
      while (sem_wait(&wake) != 0) {}
      idle = 0;
    }
  }
}

void wake_clock() {
  int state = clock_state.load();
  if (state == Awake) return;
  if (state == Asleep) {
    if (clock_state.compare_exchange_strong(state, Awake)) sem_post(&wake);
    return;
  }
  if (!clock_state.compare_exchange_strong(state, Awake)) return;
  // Signals must be delivered to Python's threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread(run_clock).detach();
  } catch (const std::system_error&) {
    clock_state.store(Absent);  // the thread could not be started: the next call tries again
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

/// A forked child has only the thread that forked, which is its main thread.
[[maybe_unused]] const int at_fork = pthread_atfork(nullptr, nullptr, [] {
  clock_state.store(Absent);
  stopping.store(0);
  main_thread.store(PyThread_get_thread_ident());
});

bool in_main_thread() { return PyThread_get_thread_ident() == main_thread.load(std::memory_order_relaxed); }

int32_t poll(void*) {
  if (own_stopper && own_stopper->stopped()) return 1;
  if (!in_main_thread()) return 0;  // the flag stays set, for the main thread
  flag.store(0, std::memory_order_relaxed);
  const PyGILState_STATE gil = PyGILState_Ensure();
  const int raised = PyErr_CheckSignals();
  PyGILState_Release(gil);
  return raised;
}

}  // namespace

const vr::HostBinding& binding() {
  static const vr::HostBinding ours = [] {
    static_assert(sizeof flag == sizeof(int32_t) && std::atomic<int32_t>::is_always_lock_free);
    vr::HostBinding b = vr::builtin_binding();
    b.interrupt = reinterpret_cast<const int32_t*>(&flag);
    b.poll = poll;
    return b;
  }();
  return ours;
}

Stopper::~Stopper() {
  if (stopped() && process_ == getpid() && stopping.fetch_sub(1) == 1) flag.store(0, std::memory_order_relaxed);
}
void Stopper::stop() {
  if (process_ != getpid() || stopped_.exchange(true)) return;
  stopping.fetch_add(1);
  wake_clock();
}
void Stopper::guard_this_thread() const { own_stopper = this; }

Interruptible::Interruptible(bool yes) : counted_(yes && in_main_thread()) {
  if (!counted_) return;
  calls.fetch_add(1, std::memory_order_relaxed);
  running.fetch_add(1);
  wake_clock();
}
Interruptible::~Interruptible() {
  if (!counted_) return;
  if (running.fetch_sub(1) == 1) flag.store(0, std::memory_order_relaxed);
}

namespace {
using StopperBox = Boxed<std::unique_ptr<Stopper>>;
PyObject* make_stopper(PyObject*, PyObject*) { return StopperBox::box(std::make_unique<Stopper>()); }
PyObject* stopper_stop(PyObject* self, PyObject*) {
  StopperBox::of(self)->stop();
  Py_RETURN_NONE;
}
PyObject* stopper_guard(PyObject* self, PyObject*) {
  StopperBox::of(self)->guard_this_thread();
  Py_RETURN_NONE;
}
}  // namespace

bool add_stopper(PyObject* module) {
  static PyMethodDef methods[] = {
      {"stop", border<stopper_stop>, METH_NOARGS, "Ends the compiled calls of guarded threads."},
      {"guard", border<stopper_guard>, METH_NOARGS,
       "The calling thread is guarded; the object must live as long as it."},
      {nullptr, nullptr, 0, nullptr}};
  static PyType_Slot slots[] = {
      {Py_tp_dealloc, reinterpret_cast<void*>(StopperBox::dealloc)}, {Py_tp_methods, methods}, {0, nullptr}};
  static PyType_Spec spec = {"pyraptor._native.Stopper", sizeof(StopperBox), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  StopperBox::type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  static PyMethodDef functions[] = {{"stopper", border<make_stopper>, METH_NOARGS, "stopper() -> Stopper"},
                                    {nullptr, nullptr, 0, nullptr}};
  return StopperBox::type && PyModule_AddFunctions(module, functions) == 0;
}

bool find_main_thread() {
  Ref threading = Ref::take(PyImport_ImportModule("threading"));
  Ref thread = threading ? Ref::take(PyObject_CallMethod(threading.get(), "main_thread", nullptr)) : Ref();
  Ref ident = thread ? Ref::take(PyObject_GetAttrString(thread.get(), "ident")) : Ref();
  if (!ident) return false;
  main_thread.store(PyLong_AsUnsignedLong(ident.get()));
  return !PyErr_Occurred();
}

}  // namespace pyraptor
