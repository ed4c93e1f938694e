// float16 and bfloat16 as C++ types: 16 bits that convert to and from the types of C++. What is computed with them is computed in
// float, to which they convert implicitly.
#pragma once
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace vr::ir {

namespace detail {
/// Rounded to the nearest, ties to even, from the double itself. Overflow gives an infinity; NaN stays NaN, with its sign and the
/// upper bits of its payload.
constexpr uint16_t float16_bits(double v) {
  const auto u = std::bit_cast<uint64_t>(v);
  const auto sign = static_cast<uint16_t>(u >> 48 & 0x8000);
  const uint64_t a = u & 0x7fffffffffffffff;
  uint16_t r = 0;
  if (a > std::bit_cast<uint64_t>(std::numeric_limits<double>::infinity())) {
    r = static_cast<uint16_t>(0x7e00 | (a >> 42 & 0x1ff));
  } else if (a >= std::bit_cast<uint64_t>(65520.0)) {
    r = 0x7c00;
  } else if (a < std::bit_cast<uint64_t>(0x1p-14)) {  // subnormal: a multiple of 2^-24, which the sum's last bits count
    r = static_cast<uint16_t>(std::bit_cast<uint64_t>(std::bit_cast<double>(a) + 0x1p28));
  } else {
    const uint64_t rounded = a + 0x1ffffffffff + (a >> 42 & 1);
    r = static_cast<uint16_t>((rounded >> 42) - (uint64_t{1023 - 15} << 10));
  }
  return sign | r;
}
constexpr float float16_value(uint16_t bits) {
  const uint32_t sign = uint32_t{bits} << 16 & 0x80000000, exponent = bits >> 10 & 31, mantissa = bits & 0x3ff;
  if (exponent == 0) {
    const float v = static_cast<float>(mantissa) * 0x1p-24f;
    return sign != 0 ? -v : v;
  }
  const uint32_t biased = exponent == 31 ? 255 : exponent + 127 - 15;
  const uint32_t quiet = exponent == 31 && mantissa != 0 ? 0x400000 : 0;
  return std::bit_cast<float>(sign | biased << 23 | mantissa << 13 | quiet);
}

/// Rounded to the nearest, ties to even.
constexpr uint16_t bfloat16_bits(float v) {
  const auto u = std::bit_cast<uint32_t>(v);
  if (v != v) return static_cast<uint16_t>(u >> 16 | 0x40);
  return static_cast<uint16_t>((u + 0x7fff + (u >> 16 & 1)) >> 16);
}
constexpr float bfloat16_value(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }
}  // namespace detail

/// IEEE 754's binary16. Every conversion to it rounds once.
struct Float16 {
  uint16_t bits = 0;
  constexpr Float16() = default;
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr explicit Float16(T v) : bits(detail::float16_bits(static_cast<double>(v))) {}
  constexpr operator float() const { return detail::float16_value(bits); }
};

/// The upper half of a binary32. A conversion to it converts to float first.
struct BFloat16 {
  uint16_t bits = 0;
  constexpr BFloat16() = default;
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr explicit BFloat16(T v) : bits(detail::bfloat16_bits(static_cast<float>(v))) {}
  constexpr operator float() const { return detail::bfloat16_value(bits); }
};

static_assert(sizeof(Float16) == 2 && sizeof(BFloat16) == 2);

}  // namespace vr::ir
