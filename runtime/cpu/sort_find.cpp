// vr_rt_sort, sort_index and find.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "runtime/cpu/copy.hpp"
#include "runtime/cpu/fail.hpp"
#include "runtime/cpu/pool.hpp"
#include "runtime/cpu/sizes.hpp"
#include "runtime/cpu/sort.hpp"
#include "runtime/cpu/sort_together.hpp"

namespace vr::runtime {

namespace {

/// The lines of `source` along `axis`, and those of the results, of the same extents.
struct LinesToSort {
  vr_context* ctx;
  const vr_array& source;
  const vr_array& values;
  const vr_array* positions;
  int32_t axis;
  int64_t base;
  bool (*sort_lines)(const LinesToSort&, int64_t lo, int64_t hi);  ///< lines [lo, hi); false without memory

  int64_t count() const { return element_count(values) / values.extent[axis]; }
  /// Bytes from the first line to the k-th.
  int64_t offset(const vr_array& a, int64_t line) const {
    int64_t at = 0;
    for (int32_t k = a.rank - 1; k >= 0 && line > 0; --k) {
      if (k == axis) continue;
      at += line % a.extent[k] * a.stride[k];
      line /= a.extent[k];
    }
    return at;
  }
  const char* source_line(int64_t k) const { return static_cast<const char*>(source.data) + offset(source, k); }
  char* line(int64_t k) const { return static_cast<char*>(values.data) + offset(values, k); }
};

/// Copies a line of n elements to contiguous memory.
template <class T>
void copy_line(const LinesToSort& s, int64_t k, T* to) {
  const char* from = s.source_line(k);
  const int64_t n = s.source.extent[s.axis], step = s.source.stride[s.axis];
  if (step == static_cast<int64_t>(sizeof(T))) {
    std::memcpy(to, from, static_cast<size_t>(n) * sizeof(T));
  } else {
    for (int64_t i = 0; i < n; ++i) std::memcpy(to + i, from + i * step, sizeof(T));
  }
}

/// Whether there is a NaN or -0.0.
template <class T>
bool any_special([[maybe_unused]] const T* at, [[maybe_unused]] int64_t n) {
  int special = 0;
  if constexpr (std::is_floating_point_v<T>)
    for (int64_t i = 0; i < n; ++i) special |= (at[i] != at[i]) | ((at[i] == 0) & std::signbit(at[i]));
  return special != 0;
}

/// Lines from k on that are neighbours in memory, such as columns: up to `most` blocks of lanes<T> lines, whose rows
/// are read together because they lie in the same pages. Returns how many lines it sorted; 0 if it does not suit them.
template <class T>
int64_t sort_neighbours(const LinesToSort& s, int64_t k, int64_t hi, T* blocks, int64_t most) {
  constexpr int64_t w = lanes<T>, width = 64;  // bytes of a block's row
  const int64_t n = s.values.extent[s.axis], step = s.values.stride[s.axis], from_step = s.source.stride[s.axis];
  int64_t count = std::min(most, (hi - k) / w);
  const auto adjacent = [&](int64_t lines) {
    const auto bytes = (lines - 1) * static_cast<int64_t>(sizeof(T));
    return s.source_line(k + lines - 1) - s.source_line(k) == bytes && s.line(k + lines - 1) - s.line(k) == bytes;
  };
  while (count > 1 && !adjacent(count * w)) count /= 2;
  if (count < 2) return 0;
  const char* from = s.source_line(k);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t b = 0; b < count; ++b) std::memcpy(blocks + (b * n + i) * w, from + i * from_step + b * width, width);
  if (any_special(blocks, count * n * w)) return 0;
  for (int64_t b = 0; b < count; ++b) sort_together(blocks + b * n * w, n);
  char* to = s.line(k);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t b = 0; b < count; ++b) std::memcpy(to + i * step + b * width, blocks + (b * n + i) * w, width);
  return count * w;
}

/// Lines of a few elements, lanes<T> at a time. Returns how many of the lines [lo, hi), from the first on, it sorted.
template <class T>
int64_t sort_short_lines(const LinesToSort& s, int64_t lo, int64_t hi) {
  constexpr int64_t w = lanes<T>;
  const int64_t n = s.values.extent[s.axis], step = s.values.stride[s.axis];
  if (n > most_together || n < 2 || hi - lo < w / 2) return 0;
  const bool apart = step != static_cast<int64_t>(sizeof(T));
  const int64_t blocks = apart ? std::clamp<int64_t>((1 << 17) / (n * 64), 1, 8) : 1;
  void* room = pool_allocate(n * 64 * blocks + 64, false);
  if (!room) return 0;
  auto* block = reinterpret_cast<T*>((reinterpret_cast<uintptr_t>(room) + 63) / 64 * 64);
  T* lines[w];
  int64_t k = lo;
  for (; hi - k >= w / 2; k += w) {
    if (apart) {
      if (const int64_t sorted = sort_neighbours(s, k, hi, block, blocks); sorted > 0) {
        k += sorted - w;
        continue;
      }
    }
    const int64_t count = std::min(w, hi - k);  // the lanes behind them sort the last line once more
    for (int64_t l = 0; l < w; ++l) lines[l] = reinterpret_cast<T*>(s.line(k + std::min(l, count - 1)));
    if (!apart) {
      for (int64_t l = 0; l < count; ++l) copy_line(s, k + l, lines[l]);
      if (!sort_together(lines, n, block)) break;
      continue;
    }
    const char* from[w];
    for (int64_t l = 0; l < w; ++l) from[l] = s.source_line(k + std::min(l, count - 1));
    const int64_t from_step = s.source.stride[s.axis];
    bool adjacent = count == w;
    for (int64_t l = 1; l < w; ++l)
      adjacent &= from[l] == from[0] + l * static_cast<int64_t>(sizeof(T)) && lines[l] == lines[0] + l;
    if (adjacent) {
      for (int64_t i = 0; i < n; ++i) std::memcpy(block + i * w, from[0] + i * from_step, 64);
    } else {
      for (int64_t i = 0; i < n; ++i)
        for (int64_t l = 0; l < w; ++l) std::memcpy(block + i * w + l, from[l] + i * from_step, sizeof(T));
    }
    if (any_special(block, n * w)) break;
    sort_together(block, n);
    if (adjacent) {
      for (int64_t i = 0; i < n; ++i) std::memcpy(reinterpret_cast<char*>(lines[0]) + i * step, block + i * w, 64);
      continue;
    }
    for (int64_t i = 0; i < n; ++i)
      for (int64_t l = 0; l < count; ++l)
        std::memcpy(reinterpret_cast<char*>(lines[l]) + i * step, block + i * w + l, sizeof(T));
  }
  pool_free(room);
  return std::min(k, hi) - lo;
}

/// Sorts lines to `values`; `positions`, if given, receives the old position of each element.
template <class T>
bool sort_lines(const LinesToSort& s, int64_t lo, int64_t hi) {
  const int64_t n = s.values.extent[s.axis], step = s.values.stride[s.axis];
  const int64_t places_step = s.positions ? s.positions->stride[s.axis] : 0;
  const bool apart = step != static_cast<int64_t>(sizeof(T));
  const bool places_apart = s.positions && places_step != static_cast<int64_t>(sizeof(int64_t));
  auto* line = apart ? static_cast<T*>(pool_allocate(n * static_cast<int64_t>(sizeof(T)), false)) : nullptr;
  auto* places =
      places_apart ? static_cast<int64_t*>(pool_allocate(n * static_cast<int64_t>(sizeof(int64_t)), false)) : nullptr;
  bool done = (line || !apart) && (places || !places_apart);
  for (int64_t k = lo; done && k < hi; ++k) {
    if constexpr (in_lanes<T>) {
      // A block of lines with NaN or -0.0 is sorted line by line.
      if ((k - lo) % lanes<T> == 0 && !s.positions) k += sort_short_lines<T>(s, k, hi);
      if (k == hi) break;
    }
    char* first = s.line(k);
    T* values = apart ? line : reinterpret_cast<T*>(first);
    copy_line(s, k, values);
    if (s.positions) {
      char* first_place = static_cast<char*>(s.positions->data) + s.offset(*s.positions, k);
      int64_t* to = places_apart ? places : reinterpret_cast<int64_t*>(first_place);
      done = sort_positions(s.ctx, values, n, to, s.base);
      for (int64_t i = 0; places_apart && i < n; ++i)
        std::memcpy(first_place + i * places_step, places + i, sizeof(int64_t));
    } else {
      done = sort_values(s.ctx, values, n);
    }
    for (int64_t i = 0; apart && i < n; ++i) std::memcpy(first + i * step, line + i, sizeof(T));
  }
  pool_free(line);
  pool_free(places);
  return done;
}

/// False without memory.
bool sort_any(vr_context* ctx, const vr_array& source, const vr_array& values, const vr_array* positions, int32_t axis,
              int64_t base) {
  LinesToSort lines{ctx, source, values, positions, axis, base, nullptr};
  ir::visit_computed_elem(real_part(values.elem),
                          [&](auto tag) { lines.sort_lines = sort_lines<typename decltype(tag)::type>; });
  const int64_t count = lines.count();
  // A few long lines: the threads share each of them.
  constexpr int64_t worth_sharing = 1 << 15;
  if (count < 4 || element_count(values) < worth_sharing) return lines.sort_lines(lines, 0, count);
  const auto task = [](vr_context*, void* env, int64_t lo, int64_t hi) -> int32_t {
    const auto& s = *static_cast<const LinesToSort*>(env);
    return s.sort_lines(s, lo, hi) ? VR_OK : VR_OUT_OF_MEMORY;
  };
  return vr_rt_parallel_for(ctx, nullptr, task, &lines, 0, count) == VR_OK;
}

int32_t sort(vr_context* ctx, const vr_site* site, const vr_array* a, vr_array* out, vr_array* index, int32_t axis,
             int64_t base, int32_t layout, int32_t where) {
  if (a->elem & VR_COMPLEX || element_bytes(a->elem) == 0) {
    return fail(ctx, site, VR_TYPE, "complex numbers have no order to sort by");
  }
  const vr_array from = *a;
  vr_array values, positions;
  // MATLAB's dimensions past the last one have extent 1: every line is sorted already.
  const bool sorted = axis < 0 || axis >= from.rank;
  int32_t status =
      sorted ? vr_rt_copy(ctx, site, &from, &values, layout, where)
             : vr_rt_alloc(ctx, site, &values, from.elem, from.rank, from.extent, layout, VR_FILL_NONE, where);
  if (status != VR_OK) return status;
  if (index) {
    status = vr_rt_alloc(ctx, site, &positions, VR_INT64, from.rank, from.extent, layout, VR_FILL_NONE, where);
    if (status != VR_OK) {
      vr_rt_release(values.owner);
      return status;
    }
  }
  if (sorted) {
    if (index) {
      auto* p = static_cast<int64_t*>(positions.data);
      std::fill_n(p, element_count(positions), base);
    }
  } else if (element_count(values) > 0 && !sort_any(ctx, from, values, index ? &positions : nullptr, axis, base)) {
    vr_rt_release(values.owner);
    if (index) vr_rt_release(positions.owner);
    return fail(ctx, site, VR_OUT_OF_MEMORY, "no memory to sort an array");
  }
  *out = values;
  if (index) *index = positions;
  return VR_OK;
}

template <class T>
bool is_true(const char* address, bool complex) {
  const T* p = reinterpret_cast<const T*>(address);
  return p[0] != T(0) || (complex && p[1] != T(0));
}

bool is_nonzero(const char* address, int32_t elem) {
  bool complex = elem & VR_COMPLEX;
  return ir::visit_elem(real_part(elem),
                        [&](auto tag) { return is_true<typename decltype(tag)::type>(address, complex); });
}

/// Whether the array is a bool array that is contiguous in that order: an ordinary mask.
bool is_plain_mask(const vr_array& a, bool column_major) {
  return a.elem == VR_BOOL && is_contiguous(a.rank, a.extent, a.stride, 1, column_major);
}

int64_t count_true(const uint8_t* at, int64_t n) {
  int64_t count = 0;
  for (int64_t i = 0; i < n; ++i) count += at[i] != 0;
  return count;
}

/// Calls f(index) for each true element; tests eight elements at once, because masks often select few.
template <class F>
void for_each_true(const uint8_t* at, int64_t n, F f) {
  for (int64_t i = 0; i < n;) {
    uint64_t eight = 0;
    const int64_t few = std::min<int64_t>(n - i, 8);
    std::memcpy(&eight, at + i, static_cast<size_t>(few));
    const int64_t end = i + few;
    for (; eight != 0 && i < end; ++i)
      if (at[i]) f(i);
    i = end;
  }
}

/// Calls f(number) for each nonzero element, where all elements are numbered in row- or column-major order from 0.
template <class F>
void for_each_nonzero(const vr_array& a, bool column_major, F f) {
  const int64_t n = element_count(a);
  if (is_plain_mask(a, column_major)) return for_each_true(static_cast<const uint8_t*>(a.data), n, f);
  int64_t index[VR_MAX_RANK] = {};
  const char* at = static_cast<const char*>(a.data);
  for (int64_t i = 0; i < n; ++i) {
    if (is_nonzero(at, a.elem)) f(i);
    for (int32_t q = 0; q < a.rank; ++q) {
      int32_t k = column_major ? q : a.rank - 1 - q;
      at += a.stride[k];
      if (++index[k] < a.extent[k]) break;
      at -= a.extent[k] * a.stride[k];
      index[k] = 0;
    }
  }
}

}  // namespace

}  // namespace vr::runtime

using namespace vr::runtime;

extern "C" {

int32_t vr_rt_sort(vr_context* ctx, const vr_site* site, const vr_array* a, vr_array* out, int32_t axis, int32_t layout,
                   int32_t where) {
  return sort(ctx, site, a, out, nullptr, axis, 0, layout, where);
}

int32_t vr_rt_sort_index(vr_context* ctx, const vr_site* site, const vr_array* a, vr_array* out, vr_array* index,
                         int32_t axis, int64_t base, int32_t layout, int32_t where) {
  return sort(ctx, site, a, out, index, axis, base, layout, where);
}

int32_t vr_rt_find(vr_context* ctx, const vr_site* site, const vr_array* a, vr_array* out, int64_t base, int32_t rank,
                   int32_t order, int32_t layout, int32_t where) {
  if (element_bytes(a->elem) == 0 || rank < 1 || rank > 2) return vr_rt_fail(ctx, site, VR_TYPE, 0, 0);
  const bool column_major = order == VR_COLMAJOR;
  int64_t n = 0;
  if (is_plain_mask(*a, column_major))
    n = count_true(static_cast<const uint8_t*>(a->data), element_count(*a));
  else
    for_each_nonzero(*a, column_major, [&n](int64_t) { ++n; });
  int64_t extents[2] = {n, 1};
  if (rank == 2 && a->rank == 2) {
    // MATLAB: the result for a row is a row, for a 0 x 0 array and for the number 0 it is 0 x 0, else a column.
    if (a->extent[0] == 1 && a->extent[1] != 1) std::swap(extents[0], extents[1]);
    if (a->extent[0] == 0 && a->extent[1] == 0) extents[1] = 0;
    if (n == 0 && a->extent[0] == 1 && a->extent[1] == 1) extents[1] = 0;
  }
  vr_array made;
  int32_t status = vr_rt_alloc(ctx, site, &made, VR_INT64, rank, extents, layout, VR_FILL_NONE, where);
  if (status != VR_OK) return status;
  auto* to = static_cast<int64_t*>(made.data);  // a vector is contiguous in either layout
  for_each_nonzero(*a, column_major, [&](int64_t i) { *to++ = i + base; });
  *out = made;
  return VR_OK;
}
}
