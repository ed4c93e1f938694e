#include "runtime/gpu/device_section.hpp"

#include <algorithm>
#include <cstring>

#include "runtime/carried.hpp"
#include "runtime/cpu/poll.hpp"
#include "runtime/gpu/library.hpp"
#include "support/trace.hpp"

namespace vr::gpu {

/// Sets kernel arguments in order, skipping those that did not change since the kernel's last launch.
class Arguments {
 public:
  Arguments(device::Kernel& kernel, bool narrow, std::vector<char>& known)
      : kernel_(kernel), narrow_(narrow), known_(known) {}
  void bytes(const void* value, size_t size) {
    set(value, size, [&] { kernel_.set(next_, value, size); });
  }
  /// A new buffer may have the address of a destroyed one; `generation` counts the destroyed ones.
  void buffer(device::Buffer& b, uint64_t generation) {
    const std::pair<device::Buffer*, uint64_t> seen(&b, generation);
    set(&seen, sizeof seen, [&] { kernel_.set(next_, b); });
  }

 private:
  template <class Set>
  void set(const void* value, size_t size, Set&& call) {
    const size_t at = at_;
    at_ += size;
    if (known_.size() < at_) {
      known_.resize(at_);
    } else if (std::memcmp(known_.data() + at, value, size) == 0) {
      ++next_;
      return;
    }
    // The copy is made last: after a call that fails, the argument's value is not known.
    std::memset(known_.data() + at, 0xa5, size);
    call();
    std::memcpy(known_.data() + at, value, size);
    ++next_;
  }

 public:
  void offset(int64_t v) { bytes(&v, sizeof v); }
  void integer(int64_t v) {
    if (!narrow_) return offset(v);
    const auto value = int32_t(v);
    bytes(&value, sizeof value);
  }

 private:
  device::Kernel& kernel_;
  const bool narrow_;
  std::vector<char>& known_;
  size_t at_ = 0;
  size_t next_ = 0;
};

namespace {

/// The spans of the arrays; overlapping ones are merged.
void join_spans(const std::vector<Access>& uses, std::vector<Span>& spans) {
  spans.clear();
  for (const Access& use : uses) {
    const Span s = use.span();
    if (!s.empty()) spans.push_back(s);
  }
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.lo < b.lo; });
  size_t joined = 0;
  for (const Span& s : spans) {
    if (joined > 0 && spans[joined - 1].overlaps(s))
      spans[joined - 1].hi = std::max(spans[joined - 1].hi, s.hi);
    else
      spans[joined++] = s;
  }
  spans.resize(joined);
}

/// The arguments that set_arguments() sets.
size_t argument_count(const vr_kernel& kernel) {
  int32_t n = kernel.dims + 1;
  for (int32_t p = 0; p < kernel.param_count; ++p) {
    const vr_kernel_param& param = kernel.params[p];
    n += param.kind == VR_PARAM_ARRAY ? 2 + 2 * param.rank : param.elem & VR_COMPLEX ? 2 : 1;
  }
  return size_t(n);
}

/// Owners whose memory a device may still use after waiting for it failed: they are never released.
void keep_for_ever(const std::vector<vr_owner*>& owners) {
  static std::mutex mutex;
  static auto* const kept = new std::vector<vr_owner*>;
  std::lock_guard lock(mutex);
  kept->insert(kept->end(), owners.begin(), owners.end());
}

}  // namespace

DeviceSection::DeviceSection(Shared& shared, bool one_of_several)
    : shared_(shared),
      one_of_several_(one_of_several),
      transfer_(shared.pool.take_queue()),
      tasks_(shared.pool, shared.device.info.queues),
      arrays_(shared.device, shared.pool, shared.staging, shared.kept, copies_, tasks_, *transfer_, shared.traffic,
              one_of_several) {}

DeviceSection::~DeviceSection() {
  copies_.drain();
  traced_.drain();
  // If waiting for a queue failed it may still hold commands that use these objects; then no other section may reuse
  // them.
  const bool idle = finished(*transfer_) && tasks_.drain();
  arrays_.discard(idle);
  if (!idle) {
    // Host memory that kernels use in place, or that copies read, must not be reused either: its owners are never
    // released.
    for (vr_owner* owner : touched_) vr_rt_retain(owner);
    keep_for_ever({touched_.begin(), touched_.end()});
    keep_for_ever(releases_.take());
    return;
  }
  releases_.release();
  for (auto& [kernel, loaded] : kernels_) {
    loaded.program->give_kernel(loaded.name, std::move(loaded.kernel));
    if (Loaded* parts = loaded.carried.get()) {
      parts->program->give_kernel(parts->name, std::move(parts->kernel));
      for (auto& [queue, block] : parts->accumulated) shared_.pool.give_buffer(std::move(block.first), block.second);
    }
  }
  for (auto& [sites, fault] : faults_)
    if (fault.buffer && !fault.unread && !fault.set) shared_.pool.give_fault(std::move(fault.buffer));
  tasks_.give_back();
  shared_.pool.give_queue(std::move(transfer_));
}

DeviceSection::Loaded& DeviceSection::load(const vr_kernel& kernel) {
  if (auto it = kernels_.find(&kernel); it != kernels_.end()) return it->second;
  Loaded l(kernel);
  build(kernel, l, false);
  return kernels_.emplace(&kernel, std::move(l)).first->second;
}

/// The reduction's form that runs in parts.
DeviceSection::Loaded& DeviceSection::load_carried(const vr_kernel& kernel, Loaded& loaded) {
  if (!loaded.carried) {
    auto l = std::make_unique<Loaded>(kernel);
    build(kernel, *l, true);
    loaded.carried = std::move(l);
  }
  return *loaded.carried;
}

void DeviceSection::build(const vr_kernel& kernel, Loaded& l, bool carried) {
  l.name = kernel.name;
  std::string options = kernel.options ? kernel.options : "";
  if (carried) options = options + " " + carried_option;
  l.program = shared_.programs.get(kernel.source, options, carried ? nullptr : kernel.binaries);
  l.kernel = l.program->take_kernel(l.name);
  // A kernel object keeps its arguments from launch to launch, so the driver would not report one that is not set.
  const size_t declared = l.kernel->argument_count(), set = argument_count(kernel) + (carried ? 3 : 0);
  if (declared != set)
    throw device::Failure{Code::Internal, "kernel '" + l.name + "' takes " + std::to_string(declared) +
                                              " arguments, not " + std::to_string(set)};
  const Device& device = shared_.device;
  l.limits.max_group = std::min(l.kernel->max_group(), device.max_group());
  std::copy_n(device.info.limits.max_items, 3, l.limits.max_items);
  l.limits.cpu = device.info.is_cpu && !device.info.is_gpu;
  l.limits.compute_units = device.info.compute_units;
}

DeviceSection::FaultBuffer& DeviceSection::fault_buffer(const vr_kernel& kernel) {
  FaultBuffer& f = faults_[kernel.sites];
  if (!f.buffer) f.buffer = shared_.pool.take_fault();
  f.site_count = std::max(f.site_count, kernel.site_count);
  return f;
}

void DeviceSection::set_arguments(const vr_kernel& kernel, Loaded& loaded, const int64_t* counts, const vr_value* args,
                                  const std::vector<Task::Place>& places, device::Buffer& fault, const Carry* carry) {
  Arguments a(*loaded.kernel, kernel.narrow != 0, loaded.arguments);
  const uint64_t generation = shared_.pool.generation();
  auto place = places.begin();
  for (int32_t p = 0; p < kernel.param_count; ++p) {
    const vr_kernel_param& param = kernel.params[p];
    if (param.kind == VR_PARAM_SCALAR) {
      // The parts of a complex value are adjacent; like every member of vr_value they start at byte 0.
      const auto* value = reinterpret_cast<const char*>(&args[p]);
      const auto part = size_t(element_bytes(param.elem & ~VR_COMPLEX));
      a.bytes(value, part);
      if (param.elem & VR_COMPLEX) a.bytes(value + part, part);
      continue;
    }
    // Without elements there are no accesses: any buffer will do.
    a.buffer(place->buffer ? *place->buffer : fault, generation);
    a.offset(int64_t(place->offset));
    ++place;
    const vr_array& array = *args[p].array;
    for (int32_t d = 0; d < param.rank; ++d) a.integer(array.extent[d]);
    for (int32_t d = 0; d < param.rank; ++d) a.integer(array.stride[d]);
  }
  for (int32_t d = 0; d < kernel.dims; ++d) a.integer(counts[d]);
  a.buffer(fault, generation);
  if (!carry) return;
  a.buffer(*carry->accumulated, generation);
  a.offset(carry->from);
  const int32_t more = carry->more;
  a.bytes(&more, sizeof more);
}

/// A kernel from generated code.
class DeviceSection::Launch final : public Task {
 public:
  /// part: null: the whole launch.
  Launch(DeviceSection& section, const vr_kernel& kernel, Loaded& loaded, const int64_t* counts, const vr_value* args,
         const LaunchPart* part, bool* started)
      : section_(section), kernel_(kernel), loaded_(loaded), args_(args), part_(part), started_(started) {
    name = kernel.name;
    std::copy_n(counts, kernel.dims, counts_);
    // The groups of a reduction's part are those of its array of partial results.
    const bool moved = part && part->groups == 0;
    if (moved) counts_[part->part.dim] = part->part.hi - part->part.lo;
    grid_ = section.grid_of(kernel, loaded, counts_, args);
    if (moved) start_at(grid_, kernel, part->part);
    if (part) counts_[part->part.dim] = part->part.hi;
    small = grid_.global[0] * grid_.global[1] * grid_.global[2] < section.shared_.device.full_items;
  }
  void enqueue(device::Queue& queue, device::Waits wait, const std::vector<Place>& places,
               device::EventPtr* event) override {
    FaultBuffer& fault = section_.fault_buffer(kernel_);
    if (part_ && part_->groups > 0)
      enqueue_reduction(queue, wait, places, *fault.buffer, event);
    else {
      section_.set_arguments(kernel_, loaded_, counts_, args_, places, *fault.buffer);
      queue.launch(*loaded_.kernel, grid_, wait, event);
    }
    *started_ = true;
    fault.unread |= kernel_.site_count > 0;
  }

 private:
  /// A part that does not begin with the first iteration takes up what was accumulated; a launch without iterations
  /// makes that the reduction's identity.
  void enqueue_reduction(device::Queue& queue, device::Waits wait, const std::vector<Place>& places,
                         device::Buffer& fault, device::EventPtr* event) {
    const vr_array& partial = *args_[kernel_.groups_param].array;
    const size_t row = size_t(partial.stride[0]);
    Carry carry{&section_.accumulated(loaded_, queue, grid_.global[0] * row), 0, true};
    const Part& part = part_->part;
    if (part.lo > 0) {
      int64_t none[3];
      std::copy_n(counts_, kernel_.dims, none);
      none[part.dim] = 0;
      section_.set_arguments(kernel_, loaded_, none, args_, places, fault, &carry);
      queue.launch(*loaded_.kernel, grid_, wait, nullptr);
      *started_ = true;
      wait = {};
    }
    carry.from = part.lo;
    carry.more = false;
    section_.set_arguments(kernel_, loaded_, counts_, args_, places, fault, &carry);
    queue.launch(*loaded_.kernel, grid_, wait, event);
  }

  DeviceSection& section_;
  const vr_kernel& kernel_;
  Loaded& loaded_;
  int64_t counts_[3] = {};
  const vr_value* args_;
  const LaunchPart* part_;
  bool* started_;
  device::Grid grid_;
};

device::Buffer& DeviceSection::accumulated(Loaded& loaded, const device::Queue& queue, size_t bytes) {
  auto& [buffer, capacity] = loaded.accumulated[&queue];
  if (buffer && capacity >= bytes) return *buffer;
  if (buffer) {
    tasks_.wait_all();
    shared_.pool.give_buffer(std::move(buffer), capacity);
  }
  buffer = shared_.pool.take_buffer(bytes, &capacity);
  if (!buffer) shared_.pool.no_room(bytes);
  return *buffer;
}

/// Work-items are numbered from the part's first iteration on; the kernel sees a domain that ends with the part.
void DeviceSection::start_at(device::Grid& grid, const vr_kernel& kernel, const Part& part) {
  grid.offset[part.dim] = size_t(first_item(kernel, part.dim, part.lo));
}

void DeviceSection::list_uses(const vr_kernel& kernel, const vr_value* args, const LaunchPart& part) {
  now_.uses.clear();
  for (int32_t p = 0; p < kernel.param_count; ++p)
    if (kernel.params[p].kind == VR_PARAM_ARRAY)
      now_.uses.push_back({args[p].array, kernel.params[p].written != 0, false, nullptr, p, &part.uses[size_t(p)]});
}

void DeviceSection::prepare(const vr_kernel& kernel, const vr_value* args, const LaunchPart& part) {
  const std::unique_lock lock = lock_tasks();
  Loaded& loaded = load(kernel);
  if (part.groups > 0) load_carried(kernel, loaded);
  list_uses(kernel, args, part);
  cover(now_.uses);
}

EventId DeviceSection::launch_part(const vr_kernel& kernel, const int64_t* counts, const vr_value* args,
                                   const LaunchPart& part, bool* started) {
  trace::Span span("OpenCL", "launch of a part");
  span.note("kernel", kernel.name);
  const std::unique_lock lock = lock_tasks();
  Loaded* loaded = &load(kernel);
  if (part.groups > 0) loaded = &load_carried(kernel, *loaded);
  list_uses(kernel, args, part);
  if (part.groups == 0) {
    Launch task(*this, kernel, *loaded, counts, args, &part, started);
    return run_locked(task, now_.uses);
  }
  // The part's rows of the partial results, from its first one on.
  std::vector<vr_value> mine(args, args + kernel.param_count);
  vr_array rows = *args[kernel.groups_param].array;
  rows.data = static_cast<char*>(rows.data) + part.first_group * rows.stride[0];
  rows.extent[0] = part.groups;
  mine[size_t(kernel.groups_param)].array = &rows;
  for (Access& use : now_.uses)
    if (use.param == kernel.groups_param) use.array = &rows;
  Launch task(*this, kernel, *loaded, counts, mine.data(), &part, started);
  return run_locked(task, now_.uses);
}

/// The lock of calls that need the tables as tasks left them.
std::unique_lock<std::mutex> DeviceSection::lock_tasks() {
  std::unique_lock lock(mutex_);
  polling_.ended.wait(lock, [&] { return !polling_.now; });
  return lock;
}

/// Throws Stopped if the call is to end. The host runs any code of its own, so the section is not locked meanwhile.
void DeviceSection::poll(vr_context& context, const vr_site* site, std::unique_lock<std::mutex>& lock) {
  if (!runtime::asked_to_stop(context)) return;
  polling_.now = true;
  lock.unlock();
  const int32_t stop = vr_rt_poll(&context, site);
  lock.lock();
  polling_.now = false;
  polling_.ended.notify_all();
  if (stop != VR_OK) throw Stopped{stop};
}

EventId DeviceSection::launch(vr_context& context, const vr_site* site, const vr_kernel& kernel, const int64_t* counts,
                              const vr_value* args, bool* started) {
  trace::Span span("OpenCL", "launch");
  span.note("kernel", kernel.name);
  std::unique_lock lock = lock_tasks();
  if (kernel.dims < 1 || kernel.dims > 3)
    throw device::Failure{Code::Internal, "kernel '" + std::string(kernel.name) + "' has a domain of " +
                                              std::to_string(kernel.dims) + " dimensions"};
  Loaded& loaded = load(kernel);  // also for an empty domain, so that a program that does not build is always an error
  if (std::any_of(counts, counts + kernel.dims, [](int64_t n) { return n <= 0; })) return no_event;
  now_.uses.clear();
  loaded.footprints.launch(kernel, counts, args);
  for (int32_t p = 0; p < kernel.param_count; ++p)
    if (kernel.params[p].kind == VR_PARAM_ARRAY)
      now_.uses.push_back(
          {args[p].array, kernel.params[p].written != 0,
           kernel.params[p].written == VR_WRITTEN_FRESH || (args[p].array->flags & VR_ARRAY_UNDEFINED) != 0,
           &loaded.footprints, p});
  Launch task(*this, kernel, loaded, counts, args, nullptr, started);
  EventId id = no_event;
  try {
    id = run_locked(task, now_.uses);
  } catch (const NoRoom& why) {
    if (*started) throw;
    id = launch_in_chunks(kernel, loaded, counts, args, why, [&] { poll(context, site, lock); }, started);
  }
  ++shared_.launches;
  return id;
}

EventId DeviceSection::run(Task& task, const std::vector<Access>& uses) {
  trace::Span span("OpenCL", "task");
  span.note("name", task.name);
  const std::unique_lock lock = lock_tasks();
  return run_locked(task, uses);
}

void DeviceSection::wait(EventId task) {
  std::lock_guard lock(mutex_);
  tasks_.wait(task);
}

void DeviceSection::settle() {
  std::lock_guard lock(mutex_);
  tasks_.wait_all();
}

namespace {

class CopyTask final : public Task {
 public:
  explicit CopyTask(size_t bytes) : bytes_(bytes) {
    name = "copy";
    small = true;
  }
  void enqueue(device::Queue& queue, device::Waits wait, const std::vector<Place>& places,
               device::EventPtr* event) override {
    queue.copy(*places[0].buffer, places[0].offset, *places[1].buffer, places[1].offset, bytes_, wait, event);
  }

 private:
  size_t bytes_;
};

}  // namespace

EventId DeviceSection::copy(const vr_array& from, const vr_array& to) {
  vr_array a = bytes_of(storage_span(from)), b = bytes_of(storage_span(to));
  a.owner = from.owner;
  b.owner = to.owner;
  if (!is_dense(from) || !is_dense(to) || a.extent[0] != b.extent[0] || storage_span(a).overlaps(storage_span(b)))
    throw device::Failure{Code::Internal, "a copy on the device between arrays that are not blocks of the same size"};
  if (a.extent[0] == 0) return no_event;
  CopyTask task(static_cast<size_t>(a.extent[0]));
  return run(task, {{&a}, {&b, true, true}});
}

void DeviceSection::mark_dead(const vr_array& array) {
  std::lock_guard lock(mutex_);
  arrays_.let_go(storage_span(array));
}

void DeviceSection::bring_all() {
  trace::Span span("OpenCL", "wait for all");
  const std::unique_lock lock = lock_tasks();
  arrays_.bring_all();
  traced_.wait_all();
  touched_.clear();
}

/// The bytes of the array that the task needs, or writes; whole: as if it used all of them. Valid until the next call.
const Region& DeviceSection::region_of(const Access& use, bool written, bool whole) {
  if (use.part) return written ? use.part->footprint.write : use.part->footprint.read;
  if (!use.footprints || whole) {
    Footprint all = whole_footprint(*use.array, use.written, use.fresh && !use.footprints);
    now_.region = std::move(written ? all.write : all.read);
    return now_.region;
  }
  now_.region = written ? use.footprints->written(use.param) : use.footprints->read(use.param);
  for (Lmad& box : now_.region) box.base += reinterpret_cast<uintptr_t>(use.array->data);
  return now_.region;
}

/// Throws NoRoom if the spans of the task would not fit into empty memory.
void DeviceSection::check_room() const {
  if (shared_.device.info.zero_copy) return;
  const auto limit = uintptr_t(shared_.device.memory_limit);
  uintptr_t bytes = 0;
  const Span* largest = nullptr;
  for (const Span& s : now_.spans) {
    bytes += s.bytes();
    if (!largest || s.bytes() > largest->bytes()) largest = &s;
  }
  if (bytes <= limit) return;
  try {
    shared_.pool.no_room(bytes);
  } catch (const device::Failure& f) {
    throw NoRoom{f, *largest};
  }
}

/// Buffers for the task's arrays. Throws NoRoom.
void DeviceSection::cover(const std::vector<Access>& uses) {
  join_spans(uses, now_.spans);
  check_room();
  for (const Span& s : now_.spans) {
    try {
      arrays_.cover(s, now_.spans);
    } catch (const device::Failure& f) {
      if (f.code != Code::Device) throw;
      throw NoRoom{f, s};
    }
  }
}

EventId DeviceSection::run_locked(Task& task, const std::vector<Access>& uses) {
  cover(uses);
  now_.ranges.clear();  // one entry for each use; null for arrays without elements
  now_.places.clear();
  for (const Access& use : uses) {
    now_.ranges.push_back(nullptr);
    now_.places.emplace_back();
    const Span span = use.span();
    if (span.empty()) continue;
    Range& r = arrays_.at(span);
    now_.ranges.back() = &r;
    if (r.in_place)
      arrays_.ready_in_place(r);
    else if (!r.device_fresh)
      arrays_.ready_for_task(r, region_of(use, false, !one_of_several_ && has_many_boxes(r)));
    const bool on_its_way = r.upload != no_event && r.upload_seen == 0;
    if (const vr_owner* owner = use.array->owner; (r.in_place || on_its_way) && owner && !owner->borrowed)
      touched_.insert(use.array->owner);
    now_.places.back() = {r.buffer.get(), reinterpret_cast<uintptr_t>(use.array->data) - r.base};
  }
  const int queue = choose_queue(task, uses);
  now_.waits.clear();
  bool flush = false;
  for (Range* r : now_.ranges) {
    // A queue waits for an array's upload only once; its later tasks run after that wait.
    const uint32_t bit = uint32_t{1} << queue;
    device::Event* upload = !r || r->upload_seen & bit ? nullptr : copies_.get(r->upload);
    if (r) r->upload_seen |= bit;
    if (!upload || std::find(now_.waits.begin(), now_.waits.end(), upload) != now_.waits.end()) continue;
    now_.waits.push_back(upload);
    flush = true;
  }
  // To wait for an event of another queue, that queue must be flushed.
  if (flush) transfer_->flush();
  for (EventId before : now_.before)
    if (TaskQueues::queue_of(before) != queue) now_.waits.push_back(tasks_.marker(before));

  // Only traces need an event for each task.
  const bool traced = trace::enabled();
  device::EventPtr event;
  // Registered before the enqueue, so that waiting for all tasks includes commands that were enqueued before a call
  // failed.
  const EventId id = tasks_.add(queue);
  task.enqueue(tasks_.queue(queue), now_.waits, now_.places, traced ? &event : nullptr);
  if (event) traced_.add(std::move(event), "'" + std::string(task.name) + "'");
  for (size_t k = 0; k < uses.size(); ++k)
    if (Range* r = now_.ranges[k]) {
      arrays_.used(*r, id, uses[k].written);
      if (!uses[k].written || !lists_writes(*r)) continue;
      // Whole only if all bytes are on the device: elements that the task does not write are brought back, too.
      const bool whole = r->device_fresh && !one_of_several_ && has_many_boxes(*r);
      arrays_.wrote(*r, region_of(uses[k], true, whole));
    }
  tasks_.send_off(id);
  return id;
}

/// Thesis 7.4.3: the queue of the largest dependence; without one, the emptiest queue for small tasks. Sets
/// now_.before: the last task of each queue that this task must wait for.
int DeviceSection::choose_queue(const Task& task, const std::vector<Access>& uses) {
  now_.before.clear();
  if (!tasks_.several()) return 0;
  int best = -1;
  uintptr_t largest = 0;
  auto after = [&](EventId id, uintptr_t bytes) {
    if (!tasks_.pending(id)) return;
    const int q = TaskQueues::queue_of(id);
    if (best < 0 || bytes > largest) {
      best = q;
      largest = bytes;
    }
    for (EventId& b : now_.before) {
      if (TaskQueues::queue_of(b) != q) continue;
      b = std::max(b, id);
      return;
    }
    now_.before.push_back(id);
  };
  for (size_t k = 0; k < uses.size(); ++k) {
    const Range* r = now_.ranges[k];
    if (!r) continue;
    after(r->last_write, r->span.bytes());
    // Write after read: tasks that read the old elements must have ended.
    if (uses[k].written)
      for (EventId use : r->uses) after(use, r->span.bytes());
  }
  if (best >= 0) return best;
  return task.small ? tasks_.emptiest() : 0;
}

device::Grid DeviceSection::grid_of(const vr_kernel& kernel, const Loaded& loaded, const int64_t* counts,
                                    const vr_value* args) const {
  const auto size = [&] {
    if (kernel.team > 0) return team_size(kernel.dims, counts, kernel.team, kernel.points);
    if (kernel.points > 0) return covering_size(kernel.dims, counts, kernel.points, kernel.group, loaded.limits);
    if (kernel.points < 0) return private_size(kernel.dims, counts, kernel.points == VR_POINTS_SLICES, loaded.limits);
    if (kernel.groups_param < 0) return work_size(kernel.dims, counts, loaded.limits);
    return fold_size(args[kernel.groups_param].array->extent[0], loaded.limits);
  }();
  device::Grid grid;
  grid.dims = kernel.groups_param >= 0 ? 1 : kernel.dims;
  std::copy_n(size.global, 3, grid.global);
  std::copy_n(size.local, 3, grid.local);
  return grid;
}

void DeviceSection::need_host(const vr_array& array, bool write) {
  std::lock_guard lock(mutex_);
  const Span span = storage_span(array);
  if (!span.empty()) arrays_.need_host(span, write);
}

void DeviceSection::finish() {
  trace::Span span("OpenCL", "end of section");
  const std::unique_lock lock = lock_tasks();
  arrays_.finish();
  traced_.wait_all();
  releases_.release();
  touched_.clear();
}

void DeviceSection::sync() {
  const std::unique_lock lock = lock_tasks();
  arrays_.need_host({0, UINTPTR_MAX}, true);
  traced_.wait_all();
  touched_.clear();
}

std::optional<KernelFault> DeviceSection::fault() {
  std::lock_guard lock(mutex_);
  for (auto& [sites, f] : faults_) {
    if (!f.unread) continue;
    if (tasks_.several()) tasks_.wait_all();
    DeviceFault record;
    tasks_.queue(0).copy_down(*f.buffer, {0, &record, sizeof record});
    tasks_.ended(0);
    f.unread = false;
    if (record.code == 0) continue;
    f.set = true;
    const bool known = record.site >= 0 && record.site < f.site_count;
    return KernelFault{known ? sites + record.site : nullptr, record};
  }
  return std::nullopt;
}

std::string DeviceSection::product(Library& library, const vr_array& a, const vr_array& b, const vr_array& c) {
  return library.product(*this, a, b, c);
}

void DeviceSection::release_later(vr_owner* owner) {
  // The caller also holds the borrowed storage and releases it later; the owner stays in touched_, because the device
  // may still be using it.
  if (owner->borrowed) return vr_rt_release(owner);
  // Storage that the section has not used is released immediately.
  const auto block = reinterpret_cast<uintptr_t>(owner->storage);
  if (!owner->object && owner->storage) {
    std::unique_lock lock(mutex_);
    if (!arrays_.has({block, block + uintptr_t(owner->bytes)})) {
      touched_.erase(owner);
      lock.unlock();
      return vr_rt_release(owner);
    }
  }
  if (!Releases::is_last(owner)) return;
  std::lock_guard lock(mutex_);
  touched_.erase(owner);
  releases_.add(owner);
  if (!owner->object && owner->storage) {
    const auto start = reinterpret_cast<uintptr_t>(owner->storage);
    arrays_.mark_dead({start, start + uintptr_t(owner->bytes)});
  }
  if (!releases_.are_many(shared_.device.memory_limit)) return;
  tasks_.wait_all();
  arrays_.drop_dead();
  releases_.release();
}

}  // namespace vr::gpu
