#include "runtime/gpu/library/scan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "runtime/abi.h"
#include "runtime/cpu/sizes.hpp"

namespace vr::gpu {

bool ScanForm::extremum() const { return fold == VR_SCAN_LARGEST || fold == VR_SCAN_SMALLEST; }

int32_t ScanForm::joined() const {
  if (extremum()) return from;
  return runtime::is_float_code(to) ? VR_FLOAT64 : VR_UINT64;
}

ScanTree scan_tree(const Lines& l) {
  constexpr int64_t short_line = 64, long_line = 512, some_lines = 32, enough_parts = 32768, least_part = 32;
  ScanTree t;
  if (l.n > long_line) t.items = 16;
  const bool across = l.count >= some_lines && std::llabs(l.from.step) > std::llabs(l.from.stride[0]);
  if (l.n > short_line && !across) return t;
  t.parts = 1;
  if (l.n > short_line && l.count < enough_parts)
    t.parts = std::min((l.n + least_part - 1) / least_part, (enough_parts + l.count - 1) / l.count);
  t.part = std::max<int64_t>((l.n + t.parts - 1) / t.parts, 1);
  return t;
}

int64_t total_count(int64_t tiles) {
  int64_t all = 0;
  for (int64_t n = tiles > 1 ? tiles : 0; n > 0; n /= ScanTree::block) all += n;
  return all;
}

namespace {

struct Add {
  template <class A>
  A operator()(A a, A b) const {
    return a + b;
  }
  // the identity element: the sum with it is the other number, even if that is -0.0
  static constexpr double nothing = -0.0;
};
struct Multiply {
  template <class A>
  A operator()(A a, A b) const {
    return a * b;
  }
  static constexpr double nothing = 1;
};

/// In place, from the first element to the last one.
template <class A, class Join>
void scan_in_order(A* x, int64_t n, Join join) {
  for (int64_t k = 1; k < n; ++k) x[k] = join(x[k - 1], x[k]);
}

/// Fills `before` with the value with which each part begins: the join of all parts before it.
template <class A, class Join>
void scan_parts(A* x, int64_t n, const ScanTree& t, Join join) {
  std::vector<A> before;
  A so_far = A(Join::nothing);
  for (int64_t from = 0; from < n; from += t.part) {
    before.push_back(so_far);
    A total = A(Join::nothing);
    for (int64_t k = from; k < std::min(n, from + t.part); ++k) total = join(total, x[k]);
    so_far = join(so_far, total);
  }
  for (int64_t p = 0; p * t.part < n; ++p) {
    A r = before[static_cast<size_t>(p)];
    for (int64_t k = p * t.part; k < std::min(n, (p + 1) * t.part); ++k) x[k] = r = join(r, x[k]);
  }
}

/// The totals of tiles and blocks, each level behind the one that it joins.
template <class A, class Join>
class Totals {
 public:
  Totals(std::vector<A> of_tiles, Join join)
      : tiles_(int64_t(of_tiles.size())), all_(std::move(of_tiles)), join_(join) {
    for (int64_t first = 0, n = tiles_; n / block > 0; first += n, n /= block)
      for (int64_t k = 0; k < n / block; ++k)
        all_.push_back(join_(tree(first + k * block, block - 1), all_[size_t(first + k * block + block - 1)]));
  }
  A before(int64_t tile) const {
    A r = A(Join::nothing);
    for (int64_t first = 0, n = tiles_; n > 0; first += n, n /= block, tile /= block) {
      const A here = tree(first + tile - tile % block, tile % block);
      r = first == 0 ? here : join_(here, r);
    }
    return r;
  }

 private:
  static constexpr int64_t block = ScanTree::block;
  A tree(int64_t from, int64_t count) const {
    A x[block];
    for (int64_t k = 0; k < block; ++k) {
      const int64_t at = k - (block - count);
      x[k] = at >= 0 ? all_[size_t(from + at)] : A(Join::nothing);
    }
    for (int64_t width = block / 2; width > 0; width /= 2)
      for (int64_t k = 0; k < width; ++k) x[k] = join_(x[2 * k], x[2 * k + 1]);
    return x[0];
  }
  int64_t tiles_;
  std::vector<A> all_;
  Join join_;
};

template <class A, class Join>
void scan_tiles(A* x, int64_t n, int64_t items, Join join) {
  constexpr int64_t leaves = ScanTree::leaves;
  const A nothing = A(Join::nothing);
  const int64_t tile = items * leaves, tiles = (n + tile - 1) / tile;
  // The partial results of the leaves of a tile.
  const auto leaves_of = [&](int64_t at, A* sums) {
    for (int64_t t = 0; t < leaves; ++t) {
      const int64_t from = at + t * items;
      sums[t] = from < n ? x[from] : nothing;
      for (int64_t k = from + 1; k < from + items; ++k) sums[t] = join(sums[t], k < n ? x[k] : nothing);
    }
    for (int64_t d = 1; d < leaves; d *= 2)
      for (int64_t t = leaves - 1; t >= d; --t) sums[t] = join(sums[t - d], sums[t]);
  };
  A sums[leaves];
  std::vector<A> of_tiles;
  for (int64_t k = 0; tiles > 1 && k < tiles; ++k) {
    leaves_of(k * tile, sums);
    of_tiles.push_back(sums[leaves - 1]);
  }
  const Totals<A, Join> totals(std::move(of_tiles), join);
  for (int64_t k = 0; k < tiles; ++k) {
    leaves_of(k * tile, sums);
    const A carry = totals.before(k);
    for (int64_t t = 0; t < leaves; ++t) {
      A r = t == 0 ? carry : join(carry, sums[t - 1]);
      for (int64_t i = k * tile + t * items; i < std::min(n, k * tile + (t + 1) * items); ++i) x[i] = r = join(r, x[i]);
    }
  }
}

template <class Join>
void scan_floats(double* x, int64_t n, const ScanTree& t, Join join) {
  t.parts > 0 ? scan_parts(x, n, t, join) : scan_tiles(x, n, t.items, join);
}

template <class A>
void scan_lines(const ScanForm& form, const Lines& l, const char* from, char* to) {
  const ScanTree tree = scan_tree(l);
  std::vector<A> line(static_cast<size_t>(l.n));
  for (int64_t k = 0; k < l.count; ++k) {
    const char* in = from + l.from.offset(l.extent, k);
    char* out = to + l.to.offset(l.extent, k);
    ir::visit_elem(runtime::real_part(form.from), [&](auto tag) {
      typename decltype(tag)::type v;
      for (int64_t i = 0; i < l.n; ++i) {
        std::memcpy(&v, in + i * l.from.step, sizeof v);
        line[static_cast<size_t>(i)] = static_cast<A>(v);
      }
    });
    const bool sum = form.fold == VR_SCAN_SUM;
    if constexpr (std::is_same_v<A, double>)
      sum ? scan_floats(line.data(), l.n, tree, Add()) : scan_floats(line.data(), l.n, tree, Multiply());
    else
      sum ? scan_in_order(line.data(), l.n, Add()) : scan_in_order(line.data(), l.n, Multiply());
    ir::visit_elem(runtime::real_part(form.to), [&](auto tag) {
      using T = typename decltype(tag)::type;
      for (int64_t i = 0; i < l.n; ++i) {
        const T v = static_cast<T>(line[static_cast<size_t>(i)]);
        std::memcpy(out + i * l.to.step, &v, sizeof v);
      }
    });
  }
}

/// Joining extrema does not round, so that any order gives the same bits.
template <class T>
void extrema(const ScanForm& form, const Lines& l, const char* from, char* to) {
  for (int64_t k = 0; k < l.count; ++k) {
    const char* in = from + l.from.offset(l.extent, k);
    char* out = to + l.to.offset(l.extent, k);
    T best{};
    for (int64_t i = 0; i < l.n; ++i) {
      T v;
      std::memcpy(&v, in + i * l.from.step, sizeof v);
      bool better = i == 0 || (form.fold == VR_SCAN_LARGEST ? v > best : v < best);
      if constexpr (std::is_floating_point_v<T>)
        better = better || (form.omit_nan ? std::isnan(best) : std::isnan(v) && !std::isnan(best));
      if (better) best = v;
      std::memcpy(out + i * l.to.step, &best, sizeof v);
    }
  }
}

}  // namespace

void scan_on_host(const ScanForm& form, const Lines& l, const void* from, void* to) {
  if (l.n == 0 || l.count == 0) return;
  const char* in = static_cast<const char*>(from);
  char* out = static_cast<char*>(to);
  if (form.extremum()) {
    ir::visit_elem(runtime::real_part(form.from),
                   [&](auto tag) { extrema<typename decltype(tag)::type>(form, l, in, out); });
    return;
  }
  form.joined() == VR_FLOAT64 ? scan_lines<double>(form, l, in, out) : scan_lines<uint64_t>(form, l, in, out);
}

}  // namespace vr::gpu
