#include "raijincl/context.hpp"

#include <algorithm>
#include <cstring>

#include "core/impl.hpp"

namespace raijincl {

const char* shipped_profile(const char* name);  // raijincl/profiles/NAME.json, embedded

namespace {

std::string text_of(cl_device_id d, cl_device_info what) {
  std::size_t size = 0;
  if (clGetDeviceInfo(d, what, 0, nullptr, &size) != CL_SUCCESS || size == 0) return "";
  std::string s(size, '\0');
  clGetDeviceInfo(d, what, size, s.data(), nullptr);
  return s.c_str();
}
template <class T>
T value_of(cl_device_id d, cl_device_info what) {
  T v{};
  clGetDeviceInfo(d, what, sizeof v, &v, nullptr);
  return v;
}

DeviceInfo query(cl_device_id d) {
  DeviceInfo i;
  i.name = text_of(d, CL_DEVICE_NAME);
  i.vendor = text_of(d, CL_DEVICE_VENDOR);
  i.driver = text_of(d, CL_DRIVER_VERSION);
  i.version = text_of(d, CL_DEVICE_VERSION);
  i.is_cpu = (value_of<cl_device_type>(d, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
  i.has_double = value_of<cl_device_fp_config>(d, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
  i.has_images = value_of<cl_bool>(d, CL_DEVICE_IMAGE_SUPPORT) == CL_TRUE;
  i.compute_units = value_of<cl_uint>(d, CL_DEVICE_MAX_COMPUTE_UNITS);
  i.max_work_group = value_of<std::size_t>(d, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  i.local_bytes = value_of<cl_ulong>(d, CL_DEVICE_LOCAL_MEM_SIZE);
  i.image_width = value_of<std::size_t>(d, CL_DEVICE_IMAGE2D_MAX_WIDTH);
  i.image_height = value_of<std::size_t>(d, CL_DEVICE_IMAGE2D_MAX_HEIGHT);
  if (text_of(d, CL_DEVICE_EXTENSIONS).find("cl_nv_device_attribute_query") != std::string::npos) {
    constexpr cl_device_info major = 0x4000, minor = 0x4001;
    i.nvidia_capability = static_cast<int>(value_of<cl_uint>(d, major) * 10 + value_of<cl_uint>(d, minor));
  }
  return i;
}

#if defined(__x86_64__) || defined(__i386__)
constexpr bool kX86 = true;
#else
constexpr bool kX86 = false;
#endif

// The profile that fits this device best: exact name among the shipped ones; for others with the H100's chip (compute
// capability 9.0) the H100's, for PoCL on other x86 processors that of PoCL; else defaults.
Profile find_profile(const DeviceInfo& info) {
  for (const bool exact : {true, false}) {
    for (const char* name : {"pocl-x86", "nvidia-h100", "nvidia-h200"}) {
      const char* text = shipped_profile(name);
      Profile p;
      if (!text || Profile::from_json(text, p) != Status::Ok) continue;
      const bool pocl =
          kX86 && info.is_cpu && info.version.find("PoCL") != std::string::npos && !std::strcmp(name, "pocl-x86");
      const bool h100 = info.nvidia_capability == 90 && !std::strcmp(name, "nvidia-h100");
      if (exact ? p.device == info.name : pocl || h100) return p;
    }
  }
  return default_profile(info);
}

// Removes entries that this device cannot run and fills gaps with defaults.
void fit(Profile& p, const DeviceInfo& info, bool native) {
  const Profile defaults = default_profile(info);
  for (int i = 0; i < 4; ++i) {
    const auto prec = static_cast<Precision>(i);
    const auto unusable = [&](const GemmChoice& c) {
      return (is_native(c.config) && !native) || check_config(c.config, prec, info) != Status::Ok;
    };
    std::erase_if(p.gemm[i], unusable);
    std::erase_if(p.compensated[i], unusable);
    if (p.gemm[i].empty()) {
      p.gemm[i] = defaults.gemm[i];
      std::erase_if(p.gemm[i], unusable);
    }
    if (p.gemm[i].empty()) {
      DeviceInfo plain = info;
      plain.nvidia_capability = 0;
      p.gemm[i] = default_profile(plain).gemm[i];
    }
    if (p.compensated[i].empty() && native) p.compensated[i] = defaults.compensated[i];
  }
}

}  // namespace

Context::Context(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Context::~Context() = default;

Status Context::create(cl_context c, cl_device_id d, std::unique_ptr<Context>& out, const Options& options) {
  std::size_t size = 0;
  if (!c || clGetContextInfo(c, CL_CONTEXT_DEVICES, 0, nullptr, &size) != CL_SUCCESS) {
    return fail(Status::InvalidContext, "no OpenCL context");
  }
  std::vector<cl_device_id> devices(size / sizeof(cl_device_id));
  clGetContextInfo(c, CL_CONTEXT_DEVICES, size, devices.data(), nullptr);
  if (std::find(devices.begin(), devices.end(), d) == devices.end()) {
    return fail(Status::InvalidContext, "the device is not one of the context's");
  }
  clRetainContext(c);
  auto impl = std::make_unique<Impl>(c, d, options);
  impl->info = query(d);
  if (options.profile.empty()) {
    impl->profile = find_profile(impl->info);
  } else {
    RAIJINCL_TRY(Profile::from_json(options.profile, impl->profile));
  }
  fit(impl->profile, impl->info, options.native_kernels);
  out.reset(new Context(std::move(impl)));
  return Status::Ok;
}

const DeviceInfo& Context::device() const { return impl_->info; }

std::string Context::profile() const {
  std::shared_lock lock(impl_->profile_mutex);
  return impl_->profile.to_json();
}

std::string Context::profile_device() const {
  std::shared_lock lock(impl_->profile_mutex);
  return impl_->profile.device;
}

Status Context::set_profile(const std::string& json) {
  Profile p;
  RAIJINCL_TRY(Profile::from_json(json, p));
  fit(p, impl_->info, impl_->options.native_kernels);
  std::unique_lock lock(impl_->profile_mutex);
  impl_->profile = std::move(p);
  return Status::Ok;
}

Context::Counters Context::counters() const {
  return {impl_->programs.built(), impl_->programs.loaded(), impl_->pool.made(), impl_->pool.bytes()};
}
void Context::trim() { impl_->pool.trim(); }

Status check_launch(const Context::Impl& ctx, const Launch& l) {
  cl_context c = nullptr;
  cl_device_id d = nullptr;
  if (!l.queue || clGetCommandQueueInfo(l.queue, CL_QUEUE_CONTEXT, sizeof c, &c, nullptr) != CL_SUCCESS ||
      clGetCommandQueueInfo(l.queue, CL_QUEUE_DEVICE, sizeof d, &d, nullptr) != CL_SUCCESS) {
    return fail(Status::InvalidQueue, "no OpenCL command queue");
  }
  if (c != ctx.context || d != ctx.device) return fail(Status::InvalidQueue, "a queue of another context or device");
  for (cl_event e : l.wait) {
    if (!e) return fail(Status::InvalidWaitList, "a null event in the wait list");
  }
  return Status::Ok;
}

Status check_precision(const Context::Impl& ctx, Precision p) {
  if (is_double(p) && !ctx.info.has_double)
    return fail(Status::UnsupportedPrecision, ctx.info.name + " has no double precision");
  return Status::Ok;
}

Status check_buffer(const Context::Impl& ctx, const char* name, cl_mem m, std::size_t elements,
                    std::size_t element_size) {
  cl_context c = nullptr;
  cl_mem_object_type type = 0;
  std::size_t bytes = 0;
  if (!m || clGetMemObjectInfo(m, CL_MEM_CONTEXT, sizeof c, &c, nullptr) != CL_SUCCESS || c != ctx.context ||
      clGetMemObjectInfo(m, CL_MEM_TYPE, sizeof type, &type, nullptr) != CL_SUCCESS || type != CL_MEM_OBJECT_BUFFER ||
      clGetMemObjectInfo(m, CL_MEM_SIZE, sizeof bytes, &bytes, nullptr) != CL_SUCCESS) {
    return fail(Status::InvalidBuffer, std::string(name) + " is no buffer of this context");
  }
  if (elements > bytes / element_size) {
    return fail(Status::BufferTooSmall, std::string(name) + " has " + std::to_string(bytes / element_size) +
                                            " elements, " + std::to_string(elements) + " are needed");
  }
  return Status::Ok;
}

bool in_order(cl_command_queue q) {
  cl_command_queue_properties props = 0;
  clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES, sizeof props, &props, nullptr);
  return !(props & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

Status Enqueue::run(cl_command_queue q, std::size_t dims, const std::size_t* global, const std::size_t* local,
                    std::span<const cl_event> wait, cl_event* event) {
  if (err_ != CL_SUCCESS) return fail_cl("clSetKernelArg", err_);
  err_ = clEnqueueNDRangeKernel(q, kernel_, static_cast<cl_uint>(dims), nullptr, global, local,
                                static_cast<cl_uint>(wait.size()), wait.empty() ? nullptr : wait.data(), event);
  return err_ == CL_SUCCESS ? Status::Ok : fail_cl("clEnqueueNDRangeKernel", err_);
}

Status enqueue_marker(const Launch& l) {
  if (!l.event) return Status::Ok;
  const cl_int err = clEnqueueMarkerWithWaitList(l.queue, static_cast<cl_uint>(l.wait.size()),
                                                 l.wait.empty() ? nullptr : l.wait.data(), l.event);
  return err == CL_SUCCESS ? Status::Ok : fail_cl("clEnqueueMarkerWithWaitList", err);
}

}  // namespace raijincl
