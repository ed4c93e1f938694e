// Arrays that are resident between calls (Session::keep): their ranges, while no section holds them.
#pragma once
#include "runtime/gpu/arrays.hpp"

#include <condition_variable>
#include <optional>

namespace vr::gpu {

/// The kept arrays of a session. Thread-safe. The first section that uses a kept array holds all of them until it ends;
/// other sections that use any wait for that. Arrays that no section holds have no work pending.
class Kept {
 public:
  explicit Kept(Pool& pool) : pool_(pool) {}
  ~Kept();
  /// Whether any array is kept: one atomic load, without a lock.
  bool any() const { return count_.load(std::memory_order_acquire) != 0; }
  bool overlaps(Span span) const;
  /// Keeps the bytes, or increments their count if they are kept already. Throws if they overlap other kept bytes in
  /// part.
  void add(Span span);
  /// Decrements the count. False: the span is not kept. The section that holds the kept arrays synchronises those that
  /// are no longer kept.
  bool remove(Span span);
  /// The kept array that contains the span; empty if there is none.
  std::optional<Span> around(Span span) const;

  /// Waits until no other section holds the kept arrays. Throws if elements of an array that overlaps the span were
  /// lost.
  void hold(const void* holder, Span span);
  void let_go(const void* holder);
  bool held_by(const void* holder) const;
  /// Called by the section that holds the kept arrays. take: moves overlapping ranges out of this table. put: moves a
  /// kept range back, with no work pending.
  std::vector<Range> take(Span span);
  bool put(Range& range);
  /// Marks the newest elements as lost because the device failed.
  void lose(Span span);

 private:
  struct Array {
    Span span;
    int64_t times = 1;
    bool lost = false;
    std::optional<Range> range;
  };
  using Map = std::map<uintptr_t, Array>;  // by span.lo; spans are disjoint
  Map::iterator first(Span s);
  Map::const_iterator first(Span s) const { return const_cast<Kept*>(this)->first(s); }

  Pool& pool_;
  mutable std::mutex mutex_;
  std::condition_variable free_;
  const void* holder_ = nullptr;
  std::atomic<int> count_{0};
  Map arrays_;
};

}  // namespace vr::gpu
