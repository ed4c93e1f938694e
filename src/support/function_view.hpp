// A reference to something that can be called, for parameters of functions that are not templates.
#pragma once
#include <memory>
#include <type_traits>
#include <utility>

namespace vr {

template <class Signature>
class FunctionView;

/// Refers to a callable without owning it: the callable must live as long as the reference is called. A parameter of this type
/// accepts any lambda for the duration of the call, without an allocation and without a copy of the function for each lambda.
template <class R, class... Args>
class FunctionView<R(Args...)> {
 public:
  template <class F, class = std::enable_if_t<!std::is_same_v<std::decay_t<F>, FunctionView> && std::is_invocable_r_v<R, F&, Args...>>>
  FunctionView(F&& f)  // NOLINT(google-explicit-constructor): arguments are lambdas
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(f)))),
        call_([](void* object, Args... args) -> R {
          return (*static_cast<std::add_pointer_t<F>>(object))(std::forward<Args>(args)...);
        }) {}
  R operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

 private:
  void* object_;
  R (*call_)(void*, Args...);
};

}  // namespace vr
