#include "device/host/objects.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>

namespace vr::test::host {
namespace {

long live = 0;
long until_failure = -1;
std::vector<HostQueue*> queues;

unsigned first_seed() {
  const char* seed = std::getenv("HOST_DEVICE_SEED");
  return seed ? unsigned(std::atoi(seed)) : 1u;
}

std::mt19937& dice() {
  static std::mt19937 generator(first_seed());
  return generator;
}

std::map<const HostBuffer*, long>& buffers() {
  static std::map<const HostBuffer*, long> numbers;
  return numbers;
}
/// Memory of released buffers: a new buffer often gets the address of an old one. Never destroyed, so that leak
/// detection can reach it.
std::vector<void*>& free_places() {
  static auto& places = *new std::vector<void*>;
  return places;
}
std::map<std::string, std::shared_ptr<const lower::Module>>& programs() {
  static std::map<std::string, std::shared_ptr<const lower::Module>> known;
  return known;
}

/// Randomly runs commands of other queues.
void others() {
  if (queues.empty()) return;
  for (int k = int(dice()() % 4); k > 0; --k)
    if (HostQueue* q = queues[dice()() % queues.size()]; !q->busy() && q->ready()) q->step();
}

}  // namespace

std::recursive_mutex& device_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

void reseed(unsigned number) { dice().seed(first_seed() + number); }

void fail_launch(long count) { until_failure = count; }

void violation(const std::string& what) { ADD_FAILURE() << "host device: " << what; }

Live::Live() {
  Lock lock(device_mutex());
  ++live;
}
Live::~Live() {
  Lock lock(device_mutex());
  --live;
}
long live_objects() { return live; }

HostBuffer::HostBuffer(std::shared_ptr<Memory> memory) : memory_(std::move(memory)) {
  static long made = 0;
  Lock lock(device_mutex());
  buffers()[this] = ++made;
}
HostBuffer::~HostBuffer() {
  Lock lock(device_mutex());
  buffers().erase(this);
  if (memory_.use_count() > 1) violation("a buffer is destroyed before the commands that use it have ended");
}
void* HostBuffer::operator new(size_t bytes) {
  Lock lock(device_mutex());
  if (free_places().empty()) return ::operator new(bytes);
  void* const place = free_places().back();
  free_places().pop_back();
  return place;
}
void HostBuffer::operator delete(void* place) {
  Lock lock(device_mutex());
  free_places().push_back(place);
}
long buffer_number(const HostBuffer* address) {
  const auto it = buffers().find(address);
  return it == buffers().end() ? 0 : it->second;
}

void know_program(const std::string& source, std::shared_ptr<const lower::Module> module) {
  Lock lock(device_mutex());
  programs()[source] = std::move(module);
}
std::shared_ptr<const lower::Module> find_program(const std::string& source) {
  Lock lock(device_mutex());
  auto it = programs().find(source);
  return it == programs().end() ? nullptr : it->second;
}

// ---------------------------------------------------------------- events
std::string HostEvent::wait() {
  Lock lock(device_mutex());
  // Waiting flushes the event's queue.
  if (queue) queue->flush();
  host::finish(shared_from_this());
  return "";
}

void finish(const std::shared_ptr<HostEvent>& event) {
  while (!event->ended) {
    if (event->queue->busy()) return violation("commands of two queues wait for one another");
    others();
    if (!event->ended) event->queue->step();
  }
}

// ---------------------------------------------------------------- queues
HostQueue::HostQueue() {
  Lock lock(device_mutex());
  queues.push_back(this);
}
HostQueue::~HostQueue() {
  Lock lock(device_mutex());
  if (!commands_.empty()) violation("a queue is destroyed before its commands have ended");
  finish();
  queues.erase(std::remove(queues.begin(), queues.end(), this), queues.end());
}

void HostQueue::enqueue(std::function<void()> run, device::Waits waits, device::EventPtr* event) {
  Lock lock(device_mutex());
  Command c{std::move(run), {}, nullptr};
  for (device::Event* e : waits) c.waits.push_back(static_cast<HostEvent*>(e)->shared_from_this());
  if (event) *event = c.event = std::make_shared<HostEvent>(*this);
  commands_.push_back(std::move(c));
}

bool HostQueue::ready() const {
  return sent_off_ > 0 && std::all_of(commands_[0].waits.begin(), commands_[0].waits.end(),
                                      [](const std::shared_ptr<HostEvent>& e) { return e->ended; });
}

void HostQueue::step() {
  Command c = std::move(commands_.front());
  commands_.pop_front();
  if (sent_off_ > 0) --sent_off_;
  busy_ = true;
  for (const std::shared_ptr<HostEvent>& e : c.waits) {
    if (!e->ended && !e->sent_off) violation("a command waits for one that was not sent off (Queue::flush)");
    host::finish(e);
  }
  c.run();
  busy_ = false;
  if (!c.event) return;
  c.event->ended = true;
  c.event->queue = nullptr;
}

void HostQueue::flush() {
  Lock lock(device_mutex());
  sent_off_ = commands_.size();
  for (Command& c : commands_)
    if (c.event) c.event->sent_off = true;
}

void HostQueue::finish() {
  Lock lock(device_mutex());
  flush();
  while (!commands_.empty()) {
    others();
    if (!commands_.empty()) step();
  }
}

namespace {

Memory& memory_of(device::Buffer& b) { return *static_cast<HostBuffer&>(b).memory(); }
std::shared_ptr<Memory> held(device::Buffer& b) { return static_cast<HostBuffer&>(b).memory(); }

void need(device::Buffer& b, size_t offset, size_t bytes) {
  const size_t all = memory_of(b).bytes;
  if (offset > all || bytes > all - offset || bytes == 0)
    throw device::Failure{Code::Device, "a command outside of its buffer"};
}
template <class M>
void need(device::Buffer& b, const device::Rows<M>& r) {
  if (r.rows == 0 || (r.rows > 1 && r.stride < r.run))
    throw device::Failure{Code::Device, "rows that overlap, or none"};
  need(b, r.offset, (r.rows - 1) * r.stride + r.run);
}

}  // namespace

void HostQueue::copy_up(device::Buffer& to, const device::Rows<const void>& from, device::EventPtr* event) {
  need(to, from);
  enqueue(
      [b = held(to), from] {
        for (size_t k = 0; k < from.rows; ++k)
          std::memcpy(b->start + from.offset + k * from.stride, static_cast<const char*>(from.memory) + k * from.stride,
                      from.run);
      },
      {}, event);
}
void HostQueue::start_copy_down(device::Buffer& from, const device::Rows<void>& to, device::EventPtr* event) {
  need(from, to);
  enqueue(
      [b = held(from), to] {
        for (size_t k = 0; k < to.rows; ++k)
          std::memcpy(static_cast<char*>(to.memory) + k * to.stride, b->start + to.offset + k * to.stride, to.run);
      },
      {}, event);
}
void HostQueue::copy_down(device::Buffer& from, const device::Rows<void>& to) {
  start_copy_down(from, to, nullptr);
  finish();
}
void HostQueue::copy(device::Buffer& from, size_t from_offset, device::Buffer& to, size_t to_offset, size_t bytes,
                     device::Waits waits, device::EventPtr* event) {
  need(from, from_offset, bytes);
  need(to, to_offset, bytes);
  enqueue([a = held(from), b = held(to), from_offset, to_offset,
           bytes] { std::memmove(b->start + to_offset, a->start + from_offset, bytes); },
          waits, event);
}
void HostQueue::fill(device::Buffer& to, size_t offset, size_t bytes, unsigned char value, device::EventPtr* event) {
  need(to, offset, bytes);
  enqueue([b = held(to), offset, bytes, value] { std::memset(b->start + offset, value, bytes); }, {}, event);
}
device::EventPtr HostQueue::marker() {
  device::EventPtr event;
  enqueue([] {}, {}, &event);
  return event;
}
void HostQueue::barrier(device::Waits waits) {
  enqueue([] {}, waits, nullptr);
}
void* HostQueue::map(device::Buffer& buffer, size_t bytes) {
  need(buffer, 0, bytes);
  enqueue([b = held(buffer)] { ++b->maps; }, {}, nullptr);
  finish();
  return memory_of(buffer).start;
}
void HostQueue::unmap(device::Buffer& buffer, void* mapped) {
  if (mapped != memory_of(buffer).start) violation("what is unmapped is not what was mapped");
  enqueue(
      [b = held(buffer)] {
        if (--b->maps < 0) violation("a buffer is unmapped too often");
      },
      {}, nullptr);
}
void HostQueue::launch(device::Kernel& kernel, const device::Grid& grid, device::Waits waits, device::EventPtr* event) {
  for (int d = 0; d < grid.dims; ++d)
    if (grid.global[d] == 0 || (grid.local[0] != 0 && grid.global[d] % grid.local[d] != 0))
      throw device::Failure{Code::Device, "a launch whose work-items are not whole groups"};
  if (until_failure >= 0 && until_failure-- == 0) throw device::Failure{Code::Device, "a launch failed as the test wanted"};
  enqueue(static_cast<HostKernel&>(kernel).command(grid), waits, event);
}

}  // namespace vr::test::host
