#include "runtime/gpu/opencl/events.hpp"

namespace vr::gpu {

// How many events may wait in the table before the thread that enqueues waits for the older half.
constexpr size_t most_pending = 2048;

EventId EventTable::add(cl::Event event, std::string what) {
  if (entries_.size() >= most_pending) wait(first_ + EventId(most_pending / 2));
  entries_.push_back({std::move(event), std::move(what)});
  return first_ + EventId(entries_.size()) - 1;
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
  // Older work of the same queue has ended as well; that of the other queue is soon found to have.
  while (first_ <= id) {
    finish(entries_.front());
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

}  // namespace vr::gpu
