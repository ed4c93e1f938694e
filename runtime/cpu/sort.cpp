// sort_values, sort_positions: radix sort, least significant digit first, on unsigned keys that have the order of the
// numbers.
#include "runtime/cpu/sort.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include "runtime/cpu/parallel_for.hpp"
#include "runtime/cpu/pool.hpp"
#include "runtime/cpu/sort_together.hpp"

namespace vr::runtime {

namespace {

/// Fewer elements are sorted by comparisons; more by leading bits, and from `some` on by all digits.
constexpr int64_t few = 48, some = 768;
/// Of more elements, and up to most_together, keys are sorted in the lanes of vectors, if the processor has those.
constexpr int64_t least_in_lanes = 16;
/// From this number of elements on, the threads share the work.
constexpr int64_t many = 1 << 17;

template <int size>
using Unsigned =
    std::conditional_t<size == 1, uint8_t,
                       std::conditional_t<size == 2, uint16_t, std::conditional_t<size == 4, uint32_t, uint64_t>>>;
template <class T>
using KeyOf = Unsigned<sizeof(T)>;

/// An unsigned key with the order of v. -0.0 comes before 0.0; the position of NaN is arbitrary.
template <class T>
KeyOf<T> key_of(T v) {
  using K = KeyOf<T>;
  constexpr K top = static_cast<K>(K(1) << (8 * sizeof(K) - 1));
  const K bits = std::bit_cast<K>(v);
  if constexpr (std::is_floating_point_v<T>)
    return bits & top ? static_cast<K>(~bits) : static_cast<K>(bits | top);
  else
    return std::is_signed_v<T> ? static_cast<K>(bits ^ top) : bits;
}
template <class T>
T value_of(KeyOf<T> key) {
  using K = KeyOf<T>;
  constexpr K top = static_cast<K>(K(1) << (8 * sizeof(K) - 1));
  if constexpr (std::is_floating_point_v<T>)
    return std::bit_cast<T>(key & top ? static_cast<K>(key ^ top) : static_cast<K>(~key));
  else if constexpr (std::is_same_v<T, bool>)
    return key != 0;
  else
    return std::bit_cast<T>(std::is_signed_v<T> ? static_cast<K>(key ^ top) : key);
}

/// A 64-bit key with the position of its element. Keys of up to 32 bits share one number with the position: Packed.
struct Pair {
  uint64_t key;
  int64_t place;
  bool operator<(const Pair& o) const { return key != o.key ? key < o.key : place < o.place; }
};
struct Packed {
  uint64_t both;
  bool operator<(const Packed& o) const { return both < o.both; }
};

template <class K>
uint64_t bits_of(K key) requires std::is_unsigned_v<K> {
  return key;
}
uint64_t bits_of(Pair p) { return p.key; }
uint64_t bits_of(Packed p) { return p.both >> 32; }

using Counts = uint64_t[256];

template <class I>
unsigned digit(I item, int place) {
  return bits_of(item) >> (8 * place) & 255;
}

/// Turns counts of elements into the position of the first element of each digit.
void add_up(uint64_t* counts, uint64_t& sum) {
  const uint64_t count = *counts;
  *counts = sum;
  sum += count;
}

/// Sorts by the lowest `digits` bytes of the keys; returns the array that has the result, `items` or `room`.
template <class I, int digits>
I* by_digits(I* items, I* room, int64_t n) {
  Counts counts[digits] = {};
  for (int64_t i = 0; i < n; ++i)
    for (int d = 0; d < digits; ++d) ++counts[d][digit(items[i], d)];
  for (int d = 0; d < digits; ++d) {
    uint64_t* at = counts[d];
    if (at[digit(items[0], d)] == static_cast<uint64_t>(n)) continue;  // all keys have this digit
    uint64_t sum = 0;
    for (int k = 0; k < 256; ++k) add_up(at + k, sum);
    for (int64_t i = 0; i < n; ++i) room[at[digit(items[i], d)]++] = items[i];
    std::swap(items, room);
  }
  return items;
}

/// Calls f(k) for k in [0, n) on the context's threads.
template <class F>
void for_each_of(vr_context* ctx, int64_t n, F f) {
  vr_rt_parallel_for(
      ctx, nullptr,
      [](vr_context*, void* env, int64_t lo, int64_t hi) -> int32_t {
        for (int64_t k = lo; k < hi; ++k) (*static_cast<F*>(env))(k);
        return VR_OK;
      },
      &f, 0, n);
}

/// For the merge of two sorted ranges: how many of its first d elements come from the first range.
template <class I>
int64_t of_the_first(const I* a, int64_t n, const I* b, int64_t m, int64_t d) {
  int64_t low = std::max<int64_t>(0, d - m), high = std::min(d, n);
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (b[d - middle - 1] < a[middle])
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/// Without branches that depend on the elements.
template <class I>
void merge(const I* a, const I* a_end, const I* b, const I* b_end, I* to) {
  while (a != a_end && b != b_end) {
    const bool second = *b < *a;
    *to++ = second ? *b : *a;
    a += !second;
    b += second;
  }
  std::copy(b, b_end, std::copy(a, a_end, to));
}

/// The same with many threads: each sorts a chunk, then chunks are merged pairwise, each pair by several threads.
template <class I, int digits>
I* by_digits_together(vr_context* ctx, I* items, I* room, int64_t n) {
  const auto pieces = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(std::min(ctx->threads, 64))));
  const auto first = [&](int64_t piece) { return n / pieces * piece + std::min(n % pieces, piece); };
  for_each_of(ctx, pieces, [&](int64_t p) {
    const int64_t at = first(p), size = first(p + 1) - at;
    const I* there = by_digits<I, digits>(items + at, room + at, size);
    if (there != items + at) std::copy_n(there, size, items + at);
  });
  for (int64_t width = 1; width < pieces; width *= 2) {
    const int64_t parts = 2 * width;  // parts per pair, so that there are as many parts as chunks
    for_each_of(ctx, pieces, [&](int64_t p) {
      const int64_t pair = p / parts * parts, part = p % parts;
      const int64_t begin = first(pair), middle = first(pair + width), end = first(pair + parts);
      const I *a = items + begin, *b = items + middle;
      const int64_t left = middle - begin, right = end - middle, all = end - begin;
      const int64_t from = all * part / parts, to = all * (part + 1) / parts;
      const int64_t i = of_the_first(a, left, b, right, from), j = of_the_first(a, left, b, right, to);
      merge(a + i, a + j, b + (from - i), b + (to - j), room + begin + from);
    });
    std::swap(items, room);
  }
  return items;
}

struct GiveBack {
  void operator()(void* block) const { pool_free(block); }
};
template <class I>
using Room = std::unique_ptr<I[], GiveBack>;
template <class I>
Room<I> room_of(int64_t n) {
  return Room<I>(static_cast<I*>(pool_allocate(n * static_cast<int64_t>(sizeof(I)), false)));
}

template <class I>
void insert_each(I* items, int64_t n) {
  for (int64_t i = 1; i < n; ++i) {
    const I v = items[i];
    int64_t k = i;
    for (; k > 0 && v < items[k - 1]; --k) items[k] = items[k - 1];
    items[k] = v;
  }
}

/// The merge of two ranges of n items each, from both ends at the same time.
template <class I>
void merge_equal(const I* a, const I* b, int64_t n, I* to) {
  const I *a_last = a + n - 1, *b_last = b + n - 1;
  I* last = to + 2 * n - 1;
  for (int64_t k = 0; k < n; ++k) {
    const bool second = *b < *a, first_last = *b_last < *a_last;
    *to++ = second ? *b : *a;
    a += !second;
    b += second;
    *last-- = first_last ? *a_last : *b_last;
    a_last -= first_last;
    b_last -= !first_last;
  }
}

/// For some hundred keys: the columns of a matrix are sorted together, then merged. The result is in `items`.
template <class K>
void by_columns(K* items, K* room, int64_t n) {
  constexpr int64_t w = lanes<K>;
  alignas(64) K block[some + w];
  const int64_t m = (n + w - 1) / w;
  const auto length = [&](int64_t column, int64_t columns) {
    return std::clamp<int64_t>(n - column * m, 0, columns * m);
  };
  for (int64_t k = 0; k < w; ++k) {
    const int64_t own = length(k, 1);
    for (int64_t i = 0; i < own; ++i) block[i * w + k] = items[k * m + i];
    for (int64_t i = own; i < m; ++i) block[i * w + k] = std::numeric_limits<K>::max();
  }
  sort_together(block, m);
  K *from = w == 8 ? room : items, *to = w == 8 ? items : room;  // three merges, or four
  for (int64_t k = 0; k < w; ++k)
    for (int64_t i = 0; i < length(k, 1); ++i) from[k * m + i] = block[i * w + k];
  for (int64_t width = 1; width < w; width *= 2) {
    for (int64_t k = 0; k < w; k += 2 * width) {
      const K *a = from + std::min(k * m, n), *b = from + std::min((k + width) * m, n);
      const int64_t left = length(k, width), right = length(k + width, width);
      if (left == right)
        merge_equal(a, b, left, to + (a - from));
      else
        merge(a, a + left, b, b + right, to + (a - from));
    }
    std::swap(from, to);
  }
}

/// Sorts pairs by the 54 bits below the highest one in which keys differ, in the lanes of vectors; `differ`: the bits
/// in which they do. The result is in `room`. False, with nothing done, if the processor's vectors do not suit.
bool by_lanes(const Pair* items, Pair* room, int64_t n, uint64_t differ) {
  constexpr int place_bits = 10;
  static_assert(some <= int64_t{1} << place_bits);
  uint64_t order[some];
  const int width = static_cast<int>(std::bit_width(differ)), dropped = std::max(0, width + place_bits - 64);
  const uint64_t mask = ~uint64_t{0} >> (64 - width);
  for (int64_t i = 0; i < n; ++i) order[i] = (items[i].key & mask) >> dropped << place_bits | static_cast<uint64_t>(i);
  if (!sort_in_lanes(order, n)) return false;
  for (int64_t i = 0; i < n; ++i) room[i] = items[order[i] & ((1 << place_bits) - 1)];
  return true;
}

/// For some hundred items: sorts by the 16 bits below the highest one in which keys differ, in two passes, and then by
/// insertion, which has little to do unless many keys agree in these bits; otherwise by all digits. Equal keys keep
/// their order.
template <class I, int digits>
I* by_leading_bits(I* items, I* room, int64_t n) {
  uint64_t differ = 0;
  for (int64_t i = 1; i < n; ++i) differ |= bits_of(items[i]) ^ bits_of(items[0]);
  if (differ == 0) return items;
  bool sorted = false;
  if constexpr (std::is_same_v<I, Pair>) {
    sorted = by_lanes(items, room, n, differ);
    if (sorted) std::swap(items, room);
  }
  const int shift = std::max(0, static_cast<int>(std::bit_width(differ)) - 16);
  const auto leading = [&](I item) { return static_cast<unsigned>(bits_of(item) >> shift); };
  Counts counts[2] = {};
  for (int64_t i = 0; i < n && !sorted; ++i) {
    ++counts[0][leading(items[i]) & 255];
    ++counts[1][leading(items[i]) >> 8 & 255];
  }
  for (int d = 0; d < 2 && !sorted; ++d) {
    uint64_t sum = 0;
    for (int k = 0; k < 256; ++k) add_up(counts[d] + k, sum);
    for (int64_t i = 0; i < n; ++i) room[counts[d][leading(items[i]) >> (8 * d) & 255]++] = items[i];
    std::swap(items, room);
  }
  int64_t moves = 0;
  for (int64_t i = 1; i < n && moves <= 8 * n; ++i) {
    const I v = items[i];
    int64_t k = i;
    for (; k > 0 && v < items[k - 1]; --k) items[k] = items[k - 1];
    items[k] = v;
    moves += i - k;
  }
  return moves <= 8 * n ? items : by_digits<I, digits>(items, room, n);
}

/// Sorts n items; returns the array that has the result, `items` or `room`. Different items must not compare equal by `<`.
template <class I, int digits>
I* ordered(vr_context* ctx, I* items, I* room, int64_t n) {
  if (n <= least_in_lanes) {
    insert_each(items, n);
    return items;
  }
  if constexpr (std::is_same_v<I, Packed>) {
    static_assert(sizeof(Packed) == sizeof(uint64_t));
    if (n <= most_together && sort_in_lanes(reinterpret_cast<uint64_t*>(items), n)) return items;
  }
  if (n <= 24) {
    insert_each(items, n);
    return items;
  }
  if (n < few) {
    std::sort(items, items + n);
    return items;
  }
  if (n >= many && ctx->threads > 1 && !inside_task()) return by_digits_together<I, digits>(ctx, items, room, n);
  if constexpr (std::is_same_v<I, uint32_t> || std::is_same_v<I, uint64_t>) {
    if (n < some) {
      by_columns(items, room, n);
      return items;
    }
  }
  if (digits > 3 && n < some) return by_leading_bits<I, digits>(items, room, n);
  return by_digits<I, digits>(items, room, n);
}

/// Whether no element is out of order, or each one is: -1 for the latter. 0 where any is NaN.
template <class T>
int direction(const T* line, int64_t n) {
  bool up = true, down = true;
  for (int64_t i = 0; i + 1 < n && (up || down);) {
    const int64_t end = std::min(n - 1, i + 256);
    int rising = 1, falling = 1;
    for (; i < end; ++i) {
      rising &= line[i] <= line[i + 1];
      falling &= line[i] > line[i + 1];
    }
    up = up && rising;
    down = down && falling;
  }
  return up ? 1 : down ? -1 : 0;
}

/// Keys of one or two bytes: the number of occurrences of each key determines the result. False if there is no memory.
template <class K>
bool sort_counted(K* keys, int64_t n) {
  constexpr int64_t kinds = int64_t{1} << (8 * sizeof(K));
  const Room<int64_t> counts = room_of<int64_t>(kinds);
  if (!counts) return false;
  std::fill_n(counts.get(), kinds, 0);
  for (int64_t i = 0; i < n; ++i) ++counts[keys[i]];
  for (int64_t k = 0; k < kinds; ++k) keys = std::fill_n(keys, counts[k], static_cast<K>(k));
  return true;
}

/// Sorts keys with few different values by counting them in a hash table. False, with nothing changed, if there are too many
/// values; a sample of the keys detects most such cases early.
template <class K>
bool sort_few_values(K* keys, int64_t n) {
  constexpr int slots = 256, most = 64;
  struct Slot {
    K key;
    int64_t count;
  } table[slots] = {};
  int used = 0;
  const auto slot_of = [&](K key) -> Slot* {
    for (auto at = static_cast<unsigned>(key * 0x9e3779b97f4a7c15u >> 56);; ++at) {
      Slot& s = table[at % slots];
      if (s.count > 0 && s.key == key) return &s;
      if (s.count > 0) continue;
      if (++used > most) return nullptr;
      s.key = key;
      return &s;
    }
  };
  const auto count = [&](int64_t i) {
    Slot* s = slot_of(keys[i]);
    if (s) ++s->count;
    return s != nullptr;
  };
  for (int64_t k = 0; k < 2 * most; ++k)
    if (!count(n / (2 * most) * k)) return false;
  for (Slot& s : table) s.count = 0;
  used = 0;
  for (int64_t i = 0; i < n; ++i)
    if (!count(i)) return false;
  Slot* end = std::remove_if(table, table + slots, [](const Slot& s) { return s.count == 0; });
  std::sort(table, end, [](const Slot& a, const Slot& b) { return a.key < b.key; });
  for (const Slot* s = table; s != end; ++s) keys = std::fill_n(keys, s->count, s->key);
  return true;
}

/// Converts the elements in place to keys, and back after sorting.
template <class T>
bool sort_keys(vr_context* ctx, T* line, int64_t n) {
  using K = KeyOf<T>;
  auto put = [](void* at, auto v) { std::memcpy(at, &v, sizeof v); };
  for (int64_t i = 0; i < n; ++i) put(line + i, key_of(line[i]));
  auto* keys = reinterpret_cast<K*>(line);
  K* from = keys;
  bool done = true;
  Room<K> room;
  bool sorted = false;
  if constexpr (sizeof(K) > 1) sorted = n > least_in_lanes && n <= most_together && sort_in_lanes(keys, n);
  // Clearing the counts costs more than a few elements.
  if (sorted) {
  } else if (sizeof(K) == 1 || (sizeof(K) == 2 && n >= 1 << 14)) {
    if constexpr (sizeof(K) <= 2) done = sort_counted(keys, n);
  } else if (sizeof(K) == 2 || n < 4096 || !sort_few_values(keys, n)) {
    if (n >= few) room = room_of<K>(n);
    done = n < few || room;
    if (done) from = ordered<K, sizeof(K)>(ctx, keys, room.get(), n);
  }
  for (int64_t i = 0; i < n; ++i) put(line + i, value_of<T>(from[i]));
  return done;
}

/// Zeros of both signs compare equal and keep their order, and NaN comes last: both are removed before sorting.
template <class T>
bool sort_with_special(vr_context* ctx, T* line, int64_t n) {
  const Room<T> others = room_of<T>(n);
  if (!others) return false;
  const Room<T> all = room_of<T>(n);
  if (!all) return false;
  int64_t plain = 0, zeros = 0, nans = 0, below = 0;
  for (int64_t i = 0; i < n; ++i) {
    const T v = line[i];
    if (v == 0)
      others[zeros++] = v;
    else if (std::isnan(v))
      others[n - ++nans] = v;
    else
      all[plain++] = v, below += v < 0;
  }
  if (!sort_keys(ctx, all.get(), plain)) return false;
  T* to = std::copy_n(all.get(), below, line);
  to = std::copy_n(others.get(), zeros, to);
  to = std::copy(all.get() + below, all.get() + plain, to);
  std::reverse_copy(others.get() + n - nans, others.get() + n, to);
  return true;
}

template <class T>
bool has_special(const T* line, int64_t n) {
  int special = 0;
  for (int64_t i = 0; i < n; ++i) special |= (line[i] != line[i]) | (line[i] == 0 && std::signbit(line[i]));
  return special;
}

}  // namespace

template <class T>
bool sort_values(vr_context* ctx, T* line, int64_t n) noexcept {
  if (const int way = direction(line, n); way != 0) {
    if (way < 0) std::reverse(line, line + n);
    return true;
  }
  if constexpr (std::is_floating_point_v<T>)
    if (has_special(line, n)) return sort_with_special(ctx, line, n);
  return sort_keys(ctx, line, n);
}

template <class T>
bool sort_positions(vr_context* ctx, T* line, int64_t n, int64_t* positions, int64_t base) noexcept {
  if (const int way = direction(line, n); way != 0) {
    for (int64_t i = 0; i < n; ++i) positions[i] = (way > 0 ? i : n - 1 - i) + base;
    if (way < 0) std::reverse(line, line + n);
    return true;
  }
  if constexpr (sizeof(T) == 1) {  // the digit is the element itself
    Counts at = {};
    for (int64_t i = 0; i < n; ++i) ++at[key_of(line[i])];
    uint64_t sum = 0;
    for (int k = 0; k < 256; ++k) add_up(at + k, sum);
    for (int64_t i = 0; i < n; ++i) positions[at[key_of(line[i])]++] = i + base;
    return sort_keys(ctx, line, n);
  }
  // Elements that compare equal get the same key.
  bool special = false;
  const auto key = [&](T v) {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(v)) {
        special = true;
        return std::numeric_limits<KeyOf<T>>::max();
      }
      if (v == 0) {
        special = special || std::signbit(v);
        return key_of(T(0));
      }
    }
    return key_of(v);
  };
  const auto sort = [&]<class I, int digits>(std::type_identity<I>, std::integral_constant<int, digits>, auto make,
                                             auto key, auto place) {
    const Room<I> items = room_of<I>(n), room = n < few ? nullptr : room_of<I>(n);
    if (!items || (n >= few && !room)) return false;
    for (int64_t i = 0; i < n; ++i) items[i] = make(line[i], i);
    const I* there = ordered<I, digits>(ctx, items.get(), room.get(), n);
    for (int64_t i = 0; i < n; ++i) positions[i] = place(there[i]);
    if (special) {
      const Room<T> values = room_of<T>(n);
      if (!values) return false;
      std::copy_n(line, n, values.get());
      for (int64_t i = 0; i < n; ++i) line[i] = values[positions[i]];
    } else {
      for (int64_t i = 0; i < n; ++i) line[i] = value_of<T>(static_cast<KeyOf<T>>(key(there[i])));
    }
    for (int64_t i = 0; base != 0 && i < n; ++i) positions[i] += base;
    return true;
  };
  constexpr std::integral_constant<int, sizeof(T)> digits;
  if (sizeof(T) <= 4 && n <= std::numeric_limits<uint32_t>::max())
    return sort(
        std::type_identity<Packed>{}, digits,
        [&](T v, int64_t i) { return Packed{uint64_t{key(v)} << 32 | static_cast<uint64_t>(i)}; },
        [](Packed p) { return p.both >> 32; }, [](Packed p) { return static_cast<int64_t>(p.both & 0xffffffff); });
  return sort(
      std::type_identity<Pair>{}, digits,
      [&](T v, int64_t i) {
        return Pair{key(v), i};
      },
      [](Pair p) { return p.key; }, [](Pair p) { return p.place; });
}

#define VR_SORT(T)                                              \
  template bool sort_values(vr_context*, T*, int64_t) noexcept; \
  template bool sort_positions(vr_context*, T*, int64_t, int64_t*, int64_t) noexcept;
VR_SORT(bool)
VR_SORT(int8_t)
VR_SORT(int16_t)
VR_SORT(int32_t)
VR_SORT(int64_t)
VR_SORT(uint8_t)
VR_SORT(uint16_t)
VR_SORT(uint32_t)
VR_SORT(uint64_t)
VR_SORT(float)
VR_SORT(double)
#undef VR_SORT

}  // namespace vr::runtime
