// make_binding<Host>(): a HostBinding from a struct that describes the host, checked at compile time. vrbinding.hpp.in, a
// template that a host copies and fills in, explains each member of the struct (thesis 3.4).
#pragma once
#include <velociraptor/binding.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace vr {

namespace host_detail {

template <class T>
using Plain = std::remove_cv_t<std::remove_reference_t<T>>;
template <class T>
concept Number = std::integral<T> || std::is_enum_v<T>;
template <class T>
constexpr bool is_signed() {
  if constexpr (std::is_enum_v<T>) {
    return std::is_signed_v<std::underlying_type_t<T>>;
  } else {
    return std::is_signed_v<T>;
  }
}

/// One value in the object.
template <class Member>
HostField value_field(size_t offset) {
  using T = Plain<Member>;
  static_assert(Number<T> || std::is_pointer_v<T>,
                "VR_HOST_VALUE: the member is neither an integer nor a pointer; write an accessor (vr::host_accessor)");
  if constexpr (std::is_pointer_v<T>) {
    return HostField::at(static_cast<int32_t>(offset), sizeof(T), false);
  } else {
    return HostField::at(static_cast<int32_t>(offset), sizeof(T), is_signed<T>());
  }
}

/// One value for each dimension: `T name[N]` in the object, or `T* name` behind a pointer.
template <class Member>
HostField values_field(size_t offset) {
  using M = Plain<Member>;
  static_assert(std::is_array_v<M> || std::is_pointer_v<M>,
                "VR_HOST_VALUES: the member is neither an array nor a pointer; write an accessor (vr::host_accessor)");
  using T = std::remove_cv_t<std::remove_pointer_t<std::decay_t<M>>>;
  static_assert(Number<T>,
                "VR_HOST_VALUES: extents and strides must be integers; write an accessor (vr::host_accessor)");
  return HostField::at(static_cast<int32_t>(offset), sizeof(T), is_signed<T>(), std::is_pointer_v<M>);
}

template <class F>
struct FirstParameter;
template <class R, class Object, class... Rest>
struct FirstParameter<R (*)(Object*, Rest...)> {
  using type = Object;
};
template <class R, class Object, class... Rest>
struct FirstParameter<R (*)(Object*, Rest...) noexcept> {
  using type = Object;
};

template <class Host>
concept HasContext = requires { typename Host::Context; };

/// Calls f(context, args...) for hosts with a context and f(args...) for hosts without.
template <class Host, class F, class... A>
decltype(auto) call(F f, [[maybe_unused]] void* context, A&&... args) {
  if constexpr (HasContext<Host>) {
    return f(*static_cast<typename Host::Context*>(context), std::forward<A>(args)...);
  } else {
    return f(std::forward<A>(args)...);
  }
}

}  // namespace host_detail

/// The field for a member that holds one value: data address, element code, rank.
#define VR_HOST_VALUE(Object, member)                                                                      \
  (::vr::host_detail::value_field<decltype(Object::member)>([] {                                           \
    static_assert(std::is_standard_layout_v<Object>,                                                       \
                  "VR_HOST_VALUE: " #Object " has no standard layout; use accessors (vr::host_accessor)"); \
    return offsetof(Object, member);                                                                       \
  }()))
/// The field for a member that holds one value for each dimension: extents, strides.
#define VR_HOST_VALUES(Object, member)                                                                      \
  (::vr::host_detail::values_field<decltype(Object::member)>([] {                                           \
    static_assert(std::is_standard_layout_v<Object>,                                                        \
                  "VR_HOST_VALUES: " #Object " has no standard layout; use accessors (vr::host_accessor)"); \
    return offsetof(Object, member);                                                                        \
  }()))

/// The field behind a function `R f(Object*)` or, for extents and strides, `R f(Object*, int32_t k)`; R is an integer
/// or a pointer. The function must neither throw nor take a lock: it is called from any thread.
template <auto F>
HostField host_accessor() {
  using Object = typename host_detail::FirstParameter<decltype(F)>::type;
  return HostField::call([](void*, void* object, int32_t k) -> int64_t {
    auto* o = static_cast<Object*>(object);
    auto value = [&] {
      if constexpr (std::is_invocable_v<decltype(F), Object*, int32_t>) {
        return F(o, k);
      } else {
        return (void)k, F(o);
      }
    }();
    if constexpr (std::is_pointer_v<decltype(value)>) {
      return static_cast<int64_t>(reinterpret_cast<uintptr_t>(value));
    } else {
      static_assert(host_detail::Number<decltype(value)>,
                    "host_accessor: the function returns an integer or a pointer");
      return static_cast<int64_t>(value);
    }
  });
}

/// The set of element types (HostBinding::elements) with these codes: host_elements ({VR_FLOAT64, VR_INT32 |
/// VR_COMPLEX}).
constexpr uint32_t host_elements(std::initializer_list<int32_t> codes) {
  uint32_t set = 0;
  for (const int32_t code : codes) set |= uint32_t{1} << code;
  return set;
}

/// The binding that `Host` describes. `context` is passed to Host's functions if Host declares a type Context, and must
/// outlive the engine. An exception in `allocate` or `view` is treated as "no memory"; the other functions must not throw.
template <class Host>
HostBinding make_binding(void* context = nullptr) {
  using namespace host_detail;
  static_assert(requires { typename Host::Object; }, "Host::Object is missing: the type of the host's array object");
  using Object = typename Host::Object;
  static_assert(
      requires {
        { Host::name } -> std::convertible_to<const char*>;
      }, "Host::name is missing: a string");
  constexpr bool describes = requires { &Host::describe; };  // instead of the fields
  static_assert(
      describes || requires {
        { Host::data() } -> std::same_as<HostField>;
      }, "Host::data() is missing: a HostField");
  static_assert(
      describes || requires {
        { Host::elem() } -> std::same_as<HostField>;
      }, "Host::elem() is missing: a HostField");
  static_assert(
      describes || requires {
        { Host::rank() } -> std::same_as<HostField>;
      }, "Host::rank() is missing: a HostField");
  static_assert(
      describes || requires {
        { Host::extents() } -> std::same_as<HostField>;
      }, "Host::extents() is missing: a HostField");
  static_assert(
      describes || requires {
        { Host::stride_unit } -> std::convertible_to<StrideUnit>;
      }, "Host::stride_unit is missing: StrideUnit::Bytes, Elements or None");
  static_assert(requires { &Host::allocate; }, "Host::allocate is missing");
  static_assert(requires { &Host::retain; }, "Host::retain is missing");
  static_assert(requires { &Host::release; }, "Host::release is missing");
  constexpr bool takes_lock = requires { &Host::take_lock; };
  constexpr bool gives_lock = requires { &Host::release_lock; };
  static_assert(takes_lock == gives_lock, "Host::take_lock and Host::release_lock come together or not at all");

  HostBinding b;
  b.name = Host::name;
  b.context = context;
  if constexpr (describes) {
    b.describe = [](void* c, void* object, vr_array* out) -> int32_t {
      return call<Host>(&Host::describe, c, static_cast<Object*>(object), *out);
    };
  } else {
    b.data = Host::data();
    b.elem = Host::elem();
    b.rank = Host::rank();
    b.extents = Host::extents();
    b.stride_unit = Host::stride_unit;
    if constexpr (Host::stride_unit == StrideUnit::None) {
      static_assert(
          requires {
            { Host::layout } -> std::convertible_to<ir::Layout>;
          }, "Host::layout is missing: without strides it says RowMajor or ColMajor");
      static_assert(Host::layout != ir::Layout::Strided, "Host::layout: without strides it is RowMajor or ColMajor");
      b.layout = Host::layout;
    } else {
      static_assert(
          requires {
            { Host::strides() } -> std::same_as<HostField>;
          }, "Host::strides() is missing: a HostField (or stride_unit None)");
      b.strides = Host::strides();
    }
    if constexpr (requires {
                    { Host::read_only() } -> std::same_as<HostField>;
                  }) {
      b.read_only = Host::read_only();
    }
  }
  if constexpr (requires {
                  { Host::elements } -> std::convertible_to<uint32_t>;
                }) {
    b.elements = Host::elements;
  }
  if constexpr (requires { &Host::elem_code; }) {
    b.elem_code = [](void* c, int64_t code) -> int32_t { return call<Host>(&Host::elem_code, c, code); };
  }
  b.allocate = [](void* c, int32_t elem, int32_t rank, const int64_t* extents, ir::Layout layout) -> void* {
    try {
      return call<Host>(&Host::allocate, c, elem, rank, extents, layout);
    } catch (...) {
      return nullptr;
    }
  };
  b.retain = [](void* c, void* object) { call<Host>(&Host::retain, c, static_cast<Object*>(object)); };
  b.release = [](void* c, void* object) { call<Host>(&Host::release, c, static_cast<Object*>(object)); };
  if constexpr (takes_lock) {
    b.take_lock = [](void* c) { call<Host>(&Host::take_lock, c); };
    b.release_lock = [](void* c) { call<Host>(&Host::release_lock, c); };
  }
  if constexpr (requires { &Host::raise; }) {
    b.raise = [](void* c, const vr_error* error) { call<Host>(&Host::raise, c, *error); };
  }
  if constexpr (requires { &Host::view; }) {
    b.view = [](void* c, void* base, const vr_array* shape) -> void* {
      try {
        return call<Host>(&Host::view, c, static_cast<Object*>(base), *shape);
      } catch (...) {
        return nullptr;
      }
    };
  }
  if constexpr (requires {
                  { Host::conventions() } -> std::convertible_to<ir::Conventions>;
                }) {
    b.conventions = Host::conventions();
  }
  return b;
}

}  // namespace vr
