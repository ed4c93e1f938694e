// Batcher's merge exchange (Knuth, The Art of Computer Programming, 5.2.2, Algorithm M) on lanes of vectors.
#include "runtime/cpu/sort_together.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

namespace vr::runtime {

namespace {

// Functions for other instruction sets than the build's take over this code, so it must be inlined into them.
#define VR_INLINE [[gnu::always_inline]] static inline

#if defined(__x86_64__) && defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define VR_SHUFFLES
#endif
#endif

#if defined(__clang__)  // it has no such option here, and needs none
#define VR_AVX512 __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl")))
#else
#define VR_AVX512 __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,prefer-vector-width=512")))
#endif

template <int size>
using SignedOf = std::conditional_t<size == 2, int16_t, std::conditional_t<size == 4, int32_t, int64_t>>;

template <class T>
struct Lanes {
  static constexpr int w = lanes<T>;
  using Int = SignedOf<sizeof(T)>;
  typedef T Vector __attribute__((vector_size(64), may_alias));
  typedef std::make_unsigned_t<Int> Bits __attribute__((vector_size(64), may_alias));

  VR_INLINE void exchange(T* p, T* q) {
    auto* a = reinterpret_cast<Vector*>(p);
    auto* b = reinterpret_cast<Vector*>(q);
    const Vector x = *a, y = *b;
    *a = y < x ? y : x;
    *b = y < x ? x : y;
  }
  /// The stages of the network for lines of n from blocks of p on that are sorted.
  VR_INLINE void network_from(int64_t p, T* block, int64_t n) {
    for (; p < n; p *= 2)
      for (int64_t k = p; k >= 1; k /= 2)
        for (int64_t j = k % p; j + k < n; j += 2 * k) {
          if ((j + k) % (2 * p) == 0) continue;  // compares only elements of the same block of 2 p
          T* at = block + j * w;
          const int64_t count = std::min(k, n - j - k) * w;
          for (T* end = at + count; at != end; at += w) exchange(at, at + k * w);
        }
  }
  /// The comparisons of 16 elements, which are in registers.
  struct Comparison {
    int low, high;
  };
  static constexpr int in_registers = 16, comparisons = 63;
  static constexpr std::array<Comparison, comparisons> list = [] {
    std::array<Comparison, comparisons> all{};
    size_t count = 0;
    for (int p = 1; p < in_registers; p *= 2)
      for (int k = p; k >= 1; k /= 2)
        for (int j = k % p; j + k < in_registers; j += 2 * k)
          for (int i = j; i < j + k && (j + k) % (2 * p) != 0; ++i) all[count++] = {i, i + k};
    return all;
  }();
  template <size_t... c>
  VR_INLINE void compare_all(Vector* r, std::index_sequence<c...>) {
    (exchange(reinterpret_cast<T*>(r + list[c].low), reinterpret_cast<T*>(r + list[c].high)), ...);
  }
  VR_INLINE void network(T* block, int64_t n) {
    int64_t at = 0;
    for (; at + in_registers <= n; at += in_registers) {
      Vector r[in_registers];
      std::memcpy(r, block + at * w, sizeof r);
      compare_all(r, std::make_index_sequence<comparisons>());
      std::memcpy(block + at * w, r, sizeof r);
    }
    network_from(1, block + at * w, n - at);
    network_from(in_registers, block, n);
  }

  static constexpr Int sign = static_cast<Int>(Int(1) << (8 * sizeof(T) - 1));
  static constexpr Int infinity = sizeof(T) == 4 ? Int(0x7f800000) : static_cast<Int>(int64_t{0x7ff} << 52);
  VR_INLINE bool is_special(T v) {
    if constexpr (std::is_floating_point_v<T>) {
      Int bits;
      std::memcpy(&bits, &v, sizeof v);
      return v != v || bits == sign;
    }
    return false;
  }
  /// False if an element is NaN or -0.0.
  VR_INLINE bool load(T* const* lines, int64_t from, int64_t to, T* block) {
    bool special = false;
    for (int64_t l = 0; l < w; ++l)
      for (int64_t i = from; i < to; ++i) {
        special |= is_special(lines[l][i]);
        block[i * w + l] = lines[l][i];
      }
    return !special;
  }
  VR_INLINE void store(T* const* lines, int64_t from, int64_t to, const T* block) {
    for (int64_t l = 0; l < w; ++l)
      for (int64_t i = from; i < to; ++i) lines[l][i] = block[i * w + l];
  }

#ifdef VR_SHUFFLES
  /// Row i or row i + d of a pair, after blocks of d columns were exchanged between them.
  template <int d, bool second, size_t... j>
  VR_INLINE void mixed(const Vector& a, const Vector& b, Vector& to, std::index_sequence<j...>) {
    to = __builtin_shufflevector(a, b,
                                 (j & d ? (second ? w + int(j) : w + int(j) - d) : (second ? int(j) + d : int(j)))...);
  }
  template <int d>
  VR_INLINE void exchange_blocks(Vector* r) {
#pragma GCC unroll 32
    for (int i = 0; i < w; ++i)
      if (!(i & d)) {
        const Vector a = r[i], b = r[i + d];
        mixed<d, false>(a, b, r[i], std::make_index_sequence<w>());
        mixed<d, true>(a, b, r[i + d], std::make_index_sequence<w>());
      }
  }
  VR_INLINE void transpose(Vector* r) {
    exchange_blocks<1>(r);
    exchange_blocks<2>(r);
    exchange_blocks<4>(r);
    if constexpr (w > 8) exchange_blocks<8>(r);
    if constexpr (w > 16) exchange_blocks<16>(r);
  }
  /// Squares of w lines and w elements; the last one overlaps the one before.
  template <class F>
  VR_INLINE void in_squares(int64_t n, F f) {
    for (int64_t i = 0; i + w <= n; i += w) f(i);
    if (n % w != 0) f(n - w);
  }
  VR_INLINE bool load_squares(T* const* lines, int64_t n, T* block) {
    if (n < w) return load(lines, 0, n, block);
    Bits special = {};
    in_squares(n, [&](int64_t at) __attribute__((always_inline)) {
      Vector r[w];
#pragma GCC unroll 32
      for (int l = 0; l < w; ++l) {
        std::memcpy(&r[l], lines[l] + at, sizeof(Vector));
        if constexpr (std::is_floating_point_v<T>) {
          // The sign of the first term tells NaN, that of the second one -0.0: compilers take comparisons apart here.
          constexpr auto top = static_cast<std::make_unsigned_t<Int>>(sign),
                         inf = static_cast<std::make_unsigned_t<Int>>(infinity);
          const Bits bits = (Bits)r[l], other = bits ^ top;
          special |= (inf - (bits & ~top)) | ~(other | -other);
        }
      }
      transpose(r);
#pragma GCC unroll 32
      for (int k = 0; k < w; ++k) std::memcpy(block + (at + k) * w, &r[k], sizeof(Vector));
    });
    std::make_unsigned_t<Int> any = 0;
    for (int k = 0; k < w; ++k) any |= special[k];
    return static_cast<Int>(any) >= 0;
  }
  VR_INLINE void store_squares(T* const* lines, int64_t n, const T* block) {
    if (n < w) return store(lines, 0, n, block);
    in_squares(n, [&](int64_t at) __attribute__((always_inline)) {
      Vector r[w];
#pragma GCC unroll 32
      for (int k = 0; k < w; ++k) std::memcpy(&r[k], block + (at + k) * w, sizeof(Vector));
      transpose(r);
#pragma GCC unroll 32
      for (int l = 0; l < w; ++l) std::memcpy(lines[l] + at, &r[l], sizeof(Vector));
    });
  }

  /// Bitonic merges of the lanes' sorted lines, to lines of two lanes, four lanes, and so on: element i of lane l
  /// precedes element 0 of lane l + 1. Their lengths m are a power of two from 2 on.
  template <int g, size_t... j>
  VR_INLINE void merge_opposite(Vector* r, int64_t m, std::index_sequence<j...>) {
    for (int64_t i = 0; i < m / 2; ++i) {
      const Vector x = r[i], y = r[m - 1 - i];
      const Vector p = __builtin_shufflevector(y, y, (int(j) ^ (2 * g - 1))...),
                   q = __builtin_shufflevector(x, x, (int(j) ^ (2 * g - 1))...);
      const Vector less = p < x ? p : x, more = p < x ? x : p, less_back = q < y ? q : y, more_back = q < y ? y : q;
      r[i] = __builtin_shufflevector(less, more, (j & g ? w + int(j) : int(j))...);
      r[m - 1 - i] = __builtin_shufflevector(less_back, more_back, (j & g ? w + int(j) : int(j))...);
    }
  }
  template <int d, size_t... j>
  VR_INLINE void merge_lanes(Vector* r, int64_t m, std::index_sequence<j...> all) {
    for (int64_t i = 0; i < m; ++i) {
      const Vector x = r[i], p = __builtin_shufflevector(x, x, (int(j) ^ d)...);
      const Vector less = p < x ? p : x, more = p < x ? x : p;
      r[i] = __builtin_shufflevector(less, more, (j & d ? w + int(j) : int(j))...);
    }
    if constexpr (d > 1) merge_lanes<d / 2>(r, m, all);
  }
  template <int g>
  VR_INLINE void merge_from(T* block, int64_t m) {
    constexpr auto all = std::make_index_sequence<w>();
    auto* r = reinterpret_cast<Vector*>(block);
    merge_opposite<g>(r, m, all);
    if constexpr (g > 1) merge_lanes<g / 2>(r, m, all);
    for (int64_t k = m / 2; k >= 1; k /= 2)
      for (int64_t j = 0; j < m; j += 2 * k)
        for (int64_t i = j; i < j + k; ++i) exchange(block + i * w, block + (i + k) * w);
    if constexpr (2 * g < w) merge_from<2 * g>(block, m);
  }
#endif
};

/// Both functions for one instruction set. lines: null if the numbers are in the block already.
template <class T>
bool plain(T* const* lines, int64_t n, T* block) {
  if (lines && !Lanes<T>::load(lines, 0, n, block)) return false;
  Lanes<T>::network(block, n);
  if (lines) Lanes<T>::store(lines, 0, n, block);
  return true;
}

#if defined(__x86_64__)
template <class T>
__attribute__((target("avx2"))) bool with_avx2(T* const* lines, int64_t n, T* block) {
  if (lines && !Lanes<T>::load(lines, 0, n, block)) return false;
  Lanes<T>::network(block, n);
  if (lines) Lanes<T>::store(lines, 0, n, block);
  return true;
}
#endif
#ifdef VR_SHUFFLES
template <class T>
VR_AVX512 bool with_avx512(T* const* lines, int64_t n, T* block) {
  if (lines && !Lanes<T>::load_squares(lines, n, block)) return false;
  Lanes<T>::network(block, n);
  if (lines) Lanes<T>::store_squares(lines, n, block);
  return true;
}
#endif

#ifdef VR_SHUFFLES
template <class T>
VR_AVX512 void line_with_avx512(T* line, int64_t n) {
  constexpr int w = lanes<T>;
  alignas(64) T block[most_together], out[most_together];
  int64_t m = 2;
  while (m * w < n) m *= 2;
  std::memcpy(block, line, static_cast<size_t>(n) * sizeof(T));
  std::fill(block + n, block + m * w, std::numeric_limits<T>::max());
  Lanes<T>::network(block, m);
  Lanes<T>::template merge_from<1>(block, m);
  T* columns[w];
  for (int k = 0; k < w; ++k) columns[k] = out + k * m;
  Lanes<T>::store_squares(columns, m, block);
  std::memcpy(line, out, static_cast<size_t>(n) * sizeof(T));
}

bool has_avx512() {
  static const bool has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  return has;
}
#endif

template <class T>
using Sort = bool (*)(T* const*, int64_t, T*);

template <class T>
Sort<T> best() {
#ifdef VR_SHUFFLES
  if (has_avx512()) return with_avx512<T>;
#endif
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return with_avx2<T>;
#endif
  return plain<T>;
}

template <class T>
bool sorted(T* const* lines, int64_t n, T* block) {
  static const Sort<T> sort = best<T>();
  return sort(lines, n, block);
}

}  // namespace

template <class T>
void sort_together(T* block, int64_t n) noexcept {
  sorted<T>(nullptr, n, block);
}

template <class T>
bool sort_together(T* const* lines, int64_t n, T* block) noexcept {
  return sorted<T>(lines, n, block);
}

template <class T>
bool sort_in_lanes([[maybe_unused]] T* line, [[maybe_unused]] int64_t n) noexcept {
#ifdef VR_SHUFFLES
  if (has_avx512()) {
    line_with_avx512(line, n);
    return true;
  }
#endif
  return false;
}
template bool sort_in_lanes(uint16_t*, int64_t) noexcept;
template bool sort_in_lanes(uint32_t*, int64_t) noexcept;
template bool sort_in_lanes(uint64_t*, int64_t) noexcept;

#define VR_INSTANTIATE(T)                            \
  template void sort_together(T*, int64_t) noexcept; \
  template bool sort_together(T* const*, int64_t, T*) noexcept;
VR_INSTANTIATE(int16_t)
VR_INSTANTIATE(int32_t)
VR_INSTANTIATE(int64_t)
VR_INSTANTIATE(uint16_t)
VR_INSTANTIATE(uint32_t)
VR_INSTANTIATE(uint64_t)
VR_INSTANTIATE(float)
VR_INSTANTIATE(double)
#undef VR_INSTANTIATE
#undef VR_INLINE
#undef VR_AVX512

}  // namespace vr::runtime
