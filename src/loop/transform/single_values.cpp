// single_values:
//
//   y = i + 1 - k                         y = i + 1 - k
//   if y % 2 == 0 {                       if y % 2 == 0 {
//     y = y / 2                             y#1 = y / 2
//     s = s + a[y]                          s = s + a[y#1]
//   }                                     }
#include "loop/transform/single_values.hpp"

#include "loop/analysis/carried_reduction.hpp"
#include "loop/renamed.hpp"
#include "loop/walk.hpp"

#include <functional>
#include <map>
#include <set>

namespace vr::lower {

namespace {

using IsLive = std::function<bool(VarId)>;

class SingleValues {
 public:
  SingleValues(Exprs& x, Function& kernel) : x_(x), fn_(kernel), times_(assignments(kernel.body)) {
    for (const Fold& r : kernel.folds) kept_.insert({r.var, r.other});
    kept_.insert(kernel.dims.begin(), kernel.dims.end());
    for (const Param& p : kernel.params) kept_.insert(p.var);
    any_statement(kernel.body, [&](const Stmt& s) {
      if (auto* n = std::get_if<CountedLoop>(&s.node)) {
        kept_.insert(n->var);
        kept_.insert(n->own.begin(), n->own.end());
        if (n->reduction) kept_.insert(n->reduction->vars.begin(), n->reduction->vars.end());
      }
      if (auto* n = std::get_if<Atomic>(&s.node)) kept_.insert(n->result);
      return false;
    });
    for (const ArrayVars& a : kernel.arrays) {
      kept_.insert({a.data, a.owner, a.flags});
      kept_.insert(a.extent.begin(), a.extent.end());
      kept_.insert(a.stride.begin(), a.stride.end());
    }
  }

  /// is_live: whether a variable may be read behind the block before it is assigned.
  void block(Block& b, const IsLive& is_live) {
    const bool jumps = has_own<Break>(b) || has_own<Continue>(b) || has<Exit>(b);
    for (size_t k = 0; k < b.size(); ++k) {
      const IsLive behind = [&, k](VarId v) {
        const FirstAccess next = first_access(b, k + 1, v);
        return next == FirstAccess::Read || ((next == FirstAccess::Neither || jumps) && is_live(v));
      };
      if (auto* set = std::get_if<SetVar>(&b[k].node)) {
        if (!jumps && times_[set->var] > 1 && !kept_.count(set->var) && set->value->type != Scalar::Ptr &&
            !is_live(set->var))
          rename(b, k);
        continue;
      }
      const bool repeats = std::holds_alternative<CountedLoop>(b[k].node) || std::holds_alternative<Loop>(b[k].node);
      for (Block* p : parts(b[k]))
        block(*p, [&](VarId v) { return (repeats && first_access(*p, 0, v) == FirstAccess::Read) || behind(v); });
    }
  }

 private:
  void rename(Block& b, size_t k) {
    auto& set = std::get<SetVar>(b[k].node);
    const VarId old = set.var;
    const auto rest = b.begin() + static_cast<std::ptrdiff_t>(k);
    const int here = assignments(Block(rest, b.end())).at(old);
    if (here == times_[old]) return;  // all of its values are in this block
    const VarId made = variable_like(x_, fn_, old);
    const std::map<VarId, VarId> names{{old, made}};
    for (auto later = rest + 1; later != b.end(); ++later) *later = renamed(x_, std::move(*later), names);
    set.var = made;
    times_[old] -= here;
    times_[made] = here;
  }

  Exprs& x_;
  Function& fn_;
  std::map<VarId, int> times_;
  std::set<VarId> kept_;  ///< that are not only assigned by SetVar
};

}  // namespace

void single_values(Module& m, const PassOptions& options) {
  if (!options.version_loops) return;
  Exprs x(m);
  for (const auto& f : m.functions)
    if (f->kind == Function::Kind::Kernel) SingleValues(x, *f).block(f->body, [](VarId) { return false; });
}

}  // namespace vr::lower
