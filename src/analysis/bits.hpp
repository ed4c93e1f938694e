// A set of small numbers: the facts of data-flow analyses.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace vr::analysis {

/// A set of numbers below `size()`; operands of one operation must have the same size.
class Bits {
 public:
  Bits() = default;
  explicit Bits(size_t size) : size_(size), words_((size + 63) / 64) {}
  size_t size() const { return size_; }
  bool test(size_t k) const { return words_[k / 64] >> (k % 64) & 1; }
  void set(size_t k) { words_[k / 64] |= uint64_t{1} << (k % 64); }
  void reset(size_t k) { words_[k / 64] &= ~(uint64_t{1} << (k % 64)); }
  /// Removes begin, ..., end-1.
  void reset(size_t begin, size_t end) {
    for (size_t k = begin; k < end;) {
      if (k % 64 == 0 && end - k >= 64) {
        words_[k / 64] = 0;
        k += 64;
      } else {
        reset(k++);
      }
    }
  }
  /// Adds the other's members; returns whether that changed anything.
  bool join(const Bits& other) {
    uint64_t added = 0;
    for (size_t w = 0; w < words_.size(); ++w) {
      added |= other.words_[w] & ~words_[w];
      words_[w] |= other.words_[w];
    }
    return added != 0;
  }
  void remove(const Bits& other) {
    for (size_t w = 0; w < words_.size(); ++w) words_[w] &= ~other.words_[w];
  }
  void keep(const Bits& other) {
    for (size_t w = 0; w < words_.size(); ++w) words_[w] &= other.words_[w];
  }
  /// Calls f(k) for the members from begin to end-1, in order, for as long as f returns true.
  template <class F>
  void each_while(size_t begin, size_t end, F&& f) const {
    for (size_t w = begin / 64; w * 64 < end; ++w)
      for (uint64_t rest = words_[w]; rest; rest &= rest - 1) {
        const size_t k = w * 64 + static_cast<size_t>(std::countr_zero(rest));
        if (k >= begin && k < end && !f(k)) return;
      }
  }
  bool any(size_t begin, size_t end) const {
    bool found = false;
    each_while(begin, end, [&](size_t) { return !(found = true); });
    return found;
  }
  template <class F>
  void each(F&& f) const {
    each_while(0, size_, [&](size_t k) { return f(k), true; });
  }
  friend bool operator==(const Bits&, const Bits&) = default;

 private:
  size_t size_ = 0;
  std::vector<uint64_t> words_;
};

}  // namespace vr::analysis
