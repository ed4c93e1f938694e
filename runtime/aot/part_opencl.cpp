// Accelerated sections: the part `opencl`. A process has one session, which the first call that needs one opens.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>

#include "runtime/aot/parts.hpp"
#include "runtime/gpu/fault.hpp"
#include "runtime/gpu/on_host.hpp"
#include "runtime/gpu/session.hpp"
#include "support/settings.hpp"

namespace vr::runtime {

namespace {

/// The session and the number of its users. Never destroyed, because other threads, and functions that run at exit, may
/// call it later.
class ProcessDevice {
 public:
  /// Null: there is no session; `why` says why.
  gpu::Session* enter(std::optional<Error>& why) {
    std::lock_guard lock(mutex_);
    if (!session_ && !why_) open();
    if (why_) {
      why = why_;
      return nullptr;
    }
    ++calls_;
    return session_.get();
  }
  void leave() {
    std::lock_guard lock(mutex_);
    --calls_;
  }
  template <class F>
  void with_session(F&& f) {
    std::lock_guard lock(mutex_);
    if (session_) f(*session_);
  }
  gpu::OnHost on_host;

  static ProcessDevice& get() {
    static auto* const device = new ProcessDevice;
    return *device;
  }

 private:
  void open() {
    auto made = gpu::Session::open();
    if (!made) {
      why_ = made.error();
      return;
    }
    session_ = std::move(*made);
    // Registered after the driver's own exit handlers, so that it runs before them: drivers must not be used after
    // their handlers have run.
    std::atexit([] { get().close(); });
  }
  void close() {
    std::lock_guard lock(mutex_);
    // of a thread that still runs: the session is not closed, and the operating system releases it
    if (calls_ > 0) return;
    session_.reset();
    why_ = make_error(Code::Device, "the process is ending");
  }

  std::mutex mutex_;
  std::unique_ptr<gpu::Session> session_;
  std::optional<Error> why_;
  int calls_ = 0;
};

int32_t begin(vr_context& context, const char* function) {
  ProcessDevice& device = ProcessDevice::get();
  std::optional<Error> why;
  const vr_site site = {function, "", "", "", -1, 0};
  context.on_host = &device.on_host;
  context.gpu = device.enter(why);
  if (context.gpu) return VR_OK;
  // A device that was requested by name must exist. A device that cannot be used because of a fork is an error as well.
  if (why->code != Code::Device || settings::text(settings::Name::VR_DEVICE))
    return gpu::record_fault(&context, &site, static_cast<int32_t>(why->code), why->message);
  device.on_host.add(&site, "the accelerated sections", why->message);
  return VR_OK;
}

int32_t end(vr_context& context, int32_t status) {
  if (!context.gpu) return status;
  if (status == VR_OK) status = context.gpu->close(&context);
  context.gpu->abandon(&context);
  context.gpu = nullptr;
  ProcessDevice::get().leave();
  return status == VR_OK ? status : context.error.code;
}

size_t copy(const std::string& from, char* to, size_t size) {
  if (size > 0) {
    const size_t n = std::min(from.size(), size - 1);
    std::memcpy(to, from.data(), n);
    to[n] = '\0';
  }
  return from.size();
}

size_t name(char* text, size_t size) {
  std::string device;
  ProcessDevice::get().with_session([&](const gpu::Session& s) { device = s.device_info().text(); });
  return copy(device, text, size);
}

size_t report(char* text, size_t size) {
  std::string lines;
  for (const std::string& l : ProcessDevice::get().on_host.lines()) lines += l + "\n";
  return copy(lines, text, size);
}

void use(vr_aot_use* out) {
  ProcessDevice::get().with_session([&](const gpu::Session& session) {
    const gpu::Stats s = session.stats();
    *out = {s.sections, s.launches, s.on_host, s.bytes_up, s.bytes_down, s.builds, s.binary_loads};
  });
}

struct Register {
  Register() {
    static constexpr DeviceCalls calls = {begin, end, name, report, use};
    register_device(calls);
  }
};
const Register at_start;

}  // namespace

}  // namespace vr::runtime

VR_PART_MARKER(opencl)
