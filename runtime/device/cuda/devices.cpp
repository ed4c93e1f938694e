#include "runtime/device/cuda/devices.hpp"

#include "runtime/device/cuda/program.hpp"
#include "runtime/device/cuda/queue.hpp"

#include <algorithm>
#include <cctype>
#include <mutex>

namespace vr::device::cuda {
namespace {

using OpenCompiler = std::function<std::unique_ptr<Device>()>;

class CuPinned final : public Pinned {
 public:
  CuPinned(ContextPtr context, void* memory) : context_(std::move(context)), memory_(memory) {}
  ~CuPinned() override {
    try {
      const Current current = context_->enter();
      context_->api().free_host(memory_);
    } catch (const Failure&) {}  // the context is gone, and its memory with it
  }
  char* memory() override { return static_cast<char*>(memory_); }

 private:
  ContextPtr context_;
  void* memory_;
};

class CuDevice final : public Device {
 public:
  CuDevice(const Api& api, CUdevice device, Info info, OpenCompiler open_compiler)
      : info_(std::move(info)),
        open_compiler_(std::move(open_compiler)),
        context_(std::make_shared<Context>(api, device)),
        uploads_(make_stream(false)) {}

  const Info& info() const override { return info_; }

  std::unique_ptr<Buffer> allocate(size_t bytes, const void* contents) override {
    if (bytes == 0) throw Failure{Code::Device, "cuMemAlloc of 0 bytes on " + info_.text()};
    if (bytes > size_t(info_.limits.memory_bytes))
      throw NoMemory{
          {Code::Device, "a buffer of " + mebibytes(int64_t(bytes)) + " is larger than the memory of " + info_.text()},
          true};
    const Api& api = context_->api();
    const Current current = context_->enter();
    CUdeviceptr address = 0;
    if (const CUresult code = api.allocate(&address, bytes); code != success)
      api.fail("cuMemAlloc of " + mebibytes(int64_t(bytes)) + " on " + info_.text(), code);
    auto buffer = std::make_unique<CuBuffer>(context_, address, bytes);
    if (contents) {
      // Not by a plain copy, after which the device may still read from the library's memory, unordered with streams.
      std::lock_guard lock(uploading_);
      api.check(api.copy_up(address, contents, bytes, uploads_->stream), "cuMemcpyHtoDAsync");
      if (const CUresult code = api.stream_finish(uploads_->stream); code != success) {
        // The copy may be going on, unless a second attempt says that it has ended.
        if (api.stream_finish(uploads_->stream) != success) static_cast<void>(buffer.release());
        api.fail("cuStreamSynchronize", code);
      }
    }
    return buffer;
  }

  std::unique_ptr<Buffer> wrap(void*, size_t) override {
    throw Failure{Code::Device, "CUDA: kernels do not use the host's memory"};
  }

  std::unique_ptr<Pinned> pin(size_t bytes) override {
    const Current current = context_->enter();
    void* memory = nullptr;
    if (context_->api().allocate_host(&memory, bytes, host_portable) != success) return nullptr;
    return std::make_unique<CuPinned>(context_, memory);
  }

  std::unique_ptr<Queue> make_queue(bool timed) override { return std::make_unique<CuQueue>(make_stream(timed)); }

  std::unique_ptr<Program> build(const std::string& source, const std::string& options) override {
    std::string ptx;
    try {
      ptx = compiler().build(source, options)->binary();
    } catch (const BuildRefused& refused) {
      throw BuildRefused{{refused.code, "for " + info_.text() + ": " + refused.message}};
    }
    return std::make_unique<CuProgram>(context_, rewrite(ptx), info_.text());
  }

  std::unique_ptr<Program> load(const std::string& binary, const std::string&) override {
    if (!binary.starts_with(rewritten_mark)) return nullptr;
    try {
      return std::make_unique<CuProgram>(context_, binary, info_.text());
    } catch (const BuildRefused&) {
      return nullptr;
    }
  }

 private:
  StreamPtr make_stream(bool timed) {
    const Api& api = context_->api();
    const Current current = context_->enter();
    if (timed) context_->start_clock();
    CUstream stream = nullptr;
    // Not ordered with the default stream, which other code in the process may use.
    api.check(api.stream_create(&stream, stream_non_blocking), "cuStreamCreate");
    return std::make_shared<const Stream>(context_, stream, timed);
  }

  /// Opened by the first program that is in no cache.
  Device& compiler() {
    std::lock_guard lock(compiler_mutex_);
    if (!compiler_) compiler_ = open_compiler_();
    return *compiler_;
  }

  Info info_;
  OpenCompiler open_compiler_;
  ContextPtr context_;
  StreamPtr uploads_;
  std::mutex uploading_, compiler_mutex_;
  std::unique_ptr<Device> compiler_;
};

std::string bus_of(const Api& api, CUdevice device) {
  char text[64] = {};
  api.check(api.device_bus(text, int(sizeof text), device), "cuDeviceGetPCIBusId");
  std::string bus = text;
  std::transform(bus.begin(), bus.end(), bus.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return bus;
}

}  // namespace

std::vector<Found> find_devices(std::span<const Found> compilers, const std::string& library) {
  const Api& api = open_api(library);
  int count = 0, version = 0;
  api.check(api.device_count(&count), "cuDeviceGetCount");
  api.check(api.driver_version(&version), "cuDriverGetVersion");
  std::vector<Found> found;
  std::string without;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    CUdevice device = 0;
    api.check(api.device(&device, ordinal), "cuDeviceGet");
    const std::string bus = bus_of(api, device);
    const auto compiler =
        std::find_if(compilers.begin(), compilers.end(), [&](const Found& f) { return f.bus == bus; });
    if (compiler == compilers.end()) {
      without += (without.empty() ? "" : ", ") + bus;
      continue;
    }
    // What kernels may use is the same by both ways; the size of a buffer is not limited here.
    Info info = compiler->info;
    info.limits.max_alloc_bytes = info.limits.memory_bytes;
    info.id = "cuda:" + std::to_string(ordinal);
    info.platform = "CUDA";
    info.version = "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
    found.push_back(
        {info,
         [&api, device, info, open = compiler->open] { return std::make_unique<CuDevice>(api, device, info, open); },
         bus});
  }
  if (found.empty())
    throw Failure{
        Code::Device,
        "no CUDA device: NVIDIA's OpenCL driver, which compiles the programs, does not list the device at " + without};
  return found;
}

}  // namespace vr::device::cuda
