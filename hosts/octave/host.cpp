#include "host.hpp"

#include "arrays.hpp"

#include <octave/error.h>
#include <octave/quit.h>

namespace vr::octave_host {

Host& Host::get() {
  static Host* host = new Host;
  return *host;
}

Engine& Host::engine() {
  if (engine_) return *engine_;
  HostBinding b = binding();
  static_assert(sizeof(sig_atomic_t) == sizeof(int32_t));
  b.interrupt = const_cast<const int32_t*>(&octave_signal_caught);
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
  // One line for each function and classes of arguments, however often it was compiled.
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
