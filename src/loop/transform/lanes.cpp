// lanes: loads and stores that consecutive iterations of a kernel make at consecutive addresses. GPUs are fastest with 16
// bytes per work-item (a sum of 2^28 floats on an H100: 3.0 TB/s against 2.5).
#include "loop/transform/lanes.hpp"

#include "loop/analysis/lane_access.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace vr::lower {

namespace {

/// The most expression nodes of a body for which several iterations per work-item pay; a function of `math` counts
/// more.
constexpr int64_t most_lane_nodes = 256, math_nodes = 16;

struct LaneAccess {
  Scalar type;
  bool store, lane, certain;
};

class LaneFinder {
 public:
  explicit LaneFinder(const Function& kernel) : f_(kernel) {
    const auto assigned = assignments(kernel.body);
    for (const Param& p : kernel.params) {
      if (p.array == none) continue;
      // An array variable that is reassigned in the body has two addresses.
      const VarId data = f_.arrays[static_cast<size_t>(p.array)].data;
      if (!assigned.count(data)) data_[data] = p.array;
    }
  }

  std::vector<Lane> run() {
    if (f_.dims.size() != 1) return {};
    block(f_.body, true);
    if (!free_ || (f_.folds.empty() && (loops_ || nodes_ > most_lane_nodes))) return {};
    std::vector<Lane> lanes;
    for (const auto& [array, list] : accesses_)
      if (auto lane = of(array, list)) lanes.push_back(*lane);
    // Copies of arrays: an iteration that fails has no new element.
    if (copies_ && std::any_of(lanes.begin(), lanes.end(), [](const Lane& l) { return l.stored; })) return {};
    return lanes;
  }

 private:
  /// From all accesses of an array, in the order of the text.
  static std::optional<Lane> of(ArrayId array, const std::vector<LaneAccess>& list) {
    const auto first = std::find_if(list.begin(), list.end(), [](const LaneAccess& a) { return a.lane; });
    if (first == list.end()) return {};
    Lane lane{array, first->type, false, false};
    bool stores = false, all = true, loads = false;
    for (const LaneAccess& a : list) {
      stores = stores || a.store;
      all = all && a.lane;
      if (!a.lane) continue;
      // A load after the store would get the old element from the vector loaded before.
      if (a.type != lane.type || lane.stored || (a.store && !a.certain)) return {};
      (a.store ? lane.stored : lane.loaded) = true;
      loads = loads || (!a.store && a.certain);
    }
    // The vector load runs unconditionally, so every iteration must load the element in the original kernel, too.
    if (lane.loaded && !loads) return {};
    if (stores && !all) return {};
    return lane;
  }

  void access(ExprP address, ExprP offset, Scalar type, bool store, bool certain) {
    while (address->kind == Expr::Kind::Offset) address = address->a;
    auto it = address->kind == Expr::Kind::Var ? data_.find(address->var) : data_.end();
    if (it == data_.end()) {
      // An address inside an array that is not known.
      free_ = false;
      return;
    }
    accesses_[it->second].push_back({type, store, is_lane(offset, type), certain});
  }
  /// Loads that occur in the computation of an address.
  void base(ExprP e, bool certain) {
    for (; e->kind == Expr::Kind::Offset; e = e->a) expr(e->b, certain);
  }
  bool is_lane(ExprP offset, Scalar type) const { return offset && is_point_offset(f_, offset, type); }

  void expr(ExprP e, bool certain) {
    if (!e) return;
    nodes_ += e->kind == Expr::Kind::Math ? math_nodes : 1;
    if (e->kind == Expr::Kind::Load) {
      expr(e->b, certain);
      base(e->a, certain);
      return access(e->a, e->a->kind == Expr::Kind::Var ? e->b : nullptr, e->type, false, certain);
    }
    const bool lazy = e->kind == Expr::Kind::Select || (e->kind == Expr::Kind::Binary && e->type == Scalar::Bool &&
                                                        (e->op == Op::And || e->op == Op::Or));
    expr(e->a, certain);
    expr(e->b, certain && !lazy);
    expr(e->c, certain && !lazy);
  }
  void block(const Block& b, bool certain) {
    for (const Stmt& s : b)
      std::visit(Overloaded{[&](const SetVar& n) { expr(n.value, certain); },
                            [&](const Store& n) {
                              expr(n.offset, certain);
                              base(n.base, certain);
                              expr(n.value, certain);
                              access(n.base, n.base->kind == Expr::Kind::Var ? n.offset : nullptr, n.value->type, true,
                                     certain);
                            },
                            [&](const If& n) {
                              expr(n.cond, certain);
                              block(n.then_body, false);
                              block(n.else_body, false);
                            },
                            [&](const CountedLoop& n) {
                              loops_ = true;
                              expr(n.lo, certain);
                              expr(n.hi, certain);
                              block(n.body, false);
                            },
                            [&](const Loop& n) {
                              loops_ = true;
                              block(n.body, false);
                            },
                            [&](const RowAt&) { free_ = free_ && copies_; },
                            [&](const Fail& n) {
                              free_ = free_ && copies_;
                              expr(n.index, false);
                              expr(n.extent, false);
                            },
                            [&](const Atomic& n) {
                              free_ = free_ && is_copy(n.base);
                              for (ExprP e : {n.offset, n.value, n.expected}) expr(e, certain);
                            },
                            [](const Break&) {}, [](const Continue&) {}, [](const AliasGroup&) {},
                            [&](const auto&) { free_ = false; }},
                 s.node);
  }

  bool is_copy(ExprP base) const {
    return copies_ && base->kind == Expr::Kind::Var &&
           std::any_of(f_.rows.begin(), f_.rows.end(), [&](const Row& r) { return r.data == base->var; });
  }

  const Function& f_;
  const bool copies_ =
      f_.team == 0 && f_.points == 0 && !f_.rows.empty();  ///< the group has copies of arrays (privatise.hpp)
  std::map<VarId, ArrayId> data_;
  std::map<ArrayId, std::vector<LaneAccess>> accesses_;
  int64_t nodes_ = 0;
  bool free_ = true, loops_ = false;
};

}  // namespace

void find_lanes(Function& kernel) { kernel.lanes = LaneFinder(kernel).run(); }

void lanes(Module& m, const PassOptions& options) {
  if (!options.lanes) return;
  for (const auto& f : m.functions) {
    if (f->kind != Function::Kind::Kernel || !f->disjoint || f->team || has_blocks(*f)) continue;
    find_lanes(*f);
    if (f->folds.empty() && f->rows.empty() && !f->lanes.empty()) f->points = most_lanes;
  }
}

}  // namespace vr::lower
