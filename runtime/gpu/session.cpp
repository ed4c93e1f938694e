// The open section of each call context, and the conversion of a driver's errors to error records.
#include "runtime/gpu/session.hpp"

#include "runtime/cpu/owner.hpp"
#include "runtime/cpu/sizes.hpp"
#include "runtime/gpu/cpu_library.hpp"
#include "runtime/gpu/devices/speed.hpp"
#include "runtime/gpu/measure.hpp"
#include "runtime/gpu/session_state.hpp"
#include "support/settings.hpp"

#include <algorithm>
#include <cstdlib>

namespace vr::gpu {

namespace {

/// What is known of the device from measurements.
void use_measurements(DeviceInfo& info) {
  if (settings::number(settings::Name::VR_QUEUES)) return;
  if (const std::optional<Measurement> known = stored(info)) info.queues = known->queues;
}

std::unique_ptr<OpenDevice> opened(Device device, const FileCache& cache) {
  auto open = std::make_unique<OpenDevice>();
  open->shared.device = std::move(device);
  open->shared.programs.use(cache);
  open->library = std::make_unique<Library>(open->shared, cache);
  return open;
}

/// Several devices exchange elements in host memory, so none works on it.
void do_not_work_in_place(std::vector<std::unique_ptr<OpenDevice>>& devices) {
  if (devices.size() < 2) return;
  for (auto& d : devices) d->shared.device.info.zero_copy = false;
}

/// Equal devices get equal parts. Others get parts in proportion to the speed of their memories, which is measured
/// unless the device file has it.
void share_by_speed(std::vector<std::unique_ptr<OpenDevice>>& devices) {
  const auto identity = [](const OpenDevice& d) { return d.shared.device.info.identity(); };
  if (std::all_of(devices.begin(), devices.end(), [&](auto& d) { return identity(*d) == identity(*devices[0]); }))
    return;
  for (auto& d : devices) {
    const std::optional<Measurement> known = stored(d->shared.device.info);
    d->share = known && known->copy_gbs > 0 ? known->copy_gbs : measure_memory_speed(d->shared.device) * 1e-9;
  }
}

}  // namespace

Result<std::unique_ptr<Session>> Session::open(const std::string& filter, bool disk_cache, const std::string& several) {
  try {
    auto state = std::make_unique<State>();
    const FileCache cache = disk_cache ? FileCache::from_environment() : FileCache();
    for (Device& device : open_devices(filter, several)) {
      if (disk_cache) use_measurements(device.info);
      state->devices.push_back(opened(std::move(device), cache));
    }
    do_not_work_in_place(state->devices);
    share_by_speed(state->devices);
    state->describe();
    return std::unique_ptr<Session>(new Session(std::move(state)));
  } catch (const device::Failure& f) {
    return make_error(f.code, f.message);
  }
}

Result<std::unique_ptr<Session>> Session::open_on(std::unique_ptr<device::Device> device, int64_t memory_limit) {
  std::vector<Share> one;
  one.push_back({std::move(device), 1});
  return open_on(std::move(one), memory_limit);
}

Result<std::unique_ptr<Session>> Session::open_on(std::vector<Share> devices, int64_t memory_limit) {
  try {
    auto state = std::make_unique<State>();
    for (Share& d : devices) {
      state->devices.push_back(opened(use_device(std::move(d.device)), FileCache()));
      if (memory_limit > 0) state->devices.back()->shared.device.memory_limit = memory_limit;
      state->devices.back()->share = d.share;
    }
    do_not_work_in_place(state->devices);
    state->describe();
    return std::unique_ptr<Session>(new Session(std::move(state)));
  } catch (const device::Failure& f) {
    return make_error(f.code, f.message);
  }
}

Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {}

Session::~Session() {
  if (state_->forked()) {
    // The driver's threads do not exist in this process: releasing its objects could wait for them forever.
    (void)state_.release();
    return;
  }
  state_->open.clear();
}

const DeviceInfo& Session::device_info() const { return state_->info; }

std::vector<DeviceInfo> Session::devices() const {
  std::vector<DeviceInfo> all;
  for (const auto& d : state_->devices) all.push_back(d->shared.device.info);
  return all;
}

void Session::settle(vr_context* context) {
  if (!sections_open() || state_->forked()) return;
  const std::shared_ptr<Section> section = state_->find(context);
  if (!section) return;
  try {
    section->settle();
  } catch (const device::Failure&) {}
}

bool Session::sections_open() const { return state_->open_count.load(std::memory_order_acquire) > 0; }

Stats Session::stats() const {
  Stats stats;
  for (const auto& d : state_->devices) {
    const Shared& s = d->shared;
    stats.sections += s.sections;
    stats.launches += s.launches;
    stats.on_host += s.on_host;
    stats.in_chunks += s.in_chunks;
    stats.chunks += s.chunks;
    stats.divided += s.divided;
    stats.bytes_up += s.traffic.bytes_up;
    stats.bytes_down += s.traffic.bytes_down;
    stats.bytes_on_device += s.pool.bytes_in_use();
    s.programs.add_to(stats);
  }
  return stats;
}

Status Session::prepare(const std::string& source, const std::string& options) {
  if (state_->forked()) return make_error(Code::Forked, device::forked_message);
  try {
    for (const auto& d : state_->devices) d->shared.programs.get(source, options);
    return {};
  } catch (const device::Failure& f) {
    return make_error(f.code, f.message);
  }
}

int32_t Session::section_begin(vr_context* context) {
  return guarded(*state_, context, nullptr, [&]() -> int32_t {
    {
      std::lock_guard lock(state_->mutex);
      auto it = state_->open.find(context);
      if (it != state_->open.end()) {
        ++it->second->depth;
        return VR_OK;
      }
    }
    std::shared_ptr<Section> section = state_->make_section();
    std::lock_guard lock(state_->mutex);
    state_->open.emplace(context, std::move(section));
    ++state_->open_count;
    ++state_->lead().shared.sections;
    return VR_OK;
  });
}

namespace {
/// The reason why the device could not run the kernel, with the arrays for which there was no room.
std::string reason(const vr_kernel& kernel, const vr_value* args, const NoRoom& f) {
  std::string arrays;
  for (int32_t p = 0; p < kernel.param_count; ++p) {
    if (kernel.params[p].kind != VR_PARAM_ARRAY || !storage_span(*args[p].array).overlaps(f.span)) continue;
    const std::string name = kernel.params[p].name;
    arrays += (arrays.empty() ? "" : ", ") + (name.empty() ? "a temporary array" : "array '" + name + "'");
  }
  return arrays + ": " + f.message;
}

/// The fallback: synchronises the kernel's arrays and runs it on the CPU.
int32_t run_on_host(Session::State& state, vr_context* context, const vr_site* site, Section& section,
                    const vr_kernel& kernel, const int64_t* counts, const vr_value* args, const std::string& why) {
  if (std::any_of(counts, counts + kernel.dims, [](int64_t n) { return n <= 0; })) return VR_OK;
  note(context, site, "a kernel", why);
  for (int32_t p = 0; p < kernel.param_count; ++p)
    if (kernel.params[p].kind == VR_PARAM_ARRAY) section.need_host(*args[p].array, kernel.params[p].written != 0);
  if (const int32_t code = report(state, context, section); code != VR_OK) return code;
  std::vector<vr_value> all(args, args + kernel.param_count);
  for (int32_t d = 0; d < kernel.dims; ++d) {
    vr_value n = {};
    n.i64 = counts[d];
    all.push_back(n);
  }
  ++state.lead().shared.on_host;
  return kernel.on_host(context, all.data(), nullptr);
}
}  // namespace

int32_t Session::launch(vr_context* context, const vr_site* site, const vr_kernel* kernel, const int64_t* counts,
                        const vr_value* args, EventId* event) {
  return guarded(*state_, context, site, [&]() -> int32_t {
    const std::shared_ptr<Section> section = state_->find(context);
    if (!section)
      throw device::Failure{Code::Internal,
                            "kernel '" + std::string(kernel->name) + "' launched outside an accelerated section"};
    EventId id = no_event;
    bool started = false;
    try {
      id = section->launch(*context, site, *kernel, counts, args, &started);
    } catch (const Stopped& stopped) {
      return stopped.code;
    } catch (const NoRoom& f) {
      if (started || !kernel->on_host) throw;
      return run_on_host(*state_, context, site, *section, *kernel, counts, args, reason(*kernel, args, f));
    } catch (const device::Failure& f) {
      if (f.code != Code::Device || started || !kernel->on_host) throw;
      return run_on_host(*state_, context, site, *section, *kernel, counts, args, f.message);
    }
    if (event) *event = id;
    return VR_OK;
  });
}

int32_t Session::copy(vr_context* context, const vr_array* from, const vr_array* to, EventId* event) {
  return guarded(*state_, context, nullptr, [&]() -> int32_t {
    const EventId id = state_->need(context)->copy(*from, *to);
    if (event) *event = id;
    return VR_OK;
  });
}

int32_t Session::mark_dead(vr_context* context, const vr_array* array) {
  return guarded(*state_, context, nullptr, [&]() -> int32_t {
    state_->need(context)->mark_dead(*array);
    return VR_OK;
  });
}

int32_t Session::wait(vr_context* context, EventId event) {
  return guarded(*state_, context, nullptr, [&]() -> int32_t {
    state_->need(context)->wait(event);
    return VR_OK;
  });
}

int32_t Session::wait_all(vr_context* context) {
  return guarded(*state_, context, nullptr, [&]() -> int32_t {
    const std::shared_ptr<Section> section = state_->need(context);
    section->bring_all();
    return report(*state_, context, *section);
  });
}

namespace {
/// "3 by 4 float64"
std::string text(const vr_array& a) {
  std::string s;
  for (int32_t d = 0; d < a.rank; ++d) s += (d ? " by " : "") + std::to_string(a.extent[d]);
  return s + (a.elem & VR_COMPLEX ? " complex " : " ") + ir::elem_name(static_cast<ir::Elem>(a.elem & ~VR_COMPLEX));
}
}  // namespace

int32_t Session::mmult(vr_context* context, const vr_site* site, const vr_array* a, const vr_array* b, vr_array* out,
                       int32_t layout, int32_t where) {
  return guarded(*state_, context, site, [&]() -> int32_t {
    const std::shared_ptr<Section> section = state_->find(context);
    if (!section) return mmult_on_cpu(context, site, a, b, out, layout, where);
    std::string why = state_->lead().library->refuses(*a, *b);
    if (why.empty()) {
      int64_t extents[2] = {1, 1};
      int32_t rank = 0;
      if (a->rank == 2) extents[rank++] = a->extent[0];
      if (b->rank == 2) extents[rank++] = b->extent[1];
      vr_array made;
      const int32_t status =
          vr_rt_alloc(context, site, &made, a->elem, std::max(rank, 1), extents, layout, VR_FILL_NONE, where);
      if (status != VR_OK) return status;
      try {
        why = section->product(*state_->lead().library, *a, *b, made);
        if (why.empty()) {
          ++state_->lead().shared.launches;
          *out = made;
          return VR_OK;
        }
      } catch (const device::Failure& f) {
        if (f.code != Code::Device) {
          section->release_later(made.owner);
          throw;
        }
        why = f.message;
      }
      section->release_later(made.owner);
    }
    if (!storage_span(*a).empty() && !storage_span(*b).empty()) {
      note(context, site, "a matrix product", why + " (" + text(*a) + " times " + text(*b) + ")");
      ++state_->lead().shared.on_host;
    }
    section->need_host(*a, false);
    section->need_host(*b, false);
    if (const int32_t code = report(*state_, context, *section); code != VR_OK) return code;
    return mmult_on_cpu(context, site, a, b, out, layout, where);
  });
}

int32_t Session::gemm(vr_context* context, const vr_site* site, const vr_array* a, const vr_array* b, const vr_array* c) {
  bool enqueued = false;
  guarded(*state_, context, site, [&]() -> int32_t {
    const std::shared_ptr<Section> section = state_->find(context);
    if (section && state_->lead().library->refuses(*a, *b).empty() &&
        section->product(*state_->lead().library, *a, *b, *c).empty()) {
      ++state_->lead().shared.launches;
      enqueued = true;
    }
    return VR_OK;
  });
  return enqueued;
}

int32_t Session::make_unique(vr_context* context, const vr_site* site, vr_array* a, int32_t layout, int32_t where,
                             bool on_device) {
  if (runtime::is_unique(*a)) return VR_OK;
  vr_array made;
  bool cloned = false;
  // A block of bytes is copied on the device as it is; otherwise the host copies the elements in order.
  if (on_device &&
      runtime::is_contiguous(a->rank, a->extent, a->stride, element_bytes(a->elem), layout == VR_COLMAJOR)) {
    const int32_t code = guarded(*state_, context, site, [&]() -> int32_t {
      const std::shared_ptr<Section> section = state_->find(context);
      if (!section) return VR_OK;
      const int32_t status =
          vr_rt_alloc(context, site, &made, a->elem, a->rank, a->extent, layout, VR_FILL_NONE, where);
      if (status != VR_OK) return status;
      try {
        section->copy(*a, made);
        cloned = true;
      } catch (const device::Failure& f) {
        section->release_later(made.owner);
        if (f.code != Code::Device) throw;
      }
      return VR_OK;
    });
    if (code != VR_OK) return code;
  }
  if (!cloned) {
    if (const int32_t code = need_host(context, a, 0); code != VR_OK) return code;
    if (const int32_t code = vr_rt_copy(context, site, a, &made, layout, where); code != VR_OK) return code;
  }
  release(context, std::exchange(a->owner, nullptr));
  *a = made;
  return VR_OK;
}

int32_t Session::need_host(vr_context* context, const vr_array* array, int32_t write) {
  // Host code calls this before each statement; usually there is nothing to do.
  if (state_->open_count.load(std::memory_order_acquire) == 0 && !state_->any_kept()) return VR_OK;
  return guarded(*state_, context, nullptr, [&]() -> int32_t {
    const std::shared_ptr<Section> section = state_->find(context);
    if (!section) {
      state_->look(*array, write != 0);
      return VR_OK;
    }
    section->need_host(*array, write != 0);
    // Elements of a kernel that faulted may be missing: code that waits for them to change would wait forever.
    return report(*state_, context, *section);
  });
}

int32_t Session::section_leave(vr_context* context) {
  return guarded(*state_, context, nullptr, [&]() -> int32_t {
    const std::shared_ptr<Section> section = state_->find(context);
    if (!section) return VR_OK;  // a fault has ended it
    const int32_t code = report(*state_, context, *section);
    std::lock_guard lock(state_->mutex);
    --section->depth;
    return code;
  });
}

int32_t Session::section_sync(vr_context* context) {
  if (state_->open_count.load(std::memory_order_acquire) == 0 && !state_->any_kept()) return VR_OK;
  return guarded(*state_, context, nullptr, [&]() -> int32_t {
    const std::shared_ptr<Section> section = state_->find(context);
    if (!section) {
      const std::shared_ptr<Section> all = state_->make_section();
      all->sync();
      all->finish();
      return VR_OK;
    }
    section->sync();
    return report(*state_, context, *section);
  });
}

int32_t Session::close(vr_context* context) {
  if (state_->open_count.load(std::memory_order_acquire) == 0) return VR_OK;
  return guarded(*state_, context, nullptr, [&]() -> int32_t {
    const std::shared_ptr<Section> section = state_->find(context);
    if (!section) return VR_OK;
    section->finish();
    const int32_t code = report(*state_, context, *section);
    state_->remove(context);
    return code;
  });
}

namespace {
template <class Work>
Status about_kept(const Session::State& state, const vr_array& array, Work&& work) {
  if (state.forked()) return make_error(Code::Forked, device::forked_message);
  if (storage_span(array).empty()) return {};
  try {
    return work();
  } catch (const device::Failure& f) {
    return make_error(f.code, f.message);
  }
}
}  // namespace

Status Session::keep(const vr_array& array, int64_t group) {
  return about_kept(*state_, array, [&]() -> Status {
    if (!is_dense(array))
      return make_error(Code::Usage, "only arrays without gaps between elements can reside on the device");
    const Span span = storage_span(array);
    for (size_t k = 0; k < state_->devices.size(); ++k) try {
        state_->devices[k]->shared.kept.add(span, group);
      } catch (...) {
        while (k-- > 0) state_->devices[k]->shared.kept.remove(span);
        throw;
      }
    return {};
  });
}

bool Session::keep_again(const vr_array& array, int64_t group) {
  if (state_->forked() || !state_->any_kept()) return false;
  // All devices keep the same arrays.
  bool again = false;
  for (const auto& d : state_->devices) again = d->shared.kept.add_again(storage_span(array), group);
  return again;
}

Status Session::look(const vr_array& array, bool write) {
  if (!state_->any_kept()) return {};
  return about_kept(*state_, array, [&]() -> Status {
    state_->look(array, write);
    return {};
  });
}

Status Session::drop(const vr_array& array) {
  return about_kept(*state_, array, [&]() -> Status {
    // The array is removed while a section holds it; the section's finish() then synchronises it like any other array.
    const std::shared_ptr<Section> section = state_->make_section();
    section->need_host(array, false);
    bool removed = false;
    for (const auto& d : state_->devices) removed = d->shared.kept.remove(storage_span(array)) || removed;
    if (!removed) return make_error(Code::Usage, "the array does not reside on the device");
    section->finish();
    return {};
  });
}

Status Session::forget(const vr_array& array) {
  // What works in the host's memory has mapped it, which a section undoes.
  if (device_info().zero_copy) return drop(array);
  return about_kept(*state_, array, [&]() -> Status {
    bool forgotten = false;
    for (const auto& d : state_->devices) forgotten = d->shared.kept.forget(storage_span(array)) || forgotten;
    if (!forgotten) return make_error(Code::Usage, "the array does not reside on the device");
    return {};
  });
}

int32_t Session::section_end(vr_context* context) {
  return guarded(*state_, context, nullptr, [&]() -> int32_t {
    const std::shared_ptr<Section> section = state_->find(context);
    if (!section) return VR_OK;  // a fault has ended the section
    section->finish();
    const int32_t code = report(*state_, context, *section);
    bool last = false;
    {
      std::lock_guard lock(state_->mutex);
      last = --section->depth <= 0;
    }
    if (last) state_->remove(context);
    return code;
  });
}

void Session::abandon(vr_context* context) {
  if (state_->open_count.load() == 0 || state_->forked()) return;
  const std::shared_ptr<Section> section = state_->remove(context);
  if (!section || context->failed.load() == VR_OK) return;
  // A kernel's fault happened before the host's: the host has only run ahead of it.
  try {
    if (const std::optional<KernelFault> found = section->fault()) {
      context->failed.store(VR_OK);
      fail(context, *found);
    }
  } catch (const device::Failure&) {  // the host's fault remains the recorded one
  }
  end(*section);
}

void Session::release(vr_context* context, vr_owner* owner) {
  if (!owner) return;
  const std::shared_ptr<Section> section = state_->open_count.load() ? state_->find(context) : nullptr;
  if (section)
    section->release_later(owner);
  else
    vr_rt_release(owner);
}

}  // namespace vr::gpu
