#include "runtime/library/call.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdarg>
#include <cstring>
#include <limits>
#include <new>
#include <type_traits>

#include "runtime/cpu/copy.hpp"
#include "runtime/cpu/fail.hpp"

namespace vr::runtime {

namespace {

template <class T>
constexpr bool is_complex = false;
template <class T>
constexpr bool is_complex<std::complex<T>> = true;

/// A number converted as by a cast of the language.
template <class T, class U>
T converted(U v) {
  if constexpr (std::is_same_v<T, U>) {
    return v;
  } else if constexpr (is_complex<T> && is_complex<U>) {
    return T(static_cast<typename T::value_type>(v.real()), static_cast<typename T::value_type>(v.imag()));
  } else if constexpr (is_complex<T>) {
    return T(static_cast<typename T::value_type>(v), 0);
  } else if constexpr (is_complex<U>) {
    return converted<T>(v.real());
  } else if constexpr (std::is_same_v<T, bool>) {
    return v != 0;
  } else if constexpr (std::is_integral_v<T> && std::is_floating_point_v<U>) {
    if (v != v) return 0;
    // The greatest integer of 32 and of 64 bits may not be representable as a float; the next power of two is.
    const U over = std::ldexp(U(1), std::numeric_limits<T>::digits);
    if (v >= over) return std::numeric_limits<T>::max();
    if (v <= static_cast<U>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
    return static_cast<T>(v);
  } else {
    return static_cast<T>(v);
  }
}

template <class T, class U>
void gather(const vr_array& a, Order order, T* to) {
  const int64_t n = element_count(a);
  if (n == 0) return;
  if constexpr (std::is_same_v<T, U>) {
    if (is_contiguous(a.rank, a.extent, a.stride, sizeof(T), order == Order::Column)) {
      std::memcpy(to, a.data, static_cast<size_t>(n) * sizeof(T));
      return;
    }
  }
  int64_t index[VR_MAX_RANK] = {};
  auto* at = static_cast<const char*>(a.data);
  for (int64_t i = 0; i < n; ++i) {
    U v;
    std::memcpy(&v, at, sizeof v);
    to[i] = converted<T>(v);
    for (int32_t step = 0; step < a.rank; ++step) {
      const int32_t k = order == Order::Column ? step : a.rank - 1 - step;
      at += a.stride[k];
      if (++index[k] < a.extent[k]) break;
      at -= a.extent[k] * a.stride[k];
      index[k] = 0;
    }
  }
}

}  // namespace

template <class T>
Buffer<T> LibraryCall::values(size_t k, Order order) const {
  const vr_array& a = in(k);
  Buffer<T> all(element_count(a));
  if (a.elem & VR_COMPLEX) {
    visit_real(a, [&](auto tag) { gather<T, std::complex<typename decltype(tag)::type>>(a, order, all.data()); });
  } else {
    visit_real(a, [&](auto tag) { gather<T, typename decltype(tag)::type>(a, order, all.data()); });
  }
  return all;
}
template <class T>
Elements<T> LibraryCall::elements(size_t k, Order order) const {
  const vr_array& a = in(k);
  constexpr bool complex = is_complex<T>;
  bool same = complex == ((a.elem & VR_COMPLEX) != 0);
  visit_real(a, [&](auto tag) {
    using E = typename decltype(tag)::type;
    if constexpr (complex)
      same = same && std::is_same_v<typename T::value_type, E>;
    else
      same = same && std::is_same_v<T, E>;
  });
  if (same && is_contiguous(a.rank, a.extent, a.stride, sizeof(T), order == Order::Column))
    return Elements<T>(static_cast<const T*>(a.data), element_count(a));
  return Elements<T>(values<T>(k, order));
}
// Elements of bool arrays are bytes with values 0 and 1, like those of uint8.
#define VR_VALUES(T)                                               \
  template Buffer<T> LibraryCall::values(size_t, Order) const; \
  template Elements<T> LibraryCall::elements(size_t, Order) const;
VR_VALUES(bool)
VR_VALUES(int8_t)
VR_VALUES(int16_t)
VR_VALUES(int32_t)
VR_VALUES(int64_t)
VR_VALUES(uint8_t)
VR_VALUES(uint16_t)
VR_VALUES(uint32_t)
VR_VALUES(uint64_t)
VR_VALUES(float)
VR_VALUES(double)
VR_VALUES(std::complex<float>)
VR_VALUES(std::complex<double>)
#undef VR_VALUES


double LibraryCall::number(size_t k) const {
  if (element_count(in(k)) != 1) fail(VR_SHAPE_MISMATCH, "argument " + std::to_string(k + 1) + " is not one number");
  return values<double>(k)[0];
}

int64_t LibraryCall::whole(size_t k) const {
  const bool floating = is_float_code(in(k).elem);
  if (floating) {
    const double v = number(k);
    if (!(std::floor(v) == v) || std::isinf(v)) fail(VR_TYPE, "argument " + std::to_string(k + 1) + " is no whole number");
    return converted<int64_t>(v);
  }
  number(k);  // one element
  if (real_part(in(k).elem) == ir::Elem::UInt64)
    return static_cast<int64_t>(std::min<uint64_t>(values<uint64_t>(k)[0], INT64_MAX));
  return values<int64_t>(k)[0];
}

int32_t LibraryCall::axis(size_t k) const {
  if (!given(k)) return -1;
  const int64_t written = whole(k);
  const int32_t rank = in(0).rank;
  int64_t n = 0;
  const bool fits = !__builtin_sub_overflow(written, base(), &n);
  if (fits && n < 0 && !matlab()) n += rank;  // NumPy: -1 is the last one
  if (!fits || n < 0 || (!matlab() && n >= rank))
    fail(VR_OUT_OF_BOUNDS,
         "dimension " + std::to_string(written) + " of an array of rank " + std::to_string(rank));
  return static_cast<int32_t>(std::min<int64_t>(n, rank));
}

const vr_array& LibraryCall::make(size_t k, std::span<const int64_t> extents) const {
  vr_array& a = *out_[k];
  const int32_t elem = a.elem, rank = a.rank;
  if (extents.size() != static_cast<size_t>(rank)) fail(VR_INTERNAL, "a result has another rank than its type");
  const int32_t layout = conventions_ & VR_LIBRARY_COLMAJOR ? VR_COLMAJOR : VR_ROWMAJOR;
  const int32_t where = conventions_ & VR_LIBRARY_IN_HOST && rank > 0 ? VR_IN_HOST : VR_IN_ENGINE;
  a = vr_array{};
  const int64_t one = 1;
  // For the allocator, a number is a vector of one element.
  const int32_t status = vr_rt_alloc(ctx_, site_, &a, elem, rank > 0 ? rank : 1, rank > 0 ? extents.data() : &one, layout,
                                     VR_FILL_NONE, where);
  if (status != VR_OK) {
    a = vr_array{};
    a.elem = elem;
    a.rank = rank;
    throw Fault{status, {}};
  }
  a.rank = rank;
  return a;
}

void* LibraryCall::make_vector(size_t k, int64_t n, bool row) const {
  if (out_[k]->rank < 2) return make(k, {n}).data;
  return (row ? make(k, {1, n}) : make(k, {n, 1})).data;
}

Lines lines_of(const vr_array& a, int32_t axis) {
  if (axis >= a.rank) return {a, 1, 0};  // MATLAB: every element is a line
  Lines l{a, a.extent[axis], a.stride[axis]};
  l.across.extent[axis] = 1;
  return l;
}

vr_array with_axis(const vr_array& a, int32_t axis) {
  vr_array r = a;
  if (r.rank == VR_MAX_RANK) throw Fault{VR_SIZE, "an array has 1 to 16 dimensions"};
  for (int32_t k = r.rank++; k > axis; --k) {
    r.extent[k] = r.extent[k - 1];
    r.stride[k] = r.stride[k - 1];
  }
  r.extent[axis] = 1;
  r.stride[axis] = 0;
  return r;
}

int32_t call_library(vr_context* ctx, const vr_site* site, int32_t id, int32_t conventions,
                     std::span<const vr_array* const> in, std::span<vr_array* const> out) noexcept {
  const LibraryFunction* f = library_function(id);
  int32_t status = VR_OK;
  try {
    if (!f) throw Fault{VR_INTERNAL, "the runtime does not compute this function"};
    f->compute(LibraryCall(ctx, site, f->name, conventions, in, out));
  } catch (const Fault& fault) {
    // Faults of allocations, which have no message, have been recorded already.
    status = fault.message.empty() ? fault.code : fail(ctx, site, fault.code, fault.message);
  } catch (const std::bad_alloc&) {
    status = fail(ctx, site, VR_OUT_OF_MEMORY, std::string(f->name) + ": no memory");
  } catch (...) {
    status = fail(ctx, site, VR_INTERNAL, "a library function failed");
  }
  if (status == VR_OK) return VR_OK;
  for (vr_array* a : out) {
    vr_rt_release(a->owner);
    a->owner = nullptr;
    a->data = nullptr;
  }
  return status;
}

}  // namespace vr::runtime

extern "C" int32_t vr_rt_library(vr_context* ctx, const vr_site* site, int32_t id, int32_t conventions, int32_t arguments,
                                 int32_t results, ...) {
  constexpr int32_t most = 16;
  const vr_array* in[most];
  vr_array* out[most];
  va_list arrays;
  va_start(arrays, results);
  for (int32_t k = 0; k < arguments && k < most; ++k) in[k] = va_arg(arrays, const vr_array*);
  for (int32_t k = 0; k < results && k < most; ++k) out[k] = va_arg(arrays, vr_array*);
  va_end(arrays);
  return vr::runtime::call_library(ctx, site, id, conventions, {in, static_cast<size_t>(arguments)},
                                   {out, static_cast<size_t>(results)});
}
