#include "loop/analysis/barriers.hpp"

#include "loop/walk.hpp"

#include <algorithm>

namespace vr::lower {

bool can_meet(const Function& k, bool faults) {
  if (!k.disjoint || k.points != 1 || !k.folds.empty() || !k.lanes.empty() || k.team != 0 || k.group != 0) return false;
  const auto last = std::find_if(k.body.rbegin(), k.body.rend(),
                                 [](const Stmt& s) { return std::holds_alternative<CountedLoop>(s.node); });
  const auto end = k.body.begin() + (k.body.rend() - last);
  const auto is_known = [](const Stmt& s) {
    return std::holds_alternative<SetVar>(s.node) || std::holds_alternative<Store>(s.node) ||
           std::holds_alternative<If>(s.node) || std::holds_alternative<CountedLoop>(s.node) ||
           std::holds_alternative<AliasGroup>(s.node);
  };
  const auto fits = [&](const Stmt& s) {
    const bool loop = std::holds_alternative<CountedLoop>(s.node);
    return !any_statement({s}, [&](const Stmt& inner) {
      return !is_known(inner) && !(faults && loop && std::holds_alternative<Fail>(inner.node));
    });
  };
  return std::all_of(k.body.begin(), end, fits) && !any_statement(Block(end, k.body.end()), [&](const Stmt& s) {
           return !is_known(s) && !std::holds_alternative<Fail>(s.node);
         });
}

}  // namespace vr::lower
