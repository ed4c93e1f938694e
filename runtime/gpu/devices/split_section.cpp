#include "runtime/gpu/devices/split_section.hpp"

#include "runtime/cpu/sizes.hpp"
#include "runtime/gpu/library.hpp"
#include "runtime/gpu/on_host.hpp"
#include "support/trace.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace vr::gpu {

SplitSection::SplitSection(std::vector<Peer> peers) : peers_(std::move(peers)) {
  double all = 0;
  for (const Peer& p : peers_) {
    all += p.share;
    least_ = std::min(least_, int64_t(p.shared->device.full_items) / 8);
    max_offset_ = std::min(max_offset_, p.shared->device.info.limits.max_offset);
  }
  for (const Peer& p : peers_) {
    shares_.push_back(p.share / all);
    sections_.push_back(std::make_unique<DeviceSection>(*p.shared, true));
  }
  std::vector<Halos::Side> sides;
  for (size_t k = 0; k < peers_.size(); ++k)
    sides.push_back({&section(k).arrays(), peers_[k].shared->device.driver.get()});
  halos_ = std::make_unique<Halos>(std::move(sides));
  for (size_t k = 0; k < peers_.size(); ++k)
    section(k).arrays().on_home([this, k](Span span) {
      for (size_t j = 0; j < sections_.size(); ++j)
        if (j != k) section(j).arrays().wait_for_copies(span);
    });
}

SplitSection::~SplitSection() {
  halos_.reset();
  // Kept arrays go home while the sections end one after the other.
  for (const std::unique_ptr<DeviceSection>& s : sections_) {
    try {
      s->arrays().wait_for_copies({0, UINTPTR_MAX});
    } catch (const device::Failure&) {}  // it has ended as well
    s->arrays().on_home({});
  }
  sections_.clear();  // waits for the devices
  releases_.release();
}

namespace {

/// Whether the device runs a command at all.
bool works(device::Device& device) noexcept {
  try {
    constexpr size_t bytes = 64;
    const std::unique_ptr<device::Buffer> buffer = device.allocate(bytes);
    const std::unique_ptr<device::Queue> queue = device.make_queue(false);
    queue->fill(*buffer, 0, bytes, 0, nullptr);
    queue->finish();
    return true;
  } catch (const device::NoMemory&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

/// A device that does not work any more after a failure is noted: later sections do without it.
template <class Work>
void SplitSection::on(size_t device, Work&& work) {
  try {
    work(section(device));
  } catch (const NoRoom&) {
    throw;
  } catch (const device::Failure& f) {
    if (f.code == Code::Device && !works(*peers_[device].shared->device.driver)) *peers_[device].lost = true;
    throw;
  }
}

/// On each device, also if one fails; the first failure is thrown.
template <class Work>
void SplitSection::on_all(Work&& work) {
  std::exception_ptr first;
  for (size_t k = 0; k < sections_.size(); ++k) try {
      on(k, work);
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  if (first) std::rethrow_exception(first);
}

// ---------------------------------------------------------------- what devices exchange
/// Kept arrays are held on the first device before any other, so that no two sections wait for each other.
void SplitSection::hold(const vr_array& array) {
  if (const Span span = storage_span(array); !span.empty()) section(0).arrays().adopt(span);
}

/// The device is going to read the region: it gets blocks that are on their way, and what else others have alone goes
/// to host memory.
void SplitSection::bring(size_t device, const Region& needed) {
  Region lacking = section(device).arrays().lacking(needed);
  for (size_t k = 0; k < sections_.size() && !lacking.empty(); ++k) {
    if (k == device || !section(k).arrays().is_newer(lacking)) continue;
    halos_->receive(k, device, lacking);
    // As the upload will see it: what was received may not be told apart from the rest, and then comes from host memory
    // again.
    lacking = section(device).arrays().lacking(needed);
    if (lacking.empty() || !section(k).arrays().is_newer(lacking)) continue;
    on(k, [&](DeviceSection& s) { halos_->asked(k, s.arrays().send_home(lacking)); });
  }
}

/// After bring() for all regions of a launch: what a device has received for one, or another device's piece has
/// changed, may keep what the launch reads from being told apart, and would be copied from host memory.
void SplitSection::bring_home(size_t device, const Region& needed) {
  const Region lacking = section(device).arrays().lacking(needed);
  for (size_t k = 0; k < sections_.size() && !lacking.empty(); ++k)
    if (k != device && section(k).arrays().is_newer(lacking))
      on(k, [&](DeviceSection& s) { s.arrays().send_home(lacking); });
}

/// The device is going to change the region.
void SplitSection::announce(size_t device, const Region& written) {
  if (written.empty()) return;
  halos_->changed(hull_of(written));
  for (size_t k = 0; k < sections_.size(); ++k)
    if (k != device) on(k, [&](DeviceSection& s) { s.arrays().before_change(written); });
}

void SplitSection::changed(size_t device, const Region& written) {
  if (written.empty()) return;
  for (size_t k = 0; k < sections_.size(); ++k)
    if (k != device) section(k).arrays().changed(written);
}

// ---------------------------------------------------------------- launches
SplitSection::Known& SplitSection::split_of(const vr_kernel& kernel, const int64_t* counts, const vr_value* args) {
  const auto [at, is_new] = kernels_.try_emplace(&kernel);
  Kernel& k = at->second;
  if (is_new && kernel.accesses) {
    k.table = AccessTable::from(kernel.accesses);
    k.scalars = scalars_of(*k.table);
  }
  std::vector<int64_t> numbers;
  list_numbers(kernel, counts, args, k.scalars, numbers);
  for (int32_t p = 0; p < kernel.param_count; ++p) {
    if (kernel.params[p].kind != VR_PARAM_ARRAY) continue;
    numbers.push_back(int64_t(reinterpret_cast<uintptr_t>(args[p].array->data)));
    numbers.push_back(args[p].array->flags & VR_ARRAY_UNDEFINED);
  }
  for (Known& known : k.known)
    if (known.numbers == numbers) return known;
  const auto to_move = [&](const SplitPart& part) {
    int64_t sum = 0;
    ArrayTable& arrays = section(part.device).arrays();
    for (const PartUse& use : part.launch.uses)
      for (const Region* region : {&use.footprint.read, &use.footprint.write}) sum += bytes(arrays.lacking(*region));
    return sum;
  };
  constexpr size_t most = 16;
  if (k.known.size() >= most) k.known.pop_back();
  k.known.push_front({std::move(numbers),
                      plan_split(k.table ? &*k.table : nullptr, kernel, counts, args, shares_, least_, VR_FOLD_GROUP,
                                 max_offset_, to_move),
                      {},
                      0});
  return k.known.front();
}

/// Work of one device that uses arrays like this, in an order that is not known.
template <class Work>
void SplitSection::exclusive(size_t device, const std::vector<Footprint>& uses, Work&& work) {
  // Also what the device has received from others: to make room it may drop that, and a launch in chunks reads all from
  // host memory.
  for (const Footprint& f : uses)
    for (size_t k = 0; k < sections_.size(); ++k)
      if (k != device && section(k).arrays().is_newer(f.read))
        on(k, [&](DeviceSection& s) { s.arrays().send_home(f.read); });
  for (const Footprint& f : uses) announce(device, f.write);
  on(device, work);
  halos_->used_unknown(device);
  for (const Footprint& f : uses) changed(device, f.write);
}

EventId SplitSection::launch_whole(size_t device, const LaunchPart& part, vr_context& context, const vr_site* site,
                                   const vr_kernel& kernel, const int64_t* counts, const vr_value* args,
                                   bool* started) {
  std::vector<Footprint> uses;
  for (const PartUse& use : part.uses) {
    uses.push_back(use.footprint);
    // A launch in chunks writes host memory.
    for (size_t k = 0; k < sections_.size(); ++k)
      if (k != device && !use.footprint.write.empty()) section(k).arrays().wait_for_copies(use.hull);
  }
  EventId id = no_event;
  exclusive(device, uses, [&](DeviceSection& s) { id = s.launch(context, site, kernel, counts, args, started); });
  return id;
}

EventId SplitSection::launch(vr_context& context, const vr_site* site, const vr_kernel& kernel, const int64_t* counts,
                             const vr_value* args, bool* started) {
  trace::Span span("OpenCL", "launch on several devices");
  std::lock_guard lock(mutex_);
  if (kernel.dims < 1 || kernel.dims > 3 ||
      std::any_of(counts, counts + kernel.dims, [](int64_t n) { return n <= 0; })) {
    EventId id = no_event;
    on(0, [&](DeviceSection& s) { id = s.launch(context, site, kernel, counts, args, started); });
    return id;
  }
  for (int32_t p = 0; p < kernel.param_count; ++p)
    if (kernel.params[p].kind == VR_PARAM_ARRAY) hold(*args[p].array);
  Known& known = split_of(kernel, counts, args);
  const auto on_one = [&](size_t device, LaunchPart part) {  // a copy: the host may use the section meanwhile
    return launch_whole(device, part, context, site, kernel, counts, args, started);
  };
  const std::vector<SplitPart>& parts = known.split.parts;
  if (parts.size() == 1) {
    if (!known.split.why.empty() && context.on_host)
      context.on_host->add(site, "a kernel", known.split.why, "one device");
    return on_one(parts[0].device, parts[0].launch);
  }
  try {
    for (const SplitPart& part : parts)
      on(part.device, [&](DeviceSection& s) { s.prepare(kernel, args, part.launch); });
  } catch (const NoRoom&) {
    // The first device runs it in chunks.
    return on_one(0, whole_launch(nullptr, kernel, counts, args));
  }
  for (const SplitPart& part : parts)
    for (const PartUse& use : part.launch.uses) bring(part.device, use.footprint.read);
  for (const SplitPart& part : parts)
    for (const PartUse& use : part.launch.uses) announce(part.device, use.footprint.write);
  launch_parts(known, kernel, counts, args, started);
  ++peers_[0].shared->launches;
  ++peers_[0].shared->divided;
  return no_event;
}

/// Which blocks of each part other devices will want, as far as that is known from earlier launches.
void SplitSection::find_ends(Known& known, const vr_kernel& kernel, const int64_t* counts, const vr_value* args) {
  if (!known.ends.empty() && known.generation == halos_->generation()) return;
  known.generation = halos_->generation();
  known.ends.assign(known.split.parts.size(), {});
  for (size_t k = 0; k < known.ends.size(); ++k) {
    const SplitPart& part = known.split.parts[k];
    Ends& ends = known.ends[k];
    Region written;  // of the blocks
    for (const PartUse& use : part.launch.uses) {
      Region here = halos_->wanted(part.device, use.footprint.write);
      // What another part writes is still the old value when this one's blocks leave.
      std::erase_if(here, [&](const Lmad& block) {
        return std::any_of(known.split.parts.begin(), known.split.parts.end(), [&](const SplitPart& other) {
          return other.device != part.device &&
                 std::any_of(other.launch.uses.begin(), other.launch.uses.end(), [&](const PartUse& o) {
                   return o.hull.overlaps(block.hull()) && !apart(o.footprint.write, block);
                 });
        });
      });
      ends.blocks.insert(ends.blocks.end(), here.begin(), here.end());
      for (const Lmad& block : here)
        for (const Lmad& box : use.footprint.write)
          if (const std::optional<Lmad> both = meet(box, block)) written.push_back(*both);
    }
    if (const Kernel& own = kernels_.at(&kernel); own.table)
      ends.strips = plan_strips(*own.table, kernel, counts, args, part.launch, written);
  }
}

/// First what other devices wait for, on all devices, then the rest.
void SplitSection::launch_parts(Known& known, const vr_kernel& kernel, const int64_t* counts, const vr_value* args,
                                bool* started) {
  find_ends(known, kernel, counts, args);
  const auto launch = [&](size_t device, const LaunchPart& piece) {
    // Again: what an earlier piece has changed may not be told apart from what this device had.
    for (const PartUse& use : piece.uses) bring_home(device, use.footprint.read);
    on(device, [&](DeviceSection& s) { s.launch_part(kernel, counts, args, piece, started); });
    // At once: if a later piece fails, kept arrays must be right.
    for (const PartUse& use : piece.uses) changed(device, use.footprint.write);
  };
  const auto send = [&](size_t k) {
    const SplitPart& part = known.split.parts[k];
    if (!known.ends[k].blocks.empty())
      on(part.device, [&](DeviceSection&) { halos_->send(part.device, known.ends[k].blocks); });
  };
  for (size_t k = 0; k < known.ends.size(); ++k) {
    const std::vector<LaunchPart>& ends = known.ends[k].strips.ends;
    const size_t device = known.split.parts[k].device;
    for (const LaunchPart& end : ends) launch(device, end);
    for (const LaunchPart& end : ends) halos_->used(device, end.uses);
    if (!ends.empty()) send(k);
  }
  for (size_t k = 0; k < known.ends.size(); ++k) {
    const SplitPart& part = known.split.parts[k];
    const bool whole = known.ends[k].strips.ends.empty();
    const LaunchPart& piece = whole ? part.launch : known.ends[k].strips.rest;
    launch(part.device, piece);
    halos_->used(part.device, piece.uses);
    if (whole) send(k);
  }
}

EventId SplitSection::run(Task& task, const std::vector<Access>& uses) {
  std::lock_guard lock(mutex_);
  for (const Access& use : uses) hold(*use.array);
  std::vector<Footprint> all;
  for (const Access& use : uses) all.push_back(whole_footprint(*use.array, use.written, use.fresh));
  EventId id = no_event;
  exclusive(0, all, [&](DeviceSection& s) { id = s.run(task, uses); });
  return id;
}

namespace {

/// The bytes as an array.
vr_array array_of(Span bytes, vr_owner* owner) {
  vr_array a = {};
  a.data = reinterpret_cast<void*>(bytes.lo);
  a.owner = owner;
  a.elem = VR_BOOL;
  a.rank = 1;
  a.extent[0] = int64_t(bytes.bytes());
  a.stride[0] = 1;
  return a;
}

/// The rows of a dense array along its outermost dimension, divided in proportion to the shares.
std::vector<Span> divide_rows(const vr_array& a, const std::vector<double>& shares) {
  const Span all = storage_span(a);
  int64_t rows = 1, largest = 0;
  for (int32_t d = 0; d < a.rank; ++d)
    if (a.extent[d] > 1 && std::abs(a.stride[d]) > largest) {
      largest = std::abs(a.stride[d]);
      rows = a.extent[d];
    }
  std::vector<Span> parts;
  double done = 0;
  uintptr_t lo = all.lo;
  for (size_t k = 0; k < shares.size(); ++k) {
    done += shares[k];
    // Not in the middle of an element, whatever the array's type.
    constexpr uintptr_t whole = 16;
    const uintptr_t bytes = uintptr_t(std::llround(double(rows) * done)) * (all.bytes() / uintptr_t(rows));
    const uintptr_t hi = k + 1 == shares.size() ? all.hi : std::max(lo, all.lo + bytes / whole * whole);
    parts.push_back({lo, hi});
    lo = hi;
  }
  return parts;
}

}  // namespace

/// Each device copies what it has; what none has is divided by rows.
EventId SplitSection::copy(const vr_array& from, const vr_array& to) {
  std::lock_guard lock(mutex_);
  const Span source = storage_span(from), target = storage_span(to);
  if (!is_dense(from) || !is_dense(to) || source.bytes() != target.bytes() || source.overlaps(target))
    return section(0).copy(from, to);  // refuses them
  if (source.empty()) return no_event;
  hold(from);
  hold(to);
  std::vector<std::pair<size_t, Lmad>> pieces;
  Region left = {box_of(source)};
  const auto give = [&](size_t device, const Lmad& box) {
    for (const Lmad& l : left)
      if (const std::optional<Lmad> both = meet(l, box); both && both->dense()) pieces.emplace_back(device, *both);
    left = missing(left, {box});
  };
  for (size_t k = 0; k < sections_.size(); ++k)
    for (const Lmad& box : section(k).arrays().dense_parts(source)) give(k, box);
  const std::vector<Span> rows = divide_rows(from, shares_);
  for (size_t k = 0; k < rows.size(); ++k)
    if (!rows[k].empty()) give(k, box_of(rows[k]));
  for (const auto& [k, box] : pieces) {
    const Span bytes = box.hull();
    const vr_array a = array_of(bytes, from.owner);
    const vr_array b = array_of({target.lo + (bytes.lo - source.lo), target.lo + (bytes.hi - source.lo)}, to.owner);
    exclusive(k, {whole_footprint(a, false, false), whole_footprint(b, true, true)},
              [&](DeviceSection& s) { s.copy(a, b); });
  }
  return no_event;
}

std::string SplitSection::product(Library&, const vr_array& a, const vr_array& b, const vr_array& c) {
  std::lock_guard lock(mutex_);
  for (const vr_array* x : {&a, &b, &c}) hold(*x);
  // Panels of whole rows, or of whole columns if those are further apart in memory. A panel of a vector is a part of
  // it.
  const bool rows = a.rank == 2 && (c.rank == 1 || c.stride[0] >= c.stride[1]);
  const int32_t cut = rows || c.rank == 1 ? 0 : 1;
  constexpr int64_t least_rows = 64;
  const int64_t n = c.extent[cut];
  std::string why;
  double done = 0;
  int64_t lo = 0;
  const bool divided = n >= least_rows * int64_t(shares_.size());
  for (size_t k = 0; k < shares_.size() && lo < n && why.empty(); ++k) {
    done += shares_[k];
    const bool last = !divided || k + 1 == shares_.size();
    constexpr int64_t tile = 16;
    const int64_t hi = last ? n : std::min<int64_t>(n, std::llround(double(n / tile) * done) * tile);
    if (hi <= lo) continue;
    const auto panel = [&](vr_array x, int32_t dim) {
      x.data = static_cast<char*>(x.data) + lo * x.stride[dim];
      x.extent[dim] = hi - lo;
      return x;
    };
    const vr_array left = rows && divided ? panel(a, 0) : a, right = rows || !divided ? b : panel(b, b.rank - 1);
    const vr_array result = divided ? panel(c, cut) : c;
    exclusive(k,
              {whole_footprint(left, false, false), whole_footprint(right, false, false),
               whole_footprint(result, true, true)},
              [&](DeviceSection& s) { why = peers_[k].library->product(s, left, right, result); });
    lo = hi;
  }
  if (divided && why.empty()) ++peers_[0].shared->divided;
  return why;
}

// ---------------------------------------------------------------- the rest is done on every device
void SplitSection::wait(EventId) { settle(); }

void SplitSection::settle() {
  std::lock_guard lock(mutex_);
  on_all([](DeviceSection& s) { s.settle(); });
}

void SplitSection::mark_dead(const vr_array& array) {
  std::lock_guard lock(mutex_);
  halos_->changed(storage_span(array));
  on_all([&](DeviceSection& s) { s.mark_dead(array); });
}

void SplitSection::bring_all() {
  std::lock_guard lock(mutex_);
  on_all([](DeviceSection& s) { s.bring_all(); });
}

void SplitSection::need_host(const vr_array& array, bool write) {
  std::lock_guard lock(mutex_);
  const Span span = storage_span(array);
  if (span.empty()) return;
  on_all([&](DeviceSection& s) { s.arrays().adopt(span); });
  // The host may write what copies to the devices read; copies from another device wait for them themselves (on_home).
  if (write) on_all([&](DeviceSection& s) { s.arrays().wait_for_copies(span); });
  if (write) halos_->changed(span);
  on_all([&](DeviceSection& s) { s.need_host(array, write); });
}

void SplitSection::finish() {
  std::lock_guard lock(mutex_);
  halos_->clear();
  on_all([](DeviceSection& s) { s.settle(); });
  on_all([](DeviceSection& s) { s.arrays().wait_for_copies({0, UINTPTR_MAX}); });
  // The first device is the last one to give up the kept arrays: whoever holds its own holds all.
  std::exception_ptr first;
  for (size_t k = sections_.size(); k-- > 0;) try {
      on(k, [](DeviceSection& s) { s.finish(); });
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  release_all();
  if (first) std::rethrow_exception(first);
}

void SplitSection::sync() {
  std::lock_guard lock(mutex_);
  halos_->clear();
  on_all([](DeviceSection& s) { s.arrays().adopt(Kept::everything); });
  on_all([](DeviceSection& s) { s.arrays().wait_for_copies({0, UINTPTR_MAX}); });
  on_all([](DeviceSection& s) { s.sync(); });
}

std::optional<KernelFault> SplitSection::fault() {
  std::lock_guard lock(mutex_);
  std::optional<KernelFault> found;
  on_all([&](DeviceSection& s) {
    std::optional<KernelFault> here = s.fault();
    if (!found) found = std::move(here);
  });
  return found;
}

void SplitSection::release_later(vr_owner* owner) {
  if (owner->borrowed) return vr_rt_release(owner);
  std::unique_lock lock(mutex_);
  const auto start = reinterpret_cast<uintptr_t>(owner->storage);
  const Span block = {start, start + uintptr_t(owner->bytes)};
  const bool is_block = !owner->object && owner->storage;
  if (is_block && std::none_of(sections_.begin(), sections_.end(), [&](auto& s) { return s->arrays().has(block); })) {
    for (auto& s : sections_) s->forget(owner);
    lock.unlock();
    return vr_rt_release(owner);
  }
  if (!Releases::is_last(owner)) return;
  releases_.add(owner);
  if (is_block) {
    halos_->changed(block);
    on_all([&](DeviceSection& s) { s.arrays().mark_dead(block); });
  }
  if (!releases_.are_many(peers_[0].shared->device.memory_limit)) return;
  on_all([](DeviceSection& s) {
    s.settle();
    s.arrays().drop_dead();
  });
  release_all();
}

void SplitSection::release_all() {
  for (vr_owner* owner : releases_.take()) {
    for (auto& s : sections_) s->forget(owner);
    vr_rt_release(owner);
  }
}

}  // namespace vr::gpu
