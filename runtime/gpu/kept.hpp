// Arrays that are resident between calls (Session::keep): their ranges, while no section holds them.
#pragma once
#include "runtime/gpu/arrays.hpp"

#include <condition_variable>
#include <optional>

namespace vr::gpu {

/// The kept arrays of a session. Thread-safe. Arrays belong to groups. The first section that uses an array of a group
/// holds the whole group until it ends; other sections that use arrays of the group wait for that. Group 0 is that of
/// Session::keep. An item of a pipeline has a group of its own, which only the call that works on the item uses; so the
/// groups of several items are held at the same time, and a section that waits for group 0 is waited for by nobody.
/// Arrays that no section holds have no work pending.
class Kept {
 public:
  explicit Kept(Pool& pool) : pool_(pool) {}
  ~Kept();
  /// Whether any array is kept: one atomic load, without a lock.
  bool any() const { return count_.load(std::memory_order_acquire) != 0; }
  bool overlaps(Span span) const;
  /// Keeps the bytes in the group, or increments their count if they are kept already, in whichever group. Throws if
  /// they overlap other kept bytes in part.
  void add(Span span, int64_t group = 0);
  /// Increments the count if the bytes are kept already, in this group; else returns false.
  bool add_again(Span span, int64_t group);
  /// Decrements the count. False: the span is not kept. The section that holds the kept arrays synchronises those that
  /// are no longer kept.
  bool remove(Span span);
  /// As remove, for elements that nobody needs: if the span is kept no more, its buffer is freed and nothing is copied.
  /// No section may hold it.
  bool forget(Span span);
  /// The kept array that contains the span; empty if there is none.
  std::optional<Span> around(Span span) const;

  /// Waits until no other section holds the groups of the arrays that overlap the span, and holds them; for the span
  /// `everything`, group 0 only. Throws if elements of an array that overlaps the span were lost.
  void hold(const void* holder, Span span);
  static constexpr Span everything{0, UINTPTR_MAX};
  /// Holds one more group that no section holds, without waiting, and takes its ranges. Empty: there is none with any.
  /// The section must let go of the group before it waits for anything else.
  std::vector<Range> take_idle(const void* holder, int64_t* group);
  void let_go(const void* holder, int64_t group);
  void let_go(const void* holder);
  bool held_by(const void* holder) const;
  /// take: moves the overlapping ranges of the groups that the section holds out of this table. put: moves a kept range
  /// back, with no work pending.
  std::vector<Range> take(const void* holder, Span span);
  bool put(Range& range);
  /// Marks the newest elements as lost because the device failed.
  void lose(Span span);

 private:
  struct Array {
    Span span;
    int64_t times = 1, group = 0;
    bool lost = false;
    std::optional<Range> range;
  };
  using Map = std::map<uintptr_t, Array>;  // by span.lo; spans are disjoint
  Map::iterator first(Span s);
  Map::const_iterator first(Span s) const { return const_cast<Kept*>(this)->first(s); }

  Pool& pool_;
  mutable std::mutex mutex_;
  std::condition_variable free_;
  std::map<int64_t, const void*> holders_;  ///< by group
  std::atomic<int> count_{0};
  Map arrays_;
};

}  // namespace vr::gpu
