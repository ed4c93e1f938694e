// The results of a call as an object that releases those which nobody takes.
#pragma once
#include <velociraptor/engine.hpp>

#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace vr {

/// The results of a call of Function::call, in order. The destructor releases the host's array objects among them,
/// except for those that take() has handed over. Like the call, it must run with the host's lock held, where the host
/// has one. The binding's context must outlive the results; the engine and its functions need not. Not thread-safe.
class Results {
 public:
  Results() = default;
  /// Takes over the references of `values`, which a function of an engine with this binding has returned.
  Results(const HostBinding& host, std::vector<Value> values)
      : release_(host.retain == builtin_binding().retain ? nullptr : host.release),
        context_(host.context),
        values_(std::move(values)) {}
  Results(Results&& o) noexcept { swap(o); }
  Results& operator=(Results&& o) noexcept {
    Results(std::move(o)).swap(*this);
    return *this;
  }
  Results(const Results&) = delete;
  Results& operator=(const Results&) = delete;
  ~Results() {
    if (!release_) return;  // a vr::Array counts its own references
    for (const Value& v : values_)
      if (v.is_object()) release_(context_, v.object());
  }

  size_t size() const { return values_.size(); }
  /// Result k, from 0; its object, if it is one, is borrowed.
  const Value& operator[](size_t k) const { return values_[k]; }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }
  /// The object of result k with its reference, which the caller then owns; null for a number, for an object that was
  /// taken before, and for a vr::Array, of which Value::array() gives a reference.
  void* take(size_t k) {
    if (!release_ || !values_[k].is_object()) return nullptr;
    void* object = values_[k].object();
    values_[k] = Value();
    return object;
  }

 private:
  void swap(Results& o) noexcept {
    std::swap(release_, o.release_);
    std::swap(context_, o.context_);
    values_.swap(o.values_);
  }
  void (*release_)(void* context, void* object) = nullptr;
  void* context_ = nullptr;
  std::vector<Value> values_;
};

/// Calls the function as Function::call does, with the arguments in a span or one after another.
inline Result<Results> call_owned(const Function& function, std::span<const Value> args) {
  auto values = function.call(args);
  if (!values) return values.error();
  return Results(function.host(), std::move(*values));
}
template <class... A>
  requires(std::is_constructible_v<Value, A> && ...)
Result<Results> call_owned(const Function& function, A&&... args) {
  const Value values[] = {Value(std::forward<A>(args))..., Value()};
  return call_owned(function, std::span<const Value>(values, sizeof...(A)));
}

}  // namespace vr
