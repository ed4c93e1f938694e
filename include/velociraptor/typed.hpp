// Compiled functions with a C++ signature: TypedFunction<double(double, Array)>. Types are compared once, not at each call.
#pragma once
#include <velociraptor/engine.hpp>

#include <array>
#include <complex>
#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace vr {

/// Maps the C++ type T to a VRIR type: double, float, ir::Float16, ir::BFloat16, int8_t to int64_t, uint8_t to uint64_t, bool, std::complex<double> and
/// std::complex<float> to the corresponding scalar type, Array to an array of any element type, rank and layout.
template <class T>
struct HostType;

template <class T, Elem elem_, bool complex_ = false>
struct ScalarHostType {
  static bool stands_for(const ir::Type& t) { return t.is_scalar() && t.elem == elem_ && t.complex == complex_; }
  static std::string name() { return ir::Type::scalar(elem_, complex_).text(); }
  static Value value(const T& x) {
    vr_value v = {};
    static_assert(sizeof x <= sizeof v);
    std::memcpy(&v, &x, sizeof x);
    return Value::scalar(elem_, complex_, v);
  }
  static T from(const Value& v) {
    T x;
    std::memcpy(static_cast<void*>(&x), &v.raw(), sizeof x);
    return x;
  }
};
template <>
struct HostType<double> : ScalarHostType<double, Elem::Float64> {};
template <>
struct HostType<float> : ScalarHostType<float, Elem::Float32> {};
template <>
struct HostType<ir::Float16> : ScalarHostType<ir::Float16, Elem::Float16> {};
template <>
struct HostType<ir::BFloat16> : ScalarHostType<ir::BFloat16, Elem::BFloat16> {};
template <>
struct HostType<int8_t> : ScalarHostType<int8_t, Elem::Int8> {};
template <>
struct HostType<int16_t> : ScalarHostType<int16_t, Elem::Int16> {};
template <>
struct HostType<int32_t> : ScalarHostType<int32_t, Elem::Int32> {};
template <>
struct HostType<int64_t> : ScalarHostType<int64_t, Elem::Int64> {};
template <>
struct HostType<uint8_t> : ScalarHostType<uint8_t, Elem::UInt8> {};
template <>
struct HostType<uint16_t> : ScalarHostType<uint16_t, Elem::UInt16> {};
template <>
struct HostType<uint32_t> : ScalarHostType<uint32_t, Elem::UInt32> {};
template <>
struct HostType<uint64_t> : ScalarHostType<uint64_t, Elem::UInt64> {};
template <>
struct HostType<bool> : ScalarHostType<bool, Elem::Bool> {};
template <>
struct HostType<std::complex<double>> : ScalarHostType<std::complex<double>, Elem::Float64, true> {};
template <>
struct HostType<std::complex<float>> : ScalarHostType<std::complex<float>, Elem::Float32, true> {};
template <>
struct HostType<Array> {
  static bool stands_for(const ir::Type& t) { return t.is_array(); }
  static std::string name() { return "an array"; }
  static Value value(const Array& a) { return Value(a); }
  static Array from(const Value& v) { return v.array(); }
};

/// The result type of a signature: one type, std::tuple of several, or void. A call returns Result<R>, or Status for void.
template <class R>
struct HostResults {
  using Outcome = Result<R>;
  static constexpr size_t count = 1;
  static bool stand_for(const std::vector<ir::Type>& t) { return t.size() == 1 && HostType<R>::stands_for(t[0]); }
  static std::string name() { return HostType<R>::name(); }
  static Outcome from(const std::vector<Value>& v) { return HostType<R>::from(v[0]); }
};
template <>
struct HostResults<void> {
  using Outcome = Status;
  static bool stand_for(const std::vector<ir::Type>& t) { return t.empty() || (t.size() == 1 && t[0].is_void()); }
  static std::string name() { return "nothing"; }
  static Outcome from(const std::vector<Value>&) { return {}; }
};
template <class... R>
struct HostResults<std::tuple<R...>> {
  using Outcome = Result<std::tuple<R...>>;
  static bool stand_for(const std::vector<ir::Type>& t) {
    size_t k = 0;
    return t.size() == sizeof...(R) && (HostType<R>::stands_for(t[k++]) && ...);
  }
  static std::string name() {
    std::string all;
    ((all += (all.empty() ? "" : ", ") + HostType<R>::name()), ...);
    return all;
  }
  static Outcome from(const std::vector<Value>& v) {
    return from(v, std::index_sequence_for<R...>());
  }

 private:
  template <size_t... k>
  static Outcome from(const std::vector<Value>& v, std::index_sequence<k...>) {
    return std::tuple<R...>(HostType<R>::from(v[k])...);
  }
};

template <class Signature>
class TypedFunction;

/// A Function of the built-in host (arrays are vr::Array). Copies refer to the same function; thread-safe like Function.
template <class R, class... A>
class TypedFunction<R(A...)> {
 public:
  /// Error TYPE, whose message has both signatures, if the types of `f` differ.
  static Result<TypedFunction> from(Function f) {
    const std::vector<ir::Type>& in = f.type().components();
    size_t k = 0;
    const bool fits = in.size() == sizeof...(A) && (HostType<std::decay_t<A>>::stands_for(in[k++]) && ...);
    if (!fits || !HostResults<R>::stand_for(f.type().outputs())) {
      std::string wanted;
      ((wanted += (wanted.empty() ? "" : ", ") + HostType<std::decay_t<A>>::name()), ...);
      return make_error(Code::Type, "'" + f.name() + "' is " + f.type().text() + ", not (" + wanted + ") -> " +
                                        HostResults<R>::name());
    }
    return TypedFunction(std::move(f));
  }

  /// Fails with the fault of the call.
  typename HostResults<R>::Outcome operator()(const std::decay_t<A>&... args) const {
    const std::array<Value, sizeof...(A)> values = {HostType<std::decay_t<A>>::value(args)...};
    auto results = function_.call(values);
    if (!results) return results.error();
    return HostResults<R>::from(*results);
  }

  const Function& function() const { return function_; }

 private:
  explicit TypedFunction(Function f) : function_(std::move(f)) {}
  Function function_;
};

/// module.function(name) with a signature: typed<double(double, Array)>(module, "axpy").
template <class Signature>
Result<TypedFunction<Signature>> typed(const Module& module, const std::string& name) {
  auto f = module.function(name);
  if (!f) return f.error();
  return TypedFunction<Signature>::from(std::move(*f));
}

}  // namespace vr
