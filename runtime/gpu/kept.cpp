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

void Kept::add(Span span) {
  std::lock_guard lock(mutex_);
  if (auto it = first(span); it != arrays_.end()) {
    if (it->second.span.lo != span.lo || it->second.span.hi != span.hi)
      throw device::Failure{Code::Usage, "the array overlaps another array that resides on the device"};
    ++it->second.times;
    return;
  }
  Array a;
  a.span = span;
  arrays_.emplace(span.lo, std::move(a));
  ++count_;
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

std::optional<Span> Kept::around(Span span) const {
  std::lock_guard lock(mutex_);
  auto it = first(span);
  if (it == arrays_.end() || !it->second.span.contains(span)) return {};
  return it->second.span;
}

void Kept::hold(const void* holder, Span span) {
  std::unique_lock lock(mutex_);
  if (first(span) == arrays_.end()) return;
  free_.wait(lock, [&] { return !holder_ || holder_ == holder; });
  holder_ = holder;
  for (auto it = first(span); it != arrays_.end() && it->second.span.overlaps(span); ++it) {
    if (!it->second.lost) continue;
    // Reported once; afterwards the host's elements are the valid ones.
    it->second.lost = false;
    throw device::Failure{Code::Device,
                          "elements of an array that resided on the device were lost when the device failed"};
  }
}

void Kept::let_go(const void* holder) {
  {
    std::lock_guard lock(mutex_);
    if (holder_ != holder) return;
    holder_ = nullptr;
  }
  free_.notify_all();
}

bool Kept::held_by(const void* holder) const {
  std::lock_guard lock(mutex_);
  return holder_ == holder;
}

std::vector<Range> Kept::take(Span span) {
  std::lock_guard lock(mutex_);
  std::vector<Range> ranges;
  for (auto it = first(span); it != arrays_.end() && it->second.span.overlaps(span); ++it) {
    if (!it->second.range) continue;
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
  range.taken_over = false;
  it->second.range = std::move(range);
  return true;
}

void Kept::lose(Span span) {
  std::lock_guard lock(mutex_);
  if (auto it = arrays_.find(span.lo); it != arrays_.end()) it->second.lost = true;
}

}  // namespace vr::gpu
