#include "loop/analysis/nest_pieces.hpp"

#include "loop/exprs.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace vr::lower {

namespace {

/// The number of operations that recomputing common values may cost per iteration: some loads and additions. More is
/// allowed if the loop's body is larger.
constexpr int64_t cheap_recomputation = 48;
constexpr int64_t loop_iterations = 16;  // assumed for a loop whose trip count is not known

int64_t cost(ExprP e) {
  if (!e || is_simple(e)) return 0;
  int64_t here = 1;
  if (e->kind == Expr::Kind::Math) here = 16;
  if (e->kind == Expr::Kind::Load) here = 4;
  if (e->kind == Expr::Kind::Binary && (e->op == Op::Div || e->op == Op::Rem)) here = 8;
  if (e->kind == Expr::Kind::At) here = 0;
  return here + cost(e->a) + cost(e->b) + cost(e->c);
}
int64_t cost(const Block& b) {
  int64_t all = 0;
  for (const Stmt& s : b) {
    each_expr(s, [&](ExprP e) { all += cost(e); });
    int64_t inner = 0;
    for (const Block* p : parts(s)) inner += cost(*p);
    const bool loops = std::holds_alternative<CountedLoop>(s.node) || std::holds_alternative<Loop>(s.node);
    all += inner * (loops ? loop_iterations : 1);
  }
  return std::min<int64_t>(all, int64_t{1} << 40);
}

/// Whether statements leave the block by a jump.
bool jumps_out(const Block& b) { return has<Exit>(b) || has_own<Break>(b) || has_own<Continue>(b); }

/// Statements that can be repeated in each piece of the kernel.
class Recomputed {
 public:
  explicit Recomputed(const Function& kernel) : f_(kernel), assigned_(assignments(kernel.body)) {
    for (const Param& p : kernel.params) {
      if (p.array == none) continue;
      const VarId data = kernel.arrays[static_cast<size_t>(p.array)].data;
      if (!assigned_.count(data)) writable_[data] = p.written;
    }
    // Each work-item has its own.
    for (VarId d : kernel.dims) known_.insert(d);
  }
  /// Adds the statement if it can be repeated, and can be moved in front of those that name the variables `before`.
  bool take(const Stmt& s, const std::set<VarId>& before) {
    auto* n = std::get_if<SetVar>(&s.node);
    if (!n || assigned_.at(n->var) != 1 || before.count(n->var) || !pure(n->value)) return false;
    known_.insert(n->var);
    if (f_.vars[static_cast<size_t>(n->var)].type == Scalar::Ptr)
      if (auto from = written(n->value)) writable_[n->var] = *from;
    return true;
  }

 private:
  /// Whether the kernel writes the array at the address; no value: the array is not known.
  std::optional<bool> written(ExprP address) const {
    while (address->kind == Expr::Kind::Offset) address = address->a;
    if (address->kind != Expr::Kind::Var) return {};
    auto it = writable_.find(address->var);
    return it == writable_.end() ? std::nullopt : std::optional(it->second);
  }
  bool pure(ExprP e) const {
    if (!e) return true;
    if (e->kind == Expr::Kind::Var) return !assigned_.count(e->var) || known_.count(e->var);
    if (e->kind == Expr::Kind::Load && written(e->a).value_or(true)) return false;
    return pure(e->a) && pure(e->b) && pure(e->c);
  }

  const Function& f_;
  const std::map<VarId, int> assigned_;
  std::map<VarId, bool> writable_;  ///< by the variable of an address: whether the kernel writes the array
  std::set<VarId> known_;           ///< assigned, and recomputed in each piece
};

/// Finds the variables that one piece assigns and a later one uses; false if such a value cannot be stored between
/// pieces.
bool find_crossing(const Function& kernel, NestPieces& nest) {
  std::vector<std::set<VarId>> assigned, named;
  for (const NestPiece& p : nest.pieces) {
    std::set<VarId> a, n = variables(p.body);
    for (const auto& [v, times] : assignments(p.body)) a.insert(v);
    if (p.is_loop()) {
      a.insert(p.loop.var);
      for (ExprP bound : {p.loop.lo, p.loop.hi})
        for (VarId v : variables(bound)) n.insert(v);
    }
    assigned.push_back(std::move(a));
    named.push_back(std::move(n));
  }
  for (size_t i = 0; i < nest.pieces.size(); ++i)
    for (VarId v : assigned[i]) {
      bool crosses = false;
      for (size_t j = 0; j < nest.pieces.size(); ++j) {
        if (i == j || (!named[j].count(v) && !assigned[j].count(v))) continue;
        // Addresses belong to one work-item, and values assigned in an inner loop belong to one of its iterations;
        // neither can be stored.
        if (j < i || assigned[j].count(v) || nest.pieces[i].is_loop() ||
            kernel.vars[static_cast<size_t>(v)].type == Scalar::Ptr)
          return false;
        crosses = true;
      }
      if (crosses) nest.crossing.push_back({v, i});
    }
  return true;
}

}  // namespace

NestPieces nest_pieces(const Function& kernel) {
  NestPieces r;
  int64_t most = 0;
  auto to_split = [](const Stmt& s) {
    auto* loop = std::get_if<CountedLoop>(&s.node);
    return loop && loop->parallel && !jumps_out(loop->body) ? loop : nullptr;
  };
  for (const Stmt& s : kernel.body)
    if (auto* loop = to_split(s)) most = std::max({most, cheap_recomputation, cost(loop->body)});
  if (most == 0) return r;

  Recomputed recomputed(kernel);
  bool begun = false;
  int64_t again = 0;
  std::set<VarId> before;  // variables that occur in pieces so far
  for (const Stmt& s : kernel.body) {
    if (auto* loop = to_split(s)) {
      CountedLoop head = *loop;
      head.body.clear();
      before.merge(variables(Block{s}));
      r.pieces.push_back({loop->body, std::move(head)});
      begun = false;
      continue;
    }
    int64_t here = 0;
    each_expr(s, [&](ExprP e) { here += cost(e); });
    if (again + here <= most && recomputed.take(s, before)) {
      r.common.push_back(s);
      again += here;
      continue;
    }
    if (!begun) r.pieces.emplace_back();
    begun = true;
    before.merge(variables(Block{s}));
    r.pieces.back().body.push_back(s);
  }
  for (size_t k = 0; k < r.pieces.size(); ++k) {
    const NestPiece& p = r.pieces[k];
    // An iteration that faults would not reach the next piece, and that piece may rely on the check.
    if (has<Fail>(p.body) && k + 1 < r.pieces.size())
      r.why = "there are checks before a part that would run after all others";
    if (!p.is_loop() && jumps_out(p.body)) r.why = "there is a jump outside of the inner loop";
    if (r.pieces.size() > 1 && has<Atomic>(p.body)) r.why = "there are atomic operations";
  }
  if (!find_crossing(kernel, r)) r.why = "scalars are passed from one part of the body to another";
  return r;
}

}  // namespace vr::lower
