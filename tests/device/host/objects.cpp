#include "device/host/objects.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>

namespace {
long live = 0;
std::vector<cl_command_queue> queues;

std::mt19937& dice() {
  static std::mt19937 generator([] {
    const char* seed = std::getenv("HOST_DEVICE_SEED");
    return seed ? unsigned(std::atoi(seed)) : 1u;
  }());
  return generator;
}

std::map<std::string, std::shared_ptr<const vr::lower::Module>>& programs() {
  static std::map<std::string, std::shared_ptr<const vr::lower::Module>> known;
  return known;
}
}  // namespace

HostObject::HostObject() { ++live; }
HostObject::~HostObject() { --live; }

namespace {
std::map<cl_mem, long>& buffers() {
  static std::map<cl_mem, long> numbers;
  return numbers;
}
/// Memory of buffers that were released: a new one often has the handle of an old one. Never destroyed, so that it stays
/// reachable for the sanitizer's search for leaks.
std::vector<void*>& free_handles() {
  static auto& places = *new std::vector<void*>;
  return places;
}
}  // namespace

_cl_mem::_cl_mem() {
  static long made = 0;
  buffers()[this] = ++made;
}
_cl_mem::~_cl_mem() { buffers().erase(this); }
void* _cl_mem::operator new(size_t bytes) {
  if (free_handles().empty()) return ::operator new(bytes);
  void* const place = free_handles().back();
  free_handles().pop_back();
  return place;
}
void _cl_mem::operator delete(void* place) { free_handles().push_back(place); }

namespace vr::test::host {

std::recursive_mutex& device() {
  static std::recursive_mutex mutex;
  return mutex;
}

void violation(const std::string& what) { ADD_FAILURE() << "host device: " << what; }
long live_objects() { return live; }
long buffer_number(cl_mem handle) {
  const auto it = buffers().find(handle);
  return it == buffers().end() ? 0 : it->second;
}

void retain(HostObject* o) { ++o->refs; }
void release(HostObject* o) {
  if (o->refs <= 0) return violation("an object is released too often");
  if (--o->refs == 0) {
    if (auto* q = dynamic_cast<cl_command_queue>(o)) {
      finish(q);
      queues.erase(std::remove(queues.begin(), queues.end(), q), queues.end());
    }
    if (auto* k = dynamic_cast<cl_kernel>(o)) release(k->program);
    delete o;
  }
}

void know_program(const std::string& source, std::shared_ptr<const lower::Module> module) {
  std::lock_guard lock(device());
  programs()[source] = std::move(module);
}
std::shared_ptr<const lower::Module> find_program(const std::string& source) {
  auto it = programs().find(source);
  return it == programs().end() ? nullptr : it->second;
}

namespace {

/// Runs the queue's first command, after all that it waits for.
void step(cl_command_queue q) {
  Command c = std::move(q->commands.front());
  q->commands.pop_front();
  if (q->sent_off > 0) --q->sent_off;
  q->busy = true;
  for (cl_event e : c.waits) {
    if (!e->ended && !e->sent_off) violation("a command waits for one that was not sent off (clFlush)");
    finish(e);
    release(e);
  }
  c.run();
  q->busy = false;
  if (!c.event) return;
  c.event->ended = true;
  c.event->queue = nullptr;
  release(c.event);
}

/// Other queues get on, or do not.
void others() {
  if (queues.empty()) return;
  for (int k = int(dice()() % 4); k > 0; --k) {
    cl_command_queue q = queues[dice()() % queues.size()];
    auto ended = [](cl_event e) { return e->ended; };
    if (!q->busy && q->sent_off > 0 && std::all_of(q->commands[0].waits.begin(), q->commands[0].waits.end(), ended))
      step(q);
  }
}

}  // namespace

cl_int enqueue(cl_command_queue queue, std::function<void()> run, cl_uint wait_count, const cl_event* waits,
               cl_event* event, bool blocking) {
  if ((wait_count == 0) != (waits == nullptr)) return CL_INVALID_EVENT_WAIT_LIST;
  if (std::find(queues.begin(), queues.end(), queue) == queues.end()) queues.push_back(queue);
  Command c{std::move(run), {}, nullptr};
  for (cl_uint k = 0; k < wait_count; ++k) {
    retain(waits[k]);
    c.waits.push_back(waits[k]);
  }
  if (event) {
    c.event = *event = new _cl_event;
    c.event->queue = queue;
    retain(c.event);
  }
  queue->commands.push_back(std::move(c));
  if (blocking) finish(queue);
  return CL_SUCCESS;
}

void send_off(cl_command_queue queue) {
  queue->sent_off = queue->commands.size();
  for (Command& c : queue->commands)
    if (c.event) c.event->sent_off = true;
}

void finish(cl_command_queue queue) {
  send_off(queue);
  while (!queue->commands.empty()) {
    others();
    if (!queue->commands.empty()) step(queue);
  }
}

void finish(cl_event event) {
  retain(event);
  while (!event->ended) {
    if (event->queue->busy) {
      violation("commands of two queues wait for one another");
      break;
    }
    others();
    if (!event->ended) step(event->queue);
  }
  release(event);
}

}  // namespace vr::test::host
