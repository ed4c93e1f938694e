#include "runtime/gpu/regions/lmad.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "support/inline_vector.hpp"

namespace vr::gpu {
namespace {

constexpr int64_t lmad_limit = int64_t{1} << 62;

/// Boxes are compared at every launch, so their dimensions are held without allocation. Twice as many as a box has:
/// some can be merged, and two boxes are described by the dimensions of both.
using Dims = InlineVector<LmadDim, 2 * Lmad::most>;
/// Numbers along each dimension of a box, and along its bytes.
template <class T>
using Along = InlineVector<T, Lmad::most + 1>;

/// a * b + c; no value if it needs more than 62 bits.
bool muladd(int64_t a, int64_t b, int64_t c, int64_t& out) {
  int64_t p = 0;
  return !__builtin_mul_overflow(a, b, &p) && !__builtin_add_overflow(p, c, &out) && out < lmad_limit &&
         out > -lmad_limit;
}

}  // namespace

Span Lmad::hull() const {
  int64_t last = run;
  for (int32_t k = 0; k < rank; ++k) last += (dim[size_t(k)].extent - 1) * dim[size_t(k)].stride;
  return {base, base + uintptr_t(last)};
}

bool Lmad::restricted() const {
  int64_t spanned = run;
  for (int32_t k = rank; k-- > 0;) {
    const LmadDim& d = dim[size_t(k)];
    if (d.stride < spanned) return false;
    spanned += (d.extent - 1) * d.stride;
  }
  return true;
}

int64_t Lmad::bytes() const {
  const auto all = int64_t(hull().bytes());
  int64_t n = run;
  for (int32_t k = 0; k < rank; ++k)
    if (!muladd(n, dim[size_t(k)].extent, 0, n) || n > all) return all;
  return n;
}

bool Lmad::operator==(const Lmad& o) const {
  return base == o.base && run == o.run && rank == o.rank && std::equal(dim.begin(), dim.begin() + rank, o.dim.begin());
}

Lmad box_of(Span s) {
  Lmad box;
  box.base = s.lo;
  box.run = int64_t(s.bytes());
  return box;
}

std::optional<Lmad> box_of(const vr_array& a) {
  std::array<LmadDim, VR_MAX_RANK> dims;
  for (int32_t k = 0; k < a.rank; ++k) {
    if (a.extent[k] <= 0) return {};
    dims[size_t(k)] = {a.extent[k], a.stride[k]};
  }
  return make_box(reinterpret_cast<uintptr_t>(a.data), element_bytes(a.elem), {dims.data(), size_t(a.rank)});
}

std::optional<Lmad> make_box(uintptr_t base, int64_t run, std::span<const LmadDim> given) {
  Dims dims;
  Lmad box;
  box.run = run;
  int64_t reach = run;
  for (LmadDim d : given) {
    if (d.extent <= 1 || d.stride == 0) continue;
    if (d.stride <= -lmad_limit) return {};
    int64_t back = 0;
    if (!muladd(d.extent - 1, std::abs(d.stride), 0, back) || !muladd(1, back, reach, reach)) return {};
    if (d.stride < 0) base -= uintptr_t(back);
    if (!dims.push_back({d.extent, std::abs(d.stride)})) return {};
  }
  box.base = base;
  std::sort(dims.begin(), dims.end(), [](const LmadDim& a, const LmadDim& b) { return a.stride < b.stride; });
  // In ascending order, so that the dimensions before this one step through memory as finely as possible.
  Dims kept;
  for (const LmadDim& d : dims) {
    if (!kept.empty()) {
      LmadDim& inner = kept.back();
      const int64_t m = d.stride / inner.stride;
      if (d.stride % inner.stride == 0 && m <= inner.extent) {
        inner.extent += (d.extent - 1) * m;
        continue;
      }
    } else if (d.stride <= box.run) {
      box.run += (d.extent - 1) * d.stride;
      continue;
    }
    kept.push_back(d);
  }
  if (kept.size() > size_t(Lmad::most)) return {};
  box.rank = int32_t(kept.size());
  std::reverse_copy(kept.begin(), kept.end(), box.dim.begin());
  return box;
}

Lmad restrict(Lmad box) {
  int64_t spanned = box.run;
  for (int32_t k = box.rank; k-- > 0;) {
    const LmadDim& d = box.dim[size_t(k)];
    const bool gaps = d.stride >= spanned;
    spanned += (d.extent - 1) * d.stride;
    if (gaps) continue;
    box.run = spanned;
    box.rank = k;
  }
  // The merged, contiguous dimensions may be contiguous with the next one.
  auto made = make_box(box.base, box.run, {box.dim.data(), size_t(box.rank)});
  return made ? *made : box_of(box.hull());
}

std::optional<bool> unique_accesses(int64_t run, std::span<const LmadDim> given) {
  std::vector<LmadDim> dims;
  for (const LmadDim& d : given) {
    if (d.extent <= 1) continue;
    if (d.stride == 0) return false;
    dims.push_back({d.extent, std::abs(d.stride)});
  }
  std::sort(dims.begin(), dims.end(), [](const LmadDim& a, const LmadDim& b) { return a.stride > b.stride; });
  // rest[k]: the distance that the dimensions from k on cover.
  std::vector<int64_t> rest(dims.size() + 1, 0);
  for (size_t k = dims.size(); k-- > 0;)
    if (!muladd(dims[k].extent - 1, dims[k].stride, rest[k + 1], rest[k])) return {};
  // Two points have a byte in common if their difference d, which is not 0, satisfies |sum of stride_k * d_k| < run.
  int budget = 4096;
  auto meets = [&](auto& self, size_t k, int64_t sum, bool zero) -> bool {
    if (k == dims.size()) return !zero;
    if (--budget < 0) return false;
    const int64_t s = dims[k].stride, slack = rest[k + 1] + run - 1;
    const int64_t lo = std::max(-floor_div(sum + slack, s), 1 - dims[k].extent),
                  hi = std::min(floor_div(slack - sum, s), dims[k].extent - 1);
    // d and -d describe the same pair of points.
    for (int64_t d = zero ? std::max<int64_t>(lo, 0) : lo; d <= hi && budget >= 0; ++d)
      if (self(self, k + 1, sum + d * s, zero && d == 0)) return true;
    return false;
  };
  if (meets(meets, 0, 0, true)) return false;
  if (budget < 0) return {};
  return true;
}

namespace {

/// Two boxes as boxes of integers: coordinates along common strides, the last of which counts bytes. Different
/// coordinates within the box around both are different bytes.
struct Frame {
  uintptr_t base = 0;
  Along<LmadDim> dims;  ///< of the box around both, descending; the last has stride 1
  struct Range {
    int64_t lo, hi;  ///< [lo, hi)
  };
  Along<Range> a, b;

  Lmad box(const Along<Range>& ranges) const {
    uintptr_t at = base;
    Along<LmadDim> d;
    for (size_t k = 0; k < dims.size(); ++k) {
      at += uintptr_t(ranges[k].lo * dims[k].stride);
      if (k + 1 < dims.size()) d.push_back({ranges[k].hi - ranges[k].lo, dims[k].stride});
    }
    // The numbers of a part are smaller than those of the box, which did not overflow.
    return *make_box(at, ranges.back().hi - ranges.back().lo, {d.begin(), d.size()});
  }
  std::optional<Along<Range>> common() const {
    Along<Range> r;
    for (size_t k = 0; k < dims.size(); ++k) {
      r.push_back({std::max(a[k].lo, b[k].lo), std::min(a[k].hi, b[k].hi)});
      if (r.back().lo >= r.back().hi) return {};
    }
    return r;
  }
  Along<Range> around() const {
    Along<Range> r;
    for (size_t k = 0; k < dims.size(); ++k) r.push_back({std::min(a[k].lo, b[k].lo), std::max(a[k].hi, b[k].hi)});
    return r;
  }
};

using Strides = InlineVector<int64_t, 2 * Lmad::most>;

/// The extents of the box along the strides, at most Lmad::most of them, and then bytes; contiguous bytes are treated
/// as rows if they form whole rows.
bool extents_along(const Lmad& box, const Strides& strides, Along<int64_t>& extents) {
  extents.assign(strides.size() + 1, 1);
  for (int32_t k = 0; k < box.rank; ++k) {
    const auto at = std::find(strides.begin(), strides.end(), box.dim[size_t(k)].stride);
    if (at == strides.end()) return false;
    extents[size_t(at - strides.begin())] = box.dim[size_t(k)].extent;
  }
  int64_t run = box.run;
  for (size_t k = 0; k < strides.size(); ++k) {
    if (run <= strides[k]) continue;
    if (extents[k] != 1 || run % strides[k] != 0) return false;
    extents[k] = run / strides[k];
    run = strides[k];
  }
  extents.back() = run;
  return true;
}

std::optional<Frame> frame_of(const Lmad& a, const Lmad& b) {
  Strides strides;
  Along<int64_t> ea, eb;
  for (const Lmad* box : {&a, &b})
    for (int32_t k = 0; k < box->rank; ++k) strides.push_back(box->dim[size_t(k)].stride);
  std::sort(strides.begin(), strides.end(), std::greater<>());
  strides.cut(std::unique(strides.begin(), strides.end()));
  if (strides.size() > size_t(Lmad::most) || !extents_along(a, strides, ea) || !extents_along(b, strides, eb))
    return {};
  const auto distance = static_cast<int64_t>(b.base - a.base);
  if (distance <= -lmad_limit || distance >= lmad_limit) return {};
  // The distance of b from a as a sum of multiples of the strides and bytes: of the possible roundings, the one with
  // the smallest box around both.
  const size_t n = strides.size();
  const unsigned ways = n <= 5 ? 1u << n : 1;
  std::optional<Frame> best;
  int64_t least = 0;
  Along<int64_t> t;
  t.assign(n + 1, 0);
  for (unsigned way = 0; way < ways; ++way) {
    int64_t rest = distance, total = 1;
    bool fits = true, whole = true;
    for (size_t k = 0; k < n; ++k) {
      t[k] = floor_div(rest, strides[k]) + (way >> k & 1);
      rest -= t[k] * strides[k];
    }
    t[n] = rest;
    int64_t spanned = 0;
    for (size_t k = n + 1; k-- > 0;) {
      const int64_t extent = std::max(ea[k], t[k] + eb[k]) - std::min<int64_t>(0, t[k]);
      const int64_t stride = k == n ? 1 : strides[k];
      // The coordinates are unique: the stride spans all smaller ones.
      if (k < n && stride < spanned) whole = false;
      fits = fits && muladd(extent - 1, stride, k == n ? 1 : spanned, spanned) && muladd(total, extent, 0, total);
    }
    if (!fits || !whole || (best && total >= least)) continue;
    least = total;
    Frame f;
    f.base = a.base;
    for (size_t k = 0; k <= n; ++k) {
      f.a.push_back({0, ea[k]});
      f.b.push_back({t[k], t[k] + eb[k]});
      f.dims.push_back({std::max(ea[k], t[k] + eb[k]) - std::min<int64_t>(0, t[k]), k == n ? 1 : strides[k]});
    }
    best = f;
  }
  return best;
}

}  // namespace

std::optional<Lmad> join(const Lmad& a, const Lmad& b) {
  const auto f = frame_of(a, b);
  return f ? std::optional(f->box(f->around())) : std::nullopt;
}

std::optional<Lmad> meet(const Lmad& a, const Lmad& b) {
  if (!a.hull().overlaps(b.hull())) return {};
  const auto f = frame_of(a, b);
  const auto both = f ? f->common() : std::nullopt;
  return both ? std::optional(f->box(*both)) : std::nullopt;
}

bool apart(const Lmad& a, const Lmad& b) {
  if (!a.hull().overlaps(b.hull())) return true;
  // jit4GPU 5.3.2: boxes whose phases differ have no byte in common.
  int64_t period = 0;
  for (const Lmad* box : {&a, &b})
    for (int32_t k = 0; k < box->rank; ++k) period = std::gcd(period, box->dim[size_t(k)].stride);
  if (period > 0) {
    int64_t phase = static_cast<int64_t>(b.base - a.base) % period;
    if (phase < 0) phase += period;
    if (phase >= a.run && phase + b.run <= period) return true;
  }
  const auto f = frame_of(a, b);
  return f && !f->common();
}

bool contains(const Lmad& a, const Lmad& b) {
  if (!a.hull().contains(b.hull())) return false;
  if (a.dense() || a == b) return true;
  const auto f = frame_of(a, b);
  if (!f) return false;
  for (size_t k = 0; k < f->dims.size(); ++k)
    if (f->b[k].lo < f->a[k].lo || f->b[k].hi > f->a[k].hi) return false;
  return true;
}

void subtract(const Lmad& a, const Lmad& b, std::vector<Lmad>& rest) {
  if (contains(b, a)) return;
  const auto f = a.hull().overlaps(b.hull()) ? frame_of(a, b) : std::nullopt;
  const auto both = f ? f->common() : std::nullopt;
  if (!both) {
    rest.push_back(a);
    return;
  }
  // Slabs before and behind the common part, one dimension after the other.
  Along<Frame::Range> left = f->a;
  for (size_t k = 0; k < left.size(); ++k) {
    const Frame::Range whole = left[k], mid = (*both)[k];
    if (whole.lo < mid.lo) {
      left[k] = {whole.lo, mid.lo};
      rest.push_back(f->box(left));
    }
    if (mid.hi < whole.hi) {
      left[k] = {mid.hi, whole.hi};
      rest.push_back(f->box(left));
    }
    left[k] = mid;
  }
}

// ---------------------------------------------------------------- regions
Span hull_of(const Region& region) {
  Span all;
  for (const Lmad& box : region) {
    const Span s = box.hull();
    all = all.empty() ? s : Span{std::min(all.lo, s.lo), std::max(all.hi, s.hi)};
  }
  return all;
}

int64_t bytes(const Region& region) {
  int64_t n = 0;
  for (const Lmad& box : region) n += box.bytes();
  return n;
}

bool apart(const Region& a, const Lmad& b) {
  return std::all_of(a.begin(), a.end(), [&](const Lmad& box) { return apart(box, b); });
}

bool add(Region& region, Lmad box, int64_t slack, Span within) {
  bool exact = true;
  if (box.dense())
    region.erase(std::remove_if(region.begin(), region.end(),
                                [&](const Lmad& part) { return part != box && contains(box, part); }),
                 region.end());
  // A joined box may be joined with one that was tested before.
  for (bool again = true; again;) {
    again = false;
    for (size_t k = 0; k < region.size(); ++k) {
      if (contains(region[k], box)) return exact;
      std::optional<Lmad> both = join(region[k], box);
      // A stretched box may begin before both of them.
      if (!both || !within.contains(both->hull())) continue;
      const auto common = meet(region[k], box);
      const int64_t all = region[k].bytes() + box.bytes() - (common ? common->bytes() : 0), more = both->bytes() - all;
      if (more > all / 64 * slack) continue;
      if (more > 0) exact = false;
      box = *both;
      region.erase(region.begin() + std::ptrdiff_t(k));
      again = true;
      break;
    }
  }
  region.push_back(box);
  return exact;
}

Region missing(const Region& need, const Region& have) {
  Region left = need, next;
  for (const Lmad& h : have) {
    if (left.empty()) break;
    next.clear();
    for (const Lmad& box : left) subtract(box, h, next);
    std::swap(left, next);
  }
  return left;
}

}  // namespace vr::gpu
