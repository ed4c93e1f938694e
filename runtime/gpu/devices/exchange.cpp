// What tables of arrays do for sections on several devices: one device's newer bytes become another's through host
// memory.
#include "runtime/gpu/arrays.hpp"

#include "runtime/gpu/kept.hpp"

#include <algorithm>

#include "support/trace.hpp"

namespace vr::gpu {
namespace {

/// Both boxes restricted. `common`: the bytes of both; `rest`: those of `a` alone. False: they cannot be told apart.
bool divide(const Lmad& a, const Lmad& b, Lmad& common, Region& rest) {
  const size_t before = rest.size();
  const std::optional<Lmad> both = meet(a, b);
  if (!both) return false;
  subtract(a, b, rest);
  int64_t left = 0;
  for (size_t k = before; k < rest.size(); ++k) left += rest[k].bytes();
  if (left + both->bytes() == a.bytes()) {
    common = *both;
    return true;
  }
  rest.resize(before);
  return false;
}

/// The bytes of `from` that are in `region` are moved to `taken`; boxes that cannot be divided are moved as they are.
void take(Region& from, const Region& region, Region& taken) {
  for (const Lmad& box : region) {
    if (apart(from, box)) continue;
    Region left;
    for (const Lmad& a : from) {
      Lmad common;
      if (apart(a, box))
        left.push_back(a);
      else
        taken.push_back(divide(a, box, common, left) ? common : a);
    }
    std::swap(from, left);
  }
}

/// As take(), for bytes that are copied: a part of a box that cannot be divided is taken alone, and stays listed.
void take_copies(Region& from, const Region& region, Region& taken) {
  Region inside, others;
  for (const Lmad& box : region) {
    Lmad common;
    Region rest;
    const bool part = std::any_of(from.begin(), from.end(),
                                  [&](const Lmad& a) { return contains(a, box) && !divide(a, box, common, rest); });
    (part ? inside : others).push_back(box);
  }
  take(from, others, taken);
  for (const Lmad& box : inside)
    if (!apart(from, box)) taken.push_back(box);
}

}  // namespace

bool ArrayTable::is_newer(const Region& region) {
  if (ranges_.empty() && !kept_.any()) return false;
  for (const Lmad& box : region) {
    const Span hull = box.hull();
    adopt(hull);
    for (auto it = first_overlap(hull); it != ranges_.end() && it->second.span.overlaps(hull); ++it)
      if (!it->second.host_fresh && !it->second.dead && !apart(it->second.written, box)) return true;
  }
  return false;
}

Region ArrayTable::send_home(const Region& region) {
  Region sent;
  const Span all = hull_of(region);
  for (auto it = first_overlap(all); it != ranges_.end() && it->second.span.overlaps(all); ++it) {
    Range& r = it->second;
    if (r.host_fresh || r.dead) continue;
    Region taken;
    take_copies(r.written, region, taken);
    if (taken.empty()) continue;
    trace::Span span("OpenCL", "send home");
    copies_.wait(r.upload);
    if (before_home_) before_home_(hull_of(taken));
    const int q = r.last_write == no_event ? 0 : TaskQueues::queue_of(r.last_write);
    try {
      span.note("bytes", transfers_.down(tasks_.queue(q), *r.buffer, r.base, taken));
    } catch (...) {
      for (const Lmad& box : taken) add(r.written, box);
      throw;
    }
    tasks_.ended(q);
    if (r.written.empty()) r.host_fresh = true;
    sent.insert(sent.end(), taken.begin(), taken.end());
  }
  return sent;
}

Region ArrayTable::lacking(const Region& region) {
  const Span all = hull_of(region);
  if (all.empty()) return {};
  adopt(all);
  Region left = region;
  for (auto it = first_overlap(all); it != ranges_.end() && it->second.span.overlaps(all) && !left.empty(); ++it) {
    const Range& r = it->second;
    left = missing(left, r.device_fresh ? Region{box_of(r.span)} : r.valid);
  }
  return left;
}

device::EventPtr ArrayTable::mark() { return tasks_.several() ? nullptr : tasks_.mark(0); }

void ArrayTable::start_copies_out(std::span<CopyOut> copies) {
  bool started = false;
  for (CopyOut& c : copies) {
    auto it = first_overlap(c.block);
    if (it == ranges_.end() || !it->second.span.contains(c.block) || !lacking({box_of(c.block)}).empty()) continue;
    if (!started) {
      const device::EventPtr tasks = mark();
      if (!tasks) return;
      if (!out_) out_ = pool_.take_queue();
      device::Event* const waits[] = {tasks.get()};
      out_->barrier(waits);
      started = true;
    }
    const Range& r = it->second;
    out_->start_copy_down(*r.buffer, {c.block.lo - r.base, c.to, c.block.bytes()}, &c.copied);
    transfers_.count_down(int64_t(c.block.bytes()));
  }
  if (started) out_->flush();
}

device::EventPtr ArrayTable::start_copy_in(Span block, const void* from, bool ordered, device::Event* last) {
  auto it = first_overlap(block);
  if (it == ranges_.end() || !it->second.span.contains(block) || it->second.in_place) return nullptr;
  Range& r = it->second;
  const Lmad box = box_of(block);
  if (!apart(r.written, box)) return nullptr;
  if (!ordered || r.taken_over) {
    wait_for_uses(r);
  } else if (last && !last->ended()) {
    device::Event* const waits[] = {last};
    transfer_.barrier(waits);
  }
  device::EventPtr copied;
  transfer_.copy_up(*r.buffer, {block.lo - r.base, from, block.bytes()}, &copied);
  transfers_.count_up(int64_t(block.bytes()));
  r.upload = copies_.add(copied, "copy from another device");
  r.upload_seen = 0;
  now_valid(r, box);
  return copied;
}

void ArrayTable::before_change(const Region& region) {
  const Span all = hull_of(region);
  if (all.empty()) return;
  adopt(all);
  Region together;
  for (auto it = first_overlap(all); it != ranges_.end() && it->second.span.overlaps(all); ++it) {
    if (it->second.host_fresh || it->second.dead) continue;
    for (const Lmad& a : it->second.written)
      for (const Lmad& box : region) {
        Lmad common;
        Region rest;
        if (!apart(a, box) && !divide(a, box, common, rest)) together.push_back(a);
      }
  }
  if (!together.empty()) send_home(together);
}

void ArrayTable::changed(const Region& region) {
  const Span all = hull_of(region);
  if (all.empty()) return;
  for (auto it = first_overlap(all); it != ranges_.end() && it->second.span.overlaps(all); ++it) {
    Range& r = it->second;
    if (r.device_fresh) {
      r.device_fresh = false;
      r.valid = {box_of(r.span)};
    }
    Region stale;
    take(r.valid, region, stale);
    r.overtaken |= !stale.empty();
    if (r.host_fresh) continue;
    stale.clear();
    take(r.written, region, stale);
    if (r.written.empty()) r.host_fresh = true;
    // Boxes that could not be divided may have contained these.
    for (const Lmad& box : r.written) now_valid(r, box);
  }
}

void ArrayTable::wait_for_copies(Span span) {
  for (auto it = first_overlap(span); it != ranges_.end() && it->second.span.overlaps(span); ++it)
    copies_.wait(it->second.upload);
}

Region ArrayTable::dense_parts(Span span) {
  adopt(span);
  Region parts;
  for (auto it = first_overlap(span); it != ranges_.end() && it->second.span.overlaps(span); ++it) {
    const Range& r = it->second;
    const Region all = r.device_fresh ? Region{box_of(r.span)} : r.valid;
    for (const Lmad& box : all)
      if (box.dense() && box.hull().overlaps(span)) parts.push_back(*meet(box, box_of(span)));
  }
  return parts;
}

/// A range that has grown: what the device has of the old one is copied there.
void ArrayTable::take_elements(Range& to, Range& from) {
  Region all = from.device_fresh ? Region{box_of(from.span)} : from.valid;
  for (const Lmad& box : missing(from.written, all)) all.push_back(box);
  copies_.wait(from.upload);
  device::Queue& queue = tasks_.queue(0);
  for (const Lmad& box : all) {
    const Span hull = box.hull();
    queue.copy(*from.buffer, hull.lo - from.base, *to.buffer, hull.lo - to.base, hull.bytes(), {}, nullptr);
  }
  queue.finish();
  tasks_.ended(0);
  for (const Lmad& box : all) now_valid(to, box);
  for (const Lmad& box : from.written) add(to.written, box);
  to.host_fresh &= from.host_fresh;
}

}  // namespace vr::gpu
