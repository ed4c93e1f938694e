#include "runtime/cpu/copy.hpp"

#include <velociraptor/descriptor.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace vr::runtime {

namespace {

struct Dim {
  int64_t extent, to, from;
};

int64_t magnitude(int64_t x) { return x < 0 ? -x : x; }

/// Elements are moved as opaque values of their width; a memcpy of a fixed size is one load and one store.
template <int Bytes>
void copy_row(int64_t n, char* to, int64_t to_stride, const char* from, int64_t from_stride) {
  if (to_stride == Bytes && from_stride == Bytes) {
    std::memcpy(to, from, static_cast<size_t>(n) * Bytes);
    return;
  }
  for (int64_t i = 0; i < n; ++i) std::memcpy(to + i * to_stride, from + i * from_stride, Bytes);
}

/// Two dimensions where the source runs fastest along `outer` and the target along `inner`: small square tiles, so that
/// each cache line is used completely before it is evicted.
template <int Bytes>
void copy_tiled(const Dim& outer, const Dim& inner, char* to, const char* from) {
  constexpr int64_t tile = Bytes >= 8 ? 16 : 32;
  for (int64_t i0 = 0; i0 < outer.extent; i0 += tile) {
    int64_t i1 = std::min(i0 + tile, outer.extent);
    for (int64_t j0 = 0; j0 < inner.extent; j0 += tile) {
      int64_t j1 = std::min(j0 + tile, inner.extent);
      for (int64_t i = i0; i < i1; ++i) {
        copy_row<Bytes>(j1 - j0, to + i * outer.to + j0 * inner.to, inner.to, from + i * outer.from + j0 * inner.from,
                        inner.from);
      }
    }
  }
}

template <int Bytes>
void copy_dims(const Dim* dims, int count, char* to, const char* from) {
  if (count == 0) {
    std::memcpy(to, from, Bytes);
  } else if (count == 1) {
    copy_row<Bytes>(dims[0].extent, to, dims[0].to, from, dims[0].from);
  } else if (count == 2 && magnitude(dims[0].from) < magnitude(dims[1].from) && dims[0].from != 0) {
    copy_tiled<Bytes>(dims[0], dims[1], to, from);
  } else {
    for (int64_t i = 0; i < dims[0].extent; ++i) {
      copy_dims<Bytes>(dims + 1, count - 1, to + i * dims[0].to, from + i * dims[0].from);
    }
  }
}

}  // namespace

void copy_elements(int32_t rank, const int64_t* extents, int64_t element_bytes, char* to, const int64_t* to_strides,
                   const char* from, const int64_t* from_strides) noexcept {
  Dim dims[VR_MAX_RANK];
  int count = 0;
  for (int32_t k = 0; k < rank; ++k) {
    if (extents[k] == 0) return;
    if (extents[k] > 1) dims[count++] = {extents[k], to_strides[k], from_strides[k]};
  }
  // The target's fastest dimension is innermost; then dimensions that are contiguous with each other on both sides are
  // merged.
  for (int i = 1; i < count; ++i) {
    for (int j = i; j > 0 && magnitude(dims[j - 1].to) < magnitude(dims[j].to); --j) std::swap(dims[j - 1], dims[j]);
  }
  int merged = 0;
  for (int i = 0; i < count; ++i) {
    Dim& last = dims[merged - (merged > 0)];
    if (merged > 0 && last.to == dims[i].to * dims[i].extent && last.from == dims[i].from * dims[i].extent) {
      last = {last.extent * dims[i].extent, dims[i].to, dims[i].from};
    } else {
      dims[merged++] = dims[i];
    }
  }
  // The source's fastest dimension is next to it, so that transpositions of any rank reach the tiled copy.
  if (merged > 2) {
    Dim* fastest = std::min_element(dims, dims + merged - 1,
                                    [](const Dim& a, const Dim& b) { return magnitude(a.from) < magnitude(b.from); });
    if (magnitude(fastest->from) < magnitude(dims[merged - 1].from)) {
      std::rotate(fastest, fastest + 1, dims + merged - 1);
    }
  }
  switch (element_bytes) {
    case 1:
      return copy_dims<1>(dims, merged, to, from);
    case 2:
      return copy_dims<2>(dims, merged, to, from);
    case 4:
      return copy_dims<4>(dims, merged, to, from);
    case 8:
      return copy_dims<8>(dims, merged, to, from);
    case 16:
      return copy_dims<16>(dims, merged, to, from);
    default:
      break;
  }
}

}  // namespace vr::runtime
