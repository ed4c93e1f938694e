// register_tile: tiles of a kernel's domain in registers.
//
//   kernel [j, i] {                       kernel [jt, it] {
//     s = 0                                 s00 = 0; s01 = 0; s10 = 0; s11 = 0
//     for k {                               for k {
//       s = s + a[i, k] * b[k, j]             a0 = a[i0, k]; a1 = a[i1, k]; b0 = b[k, j0]; b1 = b[k, j1]
//     }                                       s00 = s00 + a0 * b0; s01 = s01 + a0 * b1; ...
//     c[i, j] = s                           }
//   }                                       c[i0, j0] = s00; c[i0, j1] = s01; ...
//                                         }
//
// Of tiles that extend beyond the domain's end only the iterations within it store; the others compute what they do at
// the position, along each dimension, of an iteration within it. Where that is not possible such tiles run their
// iterations one after the other.
#include "loop/transform/register_tile.hpp"

#include "loop/analysis/dim_dependence.hpp"
#include "loop/analysis/launch_intervals.hpp"
#include "loop/analysis/sliding.hpp"
#include "loop/analysis/unit_stride.hpp"
#include "loop/kernel_forms.hpp"
#include "loop/replace.hpp"
#include "loop/transform/staged_tile.hpp"
#include "loop/transform/tile_domain.hpp"
#include "loop/transform/tile_jam.hpp"
#include "loop/walk.hpp"
#include "loop/writer.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

namespace vr::lower {

namespace {

constexpr int64_t warp = 32, rows_in_step = 4;
constexpr size_t tile_dims = 2;  // of a kernel: the first ones
constexpr DimSet first_dim = 1, second_dim = 2, both_dims = 3;
constexpr int64_t fewest_staged_trips = 32;
constexpr int64_t most_staged_sums = 64;   // that a work-item carries from iteration to iteration, in registers
constexpr int64_t fewest_large_trips = 8;  // of the serial loop, for tiles of more than most_of_short iterations
constexpr int64_t most_of_short = 16;
constexpr int64_t most_tiled_nodes = 480;  // nodes of expressions in a kernel that gets tiles
constexpr int64_t most_in_tile = 7680;
constexpr int64_t most_without_loops = 120;
constexpr int64_t most_copies = 96;  // number of variables that change in loops
constexpr int64_t most_apart = 8;    // iterations in a tile, if they have conditions or loops of their own

/// The properties of a kernel's serial loops that determine its tiles.
class Reuse {
 public:
  /// along: the dimensions that `dims` knows.
  Reuse(Exprs& x, const Function& kernel, const DimDependence& dims, DimSet along)
      : kernel_(kernel), dims_(dims), along_(along) {
    block(kernel.body, 0, false);
    slides_ = fit_ && !shares_along_both() && loads_[3] + loads_[1] > 0 && loads_that_slide(x, kernel, dims, 0) > 0;
  }

  bool has_regions() const { return regions_; }
  bool shares_along_both() const { return kernel_.dims.size() > 1 && loads_[1] > 0 && loads_[2] > 0; }

  /// Whether the loops' variables allow for so many iterations at a time (staged_tile.hpp). Those that an iteration of
  /// a loop assigns before it reads them need no copies at the same time.
  bool fits_staged(int64_t points) const {
    return fit_ && !regions_ && shares_along_both() && carried_.kept * points <= most_staged_sums &&
           points * nodes_ <= most_in_tile;
  }

  /// The trip count of the only loop without inner loops; null: there are several.
  ExprP trips(Exprs& x) const { return leaves_ == 1 ? x.sub(leaf_->hi, leaf_->lo) : nullptr; }

  /// The tiles that are worth making, the largest first. unit_stride: how many accesses have it along each dimension;
  /// along dims[1], of those that differ along dims[0].
  std::vector<Tile> tiles(int64_t most_points, const std::vector<int64_t>& unit_stride) const {
    const bool both = shares_along_both();
    if (!fit_ || nodes_ > most_tiled_nodes) return {};
    const bool columns = unit_stride.size() > 1 && unit_stride[1] > 0;
    std::vector<Tile> all;
    if (along_ != both_dims) {
      // What does not depend on that dimension is shared, conditions among it.
      if (loads_[0] > 0 && !regions_) all = {along_ == first_dim ? Tile{{4, 1}} : Tile{{1, 8}}};
    } else if (slides_ && unit_stride[0] > 0) {
      // Neighbours share elements, a step apart in the loop (slide.hpp): windows of consecutive iterations.
      const bool rows = kernel_.dims.size() > 1 && loads_[0] + loads_[1] > 0;
      all = {{{rows ? 4 : 8, rows ? 2 : 1}}};
      all[0].consecutive = true;
    } else if (kernel_.dims.size() == 1) {
      if (loads_[0] > 0) all = {{{4, 1}}};
    } else if (both) {
      all = {{{8, 8}}, {{4, 8}}, {{4, 4}}, {{2, 4}}};
      // If each work-item along dims[0] walks along a row of its own, few such rows at a time are read from memory only
      // once.
      for (Tile& t : all) t.compact = unit_stride[0] < loop_weight;
    } else if (loads_[2] > 0) {
      all = {{{4, 1}}};
    } else if (loads_[0] + loads_[1] > 0) {
      all = {{{1, 4}}};
    } else if (columns && !loops_ && nodes_ <= most_without_loops) {
      // Four elements of a column of work-items are consecutive in memory: one vector (vectors.hpp).
      all = {{{1, 4}, 0, true}};
    }
    // Conditions and loops of single iterations are copied once for each iteration.
    const int64_t most = std::min(
        {most_points, regions_ ? most_apart : most_copies, most_copies / std::max<int64_t>(carried_.count, 1)});
    const std::vector<Tile> any = all;
    std::erase_if(all, [&](const Tile& t) { return t.points() > most || t.points() * nodes_ > most_in_tile; });
    // A second version for domains that are too small for the first: a quarter of its size.
    std::erase_if(all, [&](const Tile& t) { return t.points() != all[0].points() && t.points() * 4 != all[0].points(); });
    // Unrolling hides the latency of loads: large tiles are unrolled more, as long as there are registers for the loaded values.
    for (Tile& t : all) {
      const int64_t registers = t.points() * carried_.bytes / 4;
      t.unroll = registers > 96 ? 2 : t.points() >= 64 ? 8 : t.points() >= 8 ? 4 : 0;
    }
    // Steps of a sum that follow each other need a register together, but at the border of a domain, where each
    // iteration has addresses of its own, a convolution of 3 x 3 takes 1.6 times as long in the larger tiles.
    const int64_t at_once = std::max<int64_t>(carried_.count - carried_.steps, 1);
    const auto larger = std::find_if(any.begin(), any.end(), [&](const Tile& t) {
      return t.points() <= std::min(most_points, most_copies / at_once) && t.points() * nodes_ <= most_in_tile;
    });
    if (both && carried_.steps > 0 && !regions_ && !all.empty() && larger != any.end() &&
        larger->points() > all[0].points()) {
      all.insert(all.begin(), *larger);
      all[0].whole = true;
      all[0].unroll = 4;
    }
    return all;
  }

 private:
  void expr(ExprP e, bool in_loop) {
    if (!e) return;
    ++nodes_;
    if (in_loop && dims_.is_constant_load(e)) ++loads_[dims_.of(e) & 3];
    expr(e->a, in_loop);
    expr(e->b, in_loop);
    expr(e->c, in_loop);
  }
  /// shared: within a serial loop that all iterations run in step.
  void block(const Block& b, DimSet around, bool shared) {
    std::map<VarId, int64_t> here;
    for (const Stmt& s : b) {
      each_expr(s, [&](ExprP e) { expr(e, shared && around == 0); });
      if (shared)
        each_expr(s, [&](ExprP e) {
          if (e) read_.merge(variables(e));
        });
      if (auto* n = std::get_if<SetVar>(&s.node)) {
        // Integers that each iteration computes anew are parts of addresses.
        const bool integer = is_integer(kernel_.vars[static_cast<size_t>(n->var)].type);
        if (shared && dims_.of(n->var) != 0 && (!integer || around != 0 || read_.count(n->var)) &&
            ++here[n->var] > times_[n->var]) {
          carried_.steps += here[n->var] > 1 && mentions(n->value, n->var);
          ++times_[n->var];
          ++carried_.count;
          carried_.kept += read_.count(n->var) != 0;
          carried_.bytes += std::max(scalar_bytes(kernel_.vars[static_cast<size_t>(n->var)].type), 4);
        }
      } else if (auto* n = std::get_if<If>(&s.node)) {
        const DimSet region = dims_.region(s);
        regions_ = regions_ || (shared && region != 0);
        block(n->then_body, around | region, shared);
        block(n->else_body, around | region, shared);
      } else if (auto* n = std::get_if<CountedLoop>(&s.node)) {
        const DimSet region = dims_.region(s);
        loops_ = true;
        if (!has<CountedLoop>(n->body) && (around | region) == 0 && ++leaves_ == 1) leaf_ = n;
        regions_ = regions_ || (shared && region != 0);
        block(n->body, around | region, shared || (around | region) == 0);
      } else if (!std::holds_alternative<Store>(s.node) && !std::holds_alternative<AliasGroup>(s.node)) {
        fit_ = false;
      }
    }
  }

  const Function& kernel_;
  const DimDependence& dims_;
  const DimSet along_;
  bool fit_ = true;
  bool loops_ = false;
  /// An iteration loads what the one before it along dims[0] loads a step later, and not both dimensions share loads.
  bool slides_ = false;
  int leaves_ = 0;                     ///< loops without inner loops that all iterations run in step
  const CountedLoop* leaf_ = nullptr;  ///< the first of them
  bool regions_ = false;  ///< those loops contain conditions or loops of single iterations
  int64_t nodes_ = 0;
  std::set<VarId> read_;                ///< in those loops so far
  std::map<VarId, int64_t>
      times_;            ///< the most assignments of a variable in one block: of unrolled code, each needs registers
  /// The sum of these for the variables that need a copy for each iteration.
  struct Carried {
    int64_t count = 0, bytes = 0;
    int64_t kept = 0;   ///< of them those that are read before, in these loops
    int64_t steps = 0;  ///< of them those that take the variable's value from the assignment before
  };
  Carried carried_;
  std::array<int64_t, 4> loads_ = {};  ///< in those loops, by the subset of the first two dimensions that they depend on
};

/// What the iterations of tiles of the kernel along some dimensions would share. Refers to itself.
struct Sharing {
  Sharing(Exprs& x, const Function& kernel, DimSet along)
      : domain(tile_domain(kernel, DimDependence(kernel, false, along))),
        dims(domain.open, false, along),
        reuse(x, domain.open, dims, along) {}
  Sharing(const Sharing&) = delete;

  const TileDomain domain;
  const DimDependence dims;
  const Reuse reuse;
};

/// Between the iterations of a tile, along dims[0] and dims[1].
int64_t step(const Tile& t, size_t d) { return d == 0 && !t.consecutive ? warp : 1; }

/// The iterations of a tile one by one, skipping those outside the domain.
Block one_by_one(Exprs& x, Writer& out, const Function& plain, Tile tile, const std::array<ExprP, 2>& first,
                 const std::array<ExprP, 2>& count) {
  const size_t tiled_dims = std::min(plain.dims.size(), tile_dims);
  ExprP in_domain = x.bool_const(true);
  for (size_t d = 0; d < tiled_dims; ++d)
    in_domain = x.both(in_domain, x.lt(x.var(plain.dims[d], Scalar::Int64), count[d]));
  Block rest;
  rest.push_back({If{in_domain, plain.body, {}}, none});
  for (size_t d = 0; d < tiled_dims; ++d) {
    const VarId k = out.new_var("k", Scalar::Int64);
    rest.insert(
        rest.begin(),
        Stmt{SetVar{plain.dims[d], x.add(first[d], x.mul(x.var(k, Scalar::Int64), x.int_const(step(tile, d))))}, none});
    CountedLoop loop{k, x.int_const(0), x.int_const(tile.size[d]), std::move(rest)};
    rest.clear();
    rest.push_back({std::move(loop), none});
  }
  return rest;
}

/// A tile of which some iterations lie outside of the domain.
struct Border {
  Exprs& x;
  Writer& out;
  const Function& plain;
  const TileDomain& domain;
  TileJam& jam;
  const std::array<ExprP, 2>&first, &count;

  Block tile() {
    const Block& body = domain.open.body;
    const auto split = body.begin() + static_cast<std::ptrdiff_t>(domain.before);
    const Block before(body.begin(), split), work(split, body.end());
    ExprP any = x.bool_const(true);
    for (size_t d = 0; d < dims(); ++d) any = x.both(any, x.lt(first[d], count[d]));
    Block inner = out.collect([&] {
      each_number(
          [&](size_t d, size_t p, int64_t k) { set(d, p, x.min(number(d, k), x.sub(count[d], x.int_const(1)))); });
      out.append(jam.run(before));
      if (!domain.inside) return out.append(run(work));
      // Along each dimension, the numbers of which no iteration is in the domain become one of which one is.
      std::array<std::vector<ExprP>, 2> valid;
      each_number([&](size_t d, size_t, int64_t k) {
        ExprP some = x.bool_const(false);
        for (size_t q = 0; q < jam.points(); ++q)
          if (jam.place(q)[d] == k) some = x.either(some, in_domain(q));
        valid[d].push_back(out.temp(some, "valid"));
      });
      std::array<ExprP, 2> one = {};
      ExprP found = x.bool_const(false);
      for (size_t d = 0; d < dims(); ++d)
        for (size_t k = valid[d].size(); k-- > 0;) {
          const ExprP here = number(d, static_cast<int64_t>(k));
          one[d] = one[d] ? x.select(valid[d][k], here, one[d]) : here;
          if (d == 0) found = x.either(found, valid[d][k]);
        }
      for (size_t d = 0; d < dims(); ++d) one[d] = out.temp(one[d], "one");
      Block inside = out.collect([&] {
        each_number([&](size_t d, size_t p, int64_t k) {
          set(d, p, x.select(valid[d][static_cast<size_t>(k)], number(d, k), one[d]));
        });
        out.append(jam.run(before));
        out.append(run(work));
      });
      out.emit(If{found, std::move(inside), {}});
    });
    Block all;
    all.push_back({If{any, std::move(inner), {}}, none});
    return all;
  }

 private:
  size_t dims() const { return std::min<size_t>(plain.dims.size(), 2); }
  ExprP number(size_t d, int64_t k) { return x.add(first[d], x.int_const(k * step(jam.tile(), d))); }
  ExprP at(size_t d, size_t p) { return x.var(jam.var(plain.dims[d], p), Scalar::Int64); }
  void set(size_t d, size_t p, ExprP e) { out.set(jam.var(plain.dims[d], p), e); }
  /// Calls f (dimension, one of its points, position) for each number of an iteration along each dimension.
  template <class F>
  void each_number(const F& f) {
    for (size_t p = 0; p < jam.points(); ++p)
      for (size_t d = 0; d < dims(); ++d)
        if (jam.place(p)[1 - d] == 0) f(d, p, jam.place(p)[d]);
  }
  /// Whether the point is in the domain. Numbers that were changed are those of points that are not.
  ExprP in_domain(size_t p) {
    ExprP in = x.bool_const(true);
    for (size_t d = 0; d < dims(); ++d) in = x.both(in, x.eq(at(d, p), number(d, jam.place(p)[d])));
    return domain.inside ? x.both(in, jam.of_point(domain.inside, p)) : in;
  }
  Block run(const Block& work) {
    return jam.run_where(work, [&](size_t p) { return in_domain(p); });
  }
};

/// Makes the version of `plain` for tiles; its parameters are those of `plain`, then the counts of the first two
/// dimensions. border: most launches have tiles that extend beyond the domain's end.
Function tiled_kernel(Exprs& x, const Function& plain, const TileDomain& domain, const DimDependence& dims, Tile tile,
                      bool border) {
  Function f = tile_version(plain);
  f.square = tile.square;
  Writer out(x, f);
  const size_t tiled_dims = std::min(plain.dims.size(), tile_dims);
  std::array<ExprP, 2> first = {}, count = {};
  Block start = out.collect([&] {
    for (size_t d = 0; d < tiled_dims; ++d) {
      count[d] = x.var(tile_dim(out, d, ".tile"), Scalar::Int64);
      f.tile_of.size[d] = static_cast<int32_t>(tile.size[d]);
      if (d == 0 && tile.size[0] > 1 && !tile.consecutive) f.tile_of.apart[0] = warp;
      if (d == 1 && tile.compact) f.tile_of.apart[1] = rows_in_step;
    }
    std::array<ExprP, 2> tiles = {};
    for (size_t d = 0; d < tiled_dims; ++d) tiles[d] = x.var(f.dims[d], Scalar::Int64);
    const auto div = [&](ExprP e, int64_t by) { return x.binary(Op::Div, e, x.int_const(by)); };
    const auto rem = [&](ExprP e, int64_t by) { return x.binary(Op::Rem, e, x.int_const(by)); };
    if (tile.compact) {
      // Of 32 x 4 work-items, which 4 times 32 run in step.
      const ExprP lane = out.temp(rem(tiles[0], warp), "lane"), part = out.temp(rem(tiles[1], rows_in_step), "part");
      const int64_t columns = warp / rows_in_step;
      tiles[0] = out.temp(x.add(x.sub(tiles[0], lane), x.add(x.mul(part, x.int_const(columns)), rem(lane, columns))),
                          "column");
      tiles[1] = out.temp(x.add(x.sub(tiles[1], part), div(lane, columns)), "row");
    }
    for (size_t d = 0; d < tiled_dims; ++d) {
      const ExprP t = tiles[d], size = x.int_const(tile.size[d]);
      if (tile.size[d] == 1)
        first[d] = t;
      else if (step(tile, d) > 1)
        first[d] = out.temp(x.add(x.mul(div(t, warp), x.int_const(warp * tile.size[d])), rem(t, warp)), "first");
      else
        first[d] = out.temp(x.mul(t, size), "first");
    }
  });
  TileJam jam(x, f, dims, tile);
  const VarId inside = domain.inside ? out.new_var("inside", Scalar::Bool) : none;
  Block inner;
  Block together = out.collect([&] {
    for (size_t p = 0; p < jam.points(); ++p)
      for (size_t d = 0; d < tiled_dims; ++d) {
        const auto at = jam.place(p);
        if (at[1 - d] == 0) out.set(jam.var(plain.dims[d], p), x.add(first[d], x.int_const(at[d] * step(tile, d))));
      }
    const Block& body = domain.open.body;
    const auto split = body.begin() + static_cast<std::ptrdiff_t>(domain.before);
    if (domain.inside) {
      out.append(jam.run(Block(body.begin(), split)));
      out.set(inside, jam.all(domain.inside));
      inner = out.collect([&] { out.append(jam.run(Block(split, body.end()))); });
    } else {
      out.append(jam.run(body));
    }
  });
  ExprP whole = x.bool_const(true);
  for (size_t d = 0; d < tiled_dims; ++d)
    whole = x.both(whole, x.lt(x.add(first[d], x.int_const((tile.size[d] - 1) * step(tile, d))), count[d]));
  Block rest;
  if (border)
    rest = Border{x, out, plain, domain, jam, first, count}.tile();
  else
    rest = one_by_one(x, out, plain, tile, first, count);
  f.body = std::move(start);
  if (domain.inside) {
    // Tiles at the border of the domain are among those that extend beyond its end.
    f.body.push_back({SetVar{inside, x.bool_const(false)}, none});
    f.body.push_back({If{whole, std::move(together), {}}, none});
    f.body.push_back({If{x.var(inside, Scalar::Bool), std::move(inner), std::move(rest)}, none});
  } else {
    f.body.push_back({If{whole, std::move(together), std::move(rest)}, none});
  }
  return f;
}

class TiledLaunches {
 public:
  TiledLaunches(Module& m, Exprs& x, Function& f, const PassOptions& o)
      : m_(m),
        x_(x),
        out_(x, f),
        least_(o.tiles),
        most_points_(o.tile_points),
        local_bytes_(o.local_bytes),
        group_(o.group) {}

  void run() {
    replace_launches(out_, [&](Launch& n) {
      launch(std::move(n));
      return true;
    });
  }

 private:
  /// The most iterations in a tile whose loops share loads along the first two dimensions.
  int64_t shared_along_both(const Function& kernel) const {
    const DimDependence dims(kernel, false, both_dims);
    const Reuse reuse(x_, kernel, dims, both_dims);
    const auto tiles = reuse.tiles(most_points_, std::vector<int64_t>(kernel.dims.size()));
    return reuse.shares_along_both() && !tiles.empty() ? tiles[0].points() : 0;
  }

  /// Whether an element is loaded that differs along both of the first dimensions.
  static bool loads_of_both(const Function& kernel) {
    const DimDependence dims(kernel, true);
    return any_statement(kernel.body, [&](const Stmt& s) {
      bool found = false;
      each_expr(s, [&](ExprP e) {
        found = found ||
                any_node(e, [&](ExprP n) { return n->kind == Expr::Kind::Load && n->b && (dims.of(n->b) & 3) == 3; });
      });
      return found;
    });
  }

  /// The kernel with its second and third dimension swapped.
  static Function swapped(const Function& kernel) {
    Function other = kernel;
    std::swap(other.dims[1], other.dims[2]);
    other.form_of = other.on_host = none;
    other.tile_of = {};
    other.accesses.clear();
    return other;
  }

  void launch(Launch plain) {
    const Function& kernel = *m_.functions[static_cast<size_t>(plain.kernel)];
    if (!kernel.disjoint || kernel.points != 1 || !kernel.folds.empty() || kernel.team)
      return out_.emit(std::move(plain));
    const bool three = kernel.dims.size() == 3;
    // Loops that share loads along the first two dimensions once the second and third are swapped.
    if (three && shared_along_both(kernel) == 0)
      if (Function other = swapped(kernel); shared_along_both(other) > 0)
        return tile_swapped(plain, std::move(other), both_dims);
    const Sharing both(x_, kernel, both_dims);
    // Iterations of tiles along both dimensions would have conditions or loops of their own, and no elements in common.
    if (kernel.dims.size() > 1 && both.reuse.has_regions() && !both.reuse.shares_along_both()) {
      for (const DimSet one : {second_dim, first_dim})
        if (const Sharing along(x_, kernel, one); gains(along)) return tile(plain, plain, along);
      if (three)
        if (Function other = swapped(kernel); gains(Sharing(x_, other, second_dim)))
          return tile_swapped(plain, std::move(other), second_dim);
    }
    tile(plain, plain, both);
  }
  /// Whether tiles along one dimension gain: its iterations share loads, perhaps under conditions on the others.
  bool gains(const Sharing& along_one) const { return !along_one.reuse.tiles(most_points_, {}).empty(); }

  void tile_swapped(const Launch& plain, Function swapped, DimSet along) {
    Launch from = plain;
    const std::string name = m_.functions[static_cast<size_t>(plain.kernel)]->name + "_swap";
    from.kernel = add_kernel(m_, std::move(swapped), name);
    std::swap(from.counts[1], from.counts[2]);
    tile(from, plain, Sharing(x_, *m_.functions[static_cast<size_t>(from.kernel)], along));
  }

  /// Launches tiles of the kernel that `from` launches, or `plain` if they gain nothing. of: that kernel.
  void tile(const Launch& from, const Launch& plain, const Sharing& of) {
    const Function& kernel = *m_.functions[static_cast<size_t>(from.kernel)];
    const auto& [domain, dims, reuse] = of;
    std::vector<int64_t> unit_stride = unit_stride_accesses(x_, kernel);
    // Elements that are the same for neighbours along dims[0], a number for each row, are no columns. Where such
    // numbers are all that is loaded, tiles store faster than `march` (x[i] * y[j], 2^28 elements on an H200: 0.27 ms,
    // 0.32).
    if (kernel.dims.size() > 1 && unit_stride[1] > 0 && loads_of_both(kernel))
      unit_stride[1] = column_accesses(x_, kernel);
    const std::vector<Tile> tiles = reuse.tiles(most_points_, unit_stride);
    if (tiles.empty()) return out_.emit(plain);
    std::vector<VarId> counts;
    for (ExprP count : from.counts) {
      counts.push_back(out_.new_var("count", Scalar::Int64));
      out_.set(counts.back(), count);
    }
    Block otherwise;
    for (size_t k = tiles.size(); k-- > 0;) {
      // Code for tiles at a border takes registers from the other tiles: it is in a kernel of its own, unless all
      // domains have a border.
      const bool shares = has<CountedLoop>(kernel.body) && TileParts(dims, tiles[k]).can_run_where(domain.open.body);
      const bool border = shares && domain.inside && !tiles[k].whole;
      const int32_t id = add(from.kernel, tiled_kernel(x_, kernel, domain, dims, tiles[k], border), "_tile");
      const int32_t with_border =
          shares && !border && !tiles[k].whole
              ? add(from.kernel, tiled_kernel(x_, kernel, domain, dims, tiles[k], true), "_border")
              : id;
      otherwise = out_.collect([&] {
        // Large tiles of short loops wait for their stores.
        const ExprP trips =
            tiles[k].points() > most_of_short && reuse.shares_along_both() ? host(from, reuse.trips(x_)) : nullptr;
        const ExprP long_ = trips ? x_.ge(trips, x_.int_const(fewest_large_trips)) : x_.bool_const(true);
        choose(tiles[k], id, with_border, long_, from, plain, counts, std::move(otherwise));
      });
    }
    // The widest that the domain fills goes first.
    for (const StagedWidth width : {StagedWidth::Many, StagedWidth::Narrow, StagedWidth::Half, StagedWidth::Wide})
      if (const std::optional<StagedTile> staged = staged_kernel(reuse, kernel, domain, dims, width)) {
        const bool large = width != StagedWidth::Many && !domain.inside;  // a part of a grid has no others
        otherwise = out_.collect([&] { choose_staged(*staged, large, from, counts, std::move(otherwise)); });
      }
    out_.append(std::move(otherwise));
  }

  std::optional<StagedTile> staged_kernel(const Reuse& reuse, const Function& kernel, const TileDomain& domain,
                                          const DimDependence& dims, StagedWidth width) {
    if (local_bytes_ <= 0 || !reuse.fits_staged(staged_shape(width).points())) return {};
    // PoCL (3.1, LLVM 15) computes wrong sums where loops between barriers are unrolled by request.
    const int64_t unroll = most_points_ < 64 ? 0 : 16;
    return staged_tile(x_, kernel, domain, dims, width, group_, local_bytes_, unroll);
  }
  /// The value of the kernel's expression on the host; null: it is not known there.
  ExprP host(const Launch& launch, ExprP e) {
    if (!e) return nullptr;
    const Function& kernel = *m_.functions[static_cast<size_t>(launch.kernel)];
    LaunchIntervals at(out_);
    at.inputs(kernel, launch.args);
    at.single_values(kernel);
    return at.host(e);
  }
  /// large: smaller tiles can run instead.
  void choose_staged(const StagedTile& made, bool large, const Launch& from, const std::vector<VarId>& counts,
                     Block otherwise) {
    Launch staged = from;
    staged.kernel = add(from.kernel, made.kernel, "_staged");
    ExprP items = x_.int_const(1), fills = x_.bool_const(true);
    for (size_t d = 0; d < counts.size(); ++d) {
      ExprP count = out_.get(counts[d]);
      if (d < 2) {
        const int64_t size = made.shape.extent(d);
        staged.args.push_back({counts[d]});
        fills = x_.both(fills, x_.ge(count, x_.int_const(size)));
        count = x_.binary(Op::Div, x_.add(count, x_.int_const(size - 1)), x_.int_const(size));
        if (d == 0) count = x_.mul(count, x_.int_const(made.shape.group));
        staged.counts[d] = count = out_.keep(count);
      }
      items = x_.mul(items, count);
    }
    const ExprP enough = x_.ge(items, x_.int_const(least(large)));
    // Short loops do not pay for the barriers (distances of points of 3 numbers take twice the time).
    const ExprP trips = host(from, made.trips);
    const ExprP long_ = trips ? x_.ge(trips, x_.int_const(fewest_staged_trips)) : x_.bool_const(true);
    out_.append(launch_if(least_ == 1 ? enough : x_.both(x_.both(fills, long_), enough), std::move(staged),
                          std::move(otherwise), out_.place));
  }

  /// How many work-items must remain. Those of large tiles wait longer for their loads, with fewer beside them, than
  /// those of the smaller ones that can run instead (products on an H200, ms: 1024 x 1024 0.19 in 16384 tiles of 8 x 8,
  /// 0.12 in tiles of 4 x 4; 1536 x 1536 0.51 and 0.40, 2048 x 2048 0.69 and 0.86).
  int64_t least(bool large) const { return large && least_ > 1 ? 4 * least_ : least_; }

  int32_t add(int32_t from, Function made, const char* suffix) {
    const std::string name = m_.functions[static_cast<size_t>(from)]->name;
    made.tile_of.kernel = from;
    return add_kernel(m_, std::move(made), name + suffix);
  }

  /// Launches the tiled kernel, which is a version of the one that `from` launches, if it `gains` and enough work-items
  /// remain; otherwise emits `otherwise`, or launches the plain kernel if that is empty.
  void choose(Tile tile, int32_t id, int32_t with_border, ExprP gains, const Launch& from, const Launch& plain,
              const std::vector<VarId>& counts, Block otherwise) {
    Launch tiled = from;
    tiled.kernel = id;
    ExprP items = nullptr, large = x_.bool_const(true), whole = x_.bool_const(true);
    for (size_t d = 0; d < counts.size(); ++d) {
      ExprP count = out_.get(counts[d]);
      if (d < 2) {
        tiled.args.push_back({counts[d]});
        const int64_t unit = tile.size[d] > 1 ? step(tile, d) : 1, size = tile.size[d] * unit;
        // Most of the domain consists of whole tiles.
        if (tile.size[d] > 1) {
          large = x_.both(large, x_.ge(count, x_.int_const(2 * size)));
          whole = x_.both(whole, x_.eq(x_.binary(Op::Rem, count, x_.int_const(size)), x_.int_const(0)));
        }
        count = out_.keep(x_.binary(Op::Div, x_.add(count, x_.int_const(size - 1)), x_.int_const(size)));
        const int64_t together = d == 1 && tile.compact ? rows_in_step : 1;
        if (together > 1)
          count = out_.keep(x_.binary(Op::Div, x_.add(count, x_.int_const(together - 1)), x_.int_const(together)));
        if (unit * together > 1) count = out_.keep(x_.mul(count, x_.int_const(unit * together)));
        tiled.counts[d] = count;
      }
      items = items ? x_.mul(items, count) : count;
    }
    Block then_body = out_.collect([&] {
      if (with_border == id) return out_.emit(std::move(tiled));
      Launch other = tiled;
      other.kernel = with_border;
      Block inside, at_border;
      inside.push_back({std::move(tiled), out_.place});
      at_border.push_back({std::move(other), out_.place});
      out_.emit(If{whole, std::move(inside), std::move(at_border)});
    });
    if (otherwise.empty()) otherwise.push_back({plain, out_.place});
    ExprP enough = x_.ge(items, x_.int_const(least_));
    if (tile.whole) enough = x_.both(whole, enough);
    out_.emit(
        If{least_ == 1 ? enough : x_.both(x_.both(large, gains), enough), std::move(then_body), std::move(otherwise)});
  }

  Module& m_;
  Exprs& x_;
  Writer out_;
  const int64_t least_, most_points_;
  const int64_t local_bytes_;  ///< that tiles of a work-group may take
  const int64_t group_;        ///< work-items that a work-group may have
};

}  // namespace

void register_tile(Module& m, const PassOptions& options) {
  if (!options.version_loops || options.tiles <= 0) return;
  Exprs x(m);
  each_entry(m, [&](Function& f) { TiledLaunches(m, x, f, options).run(); });
}

}  // namespace vr::lower
