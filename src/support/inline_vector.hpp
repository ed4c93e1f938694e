// A vector of at most N elements that allocates nothing.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>

namespace vr {

/// T is trivially copyable and has a default value. Elements are contiguous.
template <class T, size_t N>
class InlineVector {
 public:
  /// False: it is full, and unchanged.
  bool push_back(const T& item) {
    if (size_ == N) return false;
    items_[size_++] = item;
    return true;
  }
  /// `count` is at most N.
  void assign(size_t count, const T& item) {
    size_ = count;
    std::fill_n(items_.begin(), count, item);
  }
  void clear() { size_ = 0; }
  /// Removes the elements from `end` on.
  void cut(const T* end) { size_ = size_t(end - begin()); }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return items_.data(); }
  T* end() { return items_.data() + size_; }
  const T* begin() const { return items_.data(); }
  const T* end() const { return items_.data() + size_; }
  T& operator[](size_t k) { return items_[k]; }
  const T& operator[](size_t k) const { return items_[k]; }
  T& back() { return items_[size_ - 1]; }
  const T& back() const { return items_[size_ - 1]; }

 private:
  std::array<T, N> items_;
  size_t size_ = 0;
};

}  // namespace vr
