// Which of the elements at known distances form vectors (private to src/loop).
#pragma once
#include <algorithm>
#include <cstdint>
#include <set>

namespace vr::lower {

constexpr int64_t vector_bytes = 16;       ///< of the largest vector; it has at most four elements
constexpr int64_t least_vector_bytes = 4;  ///< fewer would not outweigh the branch on the alignment

/// Calls f (distance of the first element in bytes, number of elements; to bool) for each vector of elements of `size`
/// bytes: the largest first. `elements` has distances from an aligned address in ascending order: a set, or a map by
/// them. f returns false if it does not make the vector; then its elements may be in smaller ones.
template <class Elements, class F>
void each_vector(int64_t size, const Elements& elements, F&& f) {
  const auto distance = [](const auto& e) {
    if constexpr (requires { e.first; })
      return e.first;
    else
      return e;
  };
  std::set<int64_t> done;
  for (int64_t count = std::min<int64_t>(4, vector_bytes / size); count >= 2; count /= 2)
    for (const auto& element : elements) {
      const int64_t first = distance(element);
      // An array begins at an aligned address, if it is not part of another.
      bool all = first % (count * size) == 0 && count * size >= least_vector_bytes;
      for (int64_t e = 0; all && e < count; ++e)
        all = elements.count(first + e * size) && !done.count(first + e * size);
      if (!all || !f(first, count)) continue;
      for (int64_t e = 0; e < count; ++e) done.insert(first + e * size);
    }
}

}  // namespace vr::lower
