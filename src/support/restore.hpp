// A variable that is changed temporarily.
#pragma once
#include <utility>

namespace vr {

/// On destruction, restores the value that `what` has on construction.
template <class T>
class Restore {
 public:
  explicit Restore(T& what) : what_(what), saved_(what) {}
  Restore(T& what, T meanwhile) : what_(what), saved_(std::exchange(what, std::move(meanwhile))) {}
  Restore(const Restore&) = delete;
  Restore& operator=(const Restore&) = delete;
  ~Restore() { what_ = std::move(saved_); }

  /// The value that will be restored.
  const T& saved() const { return saved_; }

 private:
  T& what_;
  T saved_;
};

}  // namespace vr
