// Batcher's merge exchange (Knuth, The Art of Computer Programming, 5.2.2, Algorithm M) on lanes of vectors.
#include "runtime/cpu/sort_together.hpp"

#include <algorithm>

namespace vr::runtime {

namespace {

// Functions for other instruction sets than the build's take over this code, so it must be inlined into them.
#define VR_INLINE [[gnu::always_inline]] static inline

template <class T>
struct Lanes {
  typedef T Vector __attribute__((vector_size(64), may_alias));

  VR_INLINE void exchange(T* p, T* q) {
    auto* a = reinterpret_cast<Vector*>(p);
    auto* b = reinterpret_cast<Vector*>(q);
    const Vector x = *a, y = *b;
    *a = y < x ? y : x;
    *b = y < x ? x : y;
  }
  VR_INLINE void network(T* block, int64_t n) {
    constexpr int64_t w = lanes<T>;
    for (int64_t p = 1; p < n; p *= 2)
      for (int64_t k = p; k >= 1; k /= 2)
        for (int64_t j = k % p; j + k < n; j += 2 * k) {
          if ((j + k) % (2 * p) == 0) continue;  // compares only elements of the same block of 2 p
          T* at = block + j * w;
          const int64_t count = std::min(k, n - j - k) * w;
          for (T* end = at + count; at != end; at += w) exchange(at, at + k * w);
        }
  }
};

template <class T>
void plain(T* block, int64_t n) {
  Lanes<T>::network(block, n);
}

#if defined(__x86_64__)
template <class T>
__attribute__((target("avx2"))) void with_avx2(T* block, int64_t n) {
  Lanes<T>::network(block, n);
}
template <class T>
__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,prefer-vector-width=512"))) void with_avx512(T* block, int64_t n) {
  Lanes<T>::network(block, n);
}
#endif

template <class T>
using Sort = void (*)(T*, int64_t);

template <class T>
Sort<T> best() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl"))
    return with_avx512<T>;
  if (__builtin_cpu_supports("avx2")) return with_avx2<T>;
#endif
  return plain<T>;
}

}  // namespace

template <class T>
void sort_together(T* block, int64_t n) noexcept {
  static const Sort<T> sort = best<T>();
  sort(block, n);
}

template void sort_together(int32_t*, int64_t) noexcept;
template void sort_together(int64_t*, int64_t) noexcept;
template void sort_together(uint32_t*, int64_t) noexcept;
template void sort_together(uint64_t*, int64_t) noexcept;
template void sort_together(float*, int64_t) noexcept;
template void sort_together(double*, int64_t) noexcept;

}  // namespace vr::runtime
