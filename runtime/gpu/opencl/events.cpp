#include "runtime/gpu/opencl/events.hpp"

#include "runtime/gpu/opencl/buffers.hpp"

#include "support/trace.hpp"

namespace vr::gpu {

// How many events may wait in the table before the thread that enqueues waits for the older half.
constexpr size_t most_pending = 2048;

EventId EventTable::add(cl::Event event, std::string what) {
  if (entries_.size() >= most_pending) wait(first_ + EventId(most_pending / 2));
  entries_.push_back({std::move(event), std::move(what), trace::enabled() ? trace::now() : 0});
  return first_ + EventId(entries_.size()) - 1;
}

/// The device's clock has another origin than the trace's; the time of the enqueue, known on both clocks, relates them.
void EventTable::trace_work(const Entry& e) {
  cl_ulong queued = 0, begin = 0, end = 0;
  auto get = [&](cl_profiling_info what, cl_ulong& value) {
    return clGetEventProfilingInfo(e.event.get(), what, sizeof value, &value, nullptr) == CL_SUCCESS;
  };
  if (!get(CL_PROFILING_COMMAND_QUEUED, queued) || !get(CL_PROFILING_COMMAND_START, begin) ||
      !get(CL_PROFILING_COMMAND_END, end) || begin < queued || end < begin)
    return;
  trace::span_on("OpenCL device", "device", e.what, e.enqueued + static_cast<int64_t>(begin - queued),
                 e.enqueued + static_cast<int64_t>(end - queued));
}

void EventTable::finish(const Entry& e) {
  cl_event event = e.event.get();
  cl_int waited = clWaitForEvents(1, &event);
  if (waited == CL_SUCCESS) return;
  // The wait only says that an event failed; its status says why.
  cl_int status = CL_COMPLETE;
  if (clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr) == CL_SUCCESS &&
      status < 0)
    waited = status;
  throw cl::Failure{Code::Device, e.what + " failed: " + cl::error_name(waited)};
}

void EventTable::wait(EventId id) {
  if (id < first_) return;
  finish(entries_[size_t(id - first_)]);
  // Older work of the same queue has ended as well; finishing that of other queues rarely waits.
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
  for (const Entry& e : entries_) {
    cl_event event = e.event.get();
    clWaitForEvents(1, &event);
  }
  first_ += EventId(entries_.size());
  entries_.clear();
}

cl_event EventTable::get(EventId id) const {
  if (id < first_ || id >= first_ + EventId(entries_.size())) return nullptr;
  return entries_[size_t(id - first_)].event.get();
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

EventId TaskQueues::add(int q) { return lanes_[size_t(q)].enqueued++ * most + q; }

void TaskQueues::send_off(EventId task) {
  Lane& lane = lanes_[size_t(queue_of(task))];
  // The first of a batch starts at once; sending each off costs as much as the launch itself.
  constexpr EventId batch = 8;
  if (lane.done == number(task) || number(task) % batch == 0) cl::check(clFlush(lane.queue.get()), "clFlush");
}

void TaskQueues::wait(EventId task) {
  if (!pending(task)) return;
  Lane& lane = lanes_[size_t(queue_of(task))];
  cl::check(clFinish(lane.queue.get()), "clFinish");
  lane.done = lane.enqueued;
}

void TaskQueues::wait_all() {
  for (Lane& lane : lanes_) {
    if (lane.done == lane.enqueued) continue;
    cl::check(clFinish(lane.queue.get()), "clFinish");
    lane.done = lane.enqueued;
  }
}

cl_event TaskQueues::marker(EventId task) {
  Lane& lane = lanes_[size_t(queue_of(task))];
  if (number(task) >= lane.marked) {
    cl_event event = nullptr;
    cl::check(clEnqueueMarkerWithWaitList(lane.queue.get(), 0, nullptr, &event), "clEnqueueMarkerWithWaitList");
    lane.marker = cl::Event(event);
    lane.marked = lane.enqueued;
    // Waiting for an event of another queue needs that queue flushed.
    cl::check(clFlush(lane.queue.get()), "clFlush");
  }
  return lane.marker.get();
}

bool TaskQueues::drain() noexcept {
  bool idle = true;
  for (Lane& lane : lanes_)
    if (lane.queue && clFinish(lane.queue.get()) != CL_SUCCESS) idle = false;
  return idle;
}

void TaskQueues::give_back() {
  for (Lane& lane : lanes_)
    if (lane.queue) pool_.give_queue(std::move(lane.queue));
}

}  // namespace vr::gpu
