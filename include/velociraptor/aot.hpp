// What C++ programs need besides the header NAME.hpp that `vrir build` writes (docs/ahead-of-time.md): typed arrays,
// and faults as exceptions. C++17, header only, on top of aot.h.
#ifndef VELOCIRAPTOR_AOT_HPP
#define VELOCIRAPTOR_AOT_HPP
#include <velociraptor/aot.h>

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace vr::built {

/// Elements without arithmetic in C++: their bits.
struct float16 {
  std::uint16_t bits;
};
struct bfloat16 {
  std::uint16_t bits;
};

/// VR_FLOAT64 and others for a C++ type.
template <class T>
struct element;
#define VR_BUILT_ELEMENT(T, number)              \
  template <>                                    \
  struct element<T> {                            \
    static constexpr std::int32_t code = number; \
  };
VR_BUILT_ELEMENT(bool, VR_BOOL)
VR_BUILT_ELEMENT(std::int8_t, VR_INT8)
VR_BUILT_ELEMENT(std::int16_t, VR_INT16)
VR_BUILT_ELEMENT(std::int32_t, VR_INT32)
VR_BUILT_ELEMENT(std::int64_t, VR_INT64)
VR_BUILT_ELEMENT(std::uint8_t, VR_UINT8)
VR_BUILT_ELEMENT(std::uint16_t, VR_UINT16)
VR_BUILT_ELEMENT(std::uint32_t, VR_UINT32)
VR_BUILT_ELEMENT(std::uint64_t, VR_UINT64)
VR_BUILT_ELEMENT(float, VR_FLOAT32)
VR_BUILT_ELEMENT(double, VR_FLOAT64)
VR_BUILT_ELEMENT(float16, VR_FLOAT16)
VR_BUILT_ELEMENT(bfloat16, VR_BFLOAT16)
VR_BUILT_ELEMENT(std::complex<float>, VR_FLOAT32 | VR_COMPLEX)
VR_BUILT_ELEMENT(std::complex<double>, VR_FLOAT64 | VR_COMPLEX)
#undef VR_BUILT_ELEMENT

/// Where elements lie: contiguous with the last or the first dimension fastest, or anywhere.
enum class layout { row_major, col_major, strided };

/// A fault of a compiled function, or of a call of it.
class fault : public std::runtime_error {
 public:
  explicit fault(const vr_error& record)
      : std::runtime_error((record.loc[0] ? std::string(record.loc) + ": " : std::string()) + record.message),
        record_(record) {}
  /// Code, place in the program, array and subscript.
  const vr_error& record() const noexcept { return record_; }

 private:
  vr_error record_;
};

template <class T, int Rank, layout L = layout::row_major>
class array;

/// Elements of somebody else, who must keep them as long as the view is used. T is const where nobody stores to them.
template <class T, int Rank, layout L = layout::row_major>
class view {
  static_assert(Rank >= 1 && Rank <= VR_MAX_RANK, "arrays have 1 to VR_MAX_RANK dimensions");
  using value = std::remove_const_t<T>;
  using extents_type = std::array<std::int64_t, Rank>;

 public:
  /// Contiguous elements: in the order of L; of a strided view the last dimension is fastest. Throws fault (VR_SIZE)
  /// for extents that are negative or too large.
  view(T* data, const extents_type& extents) {
    const std::int32_t status = vr_aot_describe(&array_, const_cast<value*>(data), element<value>::code, Rank,
                                                extents.data(), L == layout::col_major);
    if (status == VR_OK) return;
    vr_error record = {};
    record.code = status;
    record.axis = -1;
    constexpr char text[] = "extents are negative or too large";
    for (std::size_t k = 0; k < sizeof text; ++k) record.message[k] = text[k];
    throw fault(record);
  }
  /// Strides are in bytes, of any sign; `data` is the address of element (0, ..., 0).
  template <layout M = L, class = std::enable_if_t<M == layout::strided>>
  view(T* data, const extents_type& extents, const extents_type& strides) : view(data, extents) {
    for (int k = 0; k < Rank; ++k) array_.stride[k] = strides[static_cast<std::size_t>(k)];
  }
  /// The elements of a container that holds them in one piece: std::vector, std::array, std::span.
  template <class C, int R = Rank, class = std::enable_if_t<R == 1>,
            class = std::enable_if_t<std::is_convertible_v<decltype(std::declval<C&>().data()), T*>>,
            class = decltype(std::declval<C&>().size())>
  view(C& container) : view(container.data(), {static_cast<std::int64_t>(container.size())}) {}
  /// All elements of another view or array: any layout converts to strided, and elements may become const.
  template <class U, layout M,
            class = std::enable_if_t<std::is_convertible_v<U (*)[], T (*)[]> && (M == L || L == layout::strided)>>
  view(const view<U, Rank, M>& other) noexcept : array_(other.descriptor()) {}
  template <class U, layout M,
            class = std::enable_if_t<std::is_convertible_v<U (*)[], T (*)[]> && (M == L || L == layout::strided)>>
  view(const array<U, Rank, M>& other) noexcept : array_(other.descriptor()) {}

  T* data() const noexcept { return static_cast<T*>(array_.data); }
  std::int64_t extent(int dimension) const noexcept { return array_.extent[dimension]; }
  std::int64_t size() const noexcept {
    std::int64_t n = 1;
    for (int k = 0; k < Rank; ++k) n *= array_.extent[k];
    return n;
  }
  /// The element with these subscripts, from 0; not checked.
  template <class... I>
  T& operator()(I... subscripts) const noexcept {
    static_assert(sizeof...(I) == Rank, "one subscript for each dimension");
    const std::int64_t at[] = {static_cast<std::int64_t>(subscripts)...};
    std::int64_t offset = 0;
    for (int k = 0; k < Rank; ++k) offset += at[k] * array_.stride[k];
    return *reinterpret_cast<T*>(static_cast<char*>(array_.data) + offset);
  }
  const vr_array& descriptor() const noexcept { return array_; }

 private:
  vr_array array_;
};

/// An array that a compiled function returned; its elements are freed with it, unless others share them. Functions with
/// reference semantics may return elements of their arguments, which must then live as long.
template <class T, int Rank, layout L>
class array {
 public:
  /// Takes over a descriptor that a compiled function wrote.
  explicit array(const vr_array& made) noexcept : array_(made) {}
  array(array&& other) noexcept : array_(other.array_) { other.array_ = {}; }
  array& operator=(array&& other) noexcept {
    std::swap(array_, other.array_);
    return *this;
  }
  ~array() { vr_aot_release(&array_); }

  T* data() const noexcept { return static_cast<T*>(array_.data); }
  std::int64_t extent(int dimension) const noexcept { return array_.extent[dimension]; }
  std::int64_t size() const noexcept { return view<T, Rank, L>(*this).size(); }
  template <class... I>
  T& operator()(I... subscripts) const noexcept {
    return view<T, Rank, L>(*this)(subscripts...);
  }
  const vr_array& descriptor() const noexcept { return array_; }

 private:
  vr_array array_;
};

}  // namespace vr::built
#endif
