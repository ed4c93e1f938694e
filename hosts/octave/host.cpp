#include "host.hpp"

#include "arrays.hpp"

#include <octave/error.h>
#include <octave/quit.h>

#include <csignal>
#include <type_traits>

namespace vr::octave_host {

namespace {
/// Octave 7 has a flag for signals with the width that running calls read. In Octave 9 that flag is one byte; its count
/// of interrupts, an int, is not 0 from Ctrl-C until the next prompt.
template <class Caught, class State>
const int32_t* interrupt_flag(Caught& caught, State& state) {
  if constexpr (std::is_same_v<std::remove_cv_t<Caught>, sig_atomic_t>) {
    static_assert(sizeof caught == sizeof(int32_t));
    return const_cast<const int32_t*>(&caught);
  } else {
    static_assert(sizeof state == sizeof(int32_t) && alignof(State) == alignof(int32_t));
    return reinterpret_cast<const int32_t*>(&state);
  }
}
}  // namespace

Host& Host::get() {
  static Host* host = new Host;
  return *host;
}

Engine& Host::engine() {
  if (engine_) return *engine_;
  HostBinding b = binding();
  b.interrupt = interrupt_flag(octave_signal_caught, octave_interrupt_state);
  b.poll = [](void*) { return get().poll(); };
  auto made = Engine::create(settings_.options, b);
  if (!made) error("vr: %s", made.error().text().c_str());
  engine_ = std::make_unique<Engine>(std::move(*made));
  return *engine_;
}

void Host::change(const Settings& settings) {
  settings_ = settings;
  for (const auto& u : uses_) {
    if (u->module)
      for (std::string& line : u->module->report()) u->remarks.push_back(std::move(line));
    u->module.reset();
  }
  engine_.reset();
  modules_.clear();
  ++generation_;
}

std::shared_ptr<Use> Host::use(const std::string& function, const std::string& arguments) {
  // One entry for each function and argument classes, however often it was compiled.
  for (const auto& u : uses_)
    if (u->function == function && u->arguments == arguments) return u;
  auto u = std::make_shared<Use>();
  u->function = function;
  u->arguments = arguments;
  uses_.push_back(u);
  return u;
}

void Host::forget() {
  uses_.clear();
  ++generation_;
}

void Host::wait() {
  for (const Module& m : modules_) m.wait();
  modules_.clear();
}

int32_t Host::poll() {
  try {
    octave_quit();
    return 0;
  } catch (...) {
    pending_ = std::current_exception();
    return 1;
  }
}

void Host::rethrow() {
  if (!pending_) return;
  std::exception_ptr p;
  std::swap(p, pending_);
  std::rethrow_exception(p);
}

}  // namespace vr::octave_host
