// Descriptors for tests: arrays over buffers that they own, in any order and with gaps.
#pragma once
#include <cstring>
#include <numeric>
#include <vector>

#include "runtime/abi.h"
#include "runtime/cpu/sizes.hpp"

namespace test {

inline const vr_site site = {"f", "a.m:3:4", "x", "", 0, 0};

/// The layout of a test array.
enum class Lie { RowMajor, ColMajor, Gaps, Negative };
inline const Lie all_lies[] = {Lie::RowMajor, Lie::ColMajor, Lie::Gaps, Lie::Negative};

/// A borrowed array (no owner) over a buffer that this object owns.
struct Buffer {
  std::vector<char> bytes;
  vr_array a = {};

  Buffer(int32_t elem, const std::vector<int64_t>& extents, Lie lie = Lie::RowMajor) {
    const int64_t width = vr::runtime::element_bytes(elem);
    const auto rank = static_cast<int32_t>(extents.size());
    a.elem = elem;
    a.rank = rank;
    std::copy(extents.begin(), extents.end(), a.extent);
    std::vector<int64_t> room = extents;
    if (lie == Lie::Gaps) {
      for (int64_t& e : room) e = 2 * e + 1;
    }
    vr::runtime::contiguous_strides(rank, room.data(), width, lie == Lie::ColMajor, a.stride);
    int64_t total = width;
    for (int64_t e : room) total *= e;
    bytes.assign(static_cast<size_t>(total) + 64, '\x55');
    char* start = bytes.data();
    for (int32_t k = 0; k < rank; ++k) {
      if (lie == Lie::Gaps) a.stride[k] *= 2;
      if (lie == Lie::Negative && extents[k] > 0) {
        start += (extents[k] - 1) * a.stride[k];
        a.stride[k] = -a.stride[k];
      }
    }
    a.data = start;
  }
  Buffer(const Buffer&) = delete;
};

inline std::vector<std::vector<int64_t>> subscripts(const vr_array& a) {
  std::vector<std::vector<int64_t>> all;
  if (vr::runtime::element_count(a) == 0) return all;
  std::vector<int64_t> i(static_cast<size_t>(a.rank), 0);
  for (;;) {
    all.push_back(i);
    int32_t k = a.rank - 1;
    while (k >= 0 && ++i[static_cast<size_t>(k)] == a.extent[k]) i[static_cast<size_t>(k--)] = 0;
    if (k < 0) return all;
  }
}

inline char* address(const vr_array& a, const std::vector<int64_t>& i) {
  char* p = static_cast<char*>(a.data);
  for (size_t k = 0; k < i.size(); ++k) p += i[k] * a.stride[k];
  return p;
}
template <class T>
T& at(const vr_array& a, const std::vector<int64_t>& i) {
  return *reinterpret_cast<T*>(address(a, i));
}

/// Gives each element other bytes than its neighbours, in the order of subscripts.
inline void number(const vr_array& a) {
  const auto width = static_cast<size_t>(vr::runtime::element_bytes(a.elem));
  int64_t n = 0;
  for (const auto& i : subscripts(a)) {
    ++n;
    for (size_t b = 0; b < width; ++b) address(a, i)[b] = static_cast<char>(n * 7 + static_cast<int64_t>(b) * 31);
  }
}

/// Whether all subscripts of `small` have the same bytes in `large`.
inline bool same_elements(const vr_array& small, const vr_array& large) {
  const auto width = static_cast<size_t>(vr::runtime::element_bytes(small.elem));
  for (const auto& i : subscripts(small)) {
    if (std::memcmp(address(small, i), address(large, i), width) != 0) return false;
  }
  return true;
}

inline vr_array engine_array(vr_context& ctx, int32_t elem, const std::vector<int64_t>& extents,
                             int32_t layout = VR_ROWMAJOR, int32_t fill = VR_FILL_ZERO) {
  vr_array a = {};
  vr_rt_alloc(&ctx, &site, &a, elem, static_cast<int32_t>(extents.size()), extents.data(), layout, fill, VR_IN_ENGINE);
  return a;
}

}  // namespace test
