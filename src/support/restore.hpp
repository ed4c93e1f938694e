// A value that changes for a while.
#pragma once
#include <utility>

namespace vr {

/// Gives `what` back the value that it has now when this object ends, on every way out.
template <class T>
class Restore {
 public:
  explicit Restore(T& what) : what_(what), saved_(what) {}
  Restore(T& what, T meanwhile) : what_(what), saved_(std::exchange(what, std::move(meanwhile))) {}
  Restore(const Restore&) = delete;
  Restore& operator=(const Restore&) = delete;
  ~Restore() { what_ = std::move(saved_); }

  /// What it will be again.
  const T& saved() const { return saved_; }

 private:
  T& what_;
  T saved_;
};

}  // namespace vr
