// Sets of bytes in memory as strided boxes: linear memory access descriptors with known numbers (jit4GPU 5.2,
// jit4OpenCL III).
#pragma once
#include "runtime/gpu/storage.hpp"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace vr::gpu {

/// a / b rounded towards minus infinity; b is not 0.
inline int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a % b < 0) != (b < 0)); }

/// `extent` points, `stride` bytes apart.
struct LmadDim {
  int64_t extent, stride;
  bool operator==(const LmadDim&) const = default;
};

/// The bytes base + sum of stride_k * i_k + r, with 0 <= i_k < extent_k and 0 <= r < run.
struct Lmad {
  static constexpr int32_t most = 8;
  uintptr_t base = 0;
  int64_t run = 0;  ///< bytes that are contiguous; > 0
  int32_t rank = 0;
  std::array<LmadDim, most> dim{};  ///< of extents > 1 and strides > run, in descending order of strides

  /// From the first byte to the last one.
  Span hull() const;
  /// jit4GPU's RCSLMAD, with elements of `run` bytes: along each dimension, the stride is at least what all smaller
  /// ones span. Then no byte occurs twice, and the lexicographic order of points is the order of their addresses.
  bool restricted() const;
  /// The number of bytes of a restricted box; for other boxes, an upper bound of it.
  int64_t bytes() const;
  bool operator==(const Lmad&) const;
  bool dense() const { return rank == 0; }
};

/// Bytes [s.lo, s.hi), which must not be empty.
Lmad box_of(Span s);
/// The box of an array's elements. Empty if the array has no element, or has too many dimensions that cannot be merged.
std::optional<Lmad> box_of(const vr_array& a);
/// The box with these dimensions, in any order, of strides of any sign; extents are positive. Dimensions that together
/// step through memory as one dimension would are merged, so that equal sets mostly have equal boxes. No value: more
/// than `most` dimensions remain, or numbers need more than 62 bits.
std::optional<Lmad> make_box(uintptr_t base, int64_t run, std::span<const LmadDim> dims);
/// The smallest restricted box that can be found by filling the gaps of inner dimensions; `box` itself if it is
/// restricted.
Lmad restrict(Lmad box);

/// Whether different points of the dimensions (strides of any sign) access different bytes, with elements of `run`
/// bytes. No value: the search for two points that access the same byte has taken too long.
std::optional<bool> unique_accesses(int64_t run, std::span<const LmadDim> dims);

// The functions below take restricted boxes. If two boxes have no frame (common strides of which their own are
// multiples), the answer is the conservative one.
/// The smallest restricted box found that contains both (jit4GPU 5.3.4, "stretched"): base differences are split into
/// multiples of the strides, rounded down or up, whichever takes the fewest bytes. Empty: there is no frame.
std::optional<Lmad> join(const Lmad& a, const Lmad& b);
/// The bytes of both; empty if there are none or there is no frame.
std::optional<Lmad> meet(const Lmad& a, const Lmad& b);
/// True: they have no byte in common. False: they may have one.
bool apart(const Lmad& a, const Lmad& b);
/// True: a contains b. False: it may not contain b.
bool contains(const Lmad& a, const Lmad& b);
/// Appends boxes, disjoint from each other, that contain the bytes of a that are not in b; at most 2 * (rank + 1).
/// Exact if there is a frame, otherwise all of a.
void subtract(const Lmad& a, const Lmad& b, std::vector<Lmad>& rest);

/// A union of restricted boxes.
using Region = std::vector<Lmad>;
/// From the first byte to the last one; empty without boxes.
Span hull_of(const Region& region);
int64_t bytes(const Region& region);  ///< of its boxes one by one: common bytes count for each
bool apart(const Region& a, const Lmad& b);
/// Adds a box. It is joined with others if the union contains no bytes that are in neither or, with slack > 0, only few
/// (`slack` of 64 bytes of the union). Returns false if such bytes were added. No byte outside of `within` is added.
bool add(Region& region, Lmad box, int64_t slack = 0, Span within = {0, UINTPTR_MAX});
/// The bytes of `need` that are not in `have`.
Region missing(const Region& need, const Region& have);

}  // namespace vr::gpu
