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

Staging::~Staging() {
  for (device::EventPtr& e : busy_)
    if (e) e->wait();
}

/// False: pinned memory is not available; it is not requested again.
bool Staging::open() {
  if (!pinned_ && !failed_) {
    pinned_ = device_.driver->pin(chunks * device_.staging_chunk);
    failed_ = !pinned_;
  }
  return pinned_ != nullptr;
}

device::EventPtr Staging::upload(device::Queue& queue, device::Buffer& buffer, size_t offset, const void* from,
                                 size_t bytes) {
  std::unique_lock lock(mutex_, std::defer_lock);
  device::EventPtr event;
  if (!takes(bytes) || !lock.try_lock() || !open()) {
    queue.copy_up(buffer, {offset, from, bytes}, &event);
    return event;
  }
  const size_t chunk = device_.staging_chunk;
  size_t k = 0;
  for (size_t done = 0; done < bytes; done += chunk, k = (k + 1) % chunks) {
    const size_t n = std::min(chunk, bytes - done);
    char* const place = pinned_->memory() + k * chunk;
    wait_for(busy_[k]);
    copy(place, static_cast<const char*>(from) + done, n);
    queue.copy_up(buffer, {offset + done, place, n}, &event);
    busy_[k] = event;
    queue.flush();
  }
  return event;
}

void Staging::download(device::Queue& queue, device::Buffer& buffer, size_t offset, void* to, size_t bytes) {
  std::unique_lock lock(mutex_, std::defer_lock);
  if (!takes(bytes) || !lock.try_lock() || !open()) return queue.copy_down(buffer, {offset, to, bytes});
  const size_t chunk = device_.staging_chunk, count = (bytes + chunk - 1) / chunk;
  for (device::EventPtr& e : busy_) wait_for(e);
  auto bytes_of = [&](size_t k) { return std::min(chunk, bytes - k * chunk); };
  auto start = [&](size_t k) {
    queue.start_copy_down(buffer, {offset + k * chunk, pinned_->memory() + k % chunks * chunk, bytes_of(k)},
                          &busy_[k % chunks]);
    queue.flush();
  };
  for (size_t k = 0; k < std::min(chunks, count); ++k) start(k);
  for (size_t k = 0; k < count; ++k) {
    wait_for(busy_[k % chunks]);
    copy(static_cast<char*>(to) + k * chunk, pinned_->memory() + k % chunks * chunk, bytes_of(k));
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
