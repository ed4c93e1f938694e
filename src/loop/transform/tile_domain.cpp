#include "loop/transform/tile_domain.hpp"

#include "loop/walk.hpp"

#include <algorithm>

namespace vr::lower {

TileDomain tile_domain(const Function& kernel, const DimDependence& dims) {
  TileDomain d{kernel};
  if (kernel.body.empty()) return d;
  auto* last = std::get_if<If>(&kernel.body.back().node);
  const bool assignments_before = std::all_of(kernel.body.begin(), kernel.body.end() - 1, [](const Stmt& s) {
    return std::holds_alternative<SetVar>(s.node);
  });
  if (!last || !last->else_body.empty() || !assignments_before || dims.region(kernel.body.back()) == 0 || !has<CountedLoop>(last->then_body))
    return d;
  d.inside = last->cond;
  d.before = kernel.body.size() - 1;
  d.open.body.pop_back();
  d.open.body.insert(d.open.body.end(), last->then_body.begin(), last->then_body.end());
  return d;
}

}  // namespace vr::lower
