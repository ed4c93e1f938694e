#include "runtime/gpu/kept.hpp"

namespace vr::gpu {

Kept::~Kept() {
  for (auto& [lo, a] : arrays_)
    if (a.range && !a.range->in_place) pool_.give_buffer(std::move(a.range->buffer), a.range->capacity);
}

Kept::Map::iterator Kept::first(Span s) {
  auto it = arrays_.upper_bound(s.lo);
  if (it != arrays_.begin() && std::prev(it)->second.span.overlaps(s)) return std::prev(it);
  return it != arrays_.end() && it->second.span.overlaps(s) ? it : arrays_.end();
}

bool Kept::overlaps(Span span) const {
  std::lock_guard lock(mutex_);
  return first(span) != arrays_.end();
}

void Kept::add(Span span, int64_t group) {
  std::lock_guard lock(mutex_);
  if (auto it = first(span); it != arrays_.end()) {
    if (it->second.span.lo != span.lo || it->second.span.hi != span.hi)
      throw device::Failure{Code::Usage, "the array overlaps another array that resides on the device"};
    ++it->second.times;
    return;
  }
  Array a;
  a.span = span;
  a.group = group;
  arrays_.emplace(span.lo, std::move(a));
  ++count_;
}

bool Kept::add_again(Span span, int64_t group) {
  std::lock_guard lock(mutex_);
  auto it = arrays_.find(span.lo);
  if (it == arrays_.end() || it->second.span.hi != span.hi || it->second.group != group) return false;
  ++it->second.times;
  return true;
}

bool Kept::remove(Span span) {
  std::lock_guard lock(mutex_);
  auto it = arrays_.find(span.lo);
  if (it == arrays_.end() || it->second.span.hi != span.hi) return false;
  if (--it->second.times > 0) return true;
  arrays_.erase(it);
  --count_;
  return true;
}

bool Kept::forget(Span span) {
  std::lock_guard lock(mutex_);
  auto it = arrays_.find(span.lo);
  if (it == arrays_.end() || it->second.span.hi != span.hi) return false;
  if (--it->second.times > 0) return true;
  if (std::optional<Range>& r = it->second.range) pool_.give_buffer(std::move(r->buffer), r->capacity);
  arrays_.erase(it);
  --count_;
  return true;
}

std::optional<Span> Kept::around(Span span) const {
  std::lock_guard lock(mutex_);
  auto it = first(span);
  if (it == arrays_.end() || !it->second.span.contains(span)) return {};
  return it->second.span;
}

void Kept::hold(const void* holder, Span span) {
  std::unique_lock lock(mutex_);
  const bool all = span.lo == everything.lo && span.hi == everything.hi;
  // The arrays may change while this waits.
  const auto held_by_others = [&] {
    for (auto it = first(span); it != arrays_.end() && it->second.span.overlaps(span); ++it) {
      if (all && it->second.group != 0) continue;
      const auto found = holders_.find(it->second.group);
      if (found != holders_.end() && found->second != holder) return true;
    }
    return false;
  };
  if (first(span) == arrays_.end()) return;
  free_.wait(lock, [&] { return !held_by_others(); });
  for (auto it = first(span); it != arrays_.end() && it->second.span.overlaps(span); ++it) {
    if (all && it->second.group != 0) continue;
    holders_[it->second.group] = holder;
    if (!it->second.lost) continue;
    // Reported once; afterwards the host's elements are the valid ones.
    it->second.lost = false;
    throw device::Failure{Code::Device,
                          "elements of an array that resided on the device were lost when the device failed"};
  }
}

std::vector<Range> Kept::take_idle(const void* holder, int64_t* group) {
  std::lock_guard lock(mutex_);
  std::vector<Range> ranges;
  for (auto& [lo, a] : arrays_) {
    if (!a.range || (ranges.empty() ? holders_.count(a.group) != 0 : a.group != *group)) continue;
    *group = a.group;
    ranges.push_back(std::move(*a.range));
    a.range.reset();
  }
  if (!ranges.empty()) holders_[*group] = holder;
  return ranges;
}

void Kept::let_go(const void* holder, int64_t group) {
  {
    std::lock_guard lock(mutex_);
    const auto it = holders_.find(group);
    if (it == holders_.end() || it->second != holder) return;
    holders_.erase(it);
  }
  free_.notify_all();
}

void Kept::let_go(const void* holder) {
  {
    std::lock_guard lock(mutex_);
    if (std::erase_if(holders_, [&](const auto& h) { return h.second == holder; }) == 0) return;
  }
  free_.notify_all();
}

bool Kept::held_by(const void* holder) const {
  std::lock_guard lock(mutex_);
  for (const auto& [group, by] : holders_)
    if (by == holder) return true;
  return false;
}

std::vector<Range> Kept::take(const void* holder, Span span) {
  std::lock_guard lock(mutex_);
  std::vector<Range> ranges;
  for (auto it = first(span); it != arrays_.end() && it->second.span.overlaps(span); ++it) {
    const auto held = holders_.find(it->second.group);
    if (!it->second.range || held == holders_.end() || held->second != holder) continue;
    ranges.push_back(std::move(*it->second.range));
    it->second.range.reset();
  }
  return ranges;
}

bool Kept::put(Range& range) {
  std::lock_guard lock(mutex_);
  auto it = arrays_.find(range.span.lo);
  if (it == arrays_.end() || it->second.span.hi != range.span.hi || range.dead) return false;
  // Variable numbers of a section that has ended are not valid in the next one.
  range.upload = range.last_write = no_event;
  range.upload_seen = 0;
  range.uses.clear();
  range.taken_over = range.overtaken = false;
  it->second.range = std::move(range);
  return true;
}

void Kept::lose(Span span) {
  std::lock_guard lock(mutex_);
  if (auto it = arrays_.find(span.lo); it != arrays_.end()) it->second.lost = true;
}

}  // namespace vr::gpu
