#include "runtime/gpu/events.hpp"

#include "runtime/gpu/buffers.hpp"

#include "support/trace.hpp"

namespace vr::gpu {

// How many events the table may contain before the enqueuing thread waits for the older half.
constexpr size_t most_pending = 2048;

EventId EventTable::add(device::EventPtr event, std::string what) {
  if (entries_.size() >= most_pending) wait(first_ + EventId(most_pending / 2));
  entries_.push_back({std::move(event), std::move(what), trace::enabled() ? trace::now() : 0});
  return first_ + EventId(entries_.size()) - 1;
}

/// The device's clock has another origin than the trace's; the time of the enqueue, known on both clocks, relates them.
void EventTable::trace_work(const Entry& e) {
  const std::optional<device::Times> times = e.event->times();
  if (!times) return;
  trace::span_on("OpenCL device", "device", e.what, e.enqueued + (times->started - times->enqueued),
                 e.enqueued + (times->ended - times->enqueued));
}

void EventTable::finish(const Entry& e) {
  const std::string error = e.event->wait();
  if (!error.empty()) throw device::Failure{Code::Device, e.what + " failed: " + error};
}

void EventTable::wait(EventId id) {
  if (id < first_) return;
  finish(entries_[size_t(id - first_)]);
  // Earlier work of the same queue has ended as well; removing events of other queues rarely has to wait.
  while (first_ <= id) {
    finish(entries_.front());
    if (entries_.front().enqueued != 0) trace_work(entries_.front());
    entries_.pop_front();
    ++first_;
  }
}

void EventTable::wait_all() {
  if (!entries_.empty()) wait(first_ + EventId(entries_.size()) - 1);
}

void EventTable::drain() noexcept {
  for (const Entry& e : entries_) e.event->wait();
  first_ += EventId(entries_.size());
  entries_.clear();
}

device::Event* EventTable::get(EventId id) const {
  if (id < first_ || id >= first_ + EventId(entries_.size())) return nullptr;
  return entries_[size_t(id - first_)].event.get();
}

bool finished(device::Queue& queue) noexcept {
  const auto finish = [&] {
    try {
      queue.finish();
      return true;
    } catch (...) {
      return false;
    }
  };
  // Again: after a failure that was the call's own, commands may still read and write the host's memory.
  return finish() || finish();
}

// ---------------------------------------------------------------- tasks
TaskQueues::TaskQueues(Pool& pool, int count) : pool_(pool), lanes_(size_t(count)) { open(lanes_[0]); }

TaskQueues::~TaskQueues() = default;

void TaskQueues::open(Lane& lane) {
  if (!lane.queue) lane.queue = pool_.take_queue();
}

int TaskQueues::emptiest() {
  size_t best = 0;
  auto waiting = [&](size_t q) { return lanes_[q].enqueued - lanes_[q].done; };
  for (size_t q = 1; q < lanes_.size(); ++q)
    if (waiting(q) < waiting(best)) best = q;
  open(lanes_[best]);
  return int(best);
}

/// A queue has at most twice as many tasks that have not ended: a host that is told to stop waits for them.
static constexpr EventId most_ahead = 64;

EventId TaskQueues::add(int q) { return lanes_[size_t(q)].enqueued++ * most + q; }

void TaskQueues::send_off(EventId task) {
  Lane& lane = lanes_[size_t(queue_of(task))];
  // The first task of a batch is flushed at once. Flushing each one costs as much as the launch itself.
  constexpr EventId batch = 8;
  if (lane.done == number(task) || number(task) % batch == 0) lane.queue->flush();
  if (number(task) % most_ahead == most_ahead - 1) {
    const device::EventPtr before = std::exchange(lane.before, mark(queue_of(task)));
    if (before) (void)before->wait();  // what waits for the queue finds out whether it failed
  }
}

void TaskQueues::wait(EventId task) {
  if (!pending(task)) return;
  Lane& lane = lanes_[size_t(queue_of(task))];
  lane.queue->finish();
  lane.done = lane.enqueued;
}

void TaskQueues::wait_all() {
  for (Lane& lane : lanes_) {
    if (lane.done == lane.enqueued) continue;
    lane.queue->finish();
    lane.done = lane.enqueued;
  }
}

device::Event* TaskQueues::marker(EventId task) {
  Lane& lane = lanes_[size_t(queue_of(task))];
  return number(task) >= lane.marked ? mark(queue_of(task)).get() : lane.marker.get();
}

device::EventPtr TaskQueues::mark(int q) {
  Lane& lane = lanes_[size_t(q)];
  if (!lane.marker || lane.marked < lane.enqueued) {
    lane.marker = lane.queue->marker();
    lane.marked = lane.enqueued;
    // To wait for an event of another queue, that queue must be flushed.
    lane.queue->flush();
  }
  return lane.marker;
}

bool TaskQueues::drain() noexcept {
  bool idle = true;
  for (Lane& lane : lanes_)
    if (lane.queue && !finished(*lane.queue)) idle = false;
  return idle;
}

void TaskQueues::give_back() {
  for (Lane& lane : lanes_)
    if (lane.queue) pool_.give_queue(std::move(lane.queue));
}

}  // namespace vr::gpu
