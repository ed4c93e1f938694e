#include "runtime/device/opencl/devices.hpp"

#include "runtime/device/opencl/products.hpp"
#include "runtime/device/opencl/program.hpp"
#include "runtime/device/opencl/queue.hpp"
#include "support/file_cache.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>

namespace vr::device::opencl {
namespace {

/// By cl_khr_pci_bus_info or by cl_nv_device_attribute_query; "" if the driver has neither.
std::string bus_of(cl_device_id id) {
  constexpr cl_device_info khr = 0x410F, nv_bus = 0x4008, nv_slot = 0x4009, nv_domain = 0x400A;
  struct {
    cl_uint domain = 0, bus = 0, device = 0, function = 0;
  } at;
  if (clGetDeviceInfo(id, khr, sizeof at, &at, nullptr) != CL_SUCCESS) {
    const auto get = [&](cl_device_info what, cl_uint& value) {
      return clGetDeviceInfo(id, what, sizeof value, &value, nullptr) == CL_SUCCESS;
    };
    if (!get(nv_bus, at.bus) || !get(nv_slot, at.device)) return {};
    get(nv_domain, at.domain);  // only newer drivers
  }
  char text[48];
  std::snprintf(text, sizeof text, "%04x:%02x:%02x.%x", at.domain, at.bus, at.device, at.function);
  return text;
}

Info describe(cl_platform_id platform, cl_device_id id) {
  Info d;
  d.platform = cl::platform_text(platform, CL_PLATFORM_NAME);
  d.name = cl::device_text(id, CL_DEVICE_NAME);
  d.version = cl::device_text(id, CL_DEVICE_VERSION);
  d.driver = cl::device_text(id, CL_DRIVER_VERSION);
  const auto type = cl::device_value<cl_device_type>(id, CL_DEVICE_TYPE);
  d.is_gpu = type & CL_DEVICE_TYPE_GPU;
  d.is_cpu = type & CL_DEVICE_TYPE_CPU;
  d.has_fp64 = (" " + cl::device_text(id, CL_DEVICE_EXTENSIONS) + " ").find(" cl_khr_fp64 ") != std::string::npos;
  d.separate_memory = !cl::device_value<cl_bool>(id, CL_DEVICE_HOST_UNIFIED_MEMORY);
  d.exact_fp32_divide =
      cl::device_value<cl_device_fp_config>(id, CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
  d.limits.memory_bytes = int64_t(cl::device_value<cl_ulong>(id, CL_DEVICE_GLOBAL_MEM_SIZE));
  d.limits.max_alloc_bytes = int64_t(cl::device_value<cl_ulong>(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE));
  d.limits.group_memory_bytes = int64_t(cl::device_value<cl_ulong>(id, CL_DEVICE_LOCAL_MEM_SIZE));
  d.limits.group_memory_fast = cl::device_value<cl_device_local_mem_type>(id, CL_DEVICE_LOCAL_MEM_TYPE) == CL_LOCAL;
  d.limits.max_group = int64_t(cl::device_value<size_t>(id, CL_DEVICE_MAX_WORK_GROUP_SIZE));
  std::vector<size_t> items(std::max<cl_uint>(3, cl::device_value<cl_uint>(id, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS)), 1);
  cl::check(clGetDeviceInfo(id, CL_DEVICE_MAX_WORK_ITEM_SIZES, items.size() * sizeof(size_t), items.data(), nullptr),
            "clGetDeviceInfo");
  std::copy_n(items.begin(), 3, d.limits.max_items);
  // NVIDIA's driver (580.159) has 32 bits for it: a kernel whose first work-item had number 2^31 accessed elements
  // outside of its arrays.
  const bool nvidia = d.platform.find("NVIDIA") != std::string::npos;
  if (nvidia) d.limits.max_offset = INT32_MAX;
  d.limits.groups_progress = nvidia && d.is_gpu;
  d.compute_units = int(cl::device_value<cl_uint>(id, CL_DEVICE_MAX_COMPUTE_UNITS));
  return d;
}

/// In a forked child a driver's threads do not exist and its locks may be held for ever: PoCL's first call there never
/// returns. Whether other libraries used OpenCL before the fork is not known here.
void check_not_forked() {
  static std::atomic<pid_t> user{0};
  const pid_t here = getpid();
  pid_t first = 0;
  if (!user.compare_exchange_strong(first, here) && first != here) throw Failure{Code::Forked, forked_message};
}

struct alignas(128) Block {
  char bytes[256] = {};
};

/// Waits for the queue; if that fails, memory that its commands may still access is never freed.
void finish(cl_command_queue queue, std::unique_ptr<Block>& memory) {
  const cl_int status = clFinish(queue);
  if (status != CL_SUCCESS) {
    static std::mutex mutex;
    static auto* const kept = new std::vector<std::unique_ptr<Block>>;
    std::lock_guard lock(mutex);
    kept->push_back(std::move(memory));
  }
  cl::check(status, "clFinish");
}

class ClPinned final : public Pinned {
 public:
  ClPinned(cl::Queue queue, cl::Buffer buffer, void* mapped)
      : queue_(std::move(queue)), buffer_(std::move(buffer)), mapped_(mapped) {}
  ~ClPinned() override {
    clEnqueueUnmapMemObject(queue_.get(), buffer_.get(), mapped_, 0, nullptr, nullptr);
    clFinish(queue_.get());
  }
  char* memory() override { return static_cast<char*>(mapped_); }

 private:
  cl::Queue queue_;  ///< for the mapping
  cl::Buffer buffer_;
  void* mapped_;  ///< the buffer, as long as this lives
};

class ClDevice final : public Device {
 public:
  ClDevice(cl_platform_id platform, cl_device_id id, Info info) : id_(id), info_(std::move(info)) {
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, cl_context_properties(platform), 0};
    cl_int status = CL_SUCCESS;
    context_ = cl::Context(clCreateContext(properties, 1, &id_, nullptr, nullptr, &status));
    cl::check(status, "clCreateContext");
  }

  const Info& info() const override { return info_; }
  std::unique_ptr<Buffer> allocate(size_t bytes, const void* contents) override {
    // NVIDIA's driver accepts buffers of any size, and fails when they are used.
    if (bytes > size_t(info_.limits.memory_bytes))
      throw NoMemory{
          {Code::Device, "a buffer of " + mebibytes(int64_t(bytes)) + " is larger than the memory of " + info_.text()},
          true};
    return create(CL_MEM_READ_WRITE | (contents ? CL_MEM_COPY_HOST_PTR : 0), bytes, const_cast<void*>(contents));
  }
  std::unique_ptr<Buffer> wrap(void* memory, size_t bytes) override {
    return create(CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, memory);
  }
  /// Whether kernels work in place on host memory given with CL_MEM_USE_HOST_PTR: a CPU device whose mapping of such a
  /// buffer is that memory. (The standard requires the latter; emulators copy.)
  bool works_in_place() override {
    if (!info_.is_cpu) return false;
    auto block = std::make_unique<Block>();
    char* const memory = block->bytes;
    cl_int status = CL_SUCCESS;
    const cl::Queue queue(clCreateCommandQueue(context_.get(), id_, 0, &status));
    cl::check(status, "clCreateCommandQueue");
    const cl::Buffer buffer(
        clCreateBuffer(context_.get(), CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, sizeof(Block), memory, &status));
    cl::check(status, "clCreateBuffer");
    // Tests whether a fill is visible through the host's pointer without a transfer.
    const char mark = 42;
    cl::check(clEnqueueFillBuffer(queue.get(), buffer.get(), &mark, 1, 0, sizeof(Block), 0, nullptr, nullptr),
              "clEnqueueFillBuffer");
    opencl::finish(queue.get(), block);
    const bool seen = *static_cast<volatile char*>(memory) == mark;
    void* mapped = clEnqueueMapBuffer(queue.get(), buffer.get(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, sizeof(Block),
                                      0, nullptr, nullptr, &status);
    cl::check(status, "clEnqueueMapBuffer");
    cl::check(clEnqueueUnmapMemObject(queue.get(), buffer.get(), mapped, 0, nullptr, nullptr),
              "clEnqueueUnmapMemObject");
    opencl::finish(queue.get(), block);
    return seen && mapped == memory;
  }
  std::unique_ptr<Pinned> pin(size_t bytes) override {
    cl_int status = CL_SUCCESS;
    cl::Queue queue(clCreateCommandQueue(context_.get(), id_, 0, &status));
    if (status != CL_SUCCESS) return nullptr;
    cl::Buffer pinned(
        clCreateBuffer(context_.get(), CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, nullptr, &status));
    if (status != CL_SUCCESS) return nullptr;
    void* memory = clEnqueueMapBuffer(queue.get(), pinned.get(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0,
                                      nullptr, nullptr, &status);
    if (status != CL_SUCCESS) return nullptr;
    return std::make_unique<ClPinned>(std::move(queue), std::move(pinned), memory);
  }
  std::unique_ptr<Queue> make_queue(bool timed) override {
    cl_int status = CL_SUCCESS;
    cl::Queue queue(clCreateCommandQueue(context_.get(), id_, timed ? CL_QUEUE_PROFILING_ENABLE : 0, &status));
    cl::check(status, "clCreateCommandQueue");
    return std::make_unique<ClQueue>(std::move(queue));
  }
  std::unique_ptr<Program> build(const std::string& source, const std::string& options) override {
    return build_program(context_.get(), id_, source, options, info_.text());
  }
  std::unique_ptr<Program> load(const std::string& binary, const std::string& options) override {
    return load_program(context_.get(), id_, binary, options);
  }
  std::unique_ptr<Products> open_products(FileCache cache, size_t scratch_bytes) override {
    return opencl::open_products(context_.get(), id_, std::move(cache), scratch_bytes);
  }

 private:
  std::unique_ptr<Buffer> create(cl_mem_flags flags, size_t bytes, void* memory) {
    cl_int status = CL_SUCCESS;
    cl::Buffer buffer(clCreateBuffer(context_.get(), flags, bytes, memory, &status));
    if (status == CL_SUCCESS) return std::make_unique<ClBuffer>(std::move(buffer));
    const Failure why{Code::Device, "clCreateBuffer of " + mebibytes(int64_t(bytes)) + " on " + info_.text() +
                                        " failed: " + cl::error_name(status)};
    if (status == CL_MEM_OBJECT_ALLOCATION_FAILURE || status == CL_OUT_OF_RESOURCES || status == CL_OUT_OF_HOST_MEMORY)
      throw NoMemory{why, status == CL_MEM_OBJECT_ALLOCATION_FAILURE};
    throw why;
  }

  cl_device_id id_;
  Info info_;
  cl::Context context_;
};

}  // namespace

std::vector<Found> find_devices() {
  check_not_forked();
  std::vector<Found> found;
  cl_uint platforms = 0;
  if (clGetPlatformIDs(0, nullptr, &platforms) != CL_SUCCESS || platforms == 0) return found;
  std::vector<cl_platform_id> ids(platforms);
  cl::check(clGetPlatformIDs(platforms, ids.data(), nullptr), "clGetPlatformIDs");
  for (cl_platform_id platform : ids) {
    cl_uint devices = 0;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &devices) != CL_SUCCESS) continue;
    std::vector<cl_device_id> of_platform(devices);
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, devices, of_platform.data(), nullptr) != CL_SUCCESS) continue;
    for (cl_device_id id : of_platform) {
      // An error while one device is queried must not hide the others.
      try {
        if (!cl::device_value<cl_bool>(id, CL_DEVICE_AVAILABLE) ||
            !cl::device_value<cl_bool>(id, CL_DEVICE_COMPILER_AVAILABLE))
          continue;
        Info info = describe(platform, id);
        info.id = "opencl:" + std::to_string(found.size());
        found.push_back({info, [=] { return std::make_unique<ClDevice>(platform, id, info); }, bus_of(id)});
      } catch (const Failure&) {}
    }
  }
  return found;
}

}  // namespace vr::device::opencl
