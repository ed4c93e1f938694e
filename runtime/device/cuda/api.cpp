#include "runtime/device/cuda/api.hpp"

#include <dlfcn.h>

#include <map>
#include <memory>
#include <mutex>

namespace vr::device::cuda {

std::string Api::error(CUresult code) const {
  const char *name = nullptr, *text = nullptr;
  if (error_name(code, &name) != success || !name) return "CUDA error " + std::to_string(code);
  if (error_text(code, &text) != success || !text) return name;
  return std::string(name) + " (" + text + ")";
}

void Api::fail(const std::string& call, CUresult code) const {
  const Failure why{Code::Device, call + " failed: " + error(code)};
  if (code == out_of_memory) throw NoMemory{why, true};
  throw why;
}

namespace {

/// 11.0, as CUDA counts: the functions that are used have had their present form since before it.
constexpr int least_version = 11000;

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

[[noreturn]] void no_device(const std::string& why) { throw Failure{Code::Device, "no CUDA device: " + why}; }

std::unique_ptr<Api> load(const std::string& file) {
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* why = dlerror();
    no_device("CUDA's driver library could not be opened: " + std::string(why ? why : file));
  }
  auto api = std::make_unique<Api>();
  // A missing function comes with an old library, whose version says more than the function's name.
  std::string missing;
#define VR_CUDA_LOAD(name, symbol, parameters)                                   \
  api->name = reinterpret_cast<CUresult(*) parameters>(dlsym(library, #symbol)); \
  if (!api->name && missing.empty()) missing = #symbol;
  VR_CUDA_FUNCTIONS(VR_CUDA_LOAD)
#undef VR_CUDA_LOAD
  int version = 0;
  if (api->driver_version && api->driver_version(&version) == success && version < least_version)
    no_device(file + " is of CUDA " + version_text(version) + ", and " + version_text(least_version) +
              " or later is needed");
  if (!missing.empty()) no_device(file + " has no function " + missing);
  return api;
}

}  // namespace

const Api& open_api(const std::string& file) {
  static std::mutex mutex;
  // Never closed: other code may use the library, and its threads do not end before the process.
  static auto* const opened = new std::map<std::string, std::unique_ptr<Api>>;
  std::lock_guard lock(mutex);
  std::unique_ptr<Api>& api = (*opened)[file];
  if (!api) api = load(file);
  // Each time: a library that found no device, or failed, may find one later.
  if (const CUresult code = api->init(0); code != success) no_device("cuInit failed: " + api->error(code));
  int count = 0;
  if (const CUresult code = api->device_count(&count); code != success)
    no_device("cuDeviceGetCount failed: " + api->error(code));
  if (count == 0) no_device(file + " finds none");
  return *api;
}

Current::Current(const Api& api, CUcontext context) : api_(api) {
  CUcontext now = nullptr;
  api.check(api.context_current(&now), "cuCtxGetCurrent");
  if (now == context) return;
  api.check(api.context_push(context), "cuCtxPushCurrent");
  pushed_ = true;
}

Current::~Current() {
  CUcontext ours = nullptr;
  if (pushed_) api_.context_pop(&ours);
}

}  // namespace vr::device::cuda
