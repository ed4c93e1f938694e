// A stand-in for CUDA's driver library on the host's memory: the functions that runtime/device/cuda calls, for tests
// where there is no device. Commands of a stream run in order and as late as CUDA allows: when somebody waits for them.
// Copies access the host's memory when they run.
#include "device/cuda/fake_libcuda.hpp"

#include "runtime/device/cuda/api.hpp"

#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

using namespace vr::device::cuda;

namespace vr::test {
namespace {

constexpr CUresult invalid_value = 1, not_initialized = 3, invalid_device = 101, invalid_context = 201,
                   invalid_ptx = 218, invalid_handle = 400, not_found = 500, illegal_address = 700;

std::recursive_mutex& mutex() {
  static std::recursive_mutex m;
  return m;
}

struct State {
  FakeCuda control;
  bool initialized = false;
  bool faulted = false;
  std::map<uint64_t, std::vector<char>> memory;
  std::map<void*, std::vector<char>> pinned;
  long contexts[2] = {0, 0};
  float clock = 0;
};
State& state() {
  static State s;
  return s;
}
thread_local std::vector<CUcontext> current;

void violation(const std::string& what) {
  if (state().control.violation) state().control.violation("fake libcuda: " + what);
}

/// What a record of an event stands for.
struct Record {
  bool done = false;
  float ms = 0;
  CUstream stream = nullptr;
};
using RecordPtr = std::shared_ptr<Record>;

}  // namespace
}  // namespace vr::test

// The objects behind the handles.
namespace vr::device::cuda {
using vr::test::RecordPtr;

struct CUstream_st {
  std::deque<std::function<void()>> commands;
  bool running = false;
};
struct CUevent_st {
  RecordPtr record;
  bool timed = false;
};
struct CUfunc_st {
  CUmodule module;
  std::string name;
  std::vector<size_t> sizes;
};
struct CUmod_st {
  std::string text;
  std::map<std::string, CUfunc_st> functions;
};

}  // namespace vr::device::cuda

namespace vr::test {
namespace {

CUstream default_stream() {
  static CUstream_st stream;
  return &stream;
}
CUstream of(CUstream s) { return s ? s : default_stream(); }

/// Runs the stream's first command.
void step(CUstream s) {
  if (s->running) return violation("streams wait for one another");
  const std::function<void()> command = std::move(s->commands.front());
  s->commands.pop_front();
  FakeCuda& c = state().control;
  if (c.fault_after >= 0 && c.fault_after-- == 0) state().faulted = true;
  s->running = true;
  command();
  s->running = false;
}
void finish(CUstream s) {
  while (!s->commands.empty()) step(s);
}
void finish(const RecordPtr& r) {
  while (r && !r->done) {
    if (r->stream->commands.empty()) return violation("an event of a stream that is gone");
    step(r->stream);
  }
}
void enqueue(CUstream s, std::function<void()> command) {
  of(s)->commands.push_back([command = std::move(command)] {
    if (!state().faulted) command();
  });
}
CUresult after_all() { return state().faulted ? illegal_address : success; }

/// The start of every function but those for errors and the version.
CUresult enter(const char* name, bool needs_context = true) {
  State& s = state();
  ++s.control.calls;
  if (s.control.fail_after >= 0 && s.control.fail_after-- == 0) {
    s.control.failed = name;
    return s.control.fail_code;
  }
  if (!s.initialized) return not_initialized;
  if (needs_context && (current.empty() || !current.back())) {
    violation(std::string(name) + " without a context");
    return invalid_context;
  }
  return success;
}

std::vector<char>* block_of(uint64_t address, size_t bytes) {
  auto it = state().memory.upper_bound(address);
  if (it == state().memory.begin()) return nullptr;
  --it;
  const uint64_t offset = address - it->first;
  return offset <= it->second.size() && bytes <= it->second.size() - offset ? &it->second : nullptr;
}
char* at(CUdeviceptr address) { return reinterpret_cast<char*>(address); }
/// Memory that was freed while a command was waiting to use it is the caller's mistake.
bool still(uint64_t address, size_t bytes) {
  if (block_of(address, bytes)) return true;
  violation("a command uses memory that was freed");
  return false;
}

size_t size_of(const std::string& type) {
  return type == "u8"                     ? 1
         : type == "u16"                  ? 2
         : type == "u32" || type == "f32" ? 4
         : type == "u64" || type == "f64" ? 8
                                          : 0;
}

/// Reads the heads of the kernels, in the form of the tests' compiler. False: not PTX, or with what CUDA has not.
bool parse(CUmodule m) {
  const std::string& t = m->text;
  if (t.find(".version") == std::string::npos || t.find("%envreg") != std::string::npos) return false;
  for (size_t at = t.find(".entry "); at != std::string::npos; at = t.find(".entry ", at)) {
    at += 7;
    const size_t open = t.find('(', at), close = t.find(')', at);
    if (open == std::string::npos || close == std::string::npos) return false;
    CUfunc_st f{m, t.substr(at, open - at), {}};
    for (size_t p = t.find(".param .", open); p < close; p = t.find(".param .", p + 1)) {
      constexpr const char* block = ".param .align 4 .b8 ";
      if (t.compare(p, std::strlen(block), block) == 0)
        f.sizes.push_back(sizeof(uint32_t) * 10);
      else
        f.sizes.push_back(size_of(t.substr(p + 8, t.find(' ', p + 8) - p - 8)));
      if (f.sizes.back() == 0) return false;
    }
    m->functions.emplace(f.name, f);
  }
  return true;
}

}  // namespace

FakeCuda& fake_cuda() { return state().control; }

void reset_fake_cuda() {
  std::lock_guard lock(mutex());
  const long objects = state().control.objects;
  state().control = {};
  state().control.objects = objects;
  state().faulted = state().initialized = false;
}

bool fake_memory(uint64_t address, char** start, size_t* bytes) {
  std::lock_guard lock(mutex());
  std::vector<char>* const block = block_of(address, 0);
  if (!block) return false;
  *start = block->data();
  *bytes = block->size();
  return true;
}

}  // namespace vr::test

using namespace vr::test;

#define ENTER(...)               \
  std::lock_guard lock(mutex()); \
  if (const CUresult code = enter(__func__ __VA_OPT__(, ) __VA_ARGS__); code != success) return code

extern "C" {

CUresult cuInit(unsigned) {
  std::lock_guard lock(mutex());
  state().initialized = true;
  if (const CUresult code = enter(__func__, false); code != success) return code;
  return state().control.init_code;
}
CUresult cuDriverGetVersion(int* version) {
  std::lock_guard lock(mutex());
  *version = 12040;
  return success;
}
CUresult cuGetErrorName(CUresult code, const char** name) {
  static const std::map<CUresult, const char*> names = {
      {0, "CUDA_SUCCESS"},           {1, "CUDA_ERROR_INVALID_VALUE"},     {2, "CUDA_ERROR_OUT_OF_MEMORY"},
      {100, "CUDA_ERROR_NO_DEVICE"}, {218, "CUDA_ERROR_INVALID_PTX"},     {500, "CUDA_ERROR_NOT_FOUND"},
      {600, "CUDA_ERROR_NOT_READY"}, {700, "CUDA_ERROR_ILLEGAL_ADDRESS"}, {999, "CUDA_ERROR_UNKNOWN"}};
  const auto it = names.find(code);
  *name = it == names.end() ? nullptr : it->second;
  return it == names.end() ? invalid_value : success;
}
CUresult cuGetErrorString(CUresult code, const char** text) {
  *text = code == 2 ? "out of memory" : code == 700 ? "an illegal memory access was encountered" : "text of the error";
  return success;
}
CUresult cuDeviceGetCount(int* count) {
  ENTER(false);
  *count = state().control.devices;
  return success;
}
CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  ENTER(false);
  if (ordinal < 0 || ordinal >= state().control.devices) return invalid_device;
  *device = ordinal;
  return success;
}
CUresult cuDeviceGetPCIBusId(char* text, int bytes, CUdevice device) {
  ENTER(false);
  std::strncpy(text, state().control.buses.at(size_t(device)).c_str(), size_t(bytes));
  return success;
}
CUresult cuDeviceGetAttribute(int* value, int what, CUdevice) {
  ENTER(false);
  if (what != max_pitch_bytes) return invalid_value;
  *value = 4096;  // little, so that the other way of copying is used, too
  return success;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  ENTER(false);
  ++state().contexts[device];
  ++state().control.objects;
  *context = reinterpret_cast<CUcontext>(&state().contexts[device]);
  return success;
}
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  ENTER(false);
  if (state().contexts[device]-- <= 0) violation("a context is released too often");
  --state().control.objects;
  return success;
}
CUresult cuCtxGetCurrent(CUcontext* context) {
  ENTER(false);
  *context = current.empty() ? nullptr : current.back();
  return success;
}
CUresult cuCtxPushCurrent_v2(CUcontext context) {
  ENTER(false);
  current.push_back(context);
  ++state().control.contexts_pushed;
  return success;
}
CUresult cuCtxPopCurrent_v2(CUcontext* context) {
  std::lock_guard lock(mutex());
  if (current.empty()) {
    violation("no context to pop");
    return invalid_context;
  }
  *context = current.back();
  current.pop_back();
  --state().control.contexts_pushed;
  return success;
}
CUresult cuMemAlloc_v2(CUdeviceptr* address, size_t bytes) {
  ENTER();
  if (bytes == 0) return invalid_value;
  if (bytes > size_t{1} << 28) return out_of_memory;
  std::vector<char> block(bytes, char(0xcb));
  *address = reinterpret_cast<CUdeviceptr>(block.data());
  state().memory.emplace(*address, std::move(block));
  ++state().control.objects;
  return success;
}
CUresult cuMemFree_v2(CUdeviceptr address) {
  ENTER();
  if (state().memory.erase(address) == 0) return invalid_value;
  --state().control.objects;
  return success;
}
CUresult cuMemHostAlloc(void** memory, size_t bytes, unsigned) {
  ENTER();
  std::vector<char> block(bytes);
  *memory = block.data();
  state().pinned.emplace(*memory, std::move(block));
  ++state().control.objects;
  return success;
}
CUresult cuMemFreeHost(void* memory) {
  ENTER();
  if (state().pinned.erase(memory) == 0) return invalid_value;
  --state().control.objects;
  return success;
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  ENTER();
  if (!block_of(to, bytes)) return invalid_value;
  enqueue(stream, [=] {
    if (still(to, bytes)) std::memcpy(at(to), from, bytes);
  });
  return success;
}
CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  ENTER();
  if (!block_of(from, bytes)) return invalid_value;
  enqueue(stream, [=] {
    if (still(from, bytes)) std::memcpy(to, at(from), bytes);
  });
  return success;
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  ENTER();
  if (!block_of(to, bytes) || !block_of(from, bytes)) return invalid_value;
  enqueue(stream, [=] {
    if (still(to, bytes) && still(from, bytes)) std::memmove(at(to), at(from), bytes);
  });
  return success;
}
CUresult cuMemcpy2DAsync_v2(const Copy2D* copy, CUstream stream) {
  ENTER();
  const Copy2D c = *copy;
  const bool up = c.src_kind == host_memory && c.dst_kind == device_memory;
  const bool down = c.src_kind == device_memory && c.dst_kind == host_memory;
  if ((!up && !down) || c.width == 0 || c.height == 0 || c.src_pitch < c.width || c.dst_pitch < c.width ||
      c.src_pitch > 4096 || c.dst_pitch > 4096)
    return invalid_value;
  const size_t span = (c.height - 1) * (up ? c.dst_pitch : c.src_pitch) + c.width;
  const CUdeviceptr device = up ? c.dst_device : c.src_device;
  if (!block_of(device, span)) return invalid_value;
  ++state().control.commands_2d;
  enqueue(stream, [=] {
    if (!still(device, span)) return;
    for (size_t k = 0; k < c.height; ++k)
      std::memcpy((up ? at(c.dst_device) : static_cast<char*>(c.dst_host)) + k * c.dst_pitch,
                  (up ? static_cast<const char*>(c.src_host) : at(c.src_device)) + k * c.src_pitch, c.width);
  });
  return success;
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream) {
  ENTER();
  if (!block_of(to, bytes)) return invalid_value;
  enqueue(stream, [=] {
    if (still(to, bytes)) std::memset(at(to), value, bytes);
  });
  return success;
}
CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  ENTER();
  if (flags != stream_non_blocking) violation("a stream that waits for the default stream");
  *stream = new CUstream_st;
  ++state().control.objects;
  return success;
}
CUresult cuStreamDestroy_v2(CUstream stream) {
  ENTER();
  finish(stream);
  delete stream;
  --state().control.objects;
  return success;
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned) {
  ENTER();
  if (!event->record) violation("a wait for an event that was never recorded");
  // Also after a fault, or the streams would not end.
  of(stream)->commands.push_back([record = event->record] { finish(record); });
  return success;
}
CUresult cuStreamSynchronize(CUstream stream) {
  ENTER();
  finish(of(stream));
  return after_all();
}
CUresult cuEventCreate(CUevent* event, unsigned flags) {
  ENTER();
  *event = new CUevent_st{nullptr, (flags & event_disable_timing) == 0};
  ++state().control.objects;
  return success;
}
CUresult cuEventDestroy_v2(CUevent event) {
  ENTER();
  delete event;
  --state().control.objects;
  return success;
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  ENTER();
  const auto record = std::make_shared<Record>();
  record->stream = of(stream);
  event->record = record;
  of(stream)->commands.push_back([record] {
    record->done = true;
    record->ms = state().clock += 0.5f;
  });
  return success;
}
CUresult cuEventQuery(CUevent event) {
  ENTER();
  if (event->record && !event->record->done) return not_ready;
  return after_all();
}
CUresult cuEventSynchronize(CUevent event) {
  ENTER();
  finish(event->record);
  return after_all();
}
CUresult cuEventElapsedTime(float* ms, CUevent from, CUevent to) {
  ENTER();
  if (!from->timed || !to->timed || !from->record || !to->record) return invalid_handle;
  if (!from->record->done || !to->record->done) return not_ready;
  *ms = to->record->ms - from->record->ms;
  return success;
}
CUresult cuModuleLoadDataEx(CUmodule* module, const void* text, unsigned options, const int* names, void** values) {
  ENTER();
  auto m = std::make_unique<CUmod_st>();
  m->text = static_cast<const char*>(text);
  if (!parse(m.get())) {
    for (unsigned k = 0; k < options; ++k)
      if (names[k] == jit_error_log) std::strcpy(static_cast<char*>(values[k]), "ptxas: line 3: what is this?\n");
    return invalid_ptx;
  }
  *module = m.release();
  ++state().control.objects;
  return success;
}
CUresult cuModuleUnload(CUmodule module) {
  ENTER();
  delete module;
  --state().control.objects;
  return success;
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  ENTER();
  const auto it = module->functions.find(name);
  if (it == module->functions.end()) return not_found;
  *function = &it->second;
  return success;
}
CUresult cuFuncGetAttribute(int* value, int what, CUfunction) {
  ENTER();
  *value = what == max_threads ? 256 : 0;
  return success;
}
CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                        unsigned shared, CUstream stream, void** arguments, void** extra) {
  ENTER();
  const uint64_t threads = uint64_t{bx} * by * bz;
  if (gx == 0 || gy == 0 || gz == 0 || threads == 0 || threads > 256 || gx > 0x7fffffff || gy > 0xffff || gz > 0xffff ||
      shared != 0 || extra)
    return invalid_value;
  FakeLaunch l{f->module->text, f->name, {gx, gy, gz}, {bx, by, bz}, {}};
  for (size_t k = 0; k < f->sizes.size(); ++k)
    l.arguments.emplace_back(static_cast<const char*>(arguments[k]), f->sizes[k]);
  FakeCuda& c = state().control;
  if (c.launches.size() >= 1000) c.launches.erase(c.launches.begin());
  c.launches.push_back(l);
  enqueue(stream, [l = std::move(l)] {
    if (state().control.run) state().control.run(l);
  });
  return success;
}

}  // extern "C"
