// Statements of a kernel, written for several iterations of its domain at once (private to src/loop).
#pragma once
#include "loop/analysis/dim_dependence.hpp"
#include "loop/writer.hpp"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace vr::lower {

/// How many iterations a tile has along dims[0] and dims[1].
struct Tile {
  std::array<int64_t, 2> size = {1, 1};
  int32_t unroll = 0;   ///< of its innermost loops
  bool square = false;  ///< for square work-groups
  /// 32 work-items that run in step have 8 tiles along dims[0] and 4 along dims[1].
  bool compact = false;
  /// Along dims[0] its iterations are consecutive; else neighbouring work-items run consecutive iterations.
  bool consecutive = false;
  /// Only for domains that consist of whole tiles.
  bool whole = false;
  int64_t points() const { return size[0] * size[1]; }
};

/// Which statements the iterations of a tile share.
class TileParts {
 public:
  /// Keeps a reference to `dims`.
  TileParts(const DimDependence& dims, Tile tile) : dims_(dims), tile_(tile) {}

  /// Only dimensions along which the tile has more than one iteration.
  DimSet tiled(DimSet d) const { return d & ((tile_.size[0] > 1 ? 1u : 0u) | (tile_.size[1] > 1 ? 2u : 0u)); }
  /// Whether TileJam::run_where() can write the body: stores, and loads of elements that depend on both dimensions or
  /// that the kernel writes, are behind its last loop.
  bool can_run_where(const Block& body) const;
  /// Whether it is a store, an assignment of what only points that are run can compute, or a condition of each point.
  /// apart: the variables of such statements before.
  bool goes_alone(const Stmt& s, const std::set<VarId>& apart) const;
  /// Adds the variables that the statement assigns.
  static void set_apart(const Stmt& s, std::set<VarId>& apart);

 private:
  bool is_safe(ExprP e, const std::set<VarId>& apart) const;
  DimSet all_tiled() const { return tiled(3); }

  const DimDependence& dims_;
  const Tile tile_;
};

/// Writes the body for a tile (unroll and jam). A `point` is the number of an iteration in the tile.
class TileJam {
 public:
  TileJam(Exprs& x, Function& f, const DimDependence& dims, Tile tile)
      : x_(x), out_(x, f), dims_(dims), tile_(tile), parts_(dims, tile) {}

  /// The copy of v for an iteration of the tile.
  VarId var(VarId v, size_t point);
  Block run(const Block& body) {
    return out_.collect([&] { block(body); });
  }
  /// From now on `value` takes the place of the load for the iterations that have the same position as this one along
  /// the dimensions on which the load depends.
  void replace(ExprP load, size_t point, ExprP value) {
    replaced_[{load, project(point, tiled(dims_.of(load)))}] = value;
  }
  /// Whether the condition is the same for all iterations of the tile.
  ExprP all(ExprP condition);
  ExprP of_point(ExprP e, size_t point) { return expr(e, point); }
  const Tile& tile() const { return tile_; }
  size_t points() const { return static_cast<size_t>(tile_.points()); }
  /// The position of the iteration in the tile.
  std::array<int64_t, 2> place(size_t point) const {
    return {static_cast<int64_t>(point) % tile_.size[0], static_cast<int64_t>(point) / tile_.size[0]};
  }

  /// The body for a tile of which some iterations are not to be run: the others alone store, and load what depends on
  /// both dimensions. inside: whether a point is to be run. The numbers of the iterations along each dimension must be
  /// those of one that is to be run.
  template <class F>
  Block run_where(const Block& body, const F& inside) {
    return out_.collect([&] {
      std::set<VarId> apart;
      for (const Stmt& s : body) {
        const Restore place(out_.place, s.place);
        if (!parts_.goes_alone(s, apart)) {
          block({s});
          continue;
        }
        TileParts::set_apart(s, apart);
        for (size_t p = 0; p < points(); ++p) {
          Block one;
          one.push_back(alone(s, p));
          out_.emit(If{inside(p), std::move(one), {}});
        }
      }
    });
  }

 private:
  DimSet tiled(DimSet d) const { return parts_.tiled(d); }
  /// The first iteration of the tile that has the same position as this one along these dimensions.
  size_t project(size_t point, DimSet d) const {
    const auto at = place(point);
    return static_cast<size_t>((d & 1 ? at[0] : 0) + (d & 2 ? at[1] : 0) * tile_.size[0]);
  }
  /// Calls f for one iteration of each combination of these dimensions.
  template <class F>
  void each(DimSet d, F&& f) const {
    for (size_t p = 0; p < points(); ++p)
      if (project(p, tiled(d)) == p) f(p);
  }

  // statements that all iterations of the tile share
  void block(const Block& b);
  void statement(const Stmt& s);
  void stores(const Store& n);
  void loads(ExprP e, DimSet whole, size_t point);
  // statements of one iteration
  Block alone(const Block& b, size_t point);
  Stmt alone(const Stmt& s, size_t point);
  ExprP expr(ExprP e, size_t point);

  Exprs& x_;
  Writer out_;
  const DimDependence& dims_;
  const Tile tile_;
  const TileParts parts_;
  std::map<std::pair<VarId, size_t>, VarId> copies_;
  std::map<std::pair<ExprP, size_t>, ExprP> replaced_;
  std::map<std::pair<ExprP, size_t>, ExprP> loaded_;  ///< by the load and the first iteration that has its value
};

}  // namespace vr::lower
