// Array table (thesis 7.2.1, 7.2.2): maps host address ranges to device buffers and records which side has the newest
// elements.
#pragma once
#include "runtime/gpu/buffers.hpp"
#include "runtime/gpu/copies.hpp"
#include "runtime/gpu/events.hpp"
#include "runtime/gpu/regions/transfer.hpp"

#include <functional>
#include <map>
#include <span>
#include <vector>

namespace vr::gpu {

/// A buffer starts at its array's address rounded down to 16 bytes, so that elements, and vectors of that size, are
/// aligned on the device as on the host. No more than that: NumPy's arrays begin 16 bytes after a page's start, and at
/// the same distance from the beginning of a buffer each group of 32 stores would share its memory transactions with
/// the next (a transposition took 1.7 times as long on an H100).
constexpr uintptr_t buffer_alignment = 16;

/// The storage of one array and of everything that overlaps it: slices and aliases share the buffer and differ by
/// offset.
struct Range {
  Span span;
  uintptr_t base = 0;  ///< host address that corresponds to byte 0 of the buffer; preserves the host's alignment
  std::unique_ptr<device::Buffer> buffer;
  size_t capacity = 0;
  bool in_place = false;      ///< the buffer is the host's memory
  void* mapped = nullptr;     ///< in_place, not null: the host may access the memory, kernels may not
  bool host_fresh = true;     ///< host memory has the newest elements
  bool device_fresh = false;  ///< the buffer has the newest elements
  Region valid;               ///< not device_fresh: where it has them
  bool dead = false;          ///< the elements are dead
  EventId upload = no_event;  ///< in the table of copies
  uint32_t upload_seen = 0;   ///< queues (bits) whose tasks have waited for `upload`
  bool overtaken =
      false;  ///< another device has changed elements that tasks in `uses` may still read: copies must wait for them
  bool taken_over = false;    ///< the buffer was a dead array's, whose tasks are in `uses`: copies must wait for them
  EventId last_write = no_event;
  std::vector<EventId> uses;  ///< the last task of each queue
  int parts_fetched = 0;      ///< since a task has written elements
  Region written;  ///< not in_place: what tasks have written since the last synchronisation; elsewhere host memory is
                   ///< fresh
};

/// False: which bytes a task writes makes no difference.
inline bool lists_writes(const Range& r) {
  return !r.in_place && !(r.written.size() == 1 && r.written[0].dense() && r.written[0].hull().contains(r.span));
}

/// Boxes that could not be joined have become many, and each launch is compared with all of them. Tasks then count as
/// users of whole arrays, unless other devices may have newer bytes of them.
inline bool has_many_boxes(const Range& r) {
  constexpr size_t many = 256;
  return r.written.size() >= many || r.valid.size() >= many;
}

/// The buffer has the newest bytes of the box now, or will have them.
void now_valid(Range& r, const Lmad& box);

class Kept;

/// The arrays of one section. Not thread-safe.
class ArrayTable {
 public:
  ArrayTable(const Device& device, Pool& pool, Staging& staging, Kept& kept, EventTable& copies, TaskQueues& tasks,
             device::Queue& transfer, Traffic& traffic, bool one_of_several)
      : one_of_several_(one_of_several),
        device_(device),
        pool_(pool),
        kept_(kept),
        copies_(copies),
        tasks_(tasks),
        transfer_(transfer),
        transfers_(device, staging, traffic) {}

  /// Makes one range cover the span. Ranges that overlap it are synchronised and merged with it. When the device has no
  /// memory left, buffers of ranges that overlap none of `wanted` (sorted, disjoint) are freed: dead ranges first, then
  /// others after synchronising them.
  void cover(Span span, const std::vector<Span>& wanted);
  /// The range that covers the span, after cover().
  Range& at(Span span);
  /// Call before a task uses the range, which is not in place: its buffer will have the newest bytes of `need` when
  /// `upload` and `last_write` have ended.
  void ready_for_task(Range& r, const Region& need);
  void ready_in_place(Range& r);
  bool has(Span span) { return first_overlap(span) != ranges_.end(); }
  /// Declares the elements of the span dead.
  void mark_dead(Span span);
  /// The same, and the host's memory is not accessed any more.
  void let_go(Span span);
  /// Removes dead ranges once the device is idle.
  void drop_dead();
  /// To be called after enqueuing a task that uses the range; written: it may write elements.
  void used(Range& r, EventId task, bool written);
  /// To be called after used() if the range lists writes: the bytes that the task may write. Elements in them that it
  /// does not write must be on the device.
  void wrote(Range& r, const Region& written);
  // ---- for sections on several devices, whose host memory is where they exchange elements. Ranges are not in place.
  /// Moves the kept arrays that overlap the span into this table.
  void adopt(Span span);
  /// Whether the device has bytes of the region that are newer than the host's.
  bool is_newer(const Region& region);
  /// Copies those bytes, and perhaps others, to the host; returns what it has copied.
  Region send_home(const Region& region);
  /// The bytes of the region that are not here.
  Region lacking(const Region& region);
  struct CopyOut {
    Span block;
    void* to = nullptr;
    device::EventPtr copied;
  };
  /// Starts to copy blocks to host memory after all tasks so far, which are flushed. `copied` stays null for a block of
  /// which the device does not have all bytes.
  void start_copies_out(std::span<CopyOut> copies);
  /// Starts to replace a block, in a range, by another device's: before tasks that are enqueued from now on. ordered:
  /// all tasks that use the block have ended when `last` (null: they have ended already); otherwise all tasks of the
  /// range are waited for. Null: not possible.
  device::EventPtr start_copy_in(Span block, const void* from, bool ordered, device::Event* last);
  /// An event for the end of all tasks so far, which are flushed. Null if there are several queues.
  device::EventPtr mark();
  /// Another device is about to change the region: afterwards all bytes that the device has alone and changed() cannot
  /// tell from those of the region are also the host's.
  void before_change(const Region& region);
  /// Another device has changed the region: the copies here are stale.
  void changed(const Region& region);
  /// Waits until host memory of the span has been read by all copies to the device.
  void wait_for_copies(Span span);
  /// Called before host memory of a span is replaced by what this device has: copies to other devices may still have to
  /// read it. What is replaced may be more than what was asked for: the whole range, or a box that cannot be divided.
  void on_home(std::function<void(Span)> before) { before_home_ = std::move(before); }
  /// Blocks of the span that the device has.
  Region dense_parts(Span span);

  /// Synchronises the span, mostly with the ranges that overlap it; write: the host will change them.
  void need_host(Span span, bool write);
  /// Synchronises all ranges that are not in place and frees their buffers. All events of the section have ended
  /// afterwards.
  void evict_all();
  /// Synchronises all ranges. All events of the section have ended afterwards.
  void bring_all();
  /// Synchronises all ranges except kept arrays, which stay resident, and empties the table. All events of the section
  /// have ended afterwards.
  void finish();
  /// Empties the table without synchronising; elements that only the device has are lost, except those of kept arrays.
  /// If the device is not idle, because it failed, these are lost too, and the buffers are not reused.
  void discard(bool idle);

 private:
  using Map = std::map<uintptr_t, Range>;  // by span.lo; spans are disjoint
  Map::iterator first_overlap(const Span& s);
  void take_elements(Range& to, Range& from);
  void wait_for_uses(const Range& r);
  void fetch(Range& r, Span part = {0, UINTPTR_MAX});
  void map(Range& r);
  void unmap(Range& r);
  void drop(Range& r, bool idle = true);

  void take_buffer(Range& r, size_t bytes, const std::vector<Span>& wanted);
  bool make_room(const std::vector<Span>& wanted);
  bool evict_idle();
  bool take_over(Range& r, size_t bytes);
  void upload(Range& r, const UploadPlan& plan);

  /// Bytes of host memory that no task asked for may be stale: another device has newer ones.
  const bool one_of_several_;
  std::function<void(Span)> before_home_;  ///< may be empty
  const Device& device_;
  Pool& pool_;
  Kept& kept_;
  EventTable& copies_;
  TaskQueues& tasks_;
  device::Queue& transfer_;
  std::unique_ptr<device::Queue> out_;  ///< of start_copies_out()
  Copies transfers_;
  Map ranges_;
};

}  // namespace vr::gpu
