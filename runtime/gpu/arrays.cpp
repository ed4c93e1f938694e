#include "runtime/gpu/arrays.hpp"

#include "runtime/gpu/kept.hpp"

#include <algorithm>
#include <memory>

#include "support/trace.hpp"

namespace vr::gpu {
namespace {

/// A list that has become longer than this is shortened: the listed elements are then copied to the device again.
constexpr size_t most_valid = 256;

void note_use(Range& r, EventId task) {
  for (EventId& use : r.uses) {
    if (TaskQueues::queue_of(use) != TaskQueues::queue_of(task)) continue;
    use = task;
    return;
  }
  r.uses.push_back(task);
}

/// The bytes of `part` that the device alone has; empty: none. No value: it is better, or necessary, to fetch all.
std::optional<Region> newest_of_part(const Range& r, Span part) {
  // Below the first number a copy takes as long as that of one byte. Who reads many parts will read most of the range.
  constexpr size_t small_range = 1 << 16;
  constexpr int most_parts = 8;
  if (r.in_place || part.contains(r.span) || r.parts_fetched >= most_parts || hull_of(r.written).bytes() <= small_range)
    return {};
  const Lmad wanted = box_of({std::max(part.lo, r.span.lo), std::min(part.hi, r.span.hi)});
  if (apart(r.written, wanted)) return Region{};
  if (uintptr_t(wanted.run) > small_range || !missing({wanted}, r.written).empty()) return {};
  return Region{wanted};
}

}  // namespace

ArrayTable::Map::iterator ArrayTable::first_overlap(const Span& s) {
  auto it = ranges_.upper_bound(s.lo);
  if (it != ranges_.begin()) {
    auto before = std::prev(it);
    if (before->second.span.overlaps(s)) return before;
  }
  return it != ranges_.end() && it->second.span.overlaps(s) ? it : ranges_.end();
}

Range& ArrayTable::at(Span span) { return first_overlap(span)->second; }

/// Moves the kept arrays that overlap the span into this table.
void ArrayTable::adopt(Span span) {
  if (!kept_.any()) return;
  kept_.hold(this, span);
  for (Range& r : kept_.take(this, span)) {
    const uintptr_t lo = r.span.lo;
    ranges_.emplace(lo, std::move(r));
  }
}

void ArrayTable::cover(Span span, const std::vector<Span>& wanted) {
  if (kept_.any()) {
    adopt(span);
    // If the span is a part of a kept array, the whole array is put on the device.
    if (const std::optional<Span> whole = kept_.around(span)) span = *whole;
  }
  Span joined = span;
  std::vector<Range> parts;
  for (auto it = first_overlap(span); it != ranges_.end() && it->second.span.overlaps(span);) {
    Range& r = it->second;
    if (r.span.contains(span)) return;
    joined = {std::min(joined.lo, r.span.lo), std::max(joined.hi, r.span.hi)};
    wait_for_uses(r);
    if (one_of_several_ && !r.dead) {
      parts.push_back(std::move(r));
    } else {
      fetch(r);
      drop(r);
    }
    it = ranges_.erase(it);
  }
  Range r;
  r.span = joined;
  r.in_place = device_.info.zero_copy;
  if (r.in_place) {
    r.base = joined.lo;
    r.buffer = pool_.wrap_host(reinterpret_cast<void*>(joined.lo), joined.bytes());
    r.device_fresh = true;
  } else {
    r.base = joined.lo & ~(buffer_alignment - 1);
    try {
      take_buffer(r, joined.hi - r.base, wanted);
      for (Range& part : parts) take_elements(r, part);
    } catch (...) {
      for (Range& part : parts) {
        const uintptr_t lo = part.span.lo;
        ranges_.emplace(lo, std::move(part));
      }
      // Copies to it may have been enqueued.
      if (r.buffer) pool_.give_buffer(std::move(r.buffer), r.capacity, false);
      throw;
    }
    for (Range& part : parts) drop(part);
  }
  ranges_.emplace(joined.lo, std::move(r));
}

void ArrayTable::take_buffer(Range& r, size_t bytes, const std::vector<Span>& wanted) {
  if (take_over(r, bytes)) return;
  while (true) {
    r.buffer = pool_.take_buffer(bytes, &r.capacity);
    if (r.buffer) return;
    if (!make_room(wanted)) pool_.no_room(bytes);
  }
}

/// Reuses the buffer of a dead array: tasks that write the new array must wait for tasks that still use the old one.
bool ArrayTable::take_over(Range& r, size_t bytes) {
  const size_t wanted = pool_.capacity_of(bytes);
  for (auto it = ranges_.begin(); it != ranges_.end(); ++it) {
    Range& old = it->second;
    if (!old.dead || old.in_place || old.capacity != wanted || copies_.get(old.upload)) continue;
    r.buffer = std::move(old.buffer);
    r.capacity = old.capacity;
    r.uses = std::move(old.uses);
    r.last_write = old.last_write;
    r.taken_over = true;
    ranges_.erase(it);
    return true;
  }
  return false;
}

/// Returns true if something was freed.
bool ArrayTable::make_room(const std::vector<Span>& wanted) {
  tasks_.wait_all();
  const size_t before = ranges_.size();
  drop_dead();
  if (ranges_.size() < before) return true;
  for (auto it = ranges_.begin(); it != ranges_.end(); ++it) {
    Range& r = it->second;
    if (r.in_place || std::any_of(wanted.begin(), wanted.end(), [&](const Span& s) { return s.overlaps(r.span); }))
      continue;
    fetch(r);
    drop(r);
    ranges_.erase(it);
    return true;
  }
  // Also frees kept arrays that no section uses.
  const size_t mine = ranges_.size();
  adopt(Kept::everything);
  return ranges_.size() > mine || evict_idle();
}

/// Synchronises and frees the arrays of a group that no section holds; false: there is none.
bool ArrayTable::evict_idle() {
  if (!kept_.any()) return false;
  int64_t group = 0;
  std::vector<uintptr_t> taken;
  for (Range& r : kept_.take_idle(this, &group)) {
    taken.push_back(r.span.lo);
    ranges_.emplace(taken.back(), std::move(r));
  }
  for (const uintptr_t lo : taken) {
    const auto it = ranges_.find(lo);
    fetch(it->second);
    drop(it->second);
    ranges_.erase(it);
  }
  if (!taken.empty()) kept_.let_go(this, group);
  return !taken.empty();
}

void ArrayTable::mark_dead(Span span) {
  for (auto it = first_overlap(span); it != ranges_.end() && it->second.span.overlaps(span); ++it)
    if (span.contains(it->second.span)) it->second.dead = true;
}

void ArrayTable::let_go(Span span) {
  mark_dead(span);
  for (auto it = first_overlap(span); it != ranges_.end() && it->second.span.overlaps(span); ++it) {
    copies_.wait(it->second.upload);
    if (it->second.in_place) wait_for_uses(it->second);
  }
}

void ArrayTable::drop_dead() {
  for (auto it = ranges_.begin(); it != ranges_.end();) {
    Range& r = it->second;
    if (!r.dead) {
      ++it;
      continue;
    }
    copies_.wait(r.upload);
    wait_for_uses(r);
    drop(r);
    it = ranges_.erase(it);
  }
}

void ArrayTable::ready_in_place(Range& r) {
  unmap(r);
  r.device_fresh = true;
}

void ArrayTable::ready_for_task(Range& r, const Region& need) {
  if (r.device_fresh || need.empty()) return;
  const Region more = missing(need, r.valid);
  if (more.empty()) return;
  Region avoid = r.written;
  if (one_of_several_) avoid.insert(avoid.end(), r.valid.begin(), r.valid.end());
  const UploadPlan plan = plan_upload(more, avoid, transfers_.rates);
  // Bytes of host memory must not replace newer ones on the device (of boxes that could not be compared).
  if (!r.host_fresh &&
      std::any_of(plan.copied.begin(), plan.copied.end(), [&](const Lmad& box) { return !apart(r.written, box); }))
    fetch(r);
  upload(r, plan);
  for (const Lmad& box : one_of_several_ ? more : plan.copied) now_valid(r, box);
  // A copy whose gaps were filled may have no frame with the boxes that were asked for, and be asked for again.
  if (!r.device_fresh && !missing(need, r.valid).empty())
    for (const Lmad& box : more) now_valid(r, box);
}

void now_valid(Range& r, const Lmad& box) {
  if (r.device_fresh) return;
  add(r.valid, box);
  r.device_fresh = std::any_of(r.valid.begin(), r.valid.end(),
                               [&](const Lmad& v) { return v.dense() && v.hull().contains(r.span); });
  if (r.device_fresh)
    r.valid.clear();
  else if (r.valid.size() > most_valid)
    r.valid.erase(r.valid.begin());
}

void ArrayTable::upload(Range& r, const UploadPlan& plan) {
  trace::Span span("OpenCL", "copy to the device");
  // Tasks may still read what the buffer had before: another array, or elements that another device has changed since.
  if (r.taken_over || r.overtaken) wait_for_uses(r);
  r.overtaken = false;
  Copies::Sent sent = transfers_.up(transfer_, *r.buffer, r.base, plan);
  r.upload = copies_.add(std::move(sent.last), "copy to the device");
  r.upload_seen = 0;
  span.note("bytes", sent.bytes);
}

void ArrayTable::wait_for_uses(const Range& r) {
  for (EventId use : r.uses) tasks_.wait(use);
}

void ArrayTable::used(Range& r, EventId task, bool written) {
  note_use(r, task);
  if (!written) return;
  r.parts_fetched = 0;
  r.last_write = task;
  if (r.in_place) r.host_fresh = false;
}

void ArrayTable::wrote(Range& r, const Region& written) {
  if (!written.empty()) r.host_fresh = false;
  for (const Lmad& box : written) {
    add(r.written, box);
    now_valid(r, box);
  }
}

/// Copies the newest elements to host memory, at least those in `part`. Tasks that write the range must have been
/// enqueued; waits for them.
void ArrayTable::fetch(Range& r, Span part) {
  copies_.wait(r.upload);
  if (r.host_fresh || r.dead) return;
  const std::optional<Region> few = newest_of_part(r, part);
  if (few && few->empty()) return;
  if (before_home_) before_home_(r.in_place ? r.span : hull_of(few ? *few : r.written));
  trace::Span span("OpenCL", "bring back");
  if (r.in_place) {
    span.note("bytes", static_cast<int64_t>(r.span.bytes()));
    tasks_.wait(r.last_write);
    map(r);
  } else {
    // The queue of the last task that wrote the range, which saves waiting for that task separately.
    const int q = r.last_write == no_event ? 0 : TaskQueues::queue_of(r.last_write);
    span.note("bytes", transfers_.down(tasks_.queue(q), *r.buffer, r.base, few ? *few : r.written));
    tasks_.ended(q);
  }
  if (few) {
    ++r.parts_fetched;
    return;
  }
  r.host_fresh = true;
  r.written.clear();
}

void ArrayTable::map(Range& r) { r.mapped = tasks_.queue(0).map(*r.buffer, r.span.bytes()); }

void ArrayTable::unmap(Range& r) {
  if (!r.mapped) return;
  tasks_.queue(0).unmap(*r.buffer, r.mapped);
  r.mapped = nullptr;
  // Tasks of other queues must wait for this.
  r.last_write = tasks_.add(0);
  note_use(r, r.last_write);
  tasks_.send_off(r.last_write);
}

void ArrayTable::need_host(Span span, bool write) {
  adopt(span);
  for (auto it = first_overlap(span); it != ranges_.end() && it->second.span.overlaps(span); ++it) {
    Range& r = it->second;
    fetch(r, write ? r.span : span);
    if (!write) continue;
    wait_for_uses(r);
    r.device_fresh = false;
    r.valid.clear();
    if (r.in_place && !r.mapped) map(r);
  }
}

void ArrayTable::evict_all() {
  adopt(Kept::everything);
  while (evict_idle()) {}
  copies_.wait_all();
  tasks_.wait_all();
  for (auto it = ranges_.begin(); it != ranges_.end();) {
    Range& r = it->second;
    if (r.in_place) {
      ++it;
      continue;
    }
    fetch(r);
    drop(r);
    it = ranges_.erase(it);
  }
}

void ArrayTable::bring_all() {
  copies_.wait_all();
  tasks_.wait_all();
  for (auto& [lo, r] : ranges_) fetch(r);
}

void ArrayTable::finish() {
  copies_.wait_all();
  tasks_.wait_all();
  for (auto it = ranges_.begin(); it != ranges_.end();) {
    if (kept_.any() && kept_.put(it->second)) {
      it = ranges_.erase(it);
      continue;
    }
    fetch(it->second);
    ++it;
  }
  discard(true);
}

void ArrayTable::discard(bool idle) {
  const bool keeps = kept_.held_by(this);
  for (auto& [lo, r] : ranges_) {
    if (keeps && !r.host_fresh && !r.dead && kept_.overlaps(r.span)) {
      try {
        if (!idle) throw device::Failure{};
        fetch(r);
      } catch (const device::Failure&) {
        kept_.lose(r.span);
      }
    }
    drop(r, idle);
  }
  ranges_.clear();
  if (out_ && finished(*out_) && idle) pool_.give_queue(std::move(out_));
  if (keeps) kept_.let_go(this);
}

/// The tasks of the range have ended; its buffer is returned to the pool.
void ArrayTable::drop(Range& r, bool idle) {
  if (r.mapped) {
    try {
      tasks_.queue(0).unmap(*r.buffer, r.mapped);
    } catch (const device::Failure&) {}
    r.mapped = nullptr;
    finished(tasks_.queue(0));  // the memory may be freed as soon as this function returns
  }
  // Blocks on their way to other devices are read from the buffer.
  if (out_ && !r.in_place) idle = finished(*out_) && idle;
  if (r.in_place)
    pool_.destroyed();
  else
    pool_.give_buffer(std::move(r.buffer), r.capacity, idle);
}

}  // namespace vr::gpu
