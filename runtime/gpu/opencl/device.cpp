#include "runtime/gpu/opencl/device.hpp"

#include "support/settings.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <mutex>

namespace vr::gpu {
namespace {

struct Found {
  cl_platform_id platform;
  cl_device_id id;
  DeviceInfo info;
};

DeviceInfo describe(cl_platform_id platform, cl_device_id id) {
  DeviceInfo d;
  d.platform = cl::platform_text(platform, CL_PLATFORM_NAME);
  d.name = cl::device_text(id, CL_DEVICE_NAME);
  d.version = cl::device_text(id, CL_DEVICE_VERSION);
  d.driver = cl::device_text(id, CL_DRIVER_VERSION);
  const auto type = cl::device_value<cl_device_type>(id, CL_DEVICE_TYPE);
  d.is_gpu = type & CL_DEVICE_TYPE_GPU;
  d.is_cpu = type & CL_DEVICE_TYPE_CPU;
  d.has_fp64 = (" " + cl::device_text(id, CL_DEVICE_EXTENSIONS) + " ").find(" cl_khr_fp64 ") != std::string::npos;
  d.memory_bytes = int64_t(cl::device_value<cl_ulong>(id, CL_DEVICE_GLOBAL_MEM_SIZE));
  d.max_alloc_bytes = int64_t(cl::device_value<cl_ulong>(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE));
  d.max_group = int64_t(cl::device_value<size_t>(id, CL_DEVICE_MAX_WORK_GROUP_SIZE));
  if (cl::device_value<cl_device_local_mem_type>(id, CL_DEVICE_LOCAL_MEM_TYPE) == CL_LOCAL &&
      d.max_group >= 4 * VR_ROW_GROUP)
    d.local_bytes = int64_t(cl::device_value<cl_ulong>(id, CL_DEVICE_LOCAL_MEM_SIZE));
  d.compute_units = int(cl::device_value<cl_uint>(id, CL_DEVICE_MAX_COMPUTE_UNITS));
  return d;
}

/// In a forked child a driver's threads do not exist and its locks may be held for ever: PoCL's first call there never
/// returns. Whether other libraries used OpenCL before the fork is not known here.
void check_not_forked() {
  static std::atomic<pid_t> user{0};
  const pid_t here = getpid();
  pid_t first = 0;
  if (!user.compare_exchange_strong(first, here) && first != here) throw cl::Failure{Code::Forked, forked_message};
}

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
      // A device that cannot even be described must not hide the others.
      try {
        if (cl::device_value<cl_bool>(id, CL_DEVICE_AVAILABLE) &&
            cl::device_value<cl_bool>(id, CL_DEVICE_COMPILER_AVAILABLE))
          found.push_back({platform, id, describe(platform, id)});
      } catch (const cl::Failure&) {}
    }
  }
  return found;
}

bool contains(std::string text, std::string part) {
  auto lower = [](std::string& s) {
    std::transform(s.begin(), s.end(), s.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  };
  lower(text);
  lower(part);
  return text.find(part) != std::string::npos;
}

std::string device_setting() { return settings::text(settings::Name::VR_DEVICE).value_or(""); }

/// Those that the filter allows, all if it is empty: at least one.
std::vector<Found> matching(const std::string& filter) {
  const std::vector<Found> found = find_devices();
  std::vector<Found> allowed;
  for (const Found& f : found)
    if (filter.empty() || contains(f.info.platform, filter) || contains(f.info.name, filter)) allowed.push_back(f);
  if (!allowed.empty()) return allowed;
  if (found.empty())
    throw cl::Failure{Code::Device, "no OpenCL device on this machine (is a driver installed? clinfo lists them)"};
  std::string names;
  for (const Found& f : found) names += (names.empty() ? "" : ", ") + f.info.text();
  throw cl::Failure{Code::Device, "no OpenCL device matches '" + filter + "'; there is: " + names};
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

/// Whether kernels work in place on host memory given with CL_MEM_USE_HOST_PTR: a CPU device whose mapping of such a
/// buffer is that memory. (The standard demands the latter; emulators copy.)
bool works_in_place(cl_device_id id, cl_context context) {
  auto block = std::make_unique<Block>();
  char* const memory = block->bytes;
  cl_int status = CL_SUCCESS;
  cl::Queue queue(clCreateCommandQueue(context, id, 0, &status));
  cl::check(status, "clCreateCommandQueue");
  cl::Buffer buffer(clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, sizeof(Block), memory, &status));
  cl::check(status, "clCreateBuffer");
  // A fill that is seen through the host's pointer without a transfer.
  const char mark = 42;
  cl::check(clEnqueueFillBuffer(queue.get(), buffer.get(), &mark, 1, 0, sizeof(Block), 0, nullptr, nullptr),
            "clEnqueueFillBuffer");
  finish(queue.get(), block);
  const bool seen = *static_cast<volatile char*>(memory) == mark;
  void* mapped = clEnqueueMapBuffer(queue.get(), buffer.get(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, sizeof(Block), 0,
                                    nullptr, nullptr, &status);
  cl::check(status, "clEnqueueMapBuffer");
  cl::check(clEnqueueUnmapMemObject(queue.get(), buffer.get(), mapped, 0, nullptr, nullptr), "clEnqueueUnmapMemObject");
  finish(queue.get(), block);
  return seen && mapped == memory;
}

Device open(const Found& found) {
  Device d;
  d.id = found.id;
  d.platform = found.platform;
  d.info = found.info;
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, cl_context_properties(found.platform), 0};
  cl_int status = CL_SUCCESS;
  d.context = cl::Context(clCreateContext(properties, 1, &d.id, nullptr, nullptr, &status));
  cl::check(status, "clCreateContext");
  std::vector<size_t> items(std::max<cl_uint>(3, cl::device_value<cl_uint>(d.id, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS)),
                            1);
  cl::check(clGetDeviceInfo(d.id, CL_DEVICE_MAX_WORK_ITEM_SIZES, items.size() * sizeof(size_t), items.data(), nullptr),
            "clGetDeviceInfo");
  std::copy_n(items.begin(), 3, d.max_items);
  d.exact_fp32_divide =
      cl::device_value<cl_device_fp_config>(d.id, CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
  d.memory_limit = d.info.memory_bytes / 10 * 9;
  if (const auto limit = settings::number(settings::Name::VR_DEVICE_MEMORY))
    d.memory_limit = std::min(*limit, d.memory_limit);
  constexpr size_t usual_chunk = size_t{8} << 20;
  const bool own_memory = d.info.is_gpu && !cl::device_value<cl_bool>(d.id, CL_DEVICE_HOST_UNIFIED_MEMORY);
  d.staging_chunk = own_memory ? usual_chunk : 0;
  if (const auto staging = settings::number(settings::Name::VR_STAGING)) d.staging_chunk = size_t(*staging);
  // Work-items that a present-day multiprocessor has in flight.
  constexpr size_t items_a_unit = 2048;
  d.full_items = size_t(d.info.compute_units) * (d.info.is_gpu ? items_a_unit : 64);
  if (const auto queues = settings::number(settings::Name::VR_QUEUES)) d.info.queues = int(*queues);
  d.info.zero_copy =
      settings::on(settings::Name::VR_ZERO_COPY, true) && d.info.is_cpu && works_in_place(d.id, d.context.get());
  return d;
}

}  // namespace

std::string DeviceInfo::text() const { return name + " (" + platform + ")"; }

std::string DeviceInfo::identity() const { return platform + '\n' + name + '\n' + version + '\n' + driver; }

std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> list;
  try {
    for (Found& f : find_devices()) list.push_back(std::move(f.info));
  } catch (const cl::Failure&) {
    list.clear();
  }
  return list;
}

Device open_device(const std::string& wanted) {
  const std::string filter = wanted.empty() ? device_setting() : wanted;
  const std::vector<Found> found = matching(filter);
  const auto gpu = std::find_if(found.begin(), found.end(), [](const Found& f) { return f.info.is_gpu; });
  return open(!filter.empty() || gpu == found.end() ? found.front() : *gpu);
}

std::vector<Device> open_devices() {
  std::vector<Device> devices;
  for (const Found& f : matching(device_setting())) devices.push_back(open(f));
  return devices;
}

}  // namespace vr::gpu
