#include "runtime/gpu/chunks.hpp"

#include <algorithm>

namespace vr::gpu {
namespace {

/// More chunks would cost more in overhead than they compute.
constexpr int64_t most_chunks = 1 << 14;

class Planner {
 public:
  Planner(const AccessTable& table, const vr_kernel& kernel, const int64_t* counts, const vr_value* args, int64_t room,
          const PieceCost& cost, int64_t carried_unit, int64_t max_offset)
      : table_(table),
        kernel_(kernel),
        counts_(counts),
        args_(args),
        room_(room),
        cost_(cost),
        carried_unit_(carried_unit),
        max_offset_(max_offset) {}

  /// Divides dimension `dim` into chunks. `chunks` empty: `why` contains the reason.
  Chunks cut(int32_t dim, int slots) {
    Chunks plan;
    plan.dim = dim;
    plan.slots = slots;
    unit_ = part_unit(table_, kernel_, dim, carried_unit_);
    if (kernel_.groups_param < 0 && first_item(kernel_, dim, counts_[dim]) > max_offset_) {
      plan.why = too_many_items;
      return plan;
    }
    const int64_t units = (counts_[dim] + unit_ - 1) / unit_;
    if (units < 2) {
      plan.why = "it has one iteration along the dimension";
      return plan;
    }
    for (int64_t pieces = 2;;) {
      const int64_t each = (units + pieces - 1) / pieces;
      too_large_ = 0;
      if (fill(plan, each * unit_)) return plan;
      plan.chunks.clear();
      plan.fixed.clear();
      if (!plan.why.empty()) return plan;
      if (each == 1 || pieces >= most_chunks) {
        plan.why = "one iteration needs more";
        return plan;
      }
      // The number of pieces that the size of the first one, which was too large, suggests.
      const double more = std::clamp(double(too_large_) / double(std::max<int64_t>(room_, 1)), 1.2, 64.0);
      pieces = std::min({units, most_chunks, int64_t(double(pieces) * more) + 1});
    }
  }

 private:
  /// Makes chunks of `each` iterations. False: they do not fit (too_large_), or `why` is set.
  bool fill(Chunks& plan, int64_t each) {
    const int64_t n = counts_[plan.dim];
    std::vector<std::vector<Footprint>> all;
    for (int64_t lo = 0; lo < n; lo += each) {
      const int64_t hi = std::min(n, lo + each);
      all.push_back(footprints(table_, kernel_, counts_, args_, Part{plan.dim, lo, hi}));
      if (kernel_.groups_param >= 0) all.back()[size_t(kernel_.groups_param)] = {};
      plan.chunks.push_back({lo, hi, {}});
      // The first chunk shows quickly whether all are much too large.
      if (all.size() > 1) continue;
      too_large_ = bytes_of(all[0]);
      if (too_large_ > room_) return false;
    }
    const std::vector<bool> fixed = find_fixed(all);
    int64_t fixed_bytes = 0, largest = 0;
    plan.bytes_up = 0;
    for (int32_t p = 0; p < kernel_.param_count; ++p)
      if (fixed[size_t(p)]) add(plan.fixed, all[0][size_t(p)], p);
    for (const Piece& piece : plan.fixed) {
      fixed_bytes += cost_(int64_t(piece.hull.bytes()));
      plan.bytes_up += bytes(piece.read);
    }
    for (size_t c = 0; c < all.size(); ++c) {
      std::vector<Piece>& pieces = plan.chunks[c].pieces;
      for (int32_t p = 0; p < kernel_.param_count; ++p)
        if (!fixed[size_t(p)]) add(pieces, all[c][size_t(p)], p);
      int64_t here = 0;
      for (const Piece& piece : pieces) {
        here += cost_(int64_t(piece.hull.bytes()));
        plan.bytes_up += bytes(piece.read);
      }
      largest = std::max(largest, here);
    }
    if (fixed_bytes + plan.slots * largest > room_) {
      if (fixed_bytes >= room_)
        plan.why = "the elements that all its iterations read need more";
      else
        too_large_ = int64_t(double(room_) * double(plan.slots * largest) / double(room_ - fixed_bytes));
      return false;
    }
    plan.why = conflict(plan);
    return plan.why.empty();
  }

  static int64_t bytes_of(const std::vector<Footprint>& footprints) {
    int64_t most = 0;  // a lower bound of the memory that the chunks need
    for (const Footprint& f : footprints) most = std::max(most, int64_t(hull_of(f.read, f.write).bytes()));
    return most;
  }

  /// Parameters that no chunk writes, whose storage no other parameter writes, and of which all chunks read the same
  /// elements.
  std::vector<bool> find_fixed(const std::vector<std::vector<Footprint>>& all) const {
    std::vector<bool> fixed(size_t(kernel_.param_count), false);
    for (int32_t p = 0; p < kernel_.param_count; ++p) {
      if (kernel_.params[p].kind != VR_PARAM_ARRAY || kernel_.params[p].written) continue;
      const Span mine = storage_span(*args_[p].array);
      bool same = !mine.empty();
      for (int32_t q = 0; q < kernel_.param_count && same; ++q)
        same = kernel_.params[q].kind != VR_PARAM_ARRAY || !kernel_.params[q].written ||
               !storage_span(*args_[q].array).overlaps(mine);
      for (size_t c = 1; c < all.size() && same; ++c) same = all[c][size_t(p)].read == all[0][size_t(p)].read;
      fixed[size_t(p)] = same;
    }
    return fixed;
  }

  /// Adds the memory that a parameter uses; blocks that overlap become one.
  static void add(std::vector<Piece>& pieces, const Footprint& f, int32_t param) {
    Piece piece{hull_of(f.read, f.write), f.read, f.write, {param}};
    if (piece.hull.empty()) return;
    for (size_t k = 0; k < pieces.size();) {
      Piece& other = pieces[k];
      if (!other.hull.overlaps(piece.hull)) {
        ++k;
        continue;
      }
      piece.hull = {std::min(piece.hull.lo, other.hull.lo), std::max(piece.hull.hi, other.hull.hi)};
      for (const Lmad& box : other.read) gpu::add(piece.read, box);
      for (const Lmad& box : other.write) gpu::add(piece.write, box);
      piece.params.insert(piece.params.end(), other.params.begin(), other.params.end());
      pieces.erase(pieces.begin() + std::ptrdiff_t(k));
      k = 0;
    }
    pieces.push_back(std::move(piece));
  }

  /// Why the order of the chunks would matter; "" if it does not.
  static std::string conflict(const Chunks& plan) {
    Region read, written;
    for (const Piece& piece : plan.fixed)
      for (const Lmad& box : piece.read) gpu::add(read, box);
    for (const Chunk& chunk : plan.chunks) {
      for (const Piece& piece : chunk.pieces) {
        for (const Lmad& box : piece.write)
          if (!apart(read, box) || !apart(written, box))
            return "several of them would write, or read what one writes, of an array";
        for (const Lmad& box : piece.read)
          if (!apart(written, box)) return "one would read what another one writes";
      }
      for (const Piece& piece : chunk.pieces) {
        for (const Lmad& box : piece.write) gpu::add(written, box);
        for (const Lmad& box : piece.read) gpu::add(read, box);
      }
    }
    return "";
  }

  const AccessTable& table_;
  const vr_kernel& kernel_;
  const int64_t* counts_;
  const vr_value* args_;
  const int64_t room_;
  const PieceCost& cost_;
  const int64_t carried_unit_;
  const int64_t max_offset_;
  int64_t unit_ = 1;
  int64_t too_large_ = 0;  ///< bytes that chunks need which do not fit
};

}  // namespace

Chunks plan_chunks(const AccessTable& table, const vr_kernel& kernel, const int64_t* counts, const vr_value* args,
                   int64_t room, int slots, const PieceCost& cost, int64_t carried_unit, int64_t max_offset) {
  Chunks best;
  Planner planner(table, kernel, counts, args, room, cost, carried_unit, max_offset);
  const int32_t first = kernel.groups_param >= 0 ? kernel.dims - 1 : 0;
  for (; slots > 0; --slots) {
    // Neighbours along the last dimension usually are furthest from each other in memory.
    for (int32_t dim = kernel.dims; dim-- > first;) {
      Chunks plan = planner.cut(dim, slots);
      if (!plan.why.empty()) {
        if (best.why.empty() && best.chunks.empty()) best.why = std::move(plan.why);
        continue;
      }
      if (best.chunks.empty() || plan.bytes_up < best.bytes_up) best = std::move(plan);
    }
    if (!best.chunks.empty()) break;
  }
  return best;
}

}  // namespace vr::gpu
