// Arrays that the host leaves to the device between calls: their ranges, while no section has them.
#pragma once
#include "runtime/gpu/opencl/arrays.hpp"

#include <condition_variable>
#include <optional>

namespace vr::gpu {

/// Of a session. Thread-safe. A section that meets kept arrays holds all of them until it ends; others that meet any
/// wait for that. What nobody holds has no work pending.
class Kept {
 public:
  explicit Kept(Pool& pool) : pool_(pool) {}
  ~Kept();
  /// Whether any array is kept: one look, no lock.
  bool any() const { return count_.load(std::memory_order_acquire) != 0; }
  bool overlaps(Span span) const;
  /// Keeps the bytes from now on, once more if they are kept already. Throws when they overlap others in part.
  void add(Span span);
  /// Once less. False: it is not kept. The holder brings what is gone home.
  bool remove(Span span);
  /// The kept array that the span lies in.
  std::optional<Span> around(Span span) const;

  /// Until the holder has no rival. Throws when elements of an overlapping array were lost with the device.
  void hold(const void* holder, Span span);
  void let_go(const void* holder);
  bool held_by(const void* holder) const;
  /// Of the holder: takes what overlaps out of the table; puts what is kept back, at rest.
  std::vector<Range> take(Span span);
  bool put(Range& range);
  /// The newest elements were on a device that failed.
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
