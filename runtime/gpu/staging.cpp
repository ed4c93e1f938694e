#include "runtime/gpu/staging.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>

namespace vr::gpu {
namespace {

/// One core is slower than the bus.
void copy(char* to, const char* from, size_t bytes) {
  constexpr size_t part = size_t{1} << 20;
  const size_t parts = (bytes + part - 1) / part;
  if (parts < 2) {
    std::memcpy(to, from, bytes);
    return;
  }
  tbb::parallel_for(size_t{0}, parts,
                    [&](size_t k) { std::memcpy(to + k * part, from + k * part, std::min(part, bytes - k * part)); });
}

/// The event is released when its command has ended.
void wait_for(device::EventPtr& event) {
  if (!event) return;
  const std::string error = event->wait();
  if (!error.empty()) throw device::Failure{Code::Device, "a copy through pinned memory failed: " + error};
  event = {};
}

}  // namespace

Staging::Lane::~Lane() {
  for (device::EventPtr& e : busy)
    if (e) e->wait();
}

Staging::Taken Staging::take() {
  std::lock_guard lock(mutex_);
  if (!idle_.empty()) {
    Lane* const lane = idle_.back().release();
    idle_.pop_back();
    return Taken(lane, Return{this});
  }
  if (failed_ || lanes_ == most_lanes) return Taken(nullptr, Return{this});
  auto lane = std::make_unique<Lane>();
  idle_.reserve(most_lanes);  // give() does not throw
  lane->pinned = device_.driver->pin(chunks * device_.staging_chunk);
  failed_ = !lane->pinned;
  if (failed_) return Taken(nullptr, Return{this});
  ++lanes_;
  return Taken(lane.release(), Return{this});
}

void Staging::give(Lane* lane) {
  std::lock_guard lock(mutex_);
  idle_.emplace_back(lane);
}

device::EventPtr Staging::upload(device::Queue& queue, device::Buffer& buffer, size_t offset, const void* from,
                                 size_t bytes) {
  const Taken lane = takes(bytes) ? take() : Taken(nullptr, Return{this});
  device::EventPtr event;
  if (!lane) {
    queue.copy_up(buffer, {offset, from, bytes}, &event);
    return event;
  }
  const size_t chunk = device_.staging_chunk;
  size_t k = 0;
  for (size_t done = 0; done < bytes; done += chunk, k = (k + 1) % chunks) {
    const size_t n = std::min(chunk, bytes - done);
    char* const place = lane->pinned->memory() + k * chunk;
    wait_for(lane->busy[k]);
    copy(place, static_cast<const char*>(from) + done, n);
    queue.copy_up(buffer, {offset + done, place, n}, &event);
    lane->busy[k] = event;
    queue.flush();
  }
  return event;
}

void Staging::download(device::Queue& queue, device::Buffer& buffer, size_t offset, void* to, size_t bytes) {
  const Taken lane = takes(bytes) ? take() : Taken(nullptr, Return{this});
  if (!lane) return queue.copy_down(buffer, {offset, to, bytes});
  const size_t chunk = device_.staging_chunk, count = (bytes + chunk - 1) / chunk;
  for (device::EventPtr& e : lane->busy) wait_for(e);
  auto bytes_of = [&](size_t k) { return std::min(chunk, bytes - k * chunk); };
  auto start = [&](size_t k) {
    queue.start_copy_down(buffer, {offset + k * chunk, lane->pinned->memory() + k % chunks * chunk, bytes_of(k)},
                          &lane->busy[k % chunks]);
    queue.flush();
  };
  for (size_t k = 0; k < std::min(chunks, count); ++k) start(k);
  for (size_t k = 0; k < count; ++k) {
    wait_for(lane->busy[k % chunks]);
    copy(static_cast<char*>(to) + k * chunk, lane->pinned->memory() + k % chunks * chunk, bytes_of(k));
    if (k + chunks < count) start(k + chunks);
  }
}

// The rows of a buffer have the same distances as the host's.
device::EventPtr Staging::upload(device::Queue& queue, device::Buffer& buffer, size_t offset, const Rows& from) {
  const auto* memory = reinterpret_cast<const void*>(from.base);
  if (from.rows == 1) return upload(queue, buffer, offset, memory, size_t(from.run));
  device::EventPtr event;
  queue.copy_up(buffer, {offset, memory, size_t(from.run), size_t(from.rows), size_t(from.stride)}, &event);
  return event;
}

void Staging::download(device::Queue& queue, device::Buffer& buffer, size_t offset, const Rows& to) {
  auto* memory = reinterpret_cast<void*>(to.base);
  if (to.rows == 1) return download(queue, buffer, offset, memory, size_t(to.run));
  queue.copy_down(buffer, {offset, memory, size_t(to.run), size_t(to.rows), size_t(to.stride)});
}

}  // namespace vr::gpu
